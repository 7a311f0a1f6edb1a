"""What a sketch's source shows: entry points, canvas, calls on the brush, and what it must not do.

This is a signal with a line and a sentence for each finding. It covers aliases, destructuring, constant keys and p5
instances; words in comments and strings never count, and a name that the program declares is the program's own. It is
not security: what only a run can tell is the renderer's to measure.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tree_sitter import Node

from watercolour import vocabulary
from watercolour.javascript.bindings import Bindings, Scope, arguments_of, child_of, name_of
from watercolour.javascript.syntax import COMMENTS, find_syntax_problem, line_of, parse, quote
from watercolour.javascript.values import Const, Named, Value, Values, as_text

MAX_VIOLATIONS = 50
NO_NAMES: Mapping[str, Collection[str]] = MappingProxyType({})


class GateCode(StrEnum):
    """Why a sketch fails the gate, the most telling first."""

    NO_SKETCH = "no_sketch_in_response"
    """The reply holds no program."""
    TRUNCATED = "truncated"
    """The reply or the program ends too early."""
    SYNTAX_ERROR = "syntax_error"
    """It is not JavaScript."""
    MISSING_ENTRY_POINTS = "missing_entry_points"
    """It has no setup(); draw() is optional."""
    NOT_WEBGL = "not_webgl"
    """Its canvas is not a WebGL one, on which alone the brush paints."""
    WRONG_CANVAS = "wrong_canvas"
    """Its canvas has another size than the medium's."""
    EXTERNAL_ACCESS = "external_access"
    """It reaches for files, the network, storage or the page around it."""
    DYNAMIC_CODE = "dynamic_code"
    """It runs text as code."""
    FORGED = "forged"
    """Its picture is not of the brush's making, or it works behind the brush's back."""
    TEXT_LABEL = "text_label"
    """It writes words into the picture."""
    BARE_PRIMITIVES = "bare_primitives"
    """It draws with plain p5 instead of the brush."""
    UNKNOWN_BRUSH_METHOD = "unknown_brush_method"
    """It calls a method of the brush that does not exist or that the medium does not list."""
    UNKNOWN_NAME = "unknown_name"
    """It asks a method of the brush for something, such as a pencil, by a name that the medium does not list."""
    RENDER_FAILED = "render_failed"
    """The browser could not run it to a picture."""
    NO_PAINTING_CALLS = "no_painting_calls"
    """It never asks the brush to lay paint."""
    BLANK_CANVAS = "blank_canvas"
    """It left (almost) no paint."""


_RANK = {code: rank for rank, code in enumerate(GateCode)}


@dataclass(frozen=True)
class Violation:
    """One finding. `line` is 1-based, None where no one line is to blame; `message` is a sentence for a person."""

    code: GateCode
    line: int | None
    message: str


@dataclass(frozen=True)
class Inspection:
    """All findings, by code and line, and how often each method of the brush is called in the text.

    `unlisted` are those violations that use a real method or brush of p5.brush which the medium does not list.
    """

    violations: tuple[Violation, ...]
    unlisted: tuple[Violation, ...]
    brush_calls: Mapping[str, int]


def sort_violations(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """By code in the order of `GateCode`, then by line."""
    return tuple(sorted(violations, key=lambda found: (_RANK[found.code], found.line or 0)))


def inspect(
    source: str,
    methods: frozenset[str],
    canvas: tuple[int, int],
    names: Mapping[str, Collection[str]] = NO_NAMES,
) -> Inspection:
    """Inspect a sketch for a medium that lists `methods` of the brush on a `canvas` of (width, height) pixels.

    `names` is what the first argument of a method may say, for methods that take a name. Never raises for anything in
    `source`; the time is linear in its length.
    """
    return _Inspector(source, methods, canvas, names).run()


@dataclass
class _Finding:
    code: GateCode
    line: int | None
    message: str
    count: int = 1
    unlisted: bool = False

    def violation(self) -> Violation:
        times = f" ({self.count} times)" if self.count > 1 else ""
        return Violation(self.code, self.line, self.message + times)


class _Inspector:
    """Goes through what `Bindings` found, one small rule a kind of node."""

    def __init__(
        self, source: str, methods: frozenset[str], canvas: tuple[int, int], names: Mapping[str, Collection[str]]
    ) -> None:
        tree = parse(source)
        self.syntax_problem = find_syntax_problem(tree)
        self.bindings = Bindings(tree.root_node)
        self.values = Values(self.bindings, vocabulary.INSTANCE_MEMBERS, vocabulary.SURFACE_MAKERS)
        self.methods = methods
        self.canvas = canvas
        self.names = names
        self.brush_calls: Counter[str] = Counter()
        self.calls_unknown_method = False
        self.has_canvas = False
        self.found: dict[tuple[GateCode, str], _Finding] = {}

    def run(self) -> Inspection:
        for node, scope in self.bindings.mentions:
            name = name_of(node)
            if name in _TOLD_BY_NAME and scope.lookup(name) is None:
                self.mention(node, name)
        for node, scope in self.bindings.members:
            self.member(node, scope)
        for node, scope, _ in self.bindings.writes:
            self.write(node, scope)
        for node, scope in self.bindings.keys:
            self.key(node, scope)
        for node, scope in self.bindings.calls:
            self.call(node, scope)
        for node in self.bindings.imports:
            self.add(GateCode.EXTERNAL_ACCESS, node, "import", "import loads another file")
        for node in self.bindings.withs:
            self.add(GateCode.DYNAMIC_CODE, node, "with", "with hides what the names inside it mean")
        if self.syntax_problem:
            self.add_syntax_problem()
        else:
            self.add_absences()
        findings = list(self.found.values())
        return Inspection(
            violations=sort_violations(finding.violation() for finding in findings)[:MAX_VIOLATIONS],
            unlisted=sort_violations(finding.violation() for finding in findings if finding.unlisted)[:MAX_VIOLATIONS],
            brush_calls=dict(self.brush_calls),
        )

    def add(
        self,
        code: GateCode,
        node: Node | None,
        subject: str,
        message: str,
        *,
        unlisted: bool = False,
        again: bool = True,
    ) -> None:
        """Note a finding; the same one on further lines only counts up, if `again`."""
        finding = self.found.get((code, subject))
        line = line_of(node) if node else None
        if finding is None:
            self.found[code, subject] = _Finding(code, line, message, unlisted=unlisted)
        elif again:
            finding.count += 1
            finding.line = min(finding.line, line) if finding.line and line else None

    def add_syntax_problem(self) -> None:
        problem = self.syntax_problem
        if problem:
            code = GateCode.TRUNCATED if problem.truncated else GateCode.SYNTAX_ERROR
            self.found[code, ""] = _Finding(code, problem.line, problem.message)

    def add_absences(self) -> None:
        """What is missing can only be told of a program that parses."""
        binding, value = self.values.own_global("setup")
        is_set = binding is not None and bool(binding.sources) and not isinstance(value, Const)
        if not is_set and "setup" not in self.values.instance_writes:
            self.add(GateCode.MISSING_ENTRY_POINTS, None, "setup", "there is no setup() for p5 to start from")
        if not self.has_canvas:
            self.add(GateCode.NOT_WEBGL, None, "createCanvas", "createCanvas(..., WEBGL) is never called")
        painting = vocabulary.PAINTING_METHODS & self.methods
        if not painting & self.brush_calls.keys() and not self.calls_unknown_method:
            self.add(GateCode.NO_PAINTING_CALLS, None, "brush", "nothing in it asks the brush to lay paint")

    def mention(self, node: Node, path: str, *, again: bool = True) -> None:
        """Things that have no harmless use, so that naming them is enough. `again`: count what is known already."""
        root, _, last = path.rpartition(".")
        root = root.split(".")[0] or last
        outside = path if path in vocabulary.OUTSIDE_MEMBERS else root if root in vocabulary.OUTSIDE else None
        if outside:
            self.add(GateCode.EXTERNAL_ACCESS, node, outside, f"{outside} reaches outside the sketch", again=again)
        if path in vocabulary.CODE_FROM_TEXT:
            self.add(GateCode.DYNAMIC_CODE, node, path, f"{path} runs text as code", again=again)
        internals = next((name for name in (root, last) if name in vocabulary.CANVAS_INTERNALS), None)
        if internals:
            message = f"{internals} reaches the canvas behind the brush's back"
            self.add(GateCode.FORGED, node, internals, message, again=again)

    def member(self, node: Node, scope: Scope) -> None:
        key = self.values.key(node, scope)
        if key in _TOLD_BY_MEMBER:
            self.mention(node, self.values.path(node, scope))
        elif key is None:
            self.chosen_at_run_time(node, self.values.path(child_of(node, "object"), scope))

    def chosen_at_run_time(self, node: Node, owner: str) -> None:
        if owner in _REACHING_OBJECTS:
            message = f"which property of {owner} this reaches, only a run can tell"
            self.add(GateCode.EXTERNAL_ACCESS, node, f"{owner}[]", message)

    def write(self, node: Node, scope: Scope) -> None:
        key = self.values.key(node, scope)
        owner = self.values.path(child_of(node, "object"), scope)
        if owner == "pixels":
            self.add(GateCode.BARE_PRIMITIVES, node, "pixels", "pixels[] sets pixels without the brush")
        elif key in vocabulary.PICTURE_READERS:
            self.replaces(node, str(key))
        elif owner in ("brush", "p5") or (owner == "p5()" and key in vocabulary.INSTANCE_MEMBERS):
            self.replaces(node, f"{owner.removesuffix('()')}.{quote(key or '[...]')}")
        elif key in vocabulary.MARKUP_MEMBERS:
            self.add(GateCode.EXTERNAL_ACCESS, node, str(key), f"{key} writes into the page around the sketch")

    def key(self, node: Node, scope: Scope) -> None:
        key = self.values.key(node, scope)
        if key in vocabulary.PICTURE_READERS and node.type != "pair_pattern":
            self.replaces(node, str(key))

    def replaces(self, node: Node, what: str) -> None:
        self.add(GateCode.FORGED, node, what, f"{what} is replaced, so the picture need not be the brush's")

    def call(self, node: Node, scope: Scope) -> None:
        callee = child_of(node, "constructor" if node.type == "new_expression" else "function")
        passed = arguments_of(node)
        if callee.type == "import":
            self.add(GateCode.EXTERNAL_ACCESS, node, "import", "import loads another file")
            return
        path = self.values.path(callee, scope)
        stem, _, last = path.rpartition(".")
        if path == "Reflect.apply" and passed:
            path, passed = self.values.path(passed[0], scope), []
        elif last in ("call", "apply") and not path.startswith("?"):
            path, passed = stem, []
        self.mention(node, path, again=False)
        self.called(node, scope, path, passed)
        if last in vocabulary.CALLBACK_TAKERS:
            for argument in passed:
                self.called(node, scope, self.values.path(argument, scope), None)

    def called(self, node: Node, scope: Scope, path: str, passed: list[Node] | None) -> None:
        """A call of what `path` names. `passed` is None where something else makes the call."""
        owner, _, last = path.rpartition(".")
        if owner == "brush":
            self.brush_called(node, last)
            if passed and last in self.names:
                self.named(node, last, self.values.texts(passed[0], scope))
        elif path in vocabulary.BARE_DRAWING:
            message = f"{path}() draws with plain p5 instead of the brush"
            self.add(GateCode.BARE_PRIMITIVES, node, path, message)
        elif owner == "pixels" and last in vocabulary.TYPED_ARRAY_WRITERS:
            self.add(GateCode.BARE_PRIMITIVES, node, "pixels", "pixels[] sets pixels without the brush")
        elif path == "text" or last in vocabulary.TEXT_WRITERS:
            self.add(GateCode.TEXT_LABEL, node, last, f"{last}() writes words into the picture")
        elif path in _OUTSIDE_CALLS or last in vocabulary.MARKUP_MEMBERS:
            self.add(
                GateCode.EXTERNAL_ACCESS, node, last, f"{last}() {_OUTSIDE_CALLS.get(path, 'writes into the page')}"
            )
        elif last == "getContext":
            self.add(GateCode.FORGED, node, last, "getContext() reaches the canvas behind the brush's back")
        elif passed is not None:
            self.called_with(node, scope, path, passed)

    def called_with(self, node: Node, scope: Scope, path: str, passed: list[Node]) -> None:
        """Calls that their arguments tell apart."""
        values = [self.values.of(argument, scope) for argument in passed[:3]]
        last = path.rpartition(".")[2]
        if path in ("createCanvas", "resizeCanvas"):
            is_whole = len(passed) == _argument_count(node)
            self.canvas_made(node, path, values if is_whole else [*values, *[None] * 3][:3])
        elif path == "background" and values and values[0] == Named("p5()"):
            message = "background() with a picture lays it down without the brush"
            self.add(GateCode.BARE_PRIMITIVES, node, path, message)
        elif path in vocabulary.TIMERS and passed and _is_text(passed[0], values[0]):
            self.add(GateCode.DYNAMIC_CODE, node, path, f"{path}() with text runs it as code")
        elif last == "constructor" and (
            node.type == "call_expression" or any(_is_text(*pair) for pair in zip(passed, values, strict=False))
        ):
            self.add(GateCode.DYNAMIC_CODE, node, last, "a function made by .constructor() runs text as code")
        elif path in _DEFINERS and values:
            self.defined(node, values)
        elif path == "Reflect.get" and len(values) > 1 and as_text(values[1]) is None:
            self.chosen_at_run_time(node, self.values.path(passed[0], scope))

    def defined(self, node: Node, values: list[Value]) -> None:
        """`Object.defineProperty` and its like: an assignment by other means."""
        owner = values[0].path if isinstance(values[0], Named) else ""
        key = as_text(values[1]) if len(values) > 1 else None
        if key in vocabulary.PICTURE_READERS:
            self.replaces(node, str(key))
        elif owner in ("brush", "p5", "p5()"):
            self.replaces(node, f"a property of {owner.removesuffix('()')}")

    def brush_called(self, node: Node, name: str) -> None:
        if name == "?":
            self.calls_unknown_method = True
            return
        self.brush_calls[name] += 1
        if name in self.methods:
            return
        shown = f"brush.{quote(name)}()"
        if name in vocabulary.BRUSH_METHODS:
            message = f"{shown} exists in p5.brush, but this medium does not list it"
            self.add(GateCode.UNKNOWN_BRUSH_METHOD, node, name, message, unlisted=True)
        else:
            self.add(GateCode.UNKNOWN_BRUSH_METHOD, node, name, f"{shown} does not exist in p5.brush")

    def named(self, node: Node, method: str, texts: set[str]) -> None:
        """Hold what a method's first argument may say against the medium's closed list."""
        allowed = {name.lower(): name for name in self.names[method]}
        for text in sorted(texts.difference(self.names[method])):
            nearest = difflib.get_close_matches(text.lower(), allowed, n=1, cutoff=0)[0]
            message = f"brush.{method}({quote(text)}): the medium lists no such name; the nearest is {allowed[nearest]}"
            is_real = text in vocabulary.BRUSH_NAMES
            self.add(GateCode.UNKNOWN_NAME, node, f"{method} {text}", message, unlisted=is_real)

    def canvas_made(self, node: Node, path: str, values: list[Value]) -> None:
        """Judge a canvas by those arguments that are constant; the run sees the others."""
        sizes = [as_text(value) for value in values[:2]]
        wanted = [str(size) for size in self.canvas]
        if len(sizes) < 2 or any(size not in (None, wish) for size, wish in zip(sizes, wanted, strict=True)):
            given = " x ".join(quote(size or "?") for size in sizes) if len(sizes) == 2 else "no size"
            message = f"{path}() asks for {given}, and the medium's canvas is {' x '.join(wanted)}"
            self.add(GateCode.WRONG_CANVAS, node, path, message)
        if path != "createCanvas":
            return
        self.has_canvas = True
        renderer = values[2] if len(values) > 2 else Const("")
        told = renderer.value if isinstance(renderer, Const) else renderer.path if renderer else "?"
        if told not in vocabulary.WEBGL_NAMES and not str(told).startswith("?"):
            self.add(GateCode.NOT_WEBGL, node, path, "createCanvas() is called without WEBGL as its third argument")


_TOLD_BY_NAME = vocabulary.OUTSIDE | vocabulary.CODE_FROM_TEXT | vocabulary.CANVAS_INTERNALS
_TOLD_BY_MEMBER = _TOLD_BY_NAME | {member.partition(".")[2] for member in vocabulary.OUTSIDE_MEMBERS}
_REACHING_OBJECTS = frozenset({"window", "document", "navigator"})
_DEFINERS = frozenset(
    {"Object.defineProperty", "Object.defineProperties", "Object.assign", "Reflect.defineProperty", "Reflect.set"}
)
_OUTSIDE_CALLS = (
    dict.fromkeys(vocabulary.LOADERS, "loads a file")
    | dict.fromkeys(vocabulary.PAGE_ELEMENTS, "puts an element into the page")
    | dict.fromkeys(vocabulary.STORERS, "keeps something outside the picture")
    | {"open": "opens another page"}
)


def _argument_count(call: Node) -> int:
    node = call.child_by_field_name("arguments")
    return sum(child.type not in COMMENTS for child in node.named_children) if node else 0


def _is_text(node: Node, value: Value) -> bool:
    """True when the expression is certainly a string, whatever it says."""
    if isinstance(value, Const):
        return isinstance(value.value, str)
    kinds = [node.type, *(child.type for child in node.children)] if node.type == "binary_expression" else [node.type]
    return any(kind in ("string", "template_string") for kind in kinds)
