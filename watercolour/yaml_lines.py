"""YAML in which every key remembers its line, and `key.sub=value` overrides laid over it.

Scalars follow the YAML 1.2 core schema: `1e-3` is a number, `no` and `on` are text, `010` is ten. Refused, each with
its line: duplicate keys, merge keys, tags, non-finite numbers, several documents, aliases that explode or recurse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from watercolour.errors import ConfigError

MAX_CHARACTERS = 200_000
MAX_VALUES = 10_000
"""How many values a document may hold once its aliases are expanded."""
MAX_DEPTH = 30
COMMAND_LINE = "command line: "
"""How the origin of an override begins; the override follows."""

KeyPath = tuple[str | int, ...]
NAME_KEYS = ("name", "term")
"""What an item of a list of sections is called by: the first of these keys that it has."""

_TAG = "tag:yaml.org,2002:"
_NUMBER = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_SCALARS: dict[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    _TAG + "null": (re.compile(r"(?:~|null|Null|NULL|)\Z"), lambda text: None),
    _TAG + "bool": (re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), lambda text: text.lower() == "true"),
    _TAG + "int": (re.compile(r"[-+]?[0-9]+\Z"), int),
    _TAG + "float": (re.compile(rf"(?:{_NUMBER})\Z"), lambda text: math.nan if text[-1] in "fFnN" else float(text)),
    _TAG + "str": (re.compile(r".*\Z", re.DOTALL), str),
}
_FIRST_CHARACTERS = {"null": ["~", "n", "N", ""], "bool": list("tTfF"), "int": list("-+0123456789")}


class _Loader(yaml.SafeLoader):
    """PyYAML's reader with the core schema's scalars in place of YAML 1.1's."""


_Loader.yaml_implicit_resolvers = {}
for _name, _first in (*_FIRST_CHARACTERS.items(), ("float", list("-+.0123456789"))):
    _Loader.add_implicit_resolver(_TAG + _name, _SCALARS[_TAG + _name][0], _first)


@dataclass(frozen=True)
class Document:
    """Plain data, and where each of its keys was written.

    `origins` maps a key's path to "tiny.yaml:9" or "command line: grpo.steps=3", in the order of writing; the empty
    path maps to the document's label.
    """

    data: dict[str, Any]
    origins: dict[KeyPath, str]

    def known(self, path: KeyPath) -> KeyPath:
        """The longest beginning of `path` whose origin is known."""
        while path not in self.origins:
            path = path[:-1]
        return path

    def origin(self, path: KeyPath) -> str:
        """Where `path`, or else the nearest section around it, was written."""
        return self.origins[self.known(path)]

    def last_override(self, section: KeyPath) -> str | None:
        """The newest override of something inside `section`."""
        inside = [origin for path, origin in self.origins.items() if path[: len(section)] == section]
        return next((origin for origin in reversed(inside) if origin.startswith(COMMAND_LINE)), None)


def dotted(path: KeyPath) -> str:
    """`("reward", "terms", 0)` as `reward.terms.0`, on one line whatever the keys hold."""
    text = ".".join(map(str, path))
    return text if text.isprintable() and len(text) <= 100 else describe(text)


def parse_yaml(text: str, label: str) -> Document:
    """A YAML text whose top level is a mapping. Raises ConfigError, naming `label` and the line, for anything else."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{label}: is longer than {MAX_CHARACTERS} characters, so not one of our YAML files")
    walk = _Walk(lambda line: f"{label}:{line}")
    node = _compose(text, walk.where)
    data = None if node is None else walk.build(node, ())
    if data is None:
        raise ConfigError(f"{label}: is empty")
    if not isinstance(data, dict):
        raise ConfigError(f"the top level must be a mapping of keys, got {describe(data)} ({label}:1)")
    return Document(data, {(): label, **walk.origins})


def apply_overrides(document: Document, overrides: Sequence[str]) -> Document:
    """`document` with each `key.sub=value` laid over it; a value is a YAML scalar or flow collection.

    Sections on the way are made where they are missing or null. An item of a list of sections is addressed by its place
    or by its name, as in `reward.terms.judge.weight`. Raises ConfigError for a malformed override, or one that reaches
    into something that is not there.
    """
    data, origins = document.data, dict(document.origins)
    for override in overrides:
        keys, text = _split_override(override)
        path = _place(data, keys, _command_line(override))
        value, value_origins = _override_value(path, text, _command_line(override))
        data = _with(data, path, value)
        # What this replaces is forgotten and written anew at the end, so that errors come in the order of writing.
        origins = {key: origin for key, origin in origins.items() if key[: len(path)] != path} | value_origins
    return Document(data, origins)


def describe(value: object) -> str:
    """A value as a message quotes it: short, on one line, in YAML's words."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}..."


def _split_override(override: str) -> tuple[list[str], str]:
    key, equals, text = override.partition("=")
    keys = key.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"{describe(override)}: an override is written key.sub=value")
    return keys, text


def _place(data: Any, keys: Sequence[str], where: str) -> KeyPath:
    """The path in `data` that an override's keys mean, with the items of lists by their place."""
    path: KeyPath = ()
    for depth, key in enumerate(keys):
        if isinstance(data, list):
            place = _item(data, key, (*path, key), where)
            path, data = (*path, place), data[place]
            continue
        if depth and not isinstance(data, dict | None):
            raise ConfigError(f"{dotted(path)}: is {describe(data)}, not a section ({where})")
        path, data = (*path, key), data.get(key) if data else None
    return path


def _item(items: Sequence[Any], key: str, path: KeyPath, where: str) -> int:
    """The place of the item that is called `key`, or is the `key`th from 0."""
    called = [next((item[name] for name in NAME_KEYS if item.get(name)), None) for item in map(_section, items)]
    if called.count(key) > 1:
        places = " or ".join(str(place) for place, name in enumerate(called) if name == key)
        raise ConfigError(f"{dotted(path)}: there are several; use the place instead, {places} ({where})")
    if key in called:
        return called.index(key)
    if key.isascii() and key.isdigit() and len(key) < 6 and int(key) < len(items):
        return int(key)
    there = ", ".join(dotted((str(place if name is None else name),)) for place, name in enumerate(called))
    raise ConfigError(f"{dotted(path)}: there is none; there are {there or 'no items'} ({where})")


def _section(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _override_value(path: KeyPath, text: str, where: str) -> tuple[Any, dict[KeyPath, str]]:
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{dotted(path)}: the value is too long ({where})")
    walk = _Walk(lambda line: where)
    node = _compose(text, walk.where)
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        raise ConfigError(f"{dotted(path)}: quote the text, or write a list as [a, b], a mapping as {{a: 1}} ({where})")
    value = None if node is None else walk.build(node, path)
    return value, {path: where, **walk.origins}


def _command_line(override: str) -> str:
    shown = "".join(character if character.isprintable() else "?" for character in override)
    return f"{COMMAND_LINE}{shown if len(shown) <= 80 else shown[:76] + '...'}"


def _with(data: Any, path: KeyPath, value: Any) -> Any:
    """A copy of `data` with one value replaced."""
    key, *rest = path
    copy: Any = list(data) if isinstance(data, list) else dict(data or {})
    old = copy[key] if isinstance(key, int) else copy.get(key)
    copy[key] = _with(old, tuple(rest), value) if rest else value
    return copy


def _compose(text: str, where: Callable[[int], str]) -> yaml.Node | None:
    """PyYAML's node tree. Raises ConfigError for whatever the parser does not like, or breaks on."""
    try:
        return yaml.compose(text, _Loader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(f"not valid YAML: a character that may not stand in a text file ({where(line)})") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join((error.problem or "cannot be read").split())
        if r"'\t'" in problem:
            problem = "a tab where only spaces may stand"
        raise ConfigError(f"not valid YAML: {problem} ({where(mark.line + 1 if mark else 1)})") from None
    except RecursionError:
        raise ConfigError(f"nested deeper than {MAX_DEPTH} levels ({where(1)})") from None
    except (ValueError, OverflowError):  # PyYAML lets these through for some escapes and directives
        raise ConfigError(f"not valid YAML: an escape or directive out of range ({where(1)})") from None


def _tag(node: yaml.Node) -> str:
    shown = str(node.tag).replace(_TAG, "!!")
    return shown if shown.isprintable() and len(shown) <= 60 else describe(shown)


class _Walk:
    """Turns nodes into plain data and notes where each key stands."""

    def __init__(self, where: Callable[[int], str]) -> None:
        self.where = where
        self.origins: dict[KeyPath, str] = {}
        self._values = 0

    def build(self, node: yaml.Node, path: KeyPath) -> Any:
        """The node's data, with aliases expanded."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self._error(node, path, f"holds more than {MAX_VALUES} values once its aliases are expanded")
        if len(path) > MAX_DEPTH:
            raise self._error(node, (), f"nested deeper than {MAX_DEPTH} levels, or an alias that holds itself")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        if node.tag == _TAG + "map" and isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if node.tag == _TAG + "seq" and isinstance(node, yaml.SequenceNode):
            items = []
            for index, item in enumerate(node.value):
                self._note((*path, index), item)
                items.append(self.build(item, (*path, index)))
            return items
        raise self._error(node, path, f"the tag {_tag(node)} is not supported")

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._error(key_node, path, "a key must be text, got a list or mapping")
            if key_node.value == "<<" and not key_node.style:
                raise self._error(key_node, path, "merge keys (<<) are not supported: write the keys out")
            key = self._scalar(key_node, path)
            if not isinstance(key, str):
                raise self._error(key_node, path, f"a key must be text, got {describe(key)}")
            if key in mapping:
                raise self._error(key_node, (*path, key), "is given twice")
            self._note((*path, key), key_node)
            mapping[key] = self.build(value_node, (*path, key))
        return mapping

    def _scalar(self, node: yaml.ScalarNode, path: KeyPath) -> Any:
        pattern, convert = _SCALARS.get(node.tag, (None, None))
        if pattern is None or convert is None:
            raise self._error(node, path, f"the tag {_tag(node)} is not supported")
        if not pattern.match(node.value):
            raise self._error(node, path, f"{describe(node.value)} does not fit the tag {_tag(node)}")
        if convert is int and len(node.value) > 30:
            raise self._error(node, path, f"a number of {len(node.value)} digits is too long")
        value = convert(node.value)
        if isinstance(value, float) and not math.isfinite(value):
            raise self._error(node, path, f"must be a finite number, got {describe(node.value)}")
        return value

    def _note(self, path: KeyPath, node: yaml.Node) -> None:
        self.origins[path] = self.where(node.start_mark.line + 1)

    def _error(self, node: yaml.Node, path: KeyPath, message: str) -> ConfigError:
        prefix = f"{dotted(path)}: " if path else ""
        return ConfigError(f"{prefix}{message} ({self.where(node.start_mark.line + 1)})")
