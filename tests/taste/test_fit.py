"""From a pool to a folder and back: what is fitted, what is refused, and what a torn folder says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.taste.conftest import ColourEncoder, MakePool, write_pool
from watercolour.errors import ConfigError, PrerequisiteError, WatercolourError
from watercolour.references import read_pool
from watercolour.taste.curve import curve_picture
from watercolour.taste.fit import fit_taste
from watercolour.taste.sheet import taste_sheet
from watercolour.taste.store import RECORD, TENSORS, load_taste, save_taste

QUICK = [HealthCheck.function_scoped_fixture]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small pool with its taste."""
    folder = tmp_path_factory.mktemp("example")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WATERCOLOUR_CACHE", str(folder / "cache"))
        pool = write_pool(folder / "pool", love=6, okay=7, nope=9)
        save_taste(fit_taste(pool, ColourEncoder()), pool / "taste")
    return pool


@pytest.fixture
def fitted(example: Path, tmp_path: Path) -> Path:
    """The folder of the taste, in a copy of its pool."""
    return shutil.copytree(example, tmp_path / "pool") / "taste"


def test_taste_judges_alike_after_a_trip_to_the_disk(make_pool: MakePool, tmp_path: Path) -> None:
    pool, encoder = make_pool(love=6, okay=7, nope=9), ColourEncoder()
    taste = fit_taste(pool, encoder)
    save_taste(taste, tmp_path / "taste")
    again = load_taste(tmp_path / "taste")
    features = encoder.encode([np.full((9, 9, 3), (red, 60, 90), np.uint8) for red in (40, 125, 210)])
    for before, after in zip(taste.judge(features), again.judge(features), strict=True):
        assert after.value == pytest.approx(before.value, abs=1e-4)
        assert after.distance == pytest.approx(before.distance, rel=0.02, abs=0.02)
    low, middle, high = (verdict.value for verdict in again.judge(features))
    assert low < 0.35 < middle < 0.65 < high
    assert again.judge(features)[2].nearest[0][0].tier == "love"
    assert again.report == taste.report
    assert taste.report.tiers == {"love": 6, "okay": 7, "nope": 9}
    assert taste.report.pairs["love over nope"].value > 0.95
    seen = [point.ratings for point in taste.report.curve]
    assert seen == sorted(seen)
    assert fit_taste(pool, encoder).report == taste.report


def test_two_tiers_are_enough_and_one_is_not(make_pool: MakePool) -> None:
    report = fit_taste(make_pool(love=5, nope=5), ColourEncoder()).report
    assert list(report.pairs) == ["love over nope"]
    assert report.nope_above_okay == []
    with pytest.raises(ConfigError, match="all its paintings have one rating"):
        fit_taste(make_pool(love=5), ColourEncoder())


def test_tier_with_too_few_sources_is_refused_with_its_count(make_pool: MakePool) -> None:
    with pytest.raises(ConfigError, match=r"tier okay has paintings from too few sources \(2\)"):
        fit_taste(make_pool(love=6, okay=2, nope=6), ColourEncoder())


def test_comparisons_beside_the_pool_are_learnt_and_measured(make_pool: MakePool) -> None:
    pool = make_pool(love=6, okay=8, nope=6)
    lines = [{"winner": f"okay-{at}", "loser": f"okay-{at + 1}"} for at in range(7)]
    (pool / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "comparisons" in fit_taste(pool, ColourEncoder()).report.pairs
    with pytest.raises(ConfigError, match=r"other\.jsonl: cannot be read"):
        fit_taste(pool, ColourEncoder(), pairs=pool / "other.jsonl")


def test_pool_that_has_changed_is_counted(fitted: Path, make_pool: MakePool) -> None:
    taste, pool = load_taste(fitted), fitted.parent
    assert not any(taste.changes(read_pool(pool)).values())
    lines = (pool / "pool.jsonl").read_text().splitlines()
    moved = lines[0].replace('"tier": "love"', '"tier": "nope"')
    added = lines[1].replace('"sha256": "', '"sha256": "0')
    (pool / "pool.jsonl").write_text("\n".join([moved, *lines[1:-1], added]))
    assert taste.changes(read_pool(pool)) == {"new": 1, "gone": 1, "rated differently": 1}


def test_another_encoder_is_refused_with_the_command(fitted: Path) -> None:
    encoder = ColourEncoder()
    taste = load_taste(fitted)
    taste.check_encoder(encoder)
    encoder.fingerprint = "colour-2"
    with pytest.raises(PrerequisiteError, match=r"fitted on colour \(colour-1\).*watercolour taste fit pool"):
        taste.check_encoder(encoder)


def test_no_taste_says_how_to_fit_one(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match=r"there is no taste model; run: watercolour taste fit .*rose$"):
        load_taste(tmp_path / "rose" / "taste")


def test_tensors_of_another_taste_or_none_are_refused_in_one_line(fitted: Path) -> None:
    whole = (fitted / TENSORS).read_bytes()
    (fitted / TENSORS).write_bytes(whole[:-1] + b"\x01")
    with pytest.raises(ConfigError, match=r"not a whole taste model \(head\.safetensors is not the file"):
        load_taste(fitted)
    (fitted / TENSORS).unlink()
    with pytest.raises(ConfigError, match=r"cannot be read.*fit it again: watercolour taste fit"):
        load_taste(fitted)


@given(cut=st.integers(0, 10_000), put=st.binary(max_size=6))
@settings(suppress_health_check=QUICK, max_examples=40, deadline=None)
def test_any_damage_to_the_record_is_one_line_or_harmless(cut: int, put: bytes, fitted: Path) -> None:
    whole = (fitted / RECORD).read_bytes()
    at = cut % len(whole)
    try:
        (fitted / RECORD).write_bytes(whole[:at] + put + whole[at + len(put) + cut % 3 :])
        load_taste(fitted)
    except WatercolourError as error:
        assert "\n" not in str(error)
        assert "fit it again" in str(error)
    finally:
        (fitted / RECORD).write_bytes(whole)


def test_sheet_shows_all_in_order_and_the_curve_is_drawn(fitted: Path) -> None:
    taste = load_taste(fitted)
    sheet = taste_sheet(taste, read_pool(fitted.parent))
    assert sheet.width > sheet.height > 200
    frames = [sheet.getpixel((12 + place * 144, 42)) for place in (0, 9)]
    assert frames == [(0xC2, 0x18, 0x5B), (0x2E, 0x9E, 0x6B)]
    assert len(set(curve_picture(taste.report).get_flattened_data())) > 20
    with pytest.raises(ConfigError, match="none of the paintings"):
        taste_sheet(taste, [])


def test_the_learning_curve_of_few_ratings_names_no_number_twice(make_pool: MakePool) -> None:
    curve = fit_taste(make_pool(love=4, okay=4, nope=4), ColourEncoder()).report.curve
    seen = [f"{point.ratings:.0f}" for point in curve]
    assert len(set(seen)) == len(seen) >= 2
