"""Replies of a policy outside any training: with our decoder on a CPU, with transformers' own generation elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from watercolour.policy.decode import Decoder, Sampling
from watercolour.policy.load import Policy, chat_template_kwargs, device
from watercolour.policy.merge import merged_adapter
from watercolour.policy.panel import Ask
from watercolour.policy.randomness import own_randomness

if TYPE_CHECKING:
    from peft import PeftModel


class Sampler:
    """Made of a policy before it gets an adapter, whose replies it gives until `adapted` is given."""

    def __init__(self, policy: Policy, sampling: Sampling, *, enable_thinking: bool, at_once: int) -> None:
        """`at_once` is how many replies are written side by side."""
        self.policy = policy
        self.sampling = sampling
        self.at_once = at_once
        self._template = chat_template_kwargs(policy.tokenizer, enable_thinking)
        policy.model.to(device())  # type: ignore[arg-type]
        self._decoder = Decoder(policy.model, policy.end_ids) if Decoder.suits(policy.model) else None

    def replies(self, asks: Sequence[Ask], adapted: PeftModel | None = None) -> list[list[str]]:
        """The replies to each prompt. They depend on the weights and on each ask's seed, and draw on no other."""
        if self._decoder and adapted:
            self._decoder.merge(adapted)
        return [self._replies(ask, adapted) for ask in asks]

    def _replies(self, ask: Ask, adapted: PeftModel | None) -> list[str]:
        tokenizer: Any = self.policy.tokenizer
        ids = tokenizer.apply_chat_template(
            ask.prompt, add_generation_prompt=True, tokenize=True, return_dict=True, **self._template
        )["input_ids"]
        rows: list[list[int]] = []
        with own_randomness(ask.seed):
            while len(rows) < ask.count:
                count = min(self.at_once, ask.count - len(rows))
                if self._decoder:
                    rows += self._decoder.sample(ids, count, self.sampling)
                else:
                    rows += self._generate(ids, count, adapted or self.policy.model)
        return [str(text) for text in tokenizer.batch_decode(rows, skip_special_tokens=True)]

    def _generate(self, ids: Sequence[int], count: int, model: Any) -> list[list[int]]:
        import torch

        prompt = torch.tensor([list(ids)] * count, device=model.device)
        training = model.training
        model.train(False)
        try:
            with merged_adapter(model), torch.inference_mode():
                output = model.generate(
                    input_ids=prompt,
                    attention_mask=torch.ones_like(prompt),
                    max_new_tokens=self.sampling.max_tokens,
                    do_sample=True,
                    temperature=self.sampling.temperature,
                    top_p=self.sampling.top_p,
                    top_k=self.sampling.top_k,
                    eos_token_id=self.policy.end_ids,
                    pad_token_id=self.policy.tokenizer.pad_token_id,
                    use_cache=True,
                )
        finally:
            model.train(training)
        written: list[list[int]] = output[:, prompt.size(1) :].tolist()
        return written
