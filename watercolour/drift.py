"""Config drift: what a resumed run would do otherwise than it began, key by key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watercolour.errors import ConfigError

ABSENT = "nothing"


@dataclass(frozen=True)
class Change:
    """A setting with its value in the run so far and from now on, as JSON can hold them; "nothing" for a lost key."""

    key: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.key} {json.dumps(self.old)} -> {json.dumps(self.new)}"


def find_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """What differs between two resolved configurations; a term of the reward is addressed by its name."""
    before, after = dict(_settings(old)), dict(_settings(new))
    return [
        Change(key, before.get(key, ABSENT), after.get(key, ABSENT))
        for key in dict.fromkeys((*before, *after))
        if before.get(key, ABSENT) != after.get(key, ABSENT)
    ]


def allowed_changes(old: Mapping[str, Any], new: Mapping[str, Any], allowed: Sequence[str]) -> list[Change]:
    """The changes, each of which `allowed` must name, itself or a section that it lies in.

    Raises ConfigError with every one that is not allowed, and with what would allow it.
    """
    changes = find_changes(old, new)
    refused = [each for each in changes if not any(f"{each.key}.".startswith(f"{key}.") for key in allowed)]
    if refused:
        options = " ".join(f"--allow-change {each.key}" for each in refused)
        raise ConfigError(
            f"the run was started with other settings: {'; '.join(map(str, refused))}; leave them as they were, or add"
            f" {options}"
        )
    return changes


def _settings(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if key == "reward.terms":
        value = {term["name"] or term["term"]: term for term in value}
    if isinstance(value, Mapping) and value:
        for name, item in value.items():
            yield from _settings(item, f"{key}.{name}" if key else str(name))
    else:
        yield key, value
