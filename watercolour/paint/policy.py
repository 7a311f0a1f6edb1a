"""An author on this machine: a model, or a run's adapter on its base, every tensor of it in its place."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from watercolour.config import PolicySection
from watercolour.errors import ConfigError, InfraError
from watercolour.paint.author import Reply, Sampling
from watercolour.policy.adapters import fit_adapter
from watercolour.policy.export import find_base
from watercolour.policy.hush import hush_libraries
from watercolour.policy.load import chat_template_kwargs, device, load_policy, policy_folder, use_threads
from watercolour.policy.merge import fold_adapter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from watercolour.config import RunConfig
    from watercolour.paint.author import Named
    from watercolour.policy.load import Messages

BATCH = 8
"""Replies sampled at once; the first of them are painted while the next are sampled."""
DEFAULTS = Sampling(max_tokens=4096, temperature=1.0, top_p=0.95, top_k=20)
"""How a policy that no run tells of draws its words; the recipe's but for the length."""
IMAGE = "<|image_pad|>"
"""Where a picture goes in the chat templates of Qwen's family."""

Value = TypeVar("Value")


class PolicyAuthor:
    """Samples as the policy's own run did, unless told otherwise."""

    def __init__(self, named: Named, sampling: Sampling, config: RunConfig | None, *, look: bool = False) -> None:
        """Loads the model and adds the adapter to its weights; `look` says that it will be shown pictures.

        Raises ConfigError where an adapter does not fit, naming the tensors, or where `look` cannot be; and
        PrerequisiteError when the model cannot be had.
        """
        import torch

        hush_libraries()
        self._named, self._drawn = named, _drawn(sampling, config)
        section, base = _base(named, config)
        if look and (why := why_blind(base)):
            raise ConfigError(f"--revise: {named.given} cannot see its painting: {why}")
        use_threads(section.threads)
        policy = load_policy(section, base)
        self._kind, self._base, self._tokenizer = policy.base_class, base, policy.tokenizer
        self._template = chat_template_kwargs(policy.tokenizer, section.enable_thinking)
        model: Any = policy.model
        if named.adapter is not None:
            model = fold_adapter(fit_adapter(policy.model, named.adapter))
        self._model = model.to(device()).train(False)
        self._model.config.use_cache = True
        self._ends = _end_ids(model, policy.tokenizer)
        self._decoder = self._own_decoder()
        if self._decoder is not None:
            self._model = self._decoder.model  # it has a copy of its own; one is enough
        if self._drawn.seed is not None:
            torch.manual_seed(self._drawn.seed)

    def facts(self) -> dict[str, Any]:
        """Which model, which adapter, and how it draws its words."""
        return {
            "kind": "policy",
            "model": self._base.name,
            "class": self._kind,
            "adapter": self._named.adapter.name if self._named.adapter else None,
            "sampling": {name: value for name, value in vars(self._drawn).items() if name != "seed"},
        }

    async def write(self, messages: Messages, count: int) -> AsyncIterator[Reply]:
        """Some are sampled at once; Ctrl-C does not wait for them."""
        ids = self._prompt(messages)
        for done in range(0, count, BATCH):
            size = min(BATCH, count - done)
            for reply in await in_thread(lambda size=size: self._sample(ids, size)):  # type: ignore[misc]
                yield reply

    async def look(self, messages: Messages, picture: NDArray[np.uint8] | None, request: str) -> Reply:
        """The picture goes through the model's own vision tower."""
        if picture is None:
            ids = self._prompt([*messages, {"role": "user", "content": request}])
            return (await in_thread(lambda: self._sample(ids, 1)))[0]
        content = [{"type": "image"}, {"type": "text", "text": request}]
        return await in_thread(lambda: self._sample_seeing([*messages, {"role": "user", "content": content}], picture))

    async def close(self) -> None:
        """The weights go with the process."""

    def _own_decoder(self) -> Any:
        from watercolour.policy.decode import Decoder

        return Decoder(self._model, self._ends) if Decoder.suits(self._model) else None

    def _prompt(self, messages: list[Any]) -> list[int]:
        ids: list[int] = self._tokenizer(self._render(messages), add_special_tokens=False)["input_ids"]
        return ids

    def _render(self, messages: list[Any]) -> str:
        return str(
            self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **self._template)
        )

    def _room(self, prompt_tokens: int) -> int:
        """Tokens that a reply may have."""
        most = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        room = (most or 10**9) - prompt_tokens
        if room < 1:
            raise ConfigError(
                f"--from {self._named.given}: the prompt of {prompt_tokens} tokens leaves no room of {most}"
            )
        return min(self._drawn.max_tokens or room, room)

    def _sample(self, ids: list[int], count: int) -> list[Reply]:
        import torch

        from watercolour.policy import decode

        room = self._room(len(ids))
        if self._decoder is not None:
            drawn = self._drawn
            sampling = decode.Sampling(room, drawn.temperature or 1.0, drawn.top_p or 1.0, drawn.top_k or 0)
            return [self._reply(row) for row in self._decoder.sample(ids, count, sampling)]
        tensor = torch.tensor([ids] * count)
        return self._generate({"input_ids": tensor, "attention_mask": torch.ones_like(tensor)}, room)

    def _sample_seeing(self, messages: list[Any], picture: NDArray[np.uint8]) -> Reply:
        """Qwen's family alone: the picture's patches go in beside as many marks in the text as they make tokens."""
        import torch
        from jinja2 import TemplateError

        seen = _image_processor(self._base)(images=[picture], return_tensors="pt")
        merged = self._model.config.vision_config.spatial_merge_size**2
        marks = int(seen["image_grid_thw"].prod()) // merged
        told = [
            {**turn, "content": turn["content"].replace(IMAGE, "")} if isinstance(turn["content"], str) else turn
            for turn in messages
        ]
        try:
            text = self._render(told)
        except TemplateError:  # it takes texts alone
            text = ""
        before, mark, after = text.partition(IMAGE)
        if not mark:
            raise ConfigError(f"--revise: the chat template of {self._base.name} has no place for a picture")
        ids: list[int] = self._tokenizer(before, add_special_tokens=False)["input_ids"]
        ids += [self._model.config.image_token_id] * marks
        ids += self._tokenizer(after, add_special_tokens=False)["input_ids"]
        tensor = torch.tensor([ids])
        pictures = {
            "pixel_values": seen["pixel_values"].to(self._model.dtype),
            "image_grid_thw": seen["image_grid_thw"],
            "mm_token_type_ids": (tensor == self._model.config.image_token_id).int(),
        }
        inputs = {"input_ids": tensor, "attention_mask": torch.ones_like(tensor), **pictures}
        return self._generate(inputs, self._room(len(ids)))[0]

    def _generate(self, inputs: dict[str, Any], room: int) -> list[Reply]:
        import torch

        drawn, start = self._drawn, inputs["input_ids"].shape[1]
        with torch.inference_mode():
            rows = self._model.generate(
                **{name: tensor.to(self._model.device) for name, tensor in inputs.items()},
                do_sample=True,
                temperature=drawn.temperature or 1.0,
                top_p=drawn.top_p or 1.0,
                top_k=drawn.top_k or 0,
                max_new_tokens=room,
                eos_token_id=self._ends,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        return [self._reply(row[start:].tolist()) for row in rows]

    def _reply(self, ids: list[int]) -> Reply:
        """Without what pads a row that ended before the others."""
        end = next((place + 1 for place, token in enumerate(ids) if token in self._ends), None)
        kept = ids[:end]
        return Reply(str(self._tokenizer.decode(kept, skip_special_tokens=True)), len(kept), is_cut=end is None)


def why_blind(base: Path) -> str | None:
    """Why the checkpoint in `base` cannot be shown a picture here; None when it can."""
    try:
        config = json.loads((base / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None  # loading it says more
    kind = (config.get("architectures") or ["it"])[0]
    other = "name a vision policy or --from api:MODEL@BASE_URL, or use --best-of"
    if "vision_config" not in config:
        return f"{kind} has no vision tower; {other}"
    if not str(config.get("model_type", "")).startswith("qwen") or "image_token_id" not in config:
        return f"of local vision models only Qwen's are shown pictures, and this is a {kind}; {other}"
    if not (base / "preprocessor_config.json").is_file():
        return f"there is no preprocessor_config.json beside its weights; {other}"
    return None


async def in_thread(work: Callable[[], Value]) -> Value:
    """The value of `work`, done in a thread that does not keep the process from ending, as an executor's would."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Value] = loop.create_future()

    def tell(value: Value | None, error: Exception | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value: Value | None = None
        error: Exception | None = None
        try:
            value = work()
        except ConfigError as caught:
            error = caught
        except Exception as caught:
            error = InfraError(f"the policy could not write: {type(caught).__name__}: {' '.join(str(caught).split())}")
        loop.call_soon_threadsafe(tell, value, error)

    threading.Thread(target=run, name="author", daemon=True).start()
    return await done


def _base(named: Named, config: RunConfig | None) -> tuple[PolicySection, Path]:
    """The policy's settings and the folder of its checkpoint."""
    if named.adapter is None:
        section = PolicySection(model=named.model or "")
        return section, policy_folder(section)
    own, base = find_base(named.adapter)
    return own or (config.policy if config else PolicySection(model=str(base))), base


def _drawn(asked: Sampling, config: RunConfig | None) -> Sampling:
    """What was asked for, else what the run did, else the defaults."""
    own = DEFAULTS
    if config is not None:
        grpo = config.grpo
        own = Sampling(grpo.max_completion_tokens, grpo.temperature, grpo.top_p, grpo.top_k)
    given = {name: value for name, value in vars(asked).items() if value is not None}
    return Sampling(**{**vars(own), **given})


def _end_ids(model: Any, tokenizer: Any) -> list[int]:
    own = model.generation_config.eos_token_id if model.generation_config else None
    return sorted({tokenizer.eos_token_id, *(own if isinstance(own, list) else [own])} - {None})


def _image_processor(base: Path) -> Any:
    """The checkpoint's own, on Pillow: torchvision is not needed for one picture at a time."""
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    return Qwen2VLImageProcessorPil.from_pretrained(base)
