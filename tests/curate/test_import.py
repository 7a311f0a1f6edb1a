"""A pool of the open reproduction's layout comes in with its tiers, and its faults are told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.cli.conftest import Run
from tests.made_candidates import pool_paintings
from watercolour.curate.candidates import read_candidates
from watercolour.curate.ratings import read_tiers
from watercolour.curate.reproduction import spdx
from watercolour.references import Tier

CARD = "---\nlicense: cc-by-4.0\n---\n# A pool\n"


def make(root: Path, each: int = 2, card: str = CARD) -> list[dict[str, Any]]:
    """The layout, of paintings of the shipped pool; gives its lines."""
    lines = []
    for number, reference in enumerate(pool_paintings(each)):
        names = {"file_name": f"images/{number}.png", "source_file": f"sources/{number}.js"}
        for kept, name in zip((reference.picture, reference.source), names.values(), strict=True):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, root / name)
        lines.append(
            {
                **names,
                "tier": str(reference.tier),
                "subject": reference.subject,
                "generator_model": "open/model",
                "refinement_round": 2,
                "hpsv3_mu": 7.5,
                "paint_coverage": reference.coverage,
                "gate_errors": [],
                "reference_photo": f"photo-{number}.jpg",
                "reference_photo_licence": "CC BY-SA 4.0",
                "reference_photo_attribution": "Somebody",
                "reference_photo_url": "https://example.org/photo",
            }
        )
    (root / "README.md").write_text(card)
    write(root, lines)
    return lines


def write(root: Path, lines: list[dict[str, Any]]) -> None:
    (root / "metadata.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_tiers_and_facts_are_kept_and_the_renderer_is_marked(run: Run, in_an_empty_folder: None) -> None:
    make(Path("theirs"))
    result = run("pool", "import", "theirs", "-o", "candidates", "--json")
    assert result.code == 0, result.err
    told = json.loads(result.out)
    assert (told["new"], told["rated"], told["left_out"], told["faults"]) == (6, 6, 0, [])
    candidates = read_candidates(Path("candidates"))
    assert {each.backend for each in candidates} == {"foreign"}
    first = candidates[0]
    assert (first.generator, first.round, first.hpsv3_mu, first.gate) == ("open/model", 2, 7.5, True)
    assert (first.photo_licence, first.photo_attribution) == ("CC-BY-SA-4.0", "Somebody")
    assert first.licence == "CC-BY-4.0"
    assert [list(read_tiers(Path("candidates")).values()).count(tier) for tier in Tier] == [2, 2, 2]
    again = run("pool", "import", "theirs", "-o", "candidates")
    assert "0 new, 6 known before" in again.err
    assert len((Path("candidates") / "ratings.jsonl").read_text().splitlines()) == 6


def test_a_pool_of_foreign_pictures_has_to_be_painted_again(run: Run, in_an_empty_folder: None) -> None:
    make(Path("theirs"), 1)
    run("pool", "import", "theirs", "-o", "candidates")
    packed = run("pool", "pack", "candidates", "-o", "mine")
    assert packed.code == 0, packed.err
    assert "3 were painted by another program; `watercolour pool render mine` paints them here" in packed.err
    refused = run("pool", "verify", "mine", "--no-render")
    assert refused.code == 2
    assert "painted by backend foreign" in refused.err and "watercolour pool render mine --backend wasm" in refused.err


def test_faults_are_counted_with_the_first_of_each(run: Run, in_an_empty_folder: None) -> None:
    root = Path("theirs")
    lines = make(root, 3)
    lines[0]["source_file"] = "sources/none.js"
    lines[1]["file_name"] = "../../secret.png"
    lines[2]["tier"] = "fine"
    lines[3]["reference_photo_licence"] = "CC BY-NC 2.0"
    lines[4]["paint_coverage"] = 0.99
    lines[5].pop("subject")
    lines[6]["gate_errors"] = ["text_label"]
    (root / "sources/3.js").write_text("function setup() { createCanvas(600, 600, WEBGL); fetch('x'); }")
    Image.new("RGB", (300, 300), "#d04070").save(root / "images/7.png")
    (root / "images/8.png").write_bytes(b"no picture")
    lines.append({**lines[4], "file_name": "images/4.png"})
    write(root, lines)
    with (root / "metadata.jsonl").open("a") as metadata:
        metadata.write("[1, 2]\n")
    result = run("pool", "import", root, "-o", "candidates")
    assert result.code == 0
    for told in (
        "1  no such file as source_file names; first metadata.jsonl:1: sources/none.js is missing",
        "1  no such file as file_name names; first metadata.jsonl:2: ../../secret.png lies outside the folder",
        "1  no tier of love, okay and nope: taken in unrated; first metadata.jsonl:3: 'fine'",
        "1  painted after a photograph under no licence that a pool takes; first metadata.jsonl:4: 'CC BY-NC 2.0'",
        "1  of tier love or okay, and does not pass the medium's gate; first metadata.jsonl:4: external_access",
        "  another coverage than is told; first metadata.jsonl:5: 0.990, and measured",
        "1  no subject: taken for a peach hibiscus; first metadata.jsonl:6",
        "1  errors of its own gate; first metadata.jsonl:7: ['text_label']",
        "1  a picture of another size than the medium's canvas; first metadata.jsonl:8: 300 x 300",
        "1  a picture or source that cannot be read; first metadata.jsonl:9",
        "1  the same picture as an earlier one; first metadata.jsonl:10",
        "1  no JSON object; first metadata.jsonl:11",
    ):
        assert told in result.out, f"{told}\n{result.out}"
    assert "6 new, 0 known before, 5 left out, 5 rated" in result.err


def test_a_licence_has_to_be_known(run: Run, in_an_empty_folder: None) -> None:
    make(Path("theirs"), 1, card="# No front matter\n")
    refused = run("pool", "import", "theirs", "-o", "candidates")
    assert refused.code == 2 and "--licence" in refused.err
    assert run("pool", "import", "theirs", "-o", "candidates", "--licence", "CC0-1.0").code == 0
    assert run("pool", "import", "theirs", "-o", "other", "--licence", "CC-BY-NC-4.0").code == 2


def test_what_is_no_such_folder_is_refused(run: Run, in_an_empty_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("empty").mkdir()
    assert "metadata.jsonl: there is none" in run("pool", "import", "empty", "-o", "candidates").err
    assert "no such folder" in run("pool", "import", "nowhere", "-o", "candidates").err

    def unreachable(*_: object, **__: object) -> str:
        raise ConnectionError("no route to the host")

    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    offline = run("pool", "import", "somebody/pool", "-o", "candidates")
    assert offline.code == 3
    assert "somebody/pool: cannot be fetched (ConnectionError: no route to the host)" in offline.err
    make(Path("copy"), 1)
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda name, **asked: "copy")
    assert run("pool", "import", "somebody/pool", "-o", "candidates").code == 0


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("cc-by-4.0", "CC-BY-4.0"),
        ("CC BY-SA 3.0", "CC-BY-SA-3.0"),
        ("cc0", "CC0-1.0"),
        ("apache-2.0", "Apache-2.0"),
        ("mit", "MIT"),
        ("CC BY-NC", "CC BY-NC"),
    ],
)
def test_licences_are_known_by_many_names(given: str, code: str) -> None:
    assert spdx(given) == code
