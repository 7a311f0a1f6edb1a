"""Accessibility of a page, checked by axe-core: `assert_accessible(page)` finds no serious and no critical fault.

For Playwright's page of the synchronous kind; `assert_accessible_async` is for the other. axe-core runs through the
debugging protocol, so that a page's Content-Security-Policy stays as strict as it is. `make setup` fetches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scripts.fetch_libraries import AXE_PATH

if TYPE_CHECKING:
    from playwright.async_api import Page as AsyncPage
    from playwright.sync_api import Page

IMPACTS = ("serious", "critical")
RUN = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"


def assert_accessible(page: Page, *, impacts: Sequence[str] = IMPACTS) -> None:
    """Fails with the rule, the place and the advice for each fault of these impacts that axe-core finds."""
    page.evaluate(_source())
    _check(page.evaluate(RUN), impacts)


async def assert_accessible_async(page: AsyncPage, *, impacts: Sequence[str] = IMPACTS) -> None:
    """`assert_accessible` for a page of Playwright's asynchronous kind."""
    await page.evaluate(_source())
    _check(await page.evaluate(RUN), impacts)


def _source() -> str:
    assert AXE_PATH.is_file(), f"{AXE_PATH} is missing: run `make setup`, or `python -m scripts.fetch_libraries`"
    # As an expression of its own: what a script's last statement gives back is of no use here.
    return f"(() => {{ {AXE_PATH.read_text('utf-8')}\n }})()"


def _check(violations: Sequence[dict[str, Any]], impacts: Sequence[str]) -> None:
    found = [
        f"{violation['id']} ({violation['impact']}): {' '.join(node['target'][0:1])}\n    {node['failureSummary']}"
        for violation in violations
        if violation["impact"] in impacts
        for node in violation["nodes"]
    ]
    assert not found, "\n".join(found)
