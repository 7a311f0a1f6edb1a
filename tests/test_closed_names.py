"""Names that a medium closes: a brush outside its list is found, however the sketch comes by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from tests.test_inspection import METHODS, in_draw
from watercolour.inspection import GateCode, Inspection, Violation, inspect

NAMES = {"set": ("pen", "HB", "2B", "charcoal"), "hatchStyle": ("pen", "HB")}
HATCHING = METHODS | {"set", "hatchStyle", "line"}


def names_in(body: str, names: Mapping[str, Collection[str]] = NAMES) -> Inspection:
    return inspect(in_draw(body), HATCHING, (600, 600), names)


@pytest.mark.parametrize(
    "body",
    [
        "brush.set('HB', '#333', 1); brush.hatchStyle('pen');",
        "const pen = random() < 0.5 ? 'HB' : '2B'; brush.set(pen, '#333', 1);",
        "function tone(hex, pen = 'HB') { brush.set(pen, hex, 1); } tone('#333'); tone('#333', 'pen');",
        "brush.set(random(PENS)); brush.set(`${x}`); brush.set(...args); brush.set(); brush.set(7);",
        "brush.line('spray');",
        "const brush2 = { set() {} }; brush2.set('spray');",
    ],
)
def test_names_of_a_closed_list_pass(body: str) -> None:
    assert names_in(body).violations == ()


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("brush.set('spray', '#333', 1);", "spray"),
        ("brush.hatchStyle('2B', '#333', 1);", "2B"),
        ("brush.set(`sp` + 'ray');", "spray"),
        ("const { set: pick } = brush; const pen = ('spray'); pick(pen, '#333');", "spray"),
        ("brush.set(random() < 0.5 ? 'HB' : 'spray', '#333', 1);", "spray"),
        ("brush.set(other || 'spray', '#333', 1);", "spray"),
        ("let pen = 'HB'; if (dark) pen = 'spray'; brush.set(pen, '#333');", "spray"),
        ("function tone(hex, pen = 'HB') { brush.set(pen, hex); } tone('#333'); tone('#333', 'spray');", "spray"),
    ],
)
def test_name_outside_a_closed_list_is_found_however_it_comes(body: str, name: str) -> None:
    inspection = names_in(body)
    (violation,) = inspection.violations
    assert (violation.code, violation.line) == (GateCode.UNKNOWN_NAME, 3)
    assert f"({name})" in violation.message
    assert inspection.unlisted == (violation,), "p5.brush has this brush"
    assert names_in(body, {}).violations == ()


def test_unknown_name_comes_with_its_line_and_the_nearest() -> None:
    inspection = names_in("brush.set('HB');\nbrush.set('Charcaol', '#333', 1);\nbrush.set('hb');")
    assert inspection.violations == (
        Violation(
            GateCode.UNKNOWN_NAME, 4, "brush.set(Charcaol): the medium lists no such name; the nearest is charcoal"
        ),
        Violation(GateCode.UNKNOWN_NAME, 5, "brush.set(hb): the medium lists no such name; the nearest is HB"),
    )
    assert inspection.unlisted == (), "p5.brush has neither"


def test_unknown_names_make_one_printable_line() -> None:
    (violation,) = names_in(r"brush.set('a\nb\u0007' + 'c');").violations
    assert violation.message.isprintable()
