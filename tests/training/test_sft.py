"""`watercolour sft` on a tiny real policy and a pool of two sketches, and a run that starts from what it learnt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from safetensors.torch import load_file

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from tests.made_run import sketch
from tests.training.test_training import CONFIG
from watercolour.config import SftSection
from watercolour.errors import ConfigError
from watercolour.policy.sft import example_of, schedule, split_pool
from watercolour.references import Reference, Tier, read_pool
from watercolour.runs import RunDir

SFT = "sft={steps: 16, batch_size: 2, learning_rate: 4e-3, max_tokens: 400, held_out_share: 0.3, samples: 3}"
PAINTS = """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  background("#fff"); brush.noStroke(); brush.fill("#%s", 220); %s
}
"""
WAYS = [
    "brush.circle(40, 30, 90); brush.circle(-40, -30, 110); brush.circle(0, 80, 70); brush.circle(90, -80, 50);",
    "for (let a = 0; a < 360; a += 72) { brush.circle(90 * cos(a), 90 * sin(a), 80, 0.3); } brush.circle(0, 0, 20);",
    "brush.beginShape(0.4); for (let a = 0; a < 7; a++) { brush.vertex(100 * a, 90 - a * a); } brush.endShape(true);",
    "brush.fillBleed(0.2); let r = 150; while (r > 20) { brush.circle(0, r / 9, r); r = r - 30; }",
]


@pytest.fixture
def pool() -> list[Reference]:
    """Three sketches of tier love, two of them variants of one; two okay ones, a rejected one, and a very long one."""
    folder = Path("pool")
    folder.mkdir()
    sources = {
        "love-a": PAINTS % ("d04070", WAYS[0]),
        "love-b": PAINTS % ("40d070", WAYS[1]),
        "love-c": PAINTS % ("4070d0", WAYS[1]),
        "okay-a": PAINTS % ("d04070", WAYS[2]),
        "okay-b": PAINTS % ("d04070", WAYS[3]),
        "okay-long": sketch(200),
        "nope-a": PAINTS % ("000000", ""),
    }
    lines = []
    for name, source in sources.items():
        (folder / f"{name}.js").write_text(source)
        Image.new("RGB", (600, 600), "#d04070").save(folder / f"{name}.png")
        facts = {"tier": name.split("-")[0], "subject": "a peach hibiscus", "sha256": name, "coverage": 0.2}
        lines.append(json.dumps({"file": f"{name}.png", "source": f"{name}.js", **facts}))
    (folder / "pool.jsonl").write_text("\n".join(lines))
    return read_pool(folder)


def names(references: tuple[Reference, ...]) -> set[str]:
    return {reference.name for reference in references}


@pytest.mark.parametrize("seed", range(6))
def test_variants_are_learnt_together_or_held_out_together_and_rejected_ones_neither(
    pool: list[Reference], seed: int
) -> None:
    split = split_pool(pool, SftSection(held_out_share=0.3, seed=seed))
    learnt, held_out = names(split.loved) | names(split.okay), names(split.held_out)
    assert not learnt & held_out
    assert learnt | held_out == {"love-a", "love-b", "love-c", "okay-a", "okay-b", "okay-long"}
    assert 2 <= len(held_out) <= 3
    assert len({"love-b", "love-c"} & held_out) != 1
    assert split == split_pool(pool, SftSection(held_out_share=0.3, seed=seed))


def test_loved_sources_come_first_in_every_pass_and_as_often_as_their_weight(pool: list[Reference]) -> None:
    settings = SftSection(steps=8, batch_size=2, held_out_share=0, love_repeats=2, okay_repeats=1)
    split = split_pool(pool, settings)
    order = schedule(split, settings)
    loved = {example_of(reference) for reference in split.loved}
    assert len(order) == 16
    assert [example in loved for example in order] == [True] * 6 + [False] * 3 + [True] * 6 + [False]
    assert all(order[:6].count(example) == 2 for example in loved)
    alone = split_pool(pool, SftSection(okay_repeats=0, held_out_share=0))
    assert {reference.tier for reference in alone.loved} == {Tier.LOVE} and not alone.okay


def test_too_small_a_pool_says_so(pool: list[Reference]) -> None:
    with pytest.raises(ConfigError, match=r"sft: 1 sources .* set sft.held_out_share to 0"):
        split_pool(pool[:1], SftSection())


@pytest.mark.browser
def test_it_learns_the_pool_and_a_run_starts_from_it(
    run: Run,  # noqa: F811
    painter: Path,
    pool: list[Reference],
) -> None:
    Path("loop.yaml").write_text(CONFIG.format(model=painter, steps=1) + "pool: pool\n")
    plan = json.loads(run("sft", "--config", "loop.yaml", SFT, "--dry-run", "--json").out)
    assert plan["sources"]["too_long"] == 1
    assert sum(plan["sources"].values()) == 6
    assert not Path("runs").exists()

    result = run("sft", "--config", "loop.yaml", SFT, "--json")
    assert result.code == 0, result.err
    report = json.loads(result.out)
    assert report["out"] == "runs/loop-sft"
    assert report["sources"] == plan["sources"]
    assert len(report["losses"]) == 16 and all(loss > 0 for loss in report["losses"])
    assert report["loss_after"] < report["loss_before"], report
    for when in ("gate_before", "gate_after"):
        assert 0 <= report[when]["passed"] <= report[when]["judged"] == 3
    assert "loss" in result.err and "Traceback" not in result.err
    assert {path.name for path in Path("runs/loop-sft").iterdir()} == {
        "adapter_config.json", "adapter_model.safetensors", "sft.json"
    }  # fmt: skip
    assert [path.name for path in Path("runs").iterdir()] == ["loop-sft"]

    refused = run("sft", "--config", "loop.yaml", SFT)
    assert refused.code == 2
    assert "runs/loop-sft: is there already" in refused.err

    trained = run("train", "--config", "loop.yaml", "policy.init_adapter=runs/loop-sft", "grpo.learning_rate=1e-9")
    assert trained.code == 0, trained.err
    last = RunDir.open("loop-1").last_checkpoint()
    assert last is not None
    learnt = load_file("runs/loop-sft/adapter_model.safetensors")
    for name, tensor in load_file(last / "adapter_model.safetensors").items():
        assert (tensor.float() - learnt[name].float()).abs().max() < 1e-6


@pytest.mark.browser
def test_the_same_settings_learn_the_same_and_what_fails_leaves_nothing(
    run: Run,  # noqa: F811
    painter: Path,
    pool: list[Reference],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("loop.yaml").write_text(CONFIG.format(model=painter, steps=1) + "pool: pool\n")
    command = ("sft", "--config", "loop.yaml", SFT, "sft.samples=0", "sft.steps=2", "--json", "--out")
    first, again = (json.loads(run(*command, out).out) for out in ("first", "again"))
    assert first["losses"] == again["losses"] and first["gate_before"] is None
    one, other = (Path(out, "adapter_model.safetensors").read_bytes() for out in ("first", "again"))
    assert one == other

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("watercolour.policy.sft.publish_folder", full)
    failed = run(*command, "third")
    assert failed.code == 1
    assert "third: cannot be written" in failed.err
    assert not list(Path().glob("*third*")) and not list(Path().glob(".third*"))
