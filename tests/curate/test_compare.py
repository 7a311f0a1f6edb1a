"""Two people's ratings, or two pools, side by side: agreement, disagreements as a page, and the tastes' difference."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.made_candidates import make_candidates, rate
from tests.taste.conftest import ColourEncoder, write_pool
from watercolour.curate.comparing.sides import POOLS_OWN, agreement_of, disagreements, read_side
from watercolour.curate.comparing.tastes import compare_tastes, lacking
from watercolour.errors import ConfigError
from watercolour.references import Tier
from watercolour.shipped import find_pool

EVIL = '<img src=x onerror="hacked()">'


class Elements(HTMLParser):
    """Which elements a page has, and the sources of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.pictures: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag == "img":
            self.pictures.append(dict(attrs)["src"] or "")


def test_two_people_of_one_folder(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "candidates"
    folder.mkdir()
    mine = make_candidates(folder, each=2)
    yours = mine | {"c00": Tier.NOPE, "c02": Tier.LOVE}
    rate(folder, mine, "me")
    rate(folder, yours, "you")
    page = tmp_path / "page.html"
    told = run("pool", "compare", folder, "--raters", "me", "you", "--no-taste", "--json", "-o", page)
    assert told.code == 0, told.err
    found = json.loads(told.out)
    assert found["first"]["tiers"] == {"love": 2, "okay": 2, "nope": 2}
    assert found["second"]["tiers"] == {"love": 2, "okay": 1, "nope": 3}
    assert found["agreement"]["count"] == 6
    assert found["agreement"]["table"] == [[1, 0, 1], [1, 1, 0], [0, 0, 2]]
    # Equal 4 of 6; by chance (2 x 2 + 2 x 1 + 2 x 3) / 36 = 1/3.
    assert found["agreement"]["kappa"]["value"] == pytest.approx(0.5)
    named = [(each["name"], each["first"], each["second"]) for each in found["disagreements"]]
    assert named == [("c00", "love", "nope"), ("c02", "okay", "love")]
    assert found["taste"] is None
    elements = Elements(page.read_text())
    assert len(elements.pictures) == 2
    assert all(each.startswith("data:image/webp;base64,") for each in elements.pictures)
    assert not {"script", "link", "iframe"} & set(elements.names)

    told = run("pool", "compare", folder, "--raters", "me", "you", "--no-taste", "-o", page)
    assert "6 that both rate" in told.out
    assert "equal 0.67" in told.out
    assert "2 disagreements" in told.err


def test_a_folder_and_a_pool_are_matched_by_their_pixels(tmp_path: Path, run: Run) -> None:
    mine = make_candidates(tmp_path, each=2)
    rate(tmp_path, mine | {"c05": Tier.OKAY})
    first, second = read_side(tmp_path, None), read_side(find_pool("hibiscus"), None)
    agreement = agreement_of(first, second)
    assert agreement.count == 6
    [odd] = disagreements(first, second)
    assert (odd.first.name, odd.first.tier, odd.second.tier, odd.apart) == ("c05", Tier.OKAY, Tier.NOPE, 1)


def test_what_is_hostile_stays_text(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / EVIL.replace("/", "")
    folder.mkdir()
    rate(folder, make_candidates(folder, each=1, subject=EVIL), "me")
    rate(folder, dict.fromkeys(("c00", "c01", "c02"), Tier.OKAY), EVIL)
    told = run("pool", "compare", folder, "--raters", "me", EVIL, "--no-taste", "-o", tmp_path / "page.html")
    assert told.code == 0, told.err
    elements = Elements((tmp_path / "page.html").read_text())
    assert len(elements.pictures) == 2
    assert "x" not in elements.pictures


def test_nothing_in_common_is_told(tmp_path: Path, run: Run) -> None:
    for name, kept in (("a", "c00"), ("b", "c02")):
        folder = tmp_path / name
        folder.mkdir()
        rate(folder, {key: tier for key, tier in make_candidates(folder, each=1).items() if key == kept})
    told = run("pool", "compare", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "page.html")
    assert told.code == 0, told.err
    assert "no painting is in both" in told.out
    assert "No taste can be fitted" in told.out
    assert "gives all its paintings one tier" in " ".join((tmp_path / "page.html").read_text().split())


def test_what_cannot_be_compared_is_told(tmp_path: Path, run: Run) -> None:
    make_candidates(tmp_path, each=1)
    assert "nothing is rated yet" in run("pool", "compare", tmp_path, "hibiscus").err
    assert "--raters" in run("pool", "compare", tmp_path).err
    rate(tmp_path, {"c00": Tier.LOVE}, "one")
    rate(tmp_path, {"c00": Tier.LOVE}, "two")
    told = run("pool", "compare", tmp_path, "hibiscus")
    assert told.code == 2
    assert "one, two" in told.err
    with pytest.raises(ConfigError, match="no pool with tiers"):
        read_side(tmp_path, POOLS_OWN)


def test_tastes_of_two_pools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who rates by red, and who rates the other way round: their tastes order the paintings in opposite ways."""
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))
    write_pool(tmp_path / "one", love=6, okay=6, nope=6)
    write_pool(tmp_path / "other", love=6, okay=6, nope=6)
    index = tmp_path / "other/pool.jsonl"
    records = [json.loads(line) for line in index.read_text().splitlines()]
    turned = {"love": "nope", "nope": "love", "okay": "okay"}
    index.write_text("".join(json.dumps({**each, "tier": turned[each["tier"]]}) + "\n" for each in records))
    one, other = read_side(tmp_path / "one", None), read_side(tmp_path / "other", None)
    assert lacking(one) is None
    ticks: list[int] = []
    same = compare_tastes(one, one, ColourEncoder(), tick=lambda: ticks.append(1))
    assert same.correlation.value == pytest.approx(1.0)
    assert same.shifts == []
    assert same.paintings == len(ticks) == 18
    opposite = compare_tastes(one, other, ColourEncoder())
    assert opposite.correlation.value is not None
    assert opposite.correlation.value < -0.8
    assert opposite.shifts[0].first < 0.3
    assert opposite.shifts[0].second > 0.7
    assert opposite.shifts[0].painting.tier is Tier.NOPE
    assert opposite.record()["paintings"] == 18


def test_too_few_paintings_of_a_tier_have_no_taste(tmp_path: Path) -> None:
    few = read_side(write_pool(tmp_path / "few", love=2, nope=6), None)
    assert "tier love has paintings from too few sources (2)" in str(lacking(few))
