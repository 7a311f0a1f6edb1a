"""From the list of terms to the terms: each told what the file says, and none dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from watercolour.config import RunConfig, load_config, load_config_text
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.medium import load_medium
from watercolour.reward.build import TermBuilder, build_mix, needs_tokens
from watercolour.reward.gate import GateTerm
from watercolour.reward.length import LengthTerm, TokenCount
from watercolour.reward.mix import Mix
from watercolour.shipped import find_config

WORDS = TokenCount("words", lambda text: len(text.split()))


def config_of(*terms: str, extra: str = "") -> RunConfig:
    listed = ", ".join(f"{{{term}}}" for term in terms)
    return load_config_text(f"policy: {{model: a}}\ngrpo: {{steps: 1}}\nreward: {{terms: [{listed}]}}\n{extra}")


def mix_of(*terms: str, count: TokenCount | None = None) -> Mix:
    return build_mix(config_of(*terms), load_medium("hibiscus"), count=count)


def test_terms_come_in_their_order_under_their_names_and_weights() -> None:
    mix = mix_of("term: coverage, weight: 0.7, name: paint", "term: gate, weight: 0.3", "term: length, weight: 0")
    assert list(mix.weights.items()) == [("paint", 0.7), ("gate", 0.3)]
    assert mix.gates == {"gate"}


def test_gate_is_told_the_mediums_methods_and_whether_the_list_is_strict() -> None:
    medium = load_medium("hibiscus")
    for strict in (False, True):
        ((gate, _),) = mix_of(f"term: gate, weight: 1, strict_allowlist: {str(strict).lower()}").terms
        assert isinstance(gate, GateTerm)
        assert (gate.methods, gate.canvas, gate.strict_allowlist) == (medium.method_names, (600, 600), strict)


@pytest.mark.parametrize(
    ("how", "count", "counted_by"),
    [
        ("policy", WORDS, "words"),
        ("policy", None, "characters / 4"),
        ("characters", WORDS, "characters / 4"),
    ],
)
def test_length_counts_as_the_policy_does_where_there_is_one_and_it_is_asked_to(
    how: str, count: TokenCount | None, counted_by: str
) -> None:
    term = f"term: length, weight: 1, kind: band, count_by: {how}, floor_tokens: 1, full_tokens: 2, ceiling_tokens: 3"
    ((length, _),) = mix_of(term, count=count).terms
    assert isinstance(length, LengthTerm)
    assert (length.counted_by, length.kind) == (counted_by, "band")
    assert (length.floor_tokens, length.full_tokens, length.ceiling_tokens) == (1, 2, 3)
    assert needs_tokens(config_of(term)) == (how == "policy")


def test_tokenizer_is_not_asked_for_by_a_length_that_does_not_count() -> None:
    assert not needs_tokens(config_of("term: gate, weight: 1", "term: length, weight: 0"))


def test_shipped_tiny_mix_has_its_four_terms() -> None:
    mix = build_mix(load_config(find_config("tiny")), load_medium("hibiscus"))
    assert mix.weights == {"gate": 0.05, "length": 0.05, "subject": 0.2, "taste": 0.7}


def test_every_weighted_term_that_cannot_work_is_named_and_none_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    terms = ("term: judge, kind: pairwise, weight: 0.5", "term: hpsv3, weight: 0.25, checkpoint: /no/such/folder")
    with pytest.raises(PrerequisiteError, match=r"judge \(weight 0\.5\): .*; hpsv3 \(weight 0\.25\): "):
        mix_of("term: gate, weight: 0.25", *terms)
    weightless = (f"{term.partition('weight')[0]}weight: 0" for term in terms)
    assert mix_of("term: gate, weight: 1", *weightless).weights == {"gate": 1}


def test_pool_is_read_only_by_a_term_that_needs_it(tmp_path: Path) -> None:
    config = config_of("term: gate, weight: 1", extra=f"pool: {tmp_path}")
    builder = TermBuilder(config, load_medium("hibiscus"))
    builder.build(config.reward.terms[0])
    with pytest.raises(ConfigError, match=r"pool\.jsonl"):
        _ = builder.references
