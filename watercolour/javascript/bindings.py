"""Scopes and bindings: which names a source declares, where, and every expression that is assigned to them.

Work is bounded: nesting beyond `MAX_SCOPES` shares one scope, patterns deeper than `MAX_STEPS` lose their source, and
only the first `MAX_CALL_SITES` calls of a function tell what its parameters take.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from watercolour.javascript.syntax import COMMENTS, text_of

MAX_SCOPES = 200
MAX_STEPS = 8
MAX_CALL_SITES = 8

_FUNCTION_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration"})
_DECLARATIONS = frozenset({"lexical_declaration", "class_declaration"}) | _FUNCTION_DECLARATIONS
FIXED_GLOBALS = frozenset({"window", "document", "location", "top"})
"""Properties of the window that a script cannot replace."""

_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|\r\n|[\s\S])")
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r\n": ""}


@dataclass(eq=False, slots=True)
class Scope:
    """One scope. `function` is the nearest one that `var` belongs to; `this_is_global` when `this` means the window."""

    parent: Scope | None
    depth: int
    this_is_global: bool
    names: dict[str, Binding] = field(default_factory=dict)
    function: Scope = field(init=False)

    def __post_init__(self) -> None:
        self.function = self

    def lookup(self, name: str) -> Binding | None:
        """The binding that the name means here, or None when the program does not declare it."""
        scope: Scope | None = self
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def nested(self, *, block: bool) -> Scope:
        """A scope inside this one: a block's, or a function's."""
        if self.depth >= MAX_SCOPES:
            return self
        inner = Scope(self, self.depth + 1, self.this_is_global)
        if block:
            inner.function = self.function
        return inner


@dataclass(eq=False, slots=True)
class Binding:
    """A name of the program's own.

    `kind` is var, let, const, function, class, param, import, or implicit: assigned without a declaration.
    """

    name: str
    kind: str
    sources: list[Source] = field(default_factory=list)
    opaque: bool = False
    """It also takes values that are not known: a loop's, an update's, a caller's."""
    call_sites: int = 0

    def take(self, source: Source | None) -> None:
        """Note one more value; None for one that is not known."""
        if source:
            self.sources.append(source)
        else:
            self.opaque = True


@dataclass(frozen=True, slots=True)
class Source:
    """An assigned expression, and the properties that destructuring picks from it: a name, a key's node, or unknown."""

    node: Node
    scope: Scope
    path: tuple[str | Node | None, ...] = ()

    def step(self, key: str | Node | None) -> Source | None:
        """The source's property, or None past `MAX_STEPS`."""
        return Source(self.node, self.scope, (*self.path, key)) if len(self.path) < MAX_STEPS else None


Spot = tuple[Node, Scope]
"""A node and the scope it stands in."""


class Bindings:
    """What one pass over a tree finds. Each list is in source order."""

    def __init__(self, root: Node) -> None:
        self.globals = Scope(None, 0, this_is_global=True)
        self.calls: list[Spot] = []
        self.members: list[Spot] = []
        self.mentions: list[Spot] = []
        self.keys: list[Spot] = []
        self.imports: list[Node] = []
        self.withs: list[Node] = []
        self.properties: list[tuple[Node, Scope, Source]] = []
        """Pairs of object literals and fields of classes, with their values."""
        self.writes: list[tuple[Node, Scope, Source | None]] = []
        """Member expressions that are assigned to, with what they take."""
        self._assigned: list[tuple[Node, Scope, Source | None]] = []
        self._parameters: dict[int, tuple[Scope, list[Node]]] = {}
        self._collect(root)
        for node, scope, source in self._assigned:
            self._assign(node, scope, source)
        for call, scope in self.calls:
            self._pass_arguments(call, scope)

    def _collect(self, root: Node) -> None:
        stack: list[Spot] = [(root, self.globals)]
        while stack:
            node, scope = stack.pop()
            visit = _VISITORS.get(node.type)
            stack.extend(reversed(visit(self, node, scope) if visit else _inside(node, scope)))

    # Each visitor notes what its node means and returns what is left to visit.

    def _mention(self, node: Node, scope: Scope) -> list[Spot]:
        self.mentions.append((node, scope))
        return []

    def _member(self, node: Node, scope: Scope) -> list[Spot]:
        self.members.append((node, scope))
        return _inside(node, scope)

    def _call(self, node: Node, scope: Scope) -> list[Spot]:
        self.calls.append((node, scope))
        return _inside(node, scope)

    def _with(self, node: Node, scope: Scope) -> list[Spot]:
        self.withs.append(node)
        return _inside(node, scope)

    def _import(self, node: Node, scope: Scope) -> list[Spot]:
        self.imports.append(node)
        stack = list(node.named_children)
        while stack:
            part = stack.pop()
            if part.type == "identifier":
                self._declare(part, scope, "import").opaque = True
            stack.extend(part.named_children)
        return []

    def _pair(self, node: Node, scope: Scope) -> list[Spot]:
        self.keys.append((node, scope))
        value = node.child_by_field_name("value")
        if value:
            self.properties.append((node, scope, Source(value, scope)))
        return _inside(node, scope)

    def _shorthand(self, node: Node, scope: Scope) -> list[Spot]:
        self.keys.append((node, scope))
        self.mentions.append((node, scope))
        self.properties.append((node, scope, Source(node, scope)))
        return []

    def _function(self, node: Node, scope: Scope) -> list[Spot]:
        inner = scope.nested(block=False)
        name = node.child_by_field_name("name")
        left: list[Spot] = []
        if node.type == "method_definition":
            self.keys.append((node, scope))
            left += _inside(name, scope) if name else []
        elif name and node.type in _FUNCTION_DECLARATIONS:
            for home in {id(scope): scope, id(scope.function): scope.function}.values():
                self._declare(name, home, "function").take(Source(node, scope))
        elif name:
            self._declare(name, inner, "function").take(Source(node, scope))
        if node.type != "arrow_function":
            inner.this_is_global = name is not None and node.type != "method_definition" and name_of(name) in _ENTRIES
        single, several = node.child_by_field_name("parameter"), node.child_by_field_name("parameters")
        patterns = [single] if single else several.named_children if several else []
        self._parameters[node.id] = (inner, patterns)
        for pattern in patterns:
            left += self._bind(pattern, inner, None, "param")
        body = node.child_by_field_name("body")
        if body:
            left += _inside(body, inner) if body.type == "statement_block" else [(body, inner)]
        return left

    def _class(self, node: Node, scope: Scope) -> list[Spot]:
        inner = scope.nested(block=True)
        inner.this_is_global = False
        name = node.child_by_field_name("name")
        if name:
            self._declare(name, scope if node.type == "class_declaration" else inner, "class").opaque = True
        return [(child, inner) for child in node.named_children if child != name]

    def _block(self, node: Node, scope: Scope) -> list[Spot]:
        if any(child.type in _DECLARATIONS for child in _statements(node)):
            scope = scope.nested(block=True)
        return _inside(node, scope)

    def _for_in(self, node: Node, scope: Scope) -> list[Spot]:
        keyword, pattern = node.child_by_field_name("kind"), node.child_by_field_name("left")
        inner = scope.nested(block=True) if keyword else scope
        left: list[Spot] = []
        if pattern:
            kind = text_of(keyword) if keyword else None
            left += self._bind(pattern, inner.function if kind == "var" else inner, None, kind)
        return left + [(child, inner) for child in node.named_children if child != pattern]

    def _catch(self, node: Node, scope: Scope) -> list[Spot]:
        inner = scope.nested(block=True)
        pattern = node.child_by_field_name("parameter")
        left = self._bind(pattern, inner, None, "let") if pattern else []
        return left + [(child, inner) for child in node.named_children if child != pattern]

    def _declaration(self, node: Node, scope: Scope) -> list[Spot]:
        kind = text_of(node.children[0])
        home = scope.function if kind == "var" else scope
        left: list[Spot] = []
        for part in node.named_children:
            name, value = part.child_by_field_name("name"), part.child_by_field_name("value")
            if name is None:
                left.append((part, scope))
            elif value:
                left += [*self._bind(name, home, Source(value, scope), kind), (value, scope)]
            elif name.type == "identifier":
                self._declare(name, home, kind)
        return left

    def _assignment(self, node: Node, scope: Scope) -> list[Spot]:
        pattern, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if pattern is None or value is None:
            return _inside(node, scope)
        operator = node.child_by_field_name("operator")
        takes_value = operator is None or text_of(operator) in ("||=", "&&=", "??=")
        left = self._bind(pattern, scope, Source(value, scope) if takes_value else None, None)
        return [*left, (value, scope)]

    def _update(self, node: Node, scope: Scope) -> list[Spot]:
        argument = node.child_by_field_name("argument")
        return self._bind(argument, scope, None, None) if argument else []

    def _declare(self, node: Node, scope: Scope, kind: str) -> Binding:
        name = name_of(node)
        return scope.names.setdefault(name, Binding(name, kind))

    def _bind(self, pattern: Node, scope: Scope, source: Source | None, kind: str | None) -> list[Spot]:
        """Declare (assign, when `kind` is None) all that a pattern names; returns the expressions inside it."""
        left: list[Spot] = []
        stack: list[tuple[Node, Source | None]] = [(pattern, source)]
        while stack:
            node, value = stack.pop()
            if node.type in ("identifier", "shorthand_property_identifier_pattern"):
                if kind is None:
                    self._assigned.append((node, scope, value))
                else:
                    self._declare(node, scope, kind).take(value)
            elif node.type in ("member_expression", "subscript_expression"):
                self.writes.append((node, scope, value))
                left.append((node, scope))
            elif node.type in ("assignment_pattern", "object_assignment_pattern"):
                target, default = child_of(node, "left"), child_of(node, "right")
                is_shorthand = target.type == "shorthand_property_identifier_pattern"
                stack += [(target, _step(value, name_of(target)) if is_shorthand else value)]
                stack += [(target, Source(default, scope))]
                left.append((default, scope))
            elif node.type == "pair_pattern":
                key = child_of(node, "key")
                self.keys.append((node, scope))
                left += _inside(key, scope)
                stack.append((child_of(node, "value"), _step(value, key)))
            elif node.type == "array_pattern":
                stack += _elements_with_sources(node, value)
            elif node.type in ("object_pattern", "rest_pattern", "parenthesized_expression"):
                for child in node.named_children:
                    is_shorthand = child.type == "shorthand_property_identifier_pattern"
                    stack.append((child, _step(value, name_of(child)) if is_shorthand else value))
            elif node.type not in COMMENTS:
                left.append((node, scope))
        return left

    def _assign(self, node: Node, scope: Scope, source: Source | None) -> None:
        name = name_of(node)
        binding = scope.lookup(name)
        if binding is None and name in FIXED_GLOBALS:
            self.mentions.append((node, scope))
        else:
            (binding or self._declare(node, self.globals, "implicit")).take(source)

    def _pass_arguments(self, call: Node, scope: Scope) -> None:
        """Let the parameters of the program's own function take what a call passes."""
        function = call.child_by_field_name("function") or call.child_by_field_name("constructor")
        if function is None:
            return
        passed = arguments_of(call)
        if call.type == "new_expression" and name_of(function) == "p5" and not scope.lookup("p5") and passed:
            function, passed = passed[0], [call]
        while function.type == "parenthesized_expression" and function.named_children:
            function = last_part(function)
        candidates = [function]
        if function.type == "identifier":
            binding = scope.lookup(name_of(function))
            if binding is None or binding.call_sites >= MAX_CALL_SITES:
                return
            binding.call_sites += 1
            candidates = [source.node for source in binding.sources[:MAX_CALL_SITES] if not source.path]
        for candidate in candidates:
            inner, patterns = self._parameters.get(candidate.id, (scope, []))
            for pattern, argument in zip(patterns, passed, strict=False):
                self._bind(pattern, inner, Source(argument, scope), "param")


_ENTRIES = frozenset({"setup", "draw"})
"""Functions that are called on the window, so that `this` is the window in them."""

_VISITORS: dict[str, Callable[[Bindings, Node, Scope], list[Spot]]] = {
    "identifier": Bindings._mention,
    "shorthand_property_identifier": Bindings._shorthand,
    "member_expression": Bindings._member,
    "subscript_expression": Bindings._member,
    "call_expression": Bindings._call,
    "new_expression": Bindings._call,
    "with_statement": Bindings._with,
    "import_statement": Bindings._import,
    "pair": Bindings._pair,
    "field_definition": Bindings._pair,
    "function_declaration": Bindings._function,
    "generator_function_declaration": Bindings._function,
    "function_expression": Bindings._function,
    "generator_function": Bindings._function,
    "arrow_function": Bindings._function,
    "method_definition": Bindings._function,
    "class_declaration": Bindings._class,
    "class": Bindings._class,
    "statement_block": Bindings._block,
    "switch_body": Bindings._block,
    "for_statement": Bindings._block,
    "for_in_statement": Bindings._for_in,
    "catch_clause": Bindings._catch,
    "lexical_declaration": Bindings._declaration,
    "variable_declaration": Bindings._declaration,
    "assignment_expression": Bindings._assignment,
    "augmented_assignment_expression": Bindings._assignment,
    "update_expression": Bindings._update,
}


def name_of(node: Node) -> str:
    """The name that an identifier spells, its escapes decoded."""
    return unescape(text_of(node))


def child_of(node: Node, field_name: str) -> Node:
    """A field's node; in a broken tree, where it may be missing, the node's last child or the node itself."""
    return node.child_by_field_name(field_name) or (node.children[-1] if node.children else node)


def last_part(node: Node) -> Node:
    """What parentheses hold and a sequence ends with; the node itself when that is nothing."""
    return next((child for child in reversed(node.named_children) if child.type not in COMMENTS), node)


def arguments_of(call: Node) -> list[Node]:
    """A call's arguments up to the first spread, after which their place is not known."""
    node = call.child_by_field_name("arguments")
    found: list[Node] = []
    for argument in node.named_children if node is not None and node.type == "arguments" else []:
        if argument.type == "spread_element":
            break
        if argument.type not in COMMENTS:
            found.append(argument)
    return found


def unescape(text: str) -> str:
    """The escapes of a JavaScript string or name, decoded."""

    def decode(match: re.Match[str]) -> str:
        body = match.group(1)
        if body[0] in "ux" and len(body) > 1:
            code = int(body[1:].strip("{}"), 16)
            return chr(code) if code < 0x110000 else "\ufffd"
        if body[0] in "01234567":
            return chr(int(body, 8))
        return _SIMPLE_ESCAPES.get(body, body)

    return _ESCAPE.sub(decode, text) if "\\" in text else text


def _inside(node: Node, scope: Scope) -> list[Spot]:
    return [(child, scope) for child in node.named_children] if node.child_count else []


def _statements(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        yield from child.named_children if child.type in ("switch_case", "switch_default") else [child]


def _step(source: Source | None, key: str | Node | None) -> Source | None:
    return source.step(key) if source else None


def _elements(node: Node) -> list[Node | None]:
    """The elements of an array or an array pattern; None for a hole."""
    found: list[Node | None] = []
    filled = False
    for child in node.children[1:]:
        if child.is_named and child.type not in COMMENTS:
            found.append(child)
            filled = True
        elif child.type == ",":
            found += [] if filled else [None]
            filled = False
    return found


def _elements_with_sources(pattern: Node, source: Source | None) -> list[tuple[Node, Source | None]]:
    values: list[Node | None] = []
    if source and not source.path and source.node.type == "array":
        values = _elements(source.node)
        spread = next((i for i, value in enumerate(values) if value and value.type == "spread_element"), len(values))
        values = values[:spread]
    found: list[tuple[Node, Source | None]] = []
    for place, element in enumerate(_elements(pattern)):
        value = values[place] if place < len(values) else None
        if element and element.type != "rest_pattern" and value and source:
            found.append((element, Source(value, source.scope)))
        elif element:
            found.append((element, _step(source, None)))
    return found
