"""JavaScript through tree-sitter: the tree, its first syntax error, and its code without comments.

Nothing here recurses, so nesting of any depth is safe, and every walk is linear in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser, Tree

LANGUAGE = Language(tree_sitter_javascript.language())

COMMENTS = frozenset({"comment", "html_comment", "hash_bang_line"})
MAX_TOKEN_CHARS = 40
"""A literal or name counts as at most this many characters of code: colours and names are shorter, stuffing is not."""

_OPENERS = {"(": ")", "[": "]", "{": "}", "${": "}"}
_CLOSERS = frozenset(_OPENERS.values())
_QUOTES = frozenset({'"', "'"})
_ENDINGS = _CLOSERS | _QUOTES | frozenset({";", ".", "?", "!", ":"})
_LITERALS = frozenset({"string", "template_string", "number", "regex"})
_BLOCKS = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class SyntaxProblem:
    """The first syntax error: its 1-based line, a sentence, and whether the program just ends too early."""

    line: int
    message: str
    truncated: bool


def parse(source: str) -> Tree:
    """The tree of any text at all; what does not parse becomes error nodes."""
    return Parser(LANGUAGE).parse(source.encode("utf-8", "surrogatepass"))


def text_of(node: Node) -> str:
    """The node's source text. Bytes that are not UTF-8 (lone surrogates) come back as replacement characters."""
    return (node.text or b"").decode("utf-8", "replace")


def line_of(node: Node) -> int:
    """1-based line on which the node starts."""
    return node.start_point.row + 1


def quote(text: str, limit: int = MAX_TOKEN_CHARS) -> str:
    """Model-written text made fit for a one-line message: at most `limit` characters, none of them a control."""
    shown = "".join(char if char.isprintable() else "?" for char in text[:limit])
    return shown + ("..." if len(text) > limit else "")


def leaves(root: Node) -> Iterator[Node]:
    """Every token in source order, those in error nodes and the zero-width missing ones too."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.child_count:
            stack.extend(reversed(node.children))
        else:
            yield node


def find_syntax_problem(tree: Tree) -> SyntaxProblem | None:
    """The first thing wrong, or None. Brackets that the end of the program leaves open mean that it was cut off."""
    root = tree.root_node
    if not root.has_error:
        return None
    tokens = [leaf for leaf in leaves(root) if not leaf.is_missing and leaf.type not in COMMENTS]
    return _comment_or_bracket_problem(tokens) or _string_problem(tokens) or _other_problem(root, tokens)


def _comment_or_bracket_problem(tokens: list[Node]) -> SyntaxProblem | None:
    still_open: list[Node] = []
    before: Node | None = None
    for token in tokens:
        kind = token.type
        if _opens_comment(before, token):
            return _cut_off(token, "a comment", token)
        if kind == "`" and still_open and still_open[-1].type == "`":
            still_open.pop()
        elif kind in _OPENERS or kind == "`":
            still_open.append(token)
        elif kind in _CLOSERS:
            if not still_open or _OPENERS.get(still_open[-1].type) != kind:
                return SyntaxProblem(line_of(token), _mismatch(token, still_open), truncated=False)
            still_open.pop()
        before = token
    return _cut_off(tokens[-1], f"the '{still_open[-1].type}'", still_open[-1]) if still_open else None


def _string_problem(tokens: list[Node]) -> SyntaxProblem | None:
    """A quote still open at the end, if the program's last line is where it opened."""
    unclosed: Node | None = None
    for token in tokens:
        if token.type in _QUOTES:
            unclosed = None if unclosed else token
    if unclosed and line_of(unclosed) == line_of(tokens[-1]):
        return _cut_off(tokens[-1], "a string", unclosed)
    return None


def _other_problem(root: Node, tokens: list[Node]) -> SyntaxProblem:
    error = _innermost_error(root)
    if tokens and error.end_byte >= tokens[-1].end_byte and _promises_more(tokens[-1]):
        return SyntaxProblem(line_of(tokens[-1]), f"the program ends right after '{tokens[-1].type}'", truncated=True)
    if error.is_missing:
        return SyntaxProblem(line_of(error), f"'{error.type}' is missing", truncated=False)
    return SyntaxProblem(line_of(error), f"this is not JavaScript: {quote(text_of(error))}", truncated=False)


def _promises_more(token: Node) -> bool:
    """True for an operator or a keyword, after which no program ends; not for what ends a sentence in prose."""
    return not token.is_named and token.type not in _ENDINGS


def _opens_comment(before: Node | None, leaf: Node) -> bool:
    """True at a comment that never ends: the grammar then reads its opening as a slash and what follows."""
    if before is None or before.type != "/" or before.end_byte != leaf.start_byte:
        return False
    return (leaf.text or b"").startswith(b"*")


def _cut_off(last: Node, what: str, opener: Node) -> SyntaxProblem:
    message = f"the program ends while {what} opened on line {line_of(opener)} is still open"
    return SyntaxProblem(line_of(last), message, truncated=True)


def _mismatch(closer: Node, still_open: list[Node]) -> str:
    if not still_open:
        return f"'{closer.type}' closes nothing"
    opener = still_open[-1]
    return f"'{closer.type}' comes where '{opener.type}' of line {line_of(opener)} is still open"


def _innermost_error(root: Node) -> Node:
    node = root
    while True:
        inner = next((child for child in node.children if child.has_error or child.is_error or child.is_missing), None)
        if inner is None:
            return node
        node = inner


def code_text(source: str) -> str:
    """The program's tokens in order, without what adds length but no code.

    Comments, empty statements and literals that stand alone as statements are left out. White space between two tokens
    becomes one space. A string, template, regular expression, number or name counts as its first `MAX_TOKEN_CHARS`
    characters, with white space inside it reduced to one space.
    """
    pieces: list[str] = []
    end = 0
    stack = [parse(source).root_node]
    while stack:
        node = stack.pop()
        if node.type in COMMENTS:
            continue
        whole = node.type in _LITERALS and not any(child.type == "template_substitution" for child in node.children)
        if node.child_count and not whole:
            is_block = node.type in _BLOCKS
            stack.extend(child for child in reversed(node.children) if not (is_block and _is_idle(child)))
            continue
        text = _SPACE.sub(" ", text_of(node)[: 8 * MAX_TOKEN_CHARS])[:MAX_TOKEN_CHARS]
        if text:
            pieces.append(f" {text}" if pieces and node.start_byte > end else text)
        end = node.end_byte
    return "".join(pieces)


def _is_idle(node: Node) -> bool:
    """True for a statement that does nothing: `;`, or a literal on its own, which is a comment by other means."""
    if node.type == "empty_statement":
        return True
    return node.type == "expression_statement" and node.children[0].type in _LITERALS
