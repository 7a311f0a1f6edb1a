from __future__ import annotations

import pytest
import torch
from peft import get_peft_model

from tests.policy.tiny import ask
from watercolour.config import LoraSection
from watercolour.policy.decode import NUCLEUS_GUESS, Decoder, Sampling, draw
from watercolour.policy.load import Policy, lora_config


def adapted(tiny: Policy) -> tuple[Decoder, torch.nn.Module]:
    """A decoder and the policy it follows, whose adapter does something."""
    decoder = Decoder(tiny.model, [tiny.tokenizer.eos_token_id])
    policy = get_peft_model(tiny.model, lora_config(LoraSection(r=4)))
    torch.manual_seed(3)
    with torch.no_grad():
        for name, parameter in policy.named_parameters():
            if "lora_B" in name:
                parameter.normal_(std=0.2)
    return decoder, policy


def prompt_ids(tiny: Policy) -> list[int]:
    ids: list[int] = tiny.tokenizer.apply_chat_template(ask("a flower"), add_generation_prompt=True, return_dict=False)
    return ids


def test_it_writes_what_the_adapted_policy_would(tiny: Policy) -> None:
    decoder, policy = adapted(tiny)
    ids = prompt_ids(tiny)
    before = decoder.sample(ids, 1, Sampling(20, top_k=1))[0]
    decoder.merge(policy)
    own = decoder.sample(ids, 3, Sampling(20, top_k=1))
    with torch.inference_mode():
        theirs = policy.generate(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            max_new_tokens=20,
            do_sample=False,
        )[0, len(ids) :].tolist()
    assert own == [theirs] * 3
    assert own[0] != before  # the adapter took part


def test_merging_is_from_the_untouched_weights_every_time(tiny: Policy) -> None:
    decoder, policy = adapted(tiny)
    weights = {name: parameter.clone() for name, parameter in policy.named_parameters()}
    decoder.merge(policy)
    first = {name: parameter.clone() for name, parameter in decoder.model.named_parameters()}
    for _ in range(5):
        decoder.merge(policy)
    assert all(torch.equal(parameter, first[name]) for name, parameter in decoder.model.named_parameters())
    assert all(torch.equal(parameter, weights[name]) for name, parameter in policy.named_parameters())


def test_rows_end_at_their_end_token_and_at_the_limit(tiny: Policy) -> None:
    likely = list(range(3, tiny.model.config.vocab_size, 4))  # a quarter of the vocabulary ends a row
    decoder = Decoder(tiny.model, likely)
    torch.manual_seed(0)
    rows = decoder.sample(prompt_ids(tiny), 16, Sampling(12))
    assert len({len(row) for row in rows}) > 2
    for row in rows:
        assert not set(row[:-1]) & set(likely)
        assert row[-1] in likely or len(row) == 12


def test_the_same_random_state_gives_the_same_rows(tiny: Policy) -> None:
    decoder = Decoder(tiny.model, [tiny.tokenizer.eos_token_id])
    rows = []
    for _ in range(2):
        torch.manual_seed(4)
        rows.append(decoder.sample(prompt_ids(tiny), 4, Sampling(10, top_p=0.9)))
    assert rows[0] == rows[1] and len({tuple(row) for row in rows[0]}) == 4


@pytest.mark.parametrize(
    ("sampling", "spread"),
    [
        (Sampling(1), 1.0),
        (Sampling(1, temperature=0.5), 1.0),
        (Sampling(1, top_k=5), 1.0),
        (Sampling(1, top_p=0.6), 1.0),
        (Sampling(1, top_p=0.9, top_k=300), 0.01),  # so flat that the nucleus outgrows the first guess
        (Sampling(1, top_p=0.99), 0.01),
    ],
)
def test_tokens_are_drawn_from_the_asked_distribution(sampling: Sampling, spread: float) -> None:
    torch.manual_seed(1)
    logits = torch.randn(NUCLEUS_GUESS * 4) * spread * 3
    expected = (logits / sampling.temperature).softmax(-1)
    if sampling.top_k:
        expected[expected < expected.topk(sampling.top_k).values[-1]] = 0
        expected /= expected.sum()
    values, order = expected.sort(descending=True)
    expected[order[values.cumsum(0) - values >= sampling.top_p]] = 0
    expected /= expected.sum()
    count = 40_000
    drawn = torch.bincount(draw(logits.expand(count, -1), sampling), minlength=len(logits)) / count
    assert set(drawn.nonzero().flatten().tolist()) <= set(expected.nonzero().flatten().tolist())
    assert float((drawn - expected).abs().sum() / 2) < 2.5 * float(((expected / count).sqrt()).sum() / 2)


def test_other_architectures_are_left_to_generate(tiny: Policy) -> None:
    assert Decoder.suits(tiny.model)
    tiny.model.config.model_type = "gemma2"
    assert not Decoder.suits(tiny.model)


def test_a_row_is_handed_over_when_it_ends_and_the_others_go_on(tiny: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = Decoder(tiny.model, [7])
    lengths = {0: 3, 1: 9, 2: 1, 3: 99}  # the last is cut at the limit
    drawn: list[int] = []
    alive = [0, 1, 2, 3]

    def scripted(logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
        nonlocal alive
        alive = [row for row in alive if lengths[row] > len(drawn)]
        assert len(logits) == len(alive)
        drawn.append(len(alive))
        return torch.tensor([7 if lengths[row] == len(drawn) else 20 + row for row in alive])

    monkeypatch.setattr("watercolour.policy.decode.draw", scripted)
    handed: list[tuple[int, list[int]]] = []
    rows = decoder.sample(prompt_ids(tiny), 4, Sampling(12), lambda ids: handed.append((len(drawn), list(ids))))
    assert handed == [(1, rows[2]), (3, rows[0]), (9, rows[1]), (12, rows[3])]
    assert [len(row) for row in rows] == [3, 9, 1, 12]
