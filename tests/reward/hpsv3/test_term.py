"""The term: a group in, a Score a painting out, and whose fault it was when there is none."""

from __future__ import annotations

import asyncio
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.reward.hpsv3.conftest import SCORER_TEXT, MakeTerm, settings_for
from tests.reward.hpsv3.pictures import pictures
from watercolour.errors import PrerequisiteError
from watercolour.painting import Painting, RenderOutcome
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.hpsv3 import Hpsv3Term
from watercolour.reward.hpsv3 import texts as hpsv3_texts
from watercolour.reward.hpsv3.term import squash

pytestmark = pytest.mark.usefixtures("read_once")

OUT_OF_MEMORY = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB\nmore lines")


def painting(pixels: Any) -> Painting:
    return Painting(None, RenderOutcome.OK, pixels=pixels)


GROUP = [painting(pixels) for pixels in list(pictures().values())[:4]]


def score(term: Hpsv3Term, *paintings: Painting) -> list[Score]:
    return asyncio.run(term.score(paintings, ScoreContext()))


def mus(scores: list[Score]) -> list[float]:
    return [result.parts["mu"] for result in scores]


@pytest.fixture(scope="module")
def alone(term: Hpsv3Term) -> list[float]:
    """Each painting's mu, one call a painting."""
    return [mus(score(term, one))[0] for one in GROUP]


def test_score_is_the_logistic_of_mu_with_its_reason(term: Hpsv3Term, alone: list[float]) -> None:
    (result,) = score(term, GROUP[0])
    assert result.value == pytest.approx(1 / (1 + math.exp(-alone[0] / 4)))
    assert result.why == f"mu {alone[0]:.2f} -> {result.value:.2f}"
    assert set(result.parts) == {"mu", "sigma"}
    assert result.parts["sigma"] > 0
    assert (term.name, term.needs_source) == ("hpsv3", False)


def test_scale_and_name_come_from_the_settings(make_term: MakeTerm, alone: list[float]) -> None:
    term = make_term(mu_scale=1.0, name="taste-of-many")
    assert score(term, GROUP[0])[0].value == pytest.approx(squash(alone[0]))
    assert term.name == "taste-of-many"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_squash_is_bounded_and_rises(one: float, other: float) -> None:
    low, high = squash(min(one, other)), squash(max(one, other))
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize("batch_size", [1, 3, 8])
def test_batches_of_any_size_score_alike(batch_size: int, make_term: MakeTerm, alone: list[float]) -> None:
    assert mus(score(make_term(batch_size=batch_size), *GROUP)) == pytest.approx(alone, abs=1e-4)


def test_concurrent_groups_keep_to_themselves(term: Hpsv3Term, alone: list[float]) -> None:
    async def all_at_once() -> list[list[Score]]:
        groups = [[GROUP[0]], [GROUP[1]], GROUP, [GROUP[2]], GROUP[::-1], [GROUP[3]]]
        return await asyncio.gather(*(term.score(group, ScoreContext()) for group in groups))

    first, second, forwards, third, backwards, fourth = (mus(scores) for scores in asyncio.run(all_at_once()))
    assert [*first, *second, *third, *fourth] == pytest.approx(alone, abs=1e-4)
    assert forwards == pytest.approx(alone, abs=1e-4)
    assert backwards[::-1] == pytest.approx(alone, abs=1e-4)


def test_what_cannot_be_scored_keeps_its_place(term: Hpsv3Term, alone: list[float]) -> None:
    thin = painting(np.zeros((2, 500, 3), np.uint8))
    ours, timed_out = Painting(None, RenderOutcome.INFRA), Painting(None, RenderOutcome.TIMED_OUT)
    results = score(term, timed_out, GROUP[0], thin, ours, replace(GROUP[1], outcome=RenderOutcome.THREW))
    assert (results[0].value, results[0].why) == (0.0, "there is no picture: the render ended as timed_out")
    assert results[1].parts["mu"] == pytest.approx(alone[0], abs=1e-4)
    assert (results[2].value, results[2].why) == (
        0.0,
        "a picture of 500 x 2 is too long and thin: HPSv3 takes up to 200 to 1",
    )
    assert (results[3].value, results[3].why) == (None, "not measured: the browser could not be had")
    assert results[4].parts["mu"] == pytest.approx(alone[1], abs=1e-4)


def test_nothing_is_loaded_for_a_group_without_pictures(make_term: MakeTerm) -> None:
    term = make_term()
    assert score(term, Painting(None, RenderOutcome.NO_SKETCH))[0].value == 0.0
    assert score(term) == []
    assert term._loaded is None


def test_facts_say_with_what_the_scores_were_made(term: Hpsv3Term, make_term: MakeTerm) -> None:
    assert make_term().facts == {}
    assert len(term.facts["template_sha256"]) == 64
    expected = {"dtype": "float32", "attention": "sdpa", "micro_batch": 8, "pillow": PIL.__version__}
    assert expected.items() <= term.facts.items()


def test_failed_load_is_tried_again(folder: Path, tmp_path: Path, alone: list[float]) -> None:
    term = Hpsv3Term(settings_for(folder, checkpoint=str(tmp_path)), SCORER_TEXT)
    with pytest.raises(PrerequisiteError, match=r"holds no HPSv3.safetensors and no other; .* hf download MizzenAI"):
        score(term, GROUP[0])
    shutil.copy(folder / "HPSv3.safetensors", tmp_path)
    assert mus(score(term, GROUP[0])) == pytest.approx(alone[:1], abs=1e-4)


def test_folder_with_several_weights_is_refused(tmp_path: Path, folder: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.safetensors").touch()
    term = Hpsv3Term(settings_for(folder, checkpoint=str(tmp_path)), SCORER_TEXT)
    with pytest.raises(PrerequisiteError, match=r"2 others: a.safetensors, b.safetensors; name the file"):
        score(term, GROUP[0])


@pytest.mark.parametrize("key", ["checkpoint", "base"])
@pytest.mark.parametrize("place", ["MizzenAI/not-on-this-machine", "./no/such/folder"])
def test_what_is_not_here_is_told_before_anything_is_loaded(
    key: str, place: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    wanted = rf"hpsv3.{key}: {place} is not on this machine and cannot be fetched \(HF_HUB_.*hf download {place} "
    with pytest.raises(PrerequisiteError, match=wanted):
        Hpsv3Term(settings_for(folder, **{key: place}), SCORER_TEXT)


def test_path_that_is_not_there_is_told_online_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with pytest.raises(PrerequisiteError, match=r"there is no such file or folder, and it is no repository's name"):
        Hpsv3Term(settings_for(folder, checkpoint="/no/such/folder"), SCORER_TEXT)


def test_base_without_configuration_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match=r"holds no config.json"):
        score(Hpsv3Term(settings_for(folder, base=str(tmp_path)), SCORER_TEXT), GROUP[0])


def test_missing_texts_stop_it(make_term: MakeTerm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hpsv3_texts.load_texts, "__defaults__", (tmp_path,))
    with pytest.raises(PrerequisiteError, match=r"missing; run `python -m scripts.fetch_hpsv3`"):
        score(make_term(), GROUP[0])


def failing(term: Hpsv3Term, monkeypatch: pytest.MonkeyPatch, error: Exception, times: int) -> list[int]:
    """Let the next `times` batches fail; the list fills with the sizes of all batches tried."""
    asyncio.run(term.load())
    assert term._loaded is not None
    model, sizes = term._loaded[0], []
    real = model.score

    def sometimes(batch: Any) -> torch.Tensor:
        sizes.append(len(batch.ids))
        if len(sizes) <= times:
            raise error
        return real(batch)

    monkeypatch.setattr(model, "score", sometimes)
    return sizes


def test_out_of_memory_halves_the_batch(
    make_term: MakeTerm, monkeypatch: pytest.MonkeyPatch, alone: list[float]
) -> None:
    term = make_term(batch_size=4)
    sizes = failing(term, monkeypatch, OUT_OF_MEMORY, times=1)
    assert mus(score(term, *GROUP)) == pytest.approx(alone, abs=1e-4)
    assert sizes == [4, 2, 2]
    assert (term.batch_size, term.facts["micro_batch"]) == (2, 2)


def test_out_of_memory_again_leaves_the_group_unscored(make_term: MakeTerm, monkeypatch: pytest.MonkeyPatch) -> None:
    term = make_term(batch_size=4)
    sizes = failing(term, monkeypatch, OUT_OF_MEMORY, times=2)
    results = score(term, *GROUP)
    assert [result.value for result in results] == [None] * 4
    assert results[0].why == "HPSv3 failed: CUDA out of memory. Tried to allocate 2 GiB"
    assert sizes == [4, 2]
    assert None not in [result.value for result in score(term, *GROUP)], "the next group is scored again"


def test_other_fault_leaves_unscored_what_it_hit(make_term: MakeTerm, monkeypatch: pytest.MonkeyPatch) -> None:
    term = make_term(batch_size=4)
    failing(term, monkeypatch, RuntimeError("CUDA error: device-side assert"), times=1)
    results = score(term, *GROUP)
    assert [(result.value, result.why) for result in results] == [
        (None, "HPSv3 failed: CUDA error: device-side assert")
    ] * 4


def test_mu_that_is_no_number_is_unscored(make_term: MakeTerm) -> None:
    term = make_term()
    assert [term._as_score(mu, 0.0).value for mu in (math.nan, math.inf, -math.inf)] == [None] * 3
    assert term._as_score(-5000.0, 5000.0).value == 0.0


@pytest.mark.parametrize("offload", ["never", "between_steps"])
def test_weights_leave_the_gpu_only_between_steps(
    offload: str, make_term: MakeTerm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are moved to, in order; with one device for both there is nothing more to see."""
    term = make_term(offload=offload)
    asyncio.run(term.load())
    assert term._loaded is not None
    model, moves = term._loaded[0], []
    real = model.move
    monkeypatch.setattr(model, "move", lambda device: (moves.append(device.type), real(device)))
    score(term, GROUP[0])
    assert moves == (["cpu"] if offload == "never" else ["cpu", "cpu"])


def test_closed_term_loads_again(make_term: MakeTerm, alone: list[float]) -> None:
    term = make_term()
    score(term, GROUP[0])
    asyncio.run(term.close())
    assert term._loaded is None
    assert mus(score(term, GROUP[0])) == pytest.approx(alone[:1], abs=1e-4)
