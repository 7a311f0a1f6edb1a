"""What must not leave this machine: values of secret variables, what looks like a key, paths, and hosts of one's own.

Covers every text that is published, the model's own writing included. Does not cover pictures, nor a private host that
is named without http:// or https:// before it, or by a public name.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from typing import Any

from watercolour.run_facts import without_secrets

REMOVED = "(removed)"

_KEYS = re.compile(
    r"\b(?:hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|xox[a-z]-[A-Za-z0-9-]{10,})"
)
"""How keys of well-known services begin."""
_PATH = re.compile(r"(?<![\w:/.<*])(?:~|/[\w.@+~-]+)(?:/[\w.@+~-]+)+/?")
"""An absolute path of two parts or more, or one below ~; not what follows a host in an address."""
_ADDRESS = re.compile(
    r"(?P<scheme>(?:http|ws)s?://)(?:[^\s/@\"'<>]*@)?(?P<host>\[[0-9A-F:.]+\]|[\w.-]+)(?P<port>:\d+)?", re.IGNORECASE
)
"""An address's beginning: its scheme, perhaps a user with a password, the host, perhaps a port."""
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "localdomain", "home.arpa")


class Cleaner:
    """Cleans texts and whole records, and counts what it took out."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(os.environ if environment is None else environment)
        self.secrets = 0
        """Texts from which a secret was taken."""

    def text(self, text: str) -> str:
        """Without secrets: for what a model wrote, where a path is part of a program."""
        cleaned = _KEYS.sub(REMOVED, without_secrets(text, self._environment))
        self.secrets += cleaned != text
        # A lone surrogate is no Unicode, which tables refuse.
        return cleaned.encode("utf-8", "replace").decode("utf-8")

    def facts(self, text: str) -> str:
        """Without secrets, the names of private hosts, and all of each path but its last part: for what this program
        wrote."""
        cleaned = _ADDRESS.sub(_nobodys, self.text(text))
        return _PATH.sub(lambda found: found[0].rstrip("/").rpartition("/")[2], cleaned)

    def record(self, value: Any) -> Any:
        """JSON data with every text in it, keys included, cleaned as facts."""
        if isinstance(value, str):
            return self.facts(value)
        if isinstance(value, Mapping):
            return {self.facts(str(key)): self.record(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.record(item) for item in value]
        return value


def _nobodys(address: re.Match[str]) -> str:
    """An address without its user, and without a host that is nobody else's business."""
    host = address["host"].strip("[].").lower()
    try:
        hidden = not ipaddress.ip_address(host).is_global
    except ValueError:
        hidden = "." not in host or any(host.endswith(f".{name}") for name in _PRIVATE_NAMES)
    return address["scheme"] + ("(private)" if hidden else address["host"] + (address["port"] or ""))
