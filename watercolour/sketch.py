"""A Sketch: the p5.brush program found in a model's reply, or in a source file.

A reply's program is the last complete code fence that holds one, after any thinking; a fence with setup() goes before
a mere fragment. A fence that the reply leaves open is taken only so that it can be reported as truncated. Text without
fences is the program itself if it looks like one. Time is linear in the reply, whatever is in it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum

MAX_NESTING = 3
"""How many fences inside fences are opened."""

MAX_PARSED_CHARS = 100_000
"""Text that mentions nothing of p5 is parsed, to see whether it is a program all the same, up to this length."""
MAX_INFO_CHARS = 80
MAX_GLUED_CHARS = 80

_THINKING = re.compile(r"^[ \t]*<think(?:ing)?>|(</think(?:ing)?>)", re.IGNORECASE | re.MULTILINE)
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})(.*)", re.DOTALL)
_GLUED_CLOSE = re.compile(r"[;{})\]]`{3,}[ \t]*$")
_PROGRAM = re.compile(r"\bsetup\b[\"'\]]{0,2}[ \t]{0,8}[=(:]")
_FRAGMENT = re.compile(r"\b(?:setup|draw|createCanvas)\b|\bbrush\s?[.\[?]")
_CODE_LINE = re.compile(
    r"^[ \t]*(?:async[ \t]+function\b|function\b[ \t*]*[\w$]*[ \t]*\(|(?:const|let|var)[ \t][^=\n]{1,80}="
    r"|brush[.\[]|window[.\[]|globalThis[.\[]|createCanvas\()|[;{}][ \t]*$",
    re.MULTILINE,
)
_JAVASCRIPT = frozenset({"js", "javascript", "mjs", "jsx", "ts", "typescript", "p5", "p5js", "p5.js"})
_MAY_BE_JAVASCRIPT = _JAVASCRIPT | {""}


class ExtractionProblem(StrEnum):
    """Why a reply gave no complete sketch."""

    NO_SKETCH = "no_sketch_in_response"
    """There is no program in the reply."""
    TRUNCATED = "truncated"
    """The reply ended inside its program."""


@dataclass(frozen=True)
class Sketch:
    """JavaScript source as the browser gets it (LF line ends), and what was wrong with its reply, if anything."""

    source: str
    problem: ExtractionProblem | None = None

    @property
    def sha256(self) -> str:
        """Hash of the source in UTF-8."""
        return hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class _Fence:
    language: str
    body: str
    is_closed: bool

    @property
    def is_program(self) -> bool:
        return _PROGRAM.search(self.body) is not None

    @property
    def is_fragment(self) -> bool:
        is_javascript = self.language in _JAVASCRIPT and bool(self.body.strip())
        return is_javascript or _FRAGMENT.search(self.body) is not None


@dataclass(frozen=True)
class _FenceLine:
    indent: int
    mark: str
    info: str


def extract(reply: str) -> Sketch:
    """The sketch in a model's reply, or in a plain source file. Never raises."""
    text = _after_thinking(reply.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff"))
    before, fences = _read_fences(text, MAX_NESTING)
    lone_closer = len(fences) == 1 and not fences[0].language and not fences[0].is_closed
    if (not fences or lone_closer) and _looks_like_code(before):
        return Sketch(before)
    programs = [fence for fence in fences if fence.is_program]
    fragments = [fence for fence in fences if fence.is_fragment]
    for candidates in (programs, fragments):
        closed = [fence for fence in candidates if fence.is_closed]
        if closed:
            return Sketch(closed[-1].body)
        if candidates:
            return Sketch(candidates[-1].body, ExtractionProblem.TRUNCATED)
    return Sketch("", ExtractionProblem.NO_SKETCH)


def _after_thinking(text: str) -> str:
    """The reply without its thinking. An end without a beginning ends thinking that the prompt had begun."""
    kept: list[str] = []
    start = 0
    is_thinking = False
    for tag in _THINKING.finditer(text):
        if tag.group(1):
            kept = kept if is_thinking else []
            is_thinking = False
            start = tag.end()
        elif not is_thinking:
            kept.append(text[start : tag.start()])
            is_thinking = True
    return "".join(kept if is_thinking else [*kept, text[start:]])


def _read_fences(text: str, nesting: int) -> tuple[str, list[_Fence]]:
    """The text before the first fence, and all fences in order; one that only wraps others gives way to them."""
    before: list[str] = []
    fences: list[_Fence] = []
    mark, indent, language = "", 0, ""
    body: list[str] = []
    for line in text.split("\n"):
        opener = _opening(line)
        if opener and (not mark or (opener.info and opener.mark.startswith(mark))):
            if mark:
                fences += _unwrap(_Fence(language, _join(body), is_closed=False), nesting)
            mark, indent, language, body = opener.mark, opener.indent, _language(opener.info), []
        elif not mark:
            before += [] if fences else [line]
        elif opener and opener.mark.startswith(mark):
            fences += _unwrap(_Fence(language, _join(body), is_closed=True), nesting)
            mark = ""
        elif language in _MAY_BE_JAVASCRIPT and mark[0] == "`" and _GLUED_CLOSE.search(line[-MAX_GLUED_CHARS:]):
            body.append(_dedent(line.rstrip().rstrip("`"), indent))
            fences += _unwrap(_Fence(language, _join(body), is_closed=True), nesting)
            mark = ""
        else:
            body.append(_dedent(line, indent))
    if mark:
        fences += _unwrap(_Fence(language, _join(body), is_closed=False), nesting)
    return "\n".join(before), fences


def _unwrap(fence: _Fence, nesting: int) -> list[_Fence]:
    """The fences inside a fence that is not JavaScript itself, or else the fence."""
    if fence.language in _JAVASCRIPT or not nesting:
        return [fence]
    _, inner = _read_fences(fence.body, nesting - 1)
    return [part for part in inner if part.is_program or part.is_fragment] or [fence]


def _opening(line: str) -> _FenceLine | None:
    match = _FENCE.match(line)
    if match is None or (match[2][0] == "`" and "`" in match[3]):
        return None
    return _FenceLine(len(match[1]), match[2], match[3].strip())


def _language(info: str) -> str:
    """The first word of an info string such as `js title="a"` or `{.javascript}`, in lower case."""
    match = re.match(r"[{.\s]*([\w.+#-]*)", info[:MAX_INFO_CHARS].lower())
    return match[1] if match else ""


def _join(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _dedent(line: str, indent: int) -> str:
    """The line without as much leading white space as its fence has."""
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(blank, indent) :]


def _looks_like_code(text: str) -> bool:
    if _FRAGMENT.search(text):
        return _CODE_LINE.search(text) is not None
    if len(text) > MAX_PARSED_CHARS or not any(char in text for char in "(={;"):
        return False
    from watercolour.javascript.syntax import parse

    return not parse(text).root_node.has_error
