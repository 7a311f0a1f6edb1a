"""The term: a group of paintings in batches through HPSv3, mu mapped to 0..1 by a logistic.

mu has no bounds (the authors report means from -0.2 to 10.6 for image generators), and a messy picture may get a high
one. So the map is 1 / (1 + exp(-mu / mu_scale)), and another term should stand beside this one.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from watercolour.errors import PrerequisiteError
from watercolour.painting import Painting
from watercolour.reward.base import Score, ScoreContext
from watercolour.reward.hpsv3.files import base_folder, check_reachable, weights_file
from watercolour.reward.hpsv3.images import Patches, ShapeError, patchify
from watercolour.reward.settings import Hpsv3Settings

if TYPE_CHECKING:
    from watercolour.reward.hpsv3.model import Hpsv3Model
    from watercolour.reward.hpsv3.prompt import Prompt

logger = logging.getLogger(__name__)


class Hpsv3Term:
    """HPSv3's preference for each picture, given `scorer_text` as what it should show.

    The weights are loaded at the first score, or by `load()`. Groups may be scored concurrently; they wait for each
    other. `facts` says, once loaded, with what the scores were made.

    Raises PrerequisiteError at once for a checkpoint or a base that is neither here nor to be had.
    """

    needs_source = False

    def __init__(self, settings: Hpsv3Settings, scorer_text: str) -> None:
        check_reachable(settings.checkpoint, settings.base)
        self.name = settings.name or "hpsv3"
        self.settings = settings
        self.scorer_text = scorer_text
        self.batch_size = settings.batch_size
        self.facts: Mapping[str, Any] = {}
        self._loaded: tuple[Hpsv3Model, Prompt] | None = None
        self._lock = threading.Lock()

    async def score(self, paintings: Sequence[Painting], context: ScoreContext) -> list[Score]:
        """One Score a painting; `parts` holds mu and sigma. None, with the reason, where scoring itself failed.

        Raises PrerequisiteError when the weights, the base or the texts are missing or wrong; the next call tries anew.
        """
        return await asyncio.to_thread(self._score_group, paintings)

    async def load(self) -> None:
        """Load the weights now. Raises PrerequisiteError."""
        await asyncio.to_thread(self._load_locked)

    async def close(self) -> None:
        """Let the weights go."""
        await asyncio.to_thread(self._unload)

    def _score_group(self, paintings: Sequence[Painting]) -> list[Score]:
        scores: list[Score | None] = [None] * len(paintings)
        pictures: list[tuple[int, Patches]] = []
        for row, painting in enumerate(paintings):
            if painting.outcome.is_ours:
                scores[row] = Score(None, "not measured: the browser could not be had")
            elif painting.pixels is None:
                scores[row] = Score(0.0, f"there is no picture: the render ended as {painting.outcome}")
            else:
                try:
                    pictures.append((row, patchify(painting.pixels)))
                except ShapeError as error:
                    scores[row] = Score(0.0, str(error))
        if pictures:
            answers = self._score_pictures([patches for _, patches in pictures])
            for (row, _), answer in zip(pictures, answers, strict=True):
                scores[row] = answer
        return [score for score in scores if score is not None]

    def _score_pictures(self, pictures: Sequence[Patches]) -> list[Score]:
        import torch

        with self._lock:
            model, prompt = self._load()
            scores: list[Score] = []
            try:
                model.move(_device())
                for outputs in self._outputs(model, prompt, pictures):
                    scores += [self._as_score(mu, log_sigma) for mu, log_sigma in outputs]
            except (RuntimeError, MemoryError, ValueError) as error:  # torch's faults are RuntimeErrors, CUDA's too
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                unscored = len(pictures) - len(scores)
                logger.warning("%s: %d of %d pictures are unscored: %s", self.name, unscored, len(pictures), reason)
                scores += [Score(None, f"HPSv3 failed: {reason}")] * unscored
            finally:
                if self.settings.offload == "between_steps":
                    model.move(torch.device("cpu"))
            return scores

    def _outputs(self, model: Hpsv3Model, prompt: Prompt, pictures: Sequence[Patches]) -> Iterator[list[list[float]]]:
        """[mu, log sigma] of each picture, batch by batch. Out of memory halves the batch, once a call and for good."""
        import torch

        from watercolour.reward.hpsv3.model import collate

        done, halved = 0, False
        while done < len(pictures):
            batch = pictures[done : done + self.batch_size]
            try:
                outputs: list[list[float]] = model.score(collate(prompt, batch)).tolist()
            except (torch.OutOfMemoryError, MemoryError):
                if halved or len(batch) == 1:
                    raise
                halved = True
            else:
                done += len(batch)
                yield outputs
                continue
            # Here, where the error no longer holds on to what was computed before it.
            self.batch_size = len(batch) // 2
            self.facts = {**self.facts, "micro_batch": self.batch_size}
            logger.warning("%s: out of memory; from now on in batches of %d", self.name, self.batch_size)
            _free_memory()

    def _as_score(self, mu: float, log_sigma: float) -> Score:
        if not math.isfinite(mu):
            return Score(None, f"HPSv3 failed: mu is {mu}")
        value = squash(mu / self.settings.mu_scale)
        sigma = math.exp(min(log_sigma, 700.0))
        return Score(value, f"mu {mu:.2f} -> {value:.2f}", {"mu": mu, "sigma": sigma})

    def _load_locked(self) -> None:
        with self._lock:
            self._load()

    def _load(self) -> tuple[Hpsv3Model, Prompt]:
        if self._loaded is not None:
            return self._loaded
        model, prompt = load_scorer(self.settings, self.scorer_text)
        self.facts = self._facts(model, prompt)
        self._loaded = model, prompt
        return self._loaded

    def _facts(self, model: Hpsv3Model, prompt: Prompt) -> dict[str, Any]:
        import PIL
        import torch
        import transformers

        from watercolour.reward.hpsv3.model import ATTENTION

        return {
            "checkpoint": self.settings.checkpoint,
            "scorer_text": self.scorer_text,
            "template_sha256": prompt.template_sha256,
            "dtype": str(model.dtype).removeprefix("torch."),
            "device": model.device.type,
            "attention": ATTENTION,
            "micro_batch": self.batch_size,
            "pillow": PIL.__version__,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        }

    def _unload(self) -> None:
        with self._lock:
            self._loaded = None
            _free_memory()


def load_scorer(settings: Hpsv3Settings, scorer_text: str) -> tuple[Hpsv3Model, Prompt]:
    """The model on the best device here, and what it is asked, fetched from the hub if need be.

    Raises PrerequisiteError when the weights, the base or the texts are missing or wrong, or do not fit into memory.
    """
    import torch

    from watercolour.reward.hpsv3.model import load_model
    from watercolour.reward.hpsv3.prompt import build_prompt, load_tokenizer
    from watercolour.reward.hpsv3.texts import load_texts

    texts = load_texts()
    base = base_folder(settings.base)
    weights = weights_file(settings.checkpoint)
    prompt = build_prompt(load_tokenizer(base), texts, scorer_text)
    device = _device()
    default = "bfloat16" if device.type == "cuda" else "float32"
    dtype = getattr(torch, default if settings.dtype == "auto" else settings.dtype)
    try:
        return load_model(weights, base, device, dtype), prompt
    except (torch.OutOfMemoryError, MemoryError) as error:
        _free_memory()
        raise PrerequisiteError(
            f"hpsv3: {weights} does not fit into the memory of {device}; use a larger GPU, or offload: between_steps"
        ) from error


def squash(x: float) -> float:
    """1 / (1 + exp(-x)) for any x."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _device() -> Any:
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _free_memory() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
