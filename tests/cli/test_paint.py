"""`watercolour paint`, with the tests' tiny model and with a real HTTP server, in the real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Run
from tests.judge_server import MODEL, Asked, JudgeServer, busy, error, says, serving
from tests.policy.conftest import own_cache, tiny_folder  # noqa: F401 - fixtures
from tests.policy.test_export import make_run
from watercolour.painting import read_picture

KEY = "sk-secret-of-the-tests"
MIX = """
policy: {model: nobody/nothing}
grpo: {steps: 1}
reward: {terms: [{term: gate, weight: 0.1}, {term: coverage, weight: 0.9, full_at: 1.0}]}
"""
SHORT = """
name: short
title: a plum
subjects: [a plum]
canvas: {width: 600, height: 600}
pool: none
methods: [{name: circle, signature: "circle(x, y, r)"}]
skeleton: function setup() {}
composition: Be brief.
judge: {task: Which one, better: soft, worse: hard}
scorer_text: a plum
"""


def disc(radius: int, colour: str = "#d04070") -> str:
    return f"""Here it is:
```javascript
function setup() {{ createCanvas(600, 600, WEBGL); angleMode(DEGREES); noLoop(); }}
function draw() {{
  background("#ffffff"); translate(-width / 2, -height / 2); brush.noStroke();
  brush.fill("{colour}", 220); brush.circle(300, 300, {radius});
}}
```
"""


def text_of(asked: Asked) -> str:
    last = asked.body["messages"][-1]["content"]
    return last if isinstance(last, str) else " ".join(part.get("text", "") for part in last)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    monkeypatch.setenv("PAINT_KEY", KEY)
    Path("mix.yaml").write_text(MIX)
    with serving(JudgeServer(key=KEY)) as judge:
        yield judge


def api(server: JudgeServer) -> list[str]:
    return ["--from", f"api:{MODEL}@{server.url}", "--key-env", "PAINT_KEY", "--workers", "1"]


@pytest.mark.browser
def test_an_api_paints_a_folder_of_pictures_and_sources(run: Run, server: JudgeServer) -> None:
    replies = iter(
        [disc(90), "I would rather not paint.", disc(140), disc(60).replace("brush.circle", "brush.splodge")]
    )
    server.reply = lambda asked: next(replies)
    server.faults = [busy()]
    result = run("paint", "a red  disc", *api(server), "-n", 4, "-o", "out", "--temperature", 0.5, "--seed", 7)
    assert result.code == 0, result.err
    assert result.out.splitlines()[-1] == "out/sheet.png"
    record = json.loads(Path("out/paint.json").read_text())
    assert (record["subject"], record["medium"], record["seed"], record["scored_by"]) == (
        "a red disc",
        "hibiscus",
        7,
        None,
    )
    assert record["author"]["base_url"] == server.url and record["author"]["calls"] == 5
    outcomes = sorted(painting["outcome"] for painting in record["paintings"])
    assert outcomes == ["no_sketch", "ok", "ok", "threw"]
    for painting in record["paintings"]:
        if painting["outcome"] == "ok":
            picture = read_picture(Path("out") / painting["png"])
            assert picture.sha256 == painting["sha256"] and painting["gate"]["value"] == 1
            assert "brush.circle" in (Path("out") / painting["source"]).read_text()
        else:
            assert painting["gate"]["value"] == 0 and painting["reply"]
    with Image.open("out/sheet.png") as sheet:
        assert sheet.width > 4 * 280
    assert sorted(path.name for path in Path("out").iterdir() if path.suffix == ".js") == [
        Path(painting["source"]).name for painting in record["paintings"] if painting["source"]
    ]
    assert not any(KEY in path.read_text(errors="replace") for path in Path("out").rglob("*") if path.is_file())
    sent = [asked.body for asked in server.requests]
    assert {body["temperature"] for body in sent} == {0.5}
    assert {body["seed"] for body in sent} == {7, 8, 9, 10}
    assert "Paint a red disc." in text_of(server.requests[0])
    again = run("paint", "a red disc", *api(server), "-n", 1, "-o", "out")
    assert again.code == 2
    assert again.err == "watercolour: out: holds something already; name a new folder with -o\n"


@pytest.mark.browser
def test_revise_shows_the_painting_and_keeps_the_best_and_the_history(run: Run, server: JudgeServer) -> None:
    """It writes a small disc, then, shown that, a large one, then one that does not parse."""

    def reply(asked: Asked) -> str:
        said = [turn for turn in asked.body["messages"] if turn["role"] == "assistant"]
        if not said:
            return f"<think>small?</think>{disc(50)}"
        return "```js\nfunction setup() { ] }\n```" if " 50)" not in said[0]["content"] else disc(150)

    server.reply = reply
    result = run(
        "paint", "a red disc", *api(server), "-n", 1, "--revise", 2, "--config", "mix.yaml", "--json", "-o", "o"
    )
    assert result.code == 0, result.err
    record = json.loads(result.out)
    assert record == json.loads(Path("o/paint.json").read_text())
    assert [each["outcome"] for each in record["attempts"]] == ["ok", "ok", "syntax_error"]
    rewards = [each["reward"] for each in record["attempts"]]
    assert rewards[1] > rewards[0] > rewards[2] == 0
    (best,) = record["paintings"]
    assert (best["attempt"], best["png"], record["scored_by"]) == (2, "01.png", "mix")
    assert Path("o/01.png").read_bytes() == Path("o/attempts/01-2.png").read_bytes()
    assert Path("o/attempts/01-3.js").read_text().startswith("function setup() { ]")
    assert Path("o/attempts.png").is_file()
    shown = [asked for asked in server.requests if asked.pictures]
    assert [asked.pictures for asked in shown] == [(each["sha256"],) for each in record["attempts"][:2]]
    told = shown[0].body["messages"][2]["content"]
    assert told.startswith("```javascript\nfunction setup") and "small?" not in told
    assert "Better ones show" in text_of(shown[0])


@pytest.mark.browser
def test_best_of_keeps_the_highest_score_and_a_blind_endpoint_is_told_of(run: Run, server: JudgeServer) -> None:
    radii = iter([40, 160, 90])

    def reply(asked: Asked) -> str:
        return disc(next(radii))

    server.reply = reply
    result = run("paint", "a disc", *api(server), "-n", 1, "--best-of", 3, "--config", "mix.yaml", "--json", "-o", "o")
    assert result.code == 0, result.err
    record = json.loads(result.out)
    (best,) = record["paintings"]
    assert best["reward"] == max(each["reward"] for each in record["attempts"]) > 0
    assert "circle(300, 300, 160)" in Path("o/01.js").read_text()
    radii = iter([50])
    server.faults = [says_nothing, says(error(400, "this model takes no images"))]
    blind = run("paint", "a disc", *api(server), "-n", 1, "--revise", 1, "--config", "mix.yaml", "-o", "p")
    assert blind.code == 1
    assert (
        "1 of 2 could not be had (no reply: the endpoint rejected the question (400: this model takes no" in blind.err
    )
    assert Path("p/01.png").is_file()


async def says_nothing(_: Asked) -> None:
    """No fault."""


def test_what_the_endpoint_will_not_do_is_one_line(run: Run, server: JudgeServer) -> None:
    for arguments, code, message in (
        (["--key-env", "lower"], 2, "--key-env: key_env must be the name of an environment variable"),
        (["--key-env", "NOT_SET_AT_ALL"], 3, "$NOT_SET_AT_ALL is not set"),
        ([], 3, "refuses a call without a key"),
    ):
        source = ["--from", f"api:{MODEL}@{server.url}"]
        result = run("paint", "a disc", *source, *arguments, "-n", 1, "-o", "gone")
        assert (result.code, result.out) == (code, "")
        assert message in result.err and KEY not in result.err
    wrong = run("paint", "a disc", "--from", f"api:none@{server.url}", "--key-env", "PAINT_KEY", "-n", 1, "-o", "x")
    assert wrong.code == 2 and "does not know the model none" in wrong.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "api:@http://x/v1"], "names no model; write api:MODEL@BASE_URL"),
        (["--from", "api:m@http://me:secret@x/v1"], "base_url must hold no user, password or query"),
        (["--from", "frist"], "no run 'frist'"),
        (["--from", "."], "is neither a run nor an adapter's folder nor a model's"),
        (["--from", "runs/gone"], "no run 'runs/gone'"),
        (["--from", "smollm2-135m", "--key-env", "X"], "--key-env: goes with --from api:MODEL@BASE_URL"),
        (["--from", "api:m@http://x/v1", "--medium", "jelly"], "medium 'jelly': not one of"),
        (["--from", "api:m@http://x/v1", "--config", "tinny"], "no configuration 'tinny', did you mean 'tiny'?"),
        (["two\nlines\x07", "--from", "api:m@http://x/v1"], "SUBJECT: must be one line"),
    ],
)
def test_bad_input_is_one_line_and_makes_no_folder(run: Run, arguments: list[str], message: str) -> None:
    Path("runs").mkdir()
    result = run("paint", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err and "secret" not in result.err
    assert not Path("paintings").exists()


@pytest.mark.browser
def test_a_run_a_checkpoint_and_a_model_sample_with_their_seed(run: Run, tiny_folder: Path) -> None:  # noqa: F811
    """The tiny model writes noise: the replies are there, no sketch is, and that is said."""
    made = make_run(tiny_folder, Path("runs/first"))
    Path("short.yaml").write_text(SHORT)
    options = ["--medium", "short.yaml", "--seed", 5, "-n", 3, "--max-tokens", 24, "--workers", 1, "--json"]
    replies = []
    for number, source in enumerate(["first", made.checkpoints / "checkpoint-2", "first", tiny_folder]):
        result = run("paint", "--from", source, *options, "-o", f"out{number}")
        assert result.code == 1, result.err
        assert "nothing was painted: no reply held a sketch that runs" in result.err
        record = json.loads(result.out)
        assert (record["subject"], record["count"]) == ("a plum", 3)
        assert record["author"]["class"] == "LlamaForCausalLM"
        assert all(0 < painting["tokens"] <= 24 for painting in record["paintings"])
        assert Path(f"out{number}/sheet.png").is_file()
        replies.append([painting["reply"] for painting in record["paintings"]])
    assert replies[0] == replies[1] == replies[2] != replies[3]
    assert len(set(replies[0])) == 3


def test_an_adapter_that_does_not_bind_is_refused_with_the_names(run: Run, tiny_folder: Path) -> None:  # noqa: F811
    checkpoint = make_run(tiny_folder, Path("runs/first")).checkpoints / "checkpoint-2"
    settings = json.loads((checkpoint / "adapter_config.json").read_text())
    (checkpoint / "adapter_config.json").write_text(json.dumps(settings | {"r": 8}))
    result = run("paint", "--from", "first", "-o", "out")
    assert result.code == 2
    assert "28 of this adapter's 28 tensors have no place in LlamaForCausalLM: base_model.model." in result.err
    assert not Path("out").exists()


def test_a_policy_without_eyes_is_told_of_before_anything_is_sampled(run: Run, tiny_folder: Path) -> None:  # noqa: F811
    result = run("paint", "--from", tiny_folder, "--revise", 2, "-o", "out")
    assert result.code == 2
    assert (
        "cannot see its painting: LlamaForCausalLM has no vision tower; name a vision policy or --from api:"
        in result.err
    )
    assert not Path("out").exists()
