"""`watercolour publish`: into a folder, and to a hub on this machine; the hub's own clients read what was written."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from huggingface_hub import DatasetCard, ModelCard
from PIL import Image

from tests.cli.conftest import Run, in_an_empty_folder, run  # noqa: F401 - fixtures
from tests.hub_server import HubServer, serving_hub
from tests.made_run import make_run
from tests.policy.conftest import own_cache, tiny_folder  # noqa: F401 - fixtures
from tests.policy.test_adapters import save_adapter
from watercolour.painting import hash_pixels
from watercolour.runs import RunDir

KEY = "hf_" + "s3cr3t" * 6


@pytest.fixture
def made(in_an_empty_folder: None, monkeypatch: pytest.MonkeyPatch) -> RunDir:  # noqa: F811
    monkeypatch.setenv("HF_TOKEN", KEY)
    directory = make_run(Path("runs/first"))
    for step in (1, 2, 3, 4):
        terms = {"gate": 0.5, "coverage": 0.1 * step}
        seconds = {"generate": 3.0, "render": 1.0}
        directory.write_step(step, {"reward": 0.1 * step, "reward_best": 0.2, "terms": terms, "seconds": seconds})
    return directory


def rows_of(path: Path) -> list[dict[str, Any]]:
    table = load_dataset("parquet", data_files=str(path), split="train", cache_dir="cache")
    return [dict(row) for row in table]


def test_a_run_becomes_a_data_set_with_pictures_and_every_term(run: Run, made: RunDir) -> None:  # noqa: F811
    result = run("publish", "first", "--to", "folder:out", "--json")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert (told["rows"], told["uploaded"], told["secrets_removed"]) == (16, [], 0)
    assert told["notes"] == ["the run has no checkpoint yet, so there is no adapter to publish"]
    names = [file["file"] for file in told["files"]]
    assert names == [
        f"dataset/{name}"
        for name in (
            "README.md",
            "config.resolved.json",
            "config.yaml",
            "curves.csv",
            "data/rollouts.parquet",
            "metrics.jsonl",
            "paintings.png",
            "run.json",
        )
    ]
    rows = rows_of(Path("out/dataset/data/rollouts.parquet"))
    rollouts = made.rollouts()
    assert len(rows) == len(rollouts) == 16
    for row, rollout in zip(rows, rollouts, strict=True):
        assert (row["step"], row["index"], row["reward"]) == (rollout.step, rollout.index, rollout.reward)
        assert (row["source"], row["completion"]) == (rollout.source, rollout.completion)
        assert row["errors"] == list(rollout.errors)
        if rollout.painting is None:
            assert row["image"] is None
        else:
            assert isinstance(row["image"], Image.Image)
            assert hash_pixels(np.asarray(row["image"].convert("RGB"))) == rollout.painting == row["sha256"]
        for name in ("gate", "length", "coverage"):
            term = rollout.terms.get(name)
            assert row[f"term_{name}"] == (term.value if term else None)
            assert row[f"term_{name}_why"] == (term.why if term else None)
            assert json.loads(row[f"term_{name}_parts"] or "{}") == (term.parts if term else {})
    assert pq.read_schema("out/dataset/data/rollouts.parquet").metadata[b"huggingface"]


def test_the_card_is_written_from_the_runs_own_numbers(run: Run, made: RunDir) -> None:  # noqa: F811
    assert run("publish", "first", "--to", "someone/painter").code == 0
    text = Path("published/painter/dataset/README.md").read_text()
    card = DatasetCard(text)
    assert (card.data.license, card.data.size_categories) == ("apache-2.0", ["n<1K"])
    assert card.data.configs[0]["data_files"] == "data/rollouts.parquet"
    rewards = [[r.reward for r in made.rollouts(step) if r.reward is not None] for step in (1, 2, 3, 4)]
    means = [sum(each) / len(each) for each in rewards]
    assert f"| mean reward | {means[0]:.3f} | {(means[1] + means[2]) / 2:.3f} | {means[3]:.3f} |" in text
    for expected in (
        "16 sketches that a language model wrote to paint a peach hibiscus, over 4 steps",
        "15 are scored",
        "1 of 16 rollouts are unscored and in no mean",
        "syntax error 3",
        "| `coverage` (weight 0.6) |",
        'load_dataset("someone/painter", split="train")',
        "p5.js (LGPL-2.1) and p5.brush (MIT)",
        "The run had not finished",
        "Base model: nobody/nothing",
    ):
        assert expected in text
    with Path("published/painter/dataset/curves.csv").open() as file:
        curve = list(csv.DictReader(file))
    assert [float(line["reward"]) for line in curve] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert [line["step_time"] for line in curve] == ["4.0"] * 4
    assert float(curve[2]["coverage_mean"]) == pytest.approx(0.3)
    with Image.open("published/painter/dataset/paintings.png") as sheet:
        assert sheet.width > 4 * 280


def test_no_secret_and_no_path_leaves(run: Run, made: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Keys in a reply, in a reason and in the configuration's comment; paths in run.json, an error and the YAML."""
    monkeypatch.setenv("OTHER_API_KEY", "correct-horse-battery")
    path = made.rollouts_dir / "step-00001.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["completion"] = f"{lines[0]['completion']} // correct-horse-battery hf_{'b' * 30} \ud800"
    lines[1]["errors"] = ["/opt/secret-place/watercolour/render/worker.py: it broke"]
    lines[1]["terms"]["gate"]["why"] = "asked with correct-horse-battery"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    facts = made.facts() | {"command": f"/opt/secret-place/bin/watercolour train --config {Path.cwd()}/x.yaml"}
    (made.path / "run.json").write_text(json.dumps(facts))
    given = (made.path / "config.yaml").read_text()
    (made.path / "config.yaml").write_text(f"# /opt/secret-place/mine.yaml correct-horse-battery\n{given}")
    result = run("publish", "first", "--to", "folder:out")
    assert result.code == 0, result.err
    assert "what looked like a secret was taken out of 3 texts" in result.err
    rows = rows_of(Path("out/dataset/data/rollouts.parquet"))
    assert rows[0]["completion"].endswith("// $OTHER_API_KEY (removed) ?")
    assert rows[1]["errors"] == ["worker.py: it broke"]
    assert rows[1]["term_gate_why"] == "asked with $OTHER_API_KEY"
    everything = b"".join(file.read_bytes() for file in Path("out").rglob("*") if file.is_file())
    texts = json.dumps([{**row, "image": None} for row in rows]).encode()
    for secret in ("correct-horse-battery", "secret-place", KEY, str(Path.cwd()), str(Path.home()) + "/"):
        assert secret.encode() not in everything + texts
    assert json.loads(Path("out/dataset/run.json").read_text())["command"] == "watercolour train --config x.yaml"


def checkpointed(made: RunDir, model: Path) -> None:
    for name in ("config.resolved.json", "config.yaml"):
        text = (made.path / name).read_text().replace("nobody/nothing", str(model))
        (made.path / name).write_text(text)
    save_adapter(model, made.checkpoints / "checkpoint-4")
    (made.checkpoints / "checkpoint-4/trainer_state.json").touch()


def test_the_adapter_comes_with_its_card_and_without_paths(
    run: Run,  # noqa: F811
    made: RunDir,
    tiny_folder: Path,  # noqa: F811
) -> None:
    checkpointed(made, tiny_folder)
    result = run("publish", "runs/first", "--to", "someone/painter")
    assert result.code == 0, result.err
    assert "nothing was uploaded; with --upload this goes to someone/painter (dataset and model, private)" in result.err
    model = Path("published/painter/model")
    assert sorted(path.name for path in model.iterdir()) == [
        "README.md",
        "adapter_config.json",
        "adapter_model.safetensors",
    ]
    settings = json.loads((model / "adapter_config.json").read_text())
    assert settings["base_model_name_or_path"] == tiny_folder.name
    assert settings["auto_mapping"]["base_model_class"] == "LlamaForCausalLM"
    card = ModelCard.load(model / "README.md")
    assert (card.data.library_name, card.data.datasets) == ("peft", ["someone/painter"])
    assert "A LoRA adapter of 28 tensors" in card.text
    assert str(tiny_folder) not in "".join(
        path.read_text() for path in Path("published").rglob("*") if path.suffix in (".json", ".md", ".yaml")
    )
    again = run("publish", "first", "--to", "someone/painter", "--merged")  # an earlier one of ours is made anew
    assert again.code == 0, again.err
    assert (model / "model.safetensors").is_file() and not (model / "adapter_config.json").exists()
    assert "The whole model: " in (model / "README.md").read_text()


def test_a_pool_becomes_a_data_set_with_its_licences(run: Run, made: RunDir) -> None:  # noqa: F811
    pool = Path("pond")
    for tier, colour in (("love", "#c04"), ("nope", "#222")):
        (pool / tier).mkdir(parents=True)
        Image.new("RGB", (40, 40), colour).save(pool / tier / f"{tier}-one.png")
        (pool / tier / f"{tier}-one.js").write_text(f"// {tier}")
    photo = {
        "photo": "p.jpg",
        "photo_licence": "CC BY 4.0",
        "photo_attribution": "A. Painter",
        "photo_url": "https://photos.example/p",
    }
    lines = [
        {"file": f"{tier}/{tier}-one.png", "source": f"{tier}/{tier}-one.js", "tier": tier, "subject": "a bee"}
        | {"sha256": "0" * 64, "coverage": 0.5, "licence": "Apache-2.0" if tier == "love" else None, "seed": 1}
        | (photo if tier == "love" else {})
        for tier in ("love", "nope")
    ]
    (pool / "pool.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (pool / "README.md").write_text("# What the ratings mean")
    result = run("publish", "pond", "--to", "folder:out", "--licence", "cc-by-4.0")
    assert result.code == 0, result.err
    rows = rows_of(Path("out/dataset/data/paintings.parquet"))
    assert [(row["tier"], row["source"], row["licence"]) for row in rows] == [
        ("love", "// love", "Apache-2.0"),
        ("nope", "// nope", None),
    ]
    assert rows[0]["image"].size == (40, 40) and rows[0]["photo_licence"] == "CC BY 4.0"
    card = DatasetCard.load(Path("out/dataset/README.md"))
    assert card.data.license == "cc-by-4.0"
    assert "| **all** | 1 | 1 |" in card.text
    assert "Apache-2.0 1, not known 1" in card.text
    assert "- Photograph: A. Painter, CC BY 4.0, https://photos.example/p" in card.text
    assert Path("out/dataset/RATINGS.md").read_text() == "# What the ratings mean"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with serving_hub(HubServer(key=KEY)) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        yield server


def test_upload_makes_private_repositories_and_sends_what_was_listed(
    run: Run,  # noqa: F811
    made: RunDir,
    tiny_folder: Path,  # noqa: F811
    hub: HubServer,
) -> None:
    checkpointed(made, tiny_folder)
    assert run("publish", "first", "--to", "someone/painter").code == 0
    assert not hub.repos
    result = run("publish", "first", "--to", "someone/painter", "--upload", "--json")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert told["uploaded"] == [f"{hub.url}/datasets/someone/painter", f"{hub.url}/someone/painter"]
    assert [made["visibility"] for made in hub.repos.values()] == ["private", "private"]
    sent = {f"{kind}/{name}": content for (kind, _), files in hub.files.items() for name, content in files.items()}
    assert sorted(sent) == sorted(file["file"] for file in told["files"])
    for name, content in sent.items():
        assert content == (Path("published/painter") / name).read_bytes()
        assert KEY.encode() not in content
    hub.key = "another"
    refused = run("publish", "first", "--to", "someone/painter", "--yes")
    assert refused.code == 1 and refused.err.splitlines()[-1].startswith(
        "watercolour: someone/painter: the dataset could"
    )
    assert KEY not in refused.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["first", "--to", "someone/pain ter"], 2, "--to someone/pain ter: "),
        (["first", "--to", "painter"], 2, "write USER/NAME, or folder:PATH"),
        (["first", "--to", "a/b/c"], 2, "--to a/b/c: "),
        (["first", "--to", "folder:"], 2, "names no folder"),
        (["first", "--to", "folder:x", "--upload"], 2, "leave out --upload and -o"),
        (["frist", "--to", "folder:x"], 2, "no run 'frist', did you mean 'first'?"),
        (["hibiscus", "--to", "folder:x", "--merged"], 2, "--merged: goes with a run"),
        (["empty", "--to", "folder:x"], 2, "has no rollouts yet"),
        (["first", "--to", "folder:full"], 2, "full: holds something that publish did not make"),
        (["first", "--to", "someone/painter", "--upload"], 3, "--upload: $HF_TOKEN is not set"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    run: Run,  # noqa: F811
    made: RunDir,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    make_run(Path("runs/empty"), steps=0)
    Path("full").mkdir()
    Path("full/file").touch()
    result = run("publish", *arguments)
    assert message in result.err
    assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)
    assert not Path("x").exists() and not Path("published/painter").exists()
