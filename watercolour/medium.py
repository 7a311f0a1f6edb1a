"""A Medium is data: what to paint, with which methods, on what canvas, and what the judges are told about it.

A new medium is a YAML file and a pool of references, no code.
"""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from watercolour.errors import ConfigError

_ARTICLES = frozenset({"a", "an", "the"})


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Canvas(_Frozen):
    """The canvas that every sketch of the medium paints on, in sketch units (pixels at density 1)."""

    width: int = Field(ge=16, le=4096)
    height: int = Field(ge=16, le=4096)


class Method(_Frozen):
    """One method of `brush` that a sketch may call."""

    name: str
    signature: str
    note: str = ""
    names: tuple[str, ...] = ()
    """The closed list of what its first argument may say; empty where that is not a name."""

    def line(self) -> str:
        """The method as the prompt lists it: a call, then what its names and numbers may be."""
        first = self.signature.partition("(")[2].partition(",")[0].rstrip(")")
        names = f"{first} one of {', '.join(self.names)}" if self.names else ""
        notes = "; ".join(filter(None, (names, self.note)))
        return f"brush.{self.signature}" + (f"  // {notes}" if notes else "")


class JudgeText(_Frozen):
    """What a pairwise judge is asked, and the medium's written criteria."""

    task: str
    better: str
    worse: str


class Medium(_Frozen):
    """See media/hibiscus.yaml for what each key means in practice."""

    name: str
    title: str
    subjects: tuple[str, ...] = Field(min_length=1)
    held_out: tuple[str, ...] = ()
    """Further subjects, of which the pool has no painting: what a policy makes of what it never saw."""
    canvas: Canvas
    frames: int = Field(default=1, ge=1)
    pool: str
    methods: tuple[Method, ...] = Field(min_length=1)
    skeleton: str
    composition: str
    judge: JudgeText
    scorer_text: str
    templates: bool = False
    """Whether the sketches that policy/templates.py writes by rule are of this medium, so that a warm start may use
    them; any other medium is learnt from its pool."""

    @cached_property
    def method_names(self) -> frozenset[str]:
        """Names of the methods of `brush` that a sketch may call."""
        return frozenset(method.name for method in self.methods)

    @cached_property
    def closed_names(self) -> dict[str, tuple[str, ...]]:
        """What the first argument of a method may say, for those methods that take a name."""
        return {method.name: method.names for method in self.methods if method.names}

    def subject_named(self, name: str) -> str | None:
        """The subject that a file's name tells of: the first of its words that is a subject's key word.

        Words are what `-` parts; a subject's key word is its first that no other subject has.
        """
        keys = {key: subject for subject, key in zip(self.subjects, map(self._key_word, self.subjects), strict=True)}
        return next((keys[word] for word in name.split("-") if word in keys), None)

    def _key_word(self, subject: str) -> str:
        others = {word for other in self.subjects if other != subject for word in other.split()} | _ARTICLES
        return next((word for word in subject.split() if word not in others), "")

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the canvas."""
        return self.canvas.width, self.canvas.height

    def system_prompt(self) -> str:
        """What the policy is told once: the task, the closed list of methods, the skeleton, the composition."""
        methods = "\n".join(method.line() for method in self.methods)
        return (
            f"You paint {self.title} by writing one complete program for p5.js 2 with p5.brush. "
            "Reply with the program alone, in one ```javascript block.\n\n"
            f"These methods of brush exist, and no others:\n{methods}\n\n"
            f"Start from this skeleton:\n```javascript\n{self.skeleton.strip()}\n```\n\n"
            f"{self.composition.strip()}\n"
            "No text, no plain p5 shapes, nothing loaded from outside."
        )

    def prompt(self, subject: str) -> list[dict[str, str]]:
        """The conversation that asks the policy for one painting of `subject`."""
        return [
            {"role": "system", "content": self.system_prompt()},
            {"role": "user", "content": f"Paint {subject}."},
        ]


def shipped_media() -> list[str]:
    """Names of the media that come with the package."""
    folder = resources.files("watercolour").joinpath("media")
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def load_medium(name: str) -> Medium:
    """A shipped medium by name, or one from a YAML file. Raises ConfigError when there is none or it is wrong."""
    if name in shipped_media():
        text = resources.files("watercolour").joinpath("media", f"{name}.yaml").read_text("utf-8")
    elif name.endswith((".yaml", ".yml")):
        try:
            text = Path(name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"medium {name}: cannot be read ({error})") from error
    else:
        raise ConfigError(f"medium {name!r}: not one of {', '.join(shipped_media())}, nor the path of a .yaml file")
    try:
        return Medium.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise ConfigError(f"medium {name}: not valid YAML ({' '.join(str(error).split())})") from error
    except ValidationError as error:
        raise ConfigError(f"medium {name}: {_first(error.errors()[0])}") from error


def _first(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "the file"
    return f"{where}: {error['msg'].lower()}"
