"""An Author writes sketches: it is asked in the chat format, and its replies come one by one."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from watercolour.errors import ConfigError
from watercolour.policy.adapters import CONFIG, find_adapter, run_of
from watercolour.policy.smollm import NAME as SMOLLM
from watercolour.runs import RUNS, RunDir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from watercolour.policy.load import Messages

API = "api:"


@dataclass(frozen=True)
class Reply:
    """What an author wrote. `tokens` is None where nobody counted.

    `problem` says why there is no text, which is our fault or the endpoint's, never the sketch's; else it is empty.
    """

    text: str
    tokens: int | None = None
    is_cut: bool = False
    problem: str = ""


@dataclass(frozen=True)
class Sampling:
    """How an author draws its words; None leaves a setting to the author. `top_k` 0 means all tokens."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None


class Author(Protocol):
    """Whoever writes the sketches. Use it on one event loop."""

    def facts(self) -> dict[str, Any]:
        """Who it is and how it draws its words, as plain data without secrets."""
        ...

    def write(self, messages: Messages, count: int) -> AsyncIterator[Reply]:
        """`count` replies to one conversation, each as soon as it is there.

        Raises a WatercolourError for what no further question can mend.
        """
        ...

    async def look(self, messages: Messages, picture: NDArray[np.uint8] | None, request: str) -> Reply:
        """One reply to a conversation that goes on with a picture, (height, width, 3) uint8 RGB, and a request."""
        ...

    async def close(self) -> None:
        """Let go of connections and weights."""
        ...


@dataclass(frozen=True)
class Named:
    """What `--from` names: an adapter's folder, a model or an endpoint. `run` is the adapter's, if it has one."""

    given: str
    adapter: Path | None = None
    model: str | None = None
    endpoint: tuple[str, str | None] | None = None
    """The model's name there, and the base URL or None for the default one."""
    run: RunDir | None = None


def read_name(given: str) -> Named:
    """What `given` means: `api:MODEL[@BASE_URL]`, a run, an adapter's folder, or a model.

    A model is a checkpoint's folder, `smollm2-135m`, or a repository OWNER/NAME on the hub. Raises ConfigError when it
    is none of these.
    """
    if given.startswith(API):
        model, at, url = given.removeprefix(API).partition("@http")
        if not model:
            raise ConfigError(f"--from {given}: names no model; write api:MODEL@BASE_URL")
        return Named(given, endpoint=(model, f"http{url}" if at else None))
    if given == SMOLLM or _is_checkpoint(given):
        return Named(given, model=given)
    is_folder = os.path.isdir(given)
    if is_folder and not any(os.path.isfile(Path(given) / name) for name in (CONFIG, "run.json")):
        raise ConfigError(f"--from {given}: is neither a run nor an adapter's folder nor a model's")
    if is_folder or not _is_repository(given) or os.path.isfile(RUNS / given / "run.json"):
        adapter = find_adapter(given)
        return Named(given, adapter=adapter, run=run_of(adapter))
    return Named(given, model=given)


def _is_checkpoint(given: str) -> bool:
    return os.path.isfile(Path(given) / "config.json") and not os.path.isfile(Path(given) / CONFIG)


def _is_repository(given: str) -> bool:
    """OWNER/NAME, unless OWNER is a folder here: then a path was meant."""
    owner, _, name = given.partition("/")
    return bool(owner and name) and "/" not in name and owner not in (".", "..", "~") and not os.path.isdir(owner)
