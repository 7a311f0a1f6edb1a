"""docs/own-pool.md, command by command: from nothing to a rated pool and a taste, against local test servers."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run, in_an_empty_folder, run
from tests.judge_server import JudgeServer, serving
from tests.made_candidates import rate
from tests.painter_server import CRITIC, Painters, painter_server, pool_sketches
from tests.photo_server import PhotoServer, serving_photos
from watercolour.curate import inaturalist
from watercolour.curate.candidates import read_candidates
from watercolour.curate.plan import Plan, load_plan
from watercolour.references import Tier, read_pool
from watercolour.shipped import find_pool

__all__ = ["in_an_empty_folder", "run"]

PAGE = Path(__file__).parent.parent / "docs" / "own-pool.md"
ENDPOINT = "http://localhost:8000/v1"


def blocks(language: str) -> list[str]:
    """The page's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """The page's commands, in order, without the program's name."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("watercolour ")]
    return [shlex.split(line)[1:] for line in lines]


def tiers_by_source() -> dict[str, Tier]:
    """The shipped pool's ratings, by the hash of the source."""
    return {reference.facts["source_sha256"]: reference.tier for reference in read_pool(find_pool("hibiscus"))}


def observe(server: PhotoServer) -> None:
    """Photographs to be had, among others that are not."""
    for number, licence in enumerate(("cc-by", "cc-by-nc", "cc0", None, "cc-by-sa", "cc-by"), 1):
        server.observe(number, licence)


def written_plan(server: JudgeServer) -> Plan:
    """plan.yaml as the page has it, but for the endpoint's address."""
    [plan] = blocks("yaml")
    assert plan.count(ENDPOINT) == plan.count("base_url")
    Path("plan.yaml").write_text(plan.replace(ENDPOINT, server.url))
    return load_plan(Path("plan.yaml"), {})


@pytest.mark.browser
def test_the_page_leads_from_nothing_to_a_taste(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inaturalist, "INTERVAL_S", 0.0)
    [plan_text] = blocks("yaml")
    models = frozenset(re.findall(r"model: ([\w/.-]+)", plan_text))
    subjects = ("a peach hibiscus", "a magenta hibiscus", "a yellow hibiscus")
    server = painter_server(sorted(models - {CRITIC}), Painters(pool_sketches(subjects)))
    with serving(server), serving_photos(PhotoServer()) as photos:
        monkeypatch.setenv("WATERCOLOUR_PHOTO_API", photos.api)
        observe(photos)
        plan = written_plan(server)
        assert plan.subjects == subjects
        for command in commands():
            if command[:2] == ["pool", "rate"]:
                known = tiers_by_source()
                candidates = read_candidates(Path(command[2]))
                rate(Path(command[2]), {each.id: known[each.source_sha256] for each in candidates})
                continue
            result = run(*command)
            assert result.code == 0, f"{command}: {result.err}{result.out}"
    assert {"photos", "generate", "rate", "pack", "verify", "show", "fit"} <= {command[1] for command in commands()}
    packed = read_pool(Path("pool/mine"))
    assert [sum(reference.tier is tier for reference in packed) for tier in Tier] == [4, 4, 4]
    assert {reference.facts["photo"] for reference in packed} <= {
        "inaturalist-1001",
        "inaturalist-1003",
        "inaturalist-1005",
        "inaturalist-1006",
    }
    assert all(reference.facts["photo_attribution"] for reference in packed)
    assert {reference.facts["round"] for reference in packed} == {1}
    taste = json.loads(run("taste", "show", "pool/mine", "--json").out)
    assert taste["report"]["tiers"] == {"love": 4, "okay": 4, "nope": 4}
    assert Path("sheet.png").stat().st_size > 10_000
