"""What every section of the configuration shares: the strict base class, and types that say what a value may be."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator

from watercolour.yaml_model import SecretError


class Section(BaseModel):
    """A frozen section of the configuration: no unknown keys, no silent conversions, no NaN."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


def _one_line(text: str) -> str:
    if not text or not text.isprintable():
        raise ValueError("must be one line of printable text")
    return text


def _file_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", text):
        raise ValueError("must be a name of letters, digits, '.', '_' and '-', at most 64")
    return text


def _variable_name(text: str) -> str:
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", text):
        raise SecretError("must be the name of an environment variable such as HF_TOKEN, never the key itself")
    return text


def _base_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        raise ValueError("must be an address such as http://localhost:8000/v1") from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise SecretError("must hold no user, password or query: put the key in the variable that key_env names")
    if parts.scheme not in ("http", "https") or not parts.hostname or not text.isprintable() or " " in text:
        raise ValueError("must be an address such as http://localhost:8000/v1")
    return text


def names(value: object) -> tuple[str, ...]:
    """A text or a list of different texts, each one line. Raises ValueError for anything else."""
    items = (value,) if isinstance(value, str) else value
    if isinstance(items, list | tuple) and items and all(isinstance(item, str) and item for item in items):
        if len(set(items)) < len(items):
            raise ValueError("must not name the same thing twice")
        return tuple(_one_line(item) for item in items)
    raise ValueError("must be text, or a list of texts")


def _modules(value: object) -> str | tuple[str, ...]:
    return _one_line(value) if isinstance(value, str) else names(value)


def no_secrets(extra: dict[str, Any]) -> dict[str, Any]:
    """`extra`, unless a key of it looks like a secret's. Raises SecretError, which never repeats the value."""
    for key in extra:
        if re.search(r"(token|password|secret|api_key)$", key, re.IGNORECASE):
            raise SecretError(f"must hold no {key!r}: secrets come from the environment")
    return extra


Text = Annotated[str, AfterValidator(_one_line)]
FileName = Annotated[str, AfterValidator(_file_name)]
VariableName = Annotated[str, AfterValidator(_variable_name)]
BaseUrl = Annotated[str, AfterValidator(_base_url)]
Modules = Annotated[str | tuple[str, ...], PlainValidator(_modules)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=1000)]
LearningRate = Annotated[float, Field(gt=0, le=1)]
