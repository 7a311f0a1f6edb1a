"""The tiny checkpoint, built once, and loaded once for the tests that only read it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reward.hpsv3 import tiny
from watercolour.reward.hpsv3 import Hpsv3Term
from watercolour.reward.hpsv3 import prompt as prompt_module
from watercolour.reward.hpsv3.prompt import Prompt, build_prompt, load_tokenizer
from watercolour.reward.hpsv3.texts import load_texts
from watercolour.reward.settings import Hpsv3Settings

SCORER_TEXT = "a loose watercolour flower"
MakeTerm = Callable[..., Hpsv3Term]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`base/` and `HPSv3.safetensors`."""
    folder = tmp_path_factory.mktemp("hpsv3")
    tiny.build_base(folder / "base")
    tiny.build_checkpoint(folder / "HPSv3.safetensors")
    return folder


@pytest.fixture(scope="session")
def tokenizer(folder: Path) -> Any:
    return load_tokenizer(folder / "base")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """The pictures are many and the layers tiny: more threads mostly wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def read_once(folder: Path, tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms on the tiny checkpoint share its tokenizer, which takes longer to read than everything else."""
    real = prompt_module.load_tokenizer
    monkeypatch.setattr(
        prompt_module, "load_tokenizer", lambda base: tokenizer if base == folder / "base" else real(base)
    )


@pytest.fixture(scope="session")
def prompt(tokenizer: Any) -> Prompt:
    return build_prompt(tokenizer, load_texts(), SCORER_TEXT)


@pytest.fixture(scope="session")
def make_term(folder: Path) -> MakeTerm:
    """A term on the tiny checkpoint, not yet loaded; keywords are settings."""

    def make(**settings: Any) -> Hpsv3Term:
        return Hpsv3Term(settings_for(folder, **settings), SCORER_TEXT)

    return make


@pytest.fixture(scope="session")
def term(make_term: MakeTerm) -> Hpsv3Term:
    """A loaded term in float32, which no test alters."""
    term = make_term()
    asyncio.run(term.load())
    return term


def settings_for(folder: Path, **settings: Any) -> Hpsv3Settings:
    named = {"checkpoint": str(folder / "HPSv3.safetensors"), "base": str(folder / "base"), "dtype": "float32"}
    return Hpsv3Settings(term="hpsv3", weight=1.0, **(named | settings))
