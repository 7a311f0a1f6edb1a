"""The gallery's page in the real browser, opened from disk: keys, search, 10,000 works, hostile text, a live run."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.axe import assert_accessible
from tests.show.gallery.made import hibiscus, link_picture, term, write_run, write_step
from watercolour.render.browser import find_chromium
from watercolour.show.gallery.build import Gallery
from watercolour.show.gallery.facts import open_collection
from watercolour.show.gallery.wall import favourites, write_wall

pytestmark = pytest.mark.browser

MOST_ELEMENTS = 1500
"""Elements of the page, however many works hang on its wall: some forty frames of seven each, and the controls."""
SHORT = "function setup() { createCanvas(600, 600, WEBGL); }\n"
EVIL = '</script></style></pre><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Galleries of a small run, of a large one with the same pictures, and of one whose every text is hostile."""
    folder = tmp_path_factory.mktemp("galleries")
    run = write_run(folder / "small-run", steps=13, of_each=4)
    small = build(folder / "small", run)
    write_wall(
        small.folder, favourites([work for _, work in small.works() if small.has_picture(work)], 6), "Favourites"
    )
    large = Gallery(
        folder / "large", [open_collection(str(write_run(folder / "large-run", steps=1250, of_each=4, source=SHORT)))]
    )
    for kind in ("small", "large"):
        shutil.copytree(folder / "small" / kind, folder / "large" / kind)
    assert large.update() == 10_000
    build(folder / "hostile", write_hostile(folder / "hostile-run"))
    return folder


def build(folder: Path, *what: Path) -> Gallery:
    gallery = Gallery(folder, [open_collection(str(path)) for path in what])
    gallery.update()
    return gallery


def write_hostile(path: Path) -> Path:
    """Markup in the source, its comments, the errors, the subject, the outcome, and a judge's and a term's words."""
    write_run(path, steps=1, generations=1, of_each=4)
    painted = hibiscus(4)[0]
    link_picture(path, painted.sha256, painted.picture)
    looks = {name: {"won": False, "reason": EVIL} for name in ("as_first", "as_second")}
    faced = [{"name": EVIL, "tier": EVIL, "value": 0.0, "counted": True, **looks}]
    parts = {"references": faced, "rivals": [{"picture": EVIL, "value": 1.0, **looks}], EVIL: EVIL, "__proto__": EVIL}
    record = {
        "step": 1,
        "index": 0,
        "subject": EVIL,
        "completion": EVIL,
        "source": f"// {EVIL}\n/* {EVIL} */\nconst evil = `{EVIL}`; \u202e\ud800 {EVIL}",
        "outcome": EVIL,
        "errors": [EVIL],
        "coverage": 0.1,
        "painting": painted.sha256,
        "seconds": 1.0,
        "terms": {EVIL: {"value": 0.0, "weight": 1.0, "why": EVIL, "parts": parts}, "gate": term(None, 0.1, EVIL)},
        "reward": None,
        "tokens": 9,
        "truncated": True,
        "skipped": [EVIL],
    }
    (path / "rollouts/step-00001.jsonl").write_text(json.dumps(record) + "\n")
    return path


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that must not err and must not ask for anything beyond its folder."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert not errors
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]


def show(page: Page, folder: Path, address: str = "") -> None:
    page.goto((folder / "index.html").as_uri() + address)
    page.wait_for_selector("[data-ready]")


def test_keys_walk_open_and_close(page: Page, folder: Path) -> None:
    show(page, folder / "small")
    focused = page.locator("#wall a:focus")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("data-place", "0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    columns = len(
        set(page.locator("#wall li").evaluate_all("all => all.map((each) => each.getBoundingClientRect().x)"))
    )
    expect(focused).to_have_attribute("data-place", str(1 + columns))
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    dialog = page.locator("#work")
    expect(dialog).to_be_visible()
    expect(page.locator("#work-title")).to_have_text("Step 1, no. 1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#work-title")).to_have_text("Step 1, no. 2")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(focused).to_have_attribute("data-place", "1")
    page.keyboard.press("End")
    expect(focused).to_have_attribute("data-place", "103")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#query")).to_be_focused()


def test_search_looks_into_sources_and_sorts_and_filters_hold(page: Page, folder: Path) -> None:
    show(page, folder / "small")
    works = [work for _, work in build(folder / "small-again", folder / "small-run").works()]
    word = "fillbleed(0.3"
    page.keyboard.press("/")
    page.keyboard.type(word)
    found = sum(word in work.detail["source"].lower() for work in works)
    assert 0 < found < len(works)
    expect(page.locator("#status")).to_have_text(f"{found} of {len(works)}")
    page.keyboard.press("Escape")
    expect(page.locator("#status")).to_have_text("")
    page.select_option("#sort", "term judge")
    best = max(work.values["judge"] for work in works if work.values.get("judge") is not None)
    expect(page.locator("#wall a[data-place='0'] .value")).to_have_text(f"judge {best:.2f}")
    page.select_option("[data-filter=outcome] select", "syntax_error")
    failed = sum(work.outcome == "syntax_error" for work in works)
    expect(page.locator("#status")).to_have_text(f"{failed} of {len(works)}")
    expect(page.locator("#wall a[data-place='0'] .none")).to_have_text("syntax error")


def test_page_of_a_painting_shows_terms_verdicts_group_and_source(page: Page, folder: Path) -> None:
    show(page, folder / "small")
    page.select_option("#sort", "reward")
    page.locator("#wall a[data-place='0']").click()
    work = page.locator("#work")
    expect(work.locator(".terms > li")).to_have_count(4)
    expect(work.locator(".card")).to_have_count(4)
    expect(work.locator(".card .look")).to_have_count(8)
    expect(work.locator(".card").first).to_contain_text("shown first")
    expect(work.locator(".strip button")).to_have_count(8)
    expect(work.locator(".strip [aria-current]")).to_have_count(1)
    assert work.locator(".frame img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 600
    assert "function setup" in (work.locator(".source").text_content() or "")
    assert work.locator(".source .k").count() > 2
    expect(work.locator("code").last).to_contain_text("watercolour render")
    address = page.url.partition("#")[2]
    title = page.locator("#work-title").text_content()
    page.goto("about:blank")
    show(page, folder / "small", f"#{address}")
    expect(page.locator("#work-title")).to_have_text(str(title))


def test_ten_thousand_works_need_few_elements(page: Page, folder: Path) -> None:
    show(page, folder / "large")
    expect(page.locator("#about")).to_contain_text("10,000")
    count = "document.querySelectorAll('*').length"
    assert page.evaluate(count) < MOST_ELEMENTS
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(page.locator("#wall a:focus")).to_have_attribute("data-place", "9999")
    for place in range(0, 60):
        page.evaluate(f"scrollTo(0, document.documentElement.scrollHeight * {place} / 60)")
    expect(page.locator("#wall a:focus")).to_have_count(1)
    assert page.evaluate(count) < MOST_ELEMENTS
    page.select_option("#sort", "reward")
    first = page.locator("#wall a[data-place='0'] img")
    assert first.evaluate("image => image.decode().then(() => image.naturalWidth)") == 320
    assert page.evaluate(count) < MOST_ELEMENTS


def test_hostile_text_is_shown_and_does_nothing(page: Page, folder: Path) -> None:
    show(page, folder / "hostile")
    page.locator("#wall a").first.click()
    work = page.locator("#work")
    expect(work.locator(".source")).to_be_visible()
    text = work.text_content() or ""
    assert text.count("window.hacked = 1") >= 12
    assert work.locator("script").count() == 0
    assert work.locator("img[onerror]").count() == 0
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("<script>")
    expect(page.locator("#wall li")).to_have_count(1)
    assert page.evaluate("window.hacked") is None


def test_policy_stops_markup_that_got_in(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    failed: dict[str, str | None] = {}
    page.on("requestfailed", lambda request: failed.update({request.url: request.failure}))
    show(page, folder / "small")
    (folder / "small/data/evil.js").write_text("window.hacked = 4;")
    frame = '<iframe srcdoc="<script>parent.hacked = 3</script>"></iframe>'
    page.evaluate(f"document.querySelector('main').innerHTML = {json.dumps(EVIL + frame)}")
    page.evaluate("setTimeout('window.hacked = 5')")
    page.evaluate(
        "document.write('<script src=\"data/evil.js\"></' + 'script><script>window.hacked = 6</' + 'script>')"
    )
    page.evaluate("new Image().src = 'http://example.org/leak'")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert failed["http://example.org/leak"] == "csp"
    page.close()


def test_page_follows_a_run_without_losing_its_place(page: Page, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "small-run", tmp_path / "run", symlinks=True)
    shutil.copytree(folder / "small", tmp_path / "gallery")
    gallery = Gallery(tmp_path / "gallery", [open_collection(str(tmp_path / "run"))])
    gallery.update(live=True)
    show(page, tmp_path / "gallery")
    page.locator("#direction").click()  # the newest first, so that what is new comes before what is looked at
    page.evaluate("scrollTo(0, 700)")
    page.wait_for_timeout(200)
    seen = page.evaluate("""() => { const links = [...document.querySelectorAll('#wall a')];
      const link = links.find((each) => each.getBoundingClientRect().top > 150);
      return [link.getAttribute('href'), link.getBoundingClientRect().top]; }""")
    write_step(tmp_path / "run", 14, 16, hibiscus(), random.Random(3))
    assert gallery.update(live=False) == 120
    expect(page.locator("#about")).to_contain_text("120", timeout=10_000)
    top = page.locator(f"#wall a[href='{seen[0]}']").evaluate("link => link.getBoundingClientRect().top")
    assert abs(top - seen[1]) < 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_of_accessibility(browser: Browser, folder: Path, scheme: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    show(page, folder / "small")
    assert_accessible(page)
    page.locator("#wall a").first.click()
    expect(page.locator(".source")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert_accessible(page)
    page.goto((folder / "small" / "wall.html").as_uri())
    assert_accessible(page)
    page.close()
