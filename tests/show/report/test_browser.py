"""The page in a real browser: it fits every sheet, runs nothing and asks the network for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.show.report.test_page import hostile_run
from watercolour.render.browser import find_chromium
from watercolour.show.report.build import make_report, read_all


@pytest.mark.browser
def test_the_page_fits_and_does_nothing_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(make_report(read_all([str(hostile_run(tmp_path / "run").path)])).page())
    heard: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: heard.append(message.text))
        page.on("request", lambda request: heard.append(request.url) if not request.url.startswith("data:") else None)
        page.goto(path.as_uri())
        for width, sheet in ((390, "narrow"), (768, "medium"), (1440, "wide")):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for each in ("narrow", "medium", "wide"):
                assert page.locator(f".{each}").first.is_visible() == (each == sheet)
        assert page.title() == "Report: run"
        styled = page.evaluate("getComputedStyle(document.querySelector('.grid')).stroke")
        assert styled not in ("", "none")
        browser.close()
    assert heard == [path.as_uri()]
