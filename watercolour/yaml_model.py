"""A YAML document as a pydantic model: each mistake in one line, with its key, the fix and where it was written."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import ItemsView, Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

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
    "model_attributes_type": "must be a section of keys, got {got}",
    "union_tag_not_found": "is missing; choose {choices}",
    "union_tag_invalid": "must be {choices}, got {got}",
    "dict_type": "must be a mapping, got {got}",
    "list_type": "must be a list, got {got}",
    "tuple_type": "must be a list, got {got}",
    "greater_than_equal": "must be at least {ge}, got {got}",
    "greater_than": "must be more than {gt}, got {got}",
    "less_than_equal": "must be at most {le}, got {got}",
    "too_short": "needs at least {min_length}, got {actual_length}",
    "too_long": "takes at most {max_length}, got {actual_length}",
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
    placed = [(_real_path(mistake, document.data), mistake) for mistake in mistakes]
    # A list or a union that holds a mistake is reported as one too; the mistake inside says more.
    around = {path[:depth] for path, _ in placed for depth in range(len(path))}
    found: dict[KeyPath, tuple[int, str]] = {}
    for path, mistake in placed:
        if path in around:
            continue
        message = _message(model, path, mistake, document.data)
        shown = f"{dotted(path)}: {message} ({_origin(document, path, mistake)})"
        found.setdefault(path, (order[document.known(path)], shown))
    lines = [line for _, line in sorted(found.values(), key=lambda item: item[0])]
    if len(lines) > MAX_MISTAKES:
        lines[MAX_MISTAKES:] = [f"... and {len(lines) - MAX_MISTAKES} more"]
    raise ConfigError("\n".join(lines))


def leaf_paths(model: type[BaseModel], prefix: KeyPath = ()) -> Iterator[KeyPath]:
    """The path of every setting of a tree of models, sections left out; a list of sections is one setting."""
    for name, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is None:
            yield (*prefix, name)
        else:
            yield from leaf_paths(section, (*prefix, name))


def section_at(model: type[BaseModel], path: KeyPath, data: Any = None) -> type[BaseModel] | None:
    """The model of the section at `path`, or None where there is no section.

    `data` is what is to become a `model`; in a list of several kinds of sections it tells which one an item is.
    """
    fitting = [section for section in _sections_at(model, path, data) if _tags(section).items() <= _tags_in(path, data)]
    return fitting[0] if fitting else None


def _sections_at(model: type[BaseModel], path: KeyPath, data: Any) -> list[type[BaseModel]]:
    """All models that the section at `path` may be, as far as the keys before it tell."""
    sections = [model]
    for depth, key in enumerate(path):
        if isinstance(key, int):
            continue
        here = path[:depth]
        fitting = [section for section in sections if _tags(section).items() <= _tags_in(here, data)]
        fields = [
            field for section in fitting for name, field in section.model_fields.items() if key in (name, field.alias)
        ]
        sections = _models_in(fields[0].annotation) if fields else []
    return sections


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation is made of, through unions, lists and what is annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _tags(model: type[BaseModel]) -> dict[str, Any]:
    """The fields that tell a model from the others of its union: those that can hold one value only."""
    annotations = {name: field.annotation for name, field in model.model_fields.items()}
    return {
        name: get_args(annotation)[0]
        for name, annotation in annotations.items()
        if get_origin(annotation) is Literal and len(get_args(annotation)) == 1
    }


def _tags_in(path: KeyPath, data: Any) -> ItemsView[str, Any]:
    """The plain values of the section that `data` has at `path`."""
    for key in path:
        if isinstance(data, list) and isinstance(key, int):
            data = data[key] if key < len(data) else None
        else:
            data = data.get(key) if isinstance(data, dict) else None
    values = data if isinstance(data, dict) else {}
    return {key: value for key, value in values.items() if isinstance(value, str)}.items()


def _section(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _real_path(mistake: Any, data: Any) -> KeyPath:
    """Where a mistake is: pydantic's location without the names it adds for the branches of a union."""
    location, path = mistake["loc"], list[int | str]()
    for depth, key in enumerate(location):
        if isinstance(data, dict):
            is_missing = depth == len(location) - 1 and mistake["type"] == "missing"
            if key in data or is_missing:
                path.append(key)
                data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int):
            path.append(key)
            data = data[key] if key < len(data) else None
    if mistake["type"] in ("union_tag_not_found", "union_tag_invalid"):
        path.append(mistake["ctx"]["discriminator"].strip("'"))
    return tuple(path)


def _message(model: type[BaseModel], path: KeyPath, mistake: Any, data: Any) -> str:
    kind, context, value = mistake["type"], mistake.get("ctx", {}), mistake["input"]
    if kind == "extra_forbidden":
        return _unknown_key(model, path, data)
    if kind == "value_error":
        cause = context["error"]
        shown = "" if isinstance(cause, SecretError) or isinstance(value, dict) else f", got {describe(value)}"
        return f"{cause}{shown}"
    template = _MESSAGES.get(kind)
    if template is None:
        return str(mistake["msg"][:1].lower() + mistake["msg"][1:])
    if kind.startswith("union_tag"):
        return template.format(choices=_choices(model, path, data), got=describe(value.get(path[-1])))
    return template.format(got=describe(value), **{key: _plain(bound) for key, bound in context.items()})


def _choices(model: type[BaseModel], path: KeyPath, data: Any) -> str:
    """The values that the tag at `path` may have, as in "a, b or c"; earlier tags of the same section are given."""
    given, values = _tags_in(path[:-1], data), list[str]()
    for section in _sections_at(model, path[:-1], data):
        tags = _tags(section)
        before = {name: tags[name] for name in itertools.takewhile(lambda name: name != path[-1], tags)}
        if path[-1] in tags and before.items() <= given and tags[str(path[-1])] not in values:
            values.append(tags[str(path[-1])])
    return " or ".join(part for part in (", ".join(values[:-1]), *values[-1:]) if part)


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


def _unknown_key(model: type[BaseModel], path: KeyPath, data: Any) -> str:
    """Suggest the nearest key of the same section, else the same key of another one, else list the section's keys."""
    key, section = str(path[-1]), section_at(model, path[:-1], data)
    if "." in key:
        return "unknown key; dots are for the command line, in a file each part is a section of its own"
    fields = section.model_fields.items() if section else ()
    siblings = [field.alias or name for name, field in fields]
    if near := difflib.get_close_matches(key, siblings, n=1):
        return f"unknown key, did you mean {near[0]!r}?"
    everywhere = [dotted(leaf) for leaf in leaf_paths(model)]
    if elsewhere := [leaf for leaf in everywhere if leaf == key or leaf.endswith(f".{key}")]:
        return f"unknown key, did you mean {' or '.join(elsewhere)}?"
    return f"unknown key; the keys here are {', '.join(siblings)}"
