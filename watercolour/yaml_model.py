"""A YAML document as a pydantic model: each mistake in one line, with its key, the fix and where it was written."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from watercolour.errors import ConfigError
from watercolour.yaml_lines import COMMAND_LINE, MAX_CHARACTERS, Document, KeyPath, describe, dotted

MAX_MISTAKES = 10

Model = TypeVar("Model", bound=BaseModel)

_MESSAGES = {
    "missing": "is missing",
    "int_type": "must be a whole number, got {got}",
    "int_from_float": "must be a whole number, got {got}",
    "float_type": "must be a number, got {got}",
    "finite_number": "must be a finite number, got {got}",
    "bool_type": "must be true or false, got {got}",
    "string_type": "must be text, got {got}",
    "literal_error": "must be {expected}, got {got}",
    "model_type": "must be a section of keys, got {got}",
    "dict_type": "must be a mapping, got {got}",
    "list_type": "must be a list, got {got}",
    "tuple_type": "must be a list, got {got}",
    "greater_than_equal": "must be at least {ge}, got {got}",
    "greater_than": "must be more than {gt}, got {got}",
    "less_than_equal": "must be at most {le}, got {got}",
    "less_than": "must be less than {lt}, got {got}",
}


class SecretError(ValueError):
    """Raised by a model's validator for a value that may hold a secret, so that the message does not repeat it."""


def read_yaml_text(path: Path) -> str:
    """A YAML file's text. Raises ConfigError where it is missing, unreadable, far too long or not UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(4 * MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{dotted((str(path),))}: cannot be read: {reason}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"not UTF-8 text: save the file as UTF-8 ({path}:{line})") from None


def validate(model: type[Model], document: Document) -> Model:
    """`document` as a `model`. Raises ConfigError: a line for each mistake, in the order of writing, at most ten."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        mistakes = error.errors(include_url=False)
    order = {path: rank for rank, path in enumerate(document.origins)}
    found: dict[KeyPath, tuple[int, str]] = {}
    for mistake in mistakes:
        path = _real_path(mistake["loc"], document.data)
        shown = f"{dotted(path)}: {_message(model, path, mistake)} ({_origin(document, path, mistake)})"
        found.setdefault(path, (order[document.known(path)], shown))
    lines = [line for _, line in sorted(found.values(), key=lambda item: item[0])]
    if len(lines) > MAX_MISTAKES:
        lines[MAX_MISTAKES:] = [f"... and {len(lines) - MAX_MISTAKES} more"]
    raise ConfigError("\n".join(lines))


def leaf_paths(model: type[BaseModel], prefix: KeyPath = ()) -> Iterator[KeyPath]:
    """The path of every setting of a tree of models, sections left out."""
    for name, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is None:
            yield (*prefix, name)
        else:
            yield from leaf_paths(section, (*prefix, name))


def section_at(model: type[BaseModel], path: KeyPath) -> type[BaseModel] | None:
    """The model of the section at `path`, or None where there is no section."""
    section: type[BaseModel] | None = model
    for key in path:
        field = section.model_fields.get(str(key)) if section else None
        section = _section(field.annotation) if field else None
    return section


def _section(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _real_path(location: tuple[int | str, ...], data: Any) -> KeyPath:
    """Pydantic's location without the names it adds for the branches of a union."""
    path: list[int | str] = []
    for depth, key in enumerate(location):
        if isinstance(data, dict):
            path.append(key)
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int):
            path.append(key)
            data = data[key] if key < len(data) else None
        elif depth == 0:
            path.append(key)
    return tuple(path)


def _message(model: type[BaseModel], path: KeyPath, mistake: Any) -> str:
    kind, context, value = mistake["type"], mistake.get("ctx", {}), mistake["input"]
    if kind == "extra_forbidden":
        return _unknown_key(model, path)
    if kind == "value_error":
        cause = context["error"]
        shown = "" if isinstance(cause, SecretError) or isinstance(value, dict) else f", got {describe(value)}"
        return f"{cause}{shown}"
    template = _MESSAGES.get(kind)
    if template is None:
        return str(mistake["msg"][:1].lower() + mistake["msg"][1:])
    return template.format(got=describe(value), **{key: _plain(bound) for key, bound in context.items()})


def _origin(document: Document, path: KeyPath, mistake: Any) -> str:
    origin = document.origin(path)
    if mistake["type"] != "value_error":
        return origin
    if isinstance(mistake["ctx"]["error"], SecretError):
        return origin.partition("=")[0] if origin.startswith(COMMAND_LINE) else origin
    # Keys that do not go together: the one on the command line is the likelier culprit.
    return document.last_override(path) or origin


def _plain(bound: Any) -> str:
    return f"{bound:g}" if isinstance(bound, float) and bound < 1e6 else str(bound)


def _unknown_key(model: type[BaseModel], path: KeyPath) -> str:
    """Suggest the nearest key of the same section, else the same key of another one, else list the section's keys."""
    key, section = str(path[-1]), section_at(model, path[:-1])
    if "." in key:
        return "unknown key; dots are for the command line, in a file each part is a section of its own"
    siblings = list(section.model_fields) if section else []
    if near := difflib.get_close_matches(key, siblings, n=1):
        return f"unknown key, did you mean {near[0]!r}?"
    everywhere = [dotted(leaf) for leaf in leaf_paths(model)]
    if elsewhere := [leaf for leaf in everywhere if leaf == key or leaf.endswith(f".{key}")]:
        return f"unknown key, did you mean {' or '.join(elsewhere)}?"
    return f"unknown key; the keys here are {', '.join(siblings)}"
