"""The checker of pages finds what is there to be found, and nothing on a page without faults."""

from __future__ import annotations

import pytest
from playwright.sync_api import sync_playwright

from tests.axe import assert_accessible
from watercolour.render.browser import find_chromium

PAGE = """<!doctype html><html lang="en"><head><title>t</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>
<body><main><h1>t</h1>{}</main></body></html>"""


@pytest.mark.browser
def test_faults_are_found_whatever_the_policy_of_the_page() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        page = browser.new_page()
        page.set_content(PAGE.format("<p>plain</p>"))
        assert_accessible(page)
        page.set_content(PAGE.format('<img src="data:,"><button></button>'))
        with pytest.raises(AssertionError, match=r"(?s)image-alt.*button-name|button-name.*image-alt"):
            assert_accessible(page)
        browser.close()
