"""What an OpenAI-compatible server answered, read without trusting its shape."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from watercolour.reward.judge.retry import TransientError
from watercolour.reward.judge.verdict import UnresolvedError, one_line


@dataclass(frozen=True)
class Completion:
    """A chat completion: its text, or the `problem` that left it without one, and its tokens (0 where not told).

    `is_cut` says that the endpoint cut it at the limit of tokens.
    """

    text: str
    problem: str
    input_tokens: int
    output_tokens: int
    is_cut: bool


def read_completion(body: str, content_type: str) -> Completion:
    """The completion in a response of status 200.

    Raises TransientError for JSON that breaks off, UnresolvedError for what is no chat completion at all.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        if "json" in content_type.lower():
            raise TransientError("the response is broken off") from None
        raise UnresolvedError(_not_a_completion(body, content_type)) from None
    choice = _first(_get(data, "choices"))
    message = _get(choice, "message")
    if not isinstance(message, dict):
        said = _get(_get(data, "error"), "message")  # some routers wrap an error in a 200
        raise UnresolvedError(f"the endpoint said: {one_line(str(said), 200)}" if said else _not_a_completion(body))
    usage = _get(data, "usage")
    text = _text(message.get("content"))
    return Completion(
        text,
        _problem(message, choice, text),
        _count(usage, "prompt_tokens"),
        _count(usage, "completion_tokens"),
        is_cut=_get(choice, "finish_reason") == "length",
    )


def _problem(message: dict[str, Any], choice: Any, text: str) -> str:
    if refusal := message.get("refusal"):
        return f"the model refused: {one_line(str(refusal), 200)}"
    if _get(choice, "finish_reason") == "content_filter":
        return "the endpoint's filter withheld the reply"
    if not text.strip():
        cut = _get(choice, "finish_reason") == "length"
        return "the reply is empty" + (": max_reply_tokens went into thinking" if cut else "")
    return ""


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(_get(part, "text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _not_a_completion(body: str, content_type: str = "JSON of another shape") -> str:
    start = one_line(body, 80)
    return f"the endpoint's reply is no chat completion ({content_type or 'no content type'}: {start!r}); see base_url"


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _count(usage: Any, key: str) -> int:
    count = _get(usage, key)
    return count if isinstance(count, int) and count > 0 else 0
