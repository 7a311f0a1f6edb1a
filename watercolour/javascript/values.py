"""What an expression stands for, as far as the text tells: a constant, or something the program did not make.

Aliases, destructuring, constant keys, arguments and properties (by name) are followed. Every expression is worked out
once and to a fixed depth, so the work is linear in the source.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tree_sitter import Node

from watercolour.javascript.bindings import (
    FIXED_GLOBALS,
    Binding,
    Bindings,
    Scope,
    Source,
    arguments_of,
    child_of,
    last_part,
    name_of,
    unescape,
)
from watercolour.javascript.syntax import text_of

MAX_DEPTH = 40
MAX_TEXT = 200
MAX_SOURCES = 8
MAX_TEXTS_DEPTH = 3

_GLOBAL_OBJECT = frozenset({"window", "globalThis", "self", "frames"})
_LEADS_TO_WINDOW = frozenset({"defaultView", "contentWindow"})
_ON_WINDOW = frozenset({"var", "function", "implicit"})
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": math.fmod,
    "**": math.pow,
}


@dataclass(frozen=True, slots=True)
class Const:
    """A string or a number."""

    value: str | float


@dataclass(frozen=True, slots=True)
class Named:
    """Something the program did not make, by its path: `brush.fill`, `fetch`, `document.write`.

    The global object is `window`, and what hangs on it goes by its own name. A property of an unknown object is
    `?.name`, an unknown property of the brush `brush.?`. A p5 instance or graphics is `p5()`, and what it shares with
    p5's globals goes by the global name.
    """

    path: str


Value = Const | Named | None
"""None: the text does not tell, or it is the program's own."""


class Values:
    """Works out expressions of one tree.

    `instance_members`: the names that p5 instances share with the globals. `instance_makers`: functions that return
    something with those members.
    """

    def __init__(
        self, bindings: Bindings, instance_members: frozenset[str], instance_makers: frozenset[str] = frozenset()
    ) -> None:
        self.globals = bindings.globals
        self.instance_writes: set[str] = set()
        """Names assigned on a p5 instance, such as `setup`."""
        self._instance_members = instance_members
        self._instance_makers = instance_makers
        self._properties: dict[str, list[Source]] = defaultdict(list)
        self._memo: dict[int, Value] = {}
        self._in_progress: set[int] = set()
        self._depth = 0
        for node, scope, source in bindings.writes:
            self._write_property(node, scope, source)
        for node, scope, value in bindings.properties:
            key = self.key(node, scope)
            if key is not None:
                self._properties[key].append(value)
        self._memo.clear()

    def of(self, node: Node, scope: Scope) -> Value:
        """What the expression stands for."""
        if node.id in self._memo:
            return self._memo[node.id]
        rule = _RULES.get(node.type)
        if rule is None or self._depth >= MAX_DEPTH:
            return None
        self._memo[node.id] = None
        self._depth += 1
        value = rule(self, node, scope)
        self._depth -= 1
        self._memo[node.id] = value
        return value

    def texts(self, node: Node, scope: Scope, depth: int = 0) -> set[str]:
        """Every string that the expression may stand for, as far as the text tells: either branch, each assignment."""
        value = self.of(node, scope)
        if isinstance(value, Const) or depth >= MAX_TEXTS_DEPTH:
            return {value.value} if isinstance(value, Const) and isinstance(value.value, str) else set()
        parts: list[tuple[Node, Scope]] = []
        if node.type == "parenthesized_expression":
            parts = [(last_part(node), scope)]
        elif node.type == "ternary_expression":
            parts = [(child_of(node, name), scope) for name in ("consequence", "alternative")]
        elif node.type == "binary_expression" and text_of(child_of(node, "operator")) in ("||", "??"):
            parts = [(child_of(node, name), scope) for name in ("left", "right")]
        elif node.type == "identifier" and (binding := scope.lookup(name_of(node))):
            parts = [(source.node, source.scope) for source in binding.sources[:MAX_SOURCES] if not source.path]
        return set().union(*(self.texts(*part, depth + 1) for part in parts))

    def path(self, node: Node, scope: Scope) -> str:
        """The path of what the expression names, or ""."""
        value = self.of(node, scope)
        return value.path if isinstance(value, Named) else ""

    def key(self, node: Node, scope: Scope) -> str | None:
        """The property name that a member, pair, field, method or key stands for; None if it is not constant."""
        if node.type == "subscript_expression":
            return as_text(self.of(child_of(node, "index"), scope))
        field_name = _KEY_FIELDS.get(node.type)
        key = child_of(node, field_name) if field_name else node
        if key.type == "computed_property_name":
            return as_text(self.of(last_part(key), scope))
        return as_text(self.of(key, scope)) if key.type in ("string", "number") else name_of(key)

    def own_global(self, name: str) -> tuple[Binding | None, Value]:
        """The program's own global of that name, and what it stands for."""
        binding = self.globals.names.get(name)
        return binding, self._binding(binding) if binding else None

    def member(self, value: Value, key: str | None) -> Value:
        """What property `key` of `value` stands for; None for a key that is not constant."""
        path = value.path if isinstance(value, Named) else ""
        if key is None:
            return Named("brush.?") if path == "brush" else None
        if path == "window":
            binding = self.globals.names.get(key)
            return self._binding(binding) if binding and binding.kind in _ON_WINDOW else _global(key)
        if path == "p5()":
            return Named(key if key in self._instance_members else f"p5().{key}")
        if path == "p5" and key in ("prototype", "instance"):
            return Named("p5()")
        if key in _LEADS_TO_WINDOW:
            return Named("window")
        if path and not path.startswith("?"):
            return Named(f"{path}.{key[:MAX_TEXT]}") if len(path) < MAX_TEXT else None
        return self._property(key) or Named(f"?.{key[:MAX_TEXT]}")

    def _property(self, name: str) -> Value:
        """What is assigned anywhere to a property of this name, if any of it is not the program's own."""
        sources = self._properties.get(name)
        if not sources or id(sources) in self._in_progress:
            return None
        self._in_progress.add(id(sources))
        found = _foreign(self._source(source) for source in sources[:MAX_SOURCES])
        self._in_progress.discard(id(sources))
        return found

    def _binding(self, binding: Binding) -> Value:
        """A name assigned once stands for its value, any other for what it takes that is not the program's own."""
        if id(binding) in self._in_progress:
            is_global = self.globals.names.get(binding.name) is binding and binding.kind in _ON_WINDOW
            return Named(binding.name) if is_global else None
        self._in_progress.add(id(binding))
        if len(binding.sources) == 1 and not binding.opaque:
            found = self._source(binding.sources[0])
        else:
            found = _foreign(self._source(source) for source in binding.sources[:MAX_SOURCES])
        self._in_progress.discard(id(binding))
        return found

    def _source(self, source: Source) -> Value:
        value = self.of(source.node, source.scope)
        for step in source.path:
            value = self.member(value, self.key(step, source.scope) if isinstance(step, Node) else step)
        return value

    def _write_property(self, node: Node, scope: Scope, source: Source | None) -> None:
        key = self.key(node, scope)
        if key is None:
            return
        target = self.path(child_of(node, "object"), scope)
        if target == "window" and key not in FIXED_GLOBALS:
            self.globals.names.setdefault(key, Binding(key, "implicit")).take(source)
        elif target == "p5()":
            self.instance_writes.add(key)
        if source:
            self._properties[key].append(source)

    # One rule an expression type.

    def _identifier(self, node: Node, scope: Scope) -> Value:
        name = name_of(node)
        binding = scope.lookup(name)
        return self._binding(binding) if binding else _global(name)

    def _this(self, _node: Node, scope: Scope) -> Value:
        return Named("window") if scope.this_is_global else None

    def _last(self, node: Node, scope: Scope) -> Value:
        return self.of(last_part(node), scope)

    def _right(self, node: Node, scope: Scope) -> Value:
        return self.of(child_of(node, "right"), scope)

    def _member(self, node: Node, scope: Scope) -> Value:
        return self.member(self.of(child_of(node, "object"), scope), self.key(node, scope))

    def _call(self, node: Node, scope: Scope) -> Value:
        path = self.path(child_of(node, "function"), scope)
        if path in self._instance_makers:
            return Named("p5()")
        if path.endswith(".bind") and not path.startswith("?"):
            return Named(path.removesuffix(".bind"))
        passed = arguments_of(node) if path == "Reflect.get" else []
        if len(passed) > 1:
            return self.member(self.of(passed[0], scope), as_text(self.of(passed[1], scope)))
        return None

    def _new(self, node: Node, scope: Scope) -> Value:
        return Named("p5()") if self.path(child_of(node, "constructor"), scope) == "p5" else None

    def _ternary(self, node: Node, scope: Scope) -> Value:
        values = [self.of(child_of(node, name), scope) for name in ("consequence", "alternative")]
        return values[0] if values[0] == values[1] else _foreign(values)

    def _string(self, node: Node, scope: Scope) -> Value:
        text = ""
        for part in node.named_children:
            piece: str | None = text_of(part)
            if part.type == "template_substitution":
                piece = as_text(self._last(part, scope))
            elif part.type == "escape_sequence":
                piece = unescape(text_of(part))
            if piece is None or len(text) + len(piece) > MAX_TEXT:
                return None
            text += piece
        return Const(text)

    def _number(self, node: Node, _scope: Scope) -> Value:
        digits = text_of(node).replace("_", "")
        if len(digits) > MAX_TEXT:
            return None
        try:
            return Const(float(int(digits, 0)) if digits[:2].lower() in ("0x", "0o", "0b") else float(digits))
        except (ValueError, OverflowError):
            return None

    def _unary(self, node: Node, scope: Scope) -> Value:
        value = self.of(child_of(node, "argument"), scope)
        sign = text_of(child_of(node, "operator"))
        if sign not in ("-", "+") or not isinstance(value, Const) or not isinstance(value.value, float):
            return None
        return Const(-value.value if sign == "-" else value.value)

    def _binary(self, node: Node, scope: Scope) -> Value:
        sign = text_of(child_of(node, "operator"))
        left, right = self.of(child_of(node, "left"), scope), self.of(child_of(node, "right"), scope)
        if sign in ("||", "??"):
            return left or right
        if sign == "&&":
            return right
        if not isinstance(left, Const) or not isinstance(right, Const):
            return None
        if isinstance(left.value, float) and isinstance(right.value, float):
            try:
                return Const(_ARITHMETIC[sign](left.value, right.value)) if sign in _ARITHMETIC else None
            except (ArithmeticError, ValueError):
                return None
        text = f"{as_text(left)}{as_text(right)}"
        return Const(text) if sign == "+" and len(text) <= MAX_TEXT else None


_KEY_FIELDS = {
    "member_expression": "property",
    "field_definition": "property",
    "method_definition": "name",
    "pair": "key",
    "pair_pattern": "key",
}

_RULES: dict[str, Callable[[Values, Node, Scope], Value]] = {
    "identifier": Values._identifier,
    "shorthand_property_identifier": Values._identifier,
    "this": Values._this,
    "parenthesized_expression": Values._last,
    "sequence_expression": Values._last,
    "await_expression": Values._last,
    "assignment_expression": Values._right,
    "member_expression": Values._member,
    "subscript_expression": Values._member,
    "call_expression": Values._call,
    "new_expression": Values._new,
    "ternary_expression": Values._ternary,
    "string": Values._string,
    "template_string": Values._string,
    "number": Values._number,
    "unary_expression": Values._unary,
    "binary_expression": Values._binary,
}


def as_text(value: Value) -> str | None:
    """A constant as JavaScript turns it into a property name; None for anything else."""
    if not isinstance(value, Const):
        return None
    if isinstance(value.value, str):
        return value.value
    return str(int(value.value)) if value.value.is_integer() and abs(value.value) < 1e15 else str(value.value)


def _global(name: str) -> Value:
    return Named("window" if name in _GLOBAL_OBJECT else name)


def _foreign(values: Iterable[Value]) -> Value:
    return next((value for value in values if isinstance(value, Named) and not value.path.startswith("?")), None)
