"""A README to begin with: what a pool holds, by whom, under which licences, and what its owner has still to write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from watercolour.references import Tier

STUB_MARK = "<!-- Written by `watercolour pool pack`, which keeps a README without this line. -->"


def pool_page(name: str, lines: Sequence[Mapping[str, object]]) -> str:
    """A pool's README as Markdown, from the lines of its index."""
    parts = [f"{STUB_MARK}\n# The {name} pool\n", _tiers(lines)]
    parts += [_count("Painted by", Counter(_plain(line["generator"]) for line in lines))]
    parts += [_count("Licences of the paintings and their sources", Counter(_plain(line["licence"]) for line in lines))]
    parts += [_photographs(lines), _TO_WRITE]
    return "\n".join(part for part in parts if part)


_TO_WRITE = """## What the ratings mean

(Write here what makes a painting `love`, `okay` or `nope` for you, and take the first line of this file away. The pool
is the reward: who reads this should be able to rate the next painting as you would.)
"""


def _tiers(lines: Sequence[Mapping[str, object]]) -> str:
    counts = Counter((_plain(line["subject"]), str(line["tier"])) for line in lines)
    subjects = sorted({subject for subject, _ in counts})
    rows = [f"| {subject} | {' | '.join(str(counts[subject, tier.value]) for tier in Tier)} |" for subject in subjects]
    totals = [sum(number for (_, given), number in counts.items() if given == tier.value) for tier in Tier]
    rows.append(f"| **{len(lines)} in all** | {' | '.join(map(str, totals))} |")
    return f"| subject | {' | '.join(Tier)} |\n|---|{'---:|' * len(Tier)}\n" + "".join(f"{row}\n" for row in rows)


def _count(title: str, counts: Counter[str]) -> str:
    return f"## {title}\n\n" + "".join(f"- {name}: {number}\n" for name, number in counts.most_common())


def _photographs(lines: Sequence[Mapping[str, object]]) -> str:
    """Whose photographs were painted from: their licences ask for the names."""
    named = {
        f"- {_plain(line['photo_attribution'])}, {_plain(line['photo_licence'])}: <{line['photo_url']}>"
        for line in lines
        if line["photo"]
    }
    return "## Photographs painted from\n\n" + "".join(f"{row}\n" for row in sorted(named)) if named else ""


def _plain(text: object) -> str:
    """Somebody's words without what Markdown or HTML would take for its own."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in str(text))
