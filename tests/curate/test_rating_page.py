"""The rating page in the real browser: keys, undo, reload, a killed server, two tabs, pairs, hostile text."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.axe import assert_accessible
from tests.cli.conftest import Run
from tests.made_candidates import make_candidates, pool_paintings, rate
from tests.rating_page import Command, serving
from watercolour.curate.rateable import CANDIDATES
from watercolour.curate.rating.desk import Desk
from watercolour.curate.ratings import RATINGS, Answer, Mode, Press, current_tiers, read_presses
from watercolour.references import Tier
from watercolour.render.browser import find_chromium

pytestmark = pytest.mark.browser

EVIL = '</script></style></pre><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"> \u202e'
TIER = {"1": "love", "2": "okay", "3": "nope"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links are kept in the cache."""
    monkeypatch.setenv("WATERCOLOUR_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A profile of its own. Its pages must not err, but for the answers that the tests provoke."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error" and not message.text.startswith("Failed to load resource")
            else None
        ),
    )
    yield context
    context.close()
    assert not errors


def show(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    expect(page.locator("#keys button").first).to_be_visible()
    return page


def progress(page: Page, text: str) -> None:
    expect(page.locator("#progress")).to_have_text(text)


def all_saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved", timeout=15_000)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def shown(page: Page) -> list[str]:
    return [str(source).partition("picture/")[2] for source in page.locator("#stage img").evaluate_all(SOURCES)]


SOURCES = "all => all.map((each) => each.src)"


def tiers(folder: Path) -> dict[str, Tier]:
    return current_tiers(read_presses(folder, "me"))


def expected(desk: Desk, keys: list[str]) -> dict[str, Tier]:
    """What the keys say of the paintings in their order."""
    said = zip(desk.paintings, keys, strict=False)
    return {painting.id: Tier(TIER[key]) for painting, key in said if key in TIER}


def test_twenty_by_keyboard_undo_and_reload(context: BrowserContext, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=7)
    keys = ["1", "2", "3", "3", "Space"] * 4
    with serving(tmp_path) as (desk, link):
        page = show(context, link.url)
        progress(page, "0 of 21 rated")
        assert shown(page) == [desk.paintings[0].key]
        press(page, *keys)
        progress(page, "20 of 21 rated")
        all_saved(page)
        assert tiers(tmp_path) == expected(desk, keys)
        assert sum(each.answer is Answer.SKIP for each in read_presses(tmp_path)) == 4
        # No time is known of a key that was quicker than its picture.
        assert all(each.seconds is None or each.seconds >= 0 for each in read_presses(tmp_path))

        press(page, "Backspace", "Backspace", "Backspace")
        progress(page, "17 of 21 rated")
        assert shown(page) == [desk.paintings[17].key]
        all_saved(page)
        assert tiers(tmp_path) == expected(desk, keys[:17])
        page.reload()
        progress(page, "17 of 21 rated")
        assert shown(page) == [desk.paintings[17].key]

        press(page, "3", "1", "1", "2")
        all_saved(page)
        end = page.locator("#end")
        expect(end).to_be_visible()
        expect(end).to_contain_text("Everything is rated")
        assert tiers(tmp_path) == expected(desk, [*keys[:17], "3", "1", "1", "2"])
        end.get_by_role("button", name="See the skipped ones once more").click()
        assert shown(page) == [desk.paintings[4].key]
        press(page, "1")
        all_saved(page)
        assert tiers(tmp_path)[desk.paintings[4].id] is Tier.LOVE


def test_a_killed_server_loses_nothing_and_the_open_page_goes_on(context: BrowserContext, tmp_path: Path) -> None:
    folder = tmp_path / "candidates"
    folder.mkdir()
    make_candidates(folder, each=4)
    server = Command(folder)
    page = show(context, server.url)
    press(page, "1", "2", "3")
    progress(page, "3 of 12 rated")
    all_saved(page)
    server.kill()
    assert len(read_presses(folder)) == 3
    with (folder / RATINGS).open("a") as file:
        file.write('{"at": "2026-')  # a crash in the middle of a line

    press(page, "1", "1", "Backspace")
    expect(page.locator("#saved")).to_contain_text("Not saved: 3. The server does not answer")
    again = Command(folder)
    assert again.url == server.url
    all_saved(page)
    progress(page, "4 of 12 rated")
    assert [str(each.answer) for each in read_presses(folder)] == ["love", "okay", "nope", "love", "love", "undo"]

    out, err = again.interrupt()
    assert "me: 2 love, 1 okay, 1 nope, 0 skipped" in out
    assert "written:" in err
    press(page, "2", "3")
    expect(page.locator("#saved")).to_contain_text("Not saved: 2")
    page.close()
    with serving(folder) as (_, link):
        assert link.url == server.url
        page = show(context, link.url)
        progress(page, "6 of 12 rated")
        all_saved(page)
        page.close()
    assert [str(each.answer) for each in read_presses(folder)][-2:] == ["okay", "nope"]
    assert len({each.press for each in read_presses(folder)}) == 8


def test_two_tabs_count_nothing_twice(context: BrowserContext, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=2)
    with serving(tmp_path) as (desk, link):
        one, other = show(context, link.url), show(context, link.url)
        other.route(re.compile(r"/state\?"), lambda route: route.abort())  # it does not hear of the first tab
        press(one, "1")
        all_saved(one)
        assert shown(other) == [desk.paintings[0].key]
        press(other, "3")
        expect(other.locator("#notice")).to_contain_text("answered in another tab")
        progress(other, "1 of 6 rated")
        assert [str(each.answer) for each in read_presses(tmp_path)] == ["love"]

        press(other, "2")
        progress(one, "2 of 6 rated")
        assert shown(one) == [desk.paintings[2].key]
        other.unroute_all()
        press(one, "3")
        progress(other, "3 of 6 rated")
        assert tiers(tmp_path) == expected(desk, ["1", "2", "3"])


def test_grid_help_source_and_looking_back(context: BrowserContext, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=2)
    with serving(tmp_path) as (desk, link):
        page = show(context, link.url)
        press(page, "1", "2", "Space")
        press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
        expect(page.locator("#caption")).to_contain_text("you said love")
        press(page, "3")
        expect(page.locator("#caption")).not_to_contain_text("you said")
        press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight")
        expect(page.locator("#caption")).to_contain_text("you said okay")
        press(page, "s")
        source = page.locator("#source pre")
        code = desk.paintings[1].code
        assert code
        expect(source).to_have_text(code(), use_inner_text=False)
        press(page, "s")
        expect(source).to_be_hidden()

        press(page, "z")
        expect(page.locator("figure.zoomed")).to_have_count(1)
        press(page, "z")
        expect(page.locator("figure.zoomed")).to_have_count(0)

        press(page, "?")
        expect(page.locator("#help")).to_be_visible()
        press(page, "1")
        press(page, "Escape")
        expect(page.locator("#help")).to_be_hidden()
        press(page, "g")
        expect(page.locator("#grid h2")).to_have_text(["Love0", "Okay1", "Nope1", "Skipped1", "Not rated yet3"])
        expect(page.locator("#grid img")).to_have_count(3)
        press(page, "1")
        page.get_by_role("button", name="painting 1, nope").click()
        expect(page.locator("#caption")).to_contain_text("you said nope")
        page.get_by_role("button", name="Love").click()
        all_saved(page)
        assert tiers(tmp_path) == expected(desk, ["1", "2"])


def test_hostile_text_stays_text(context: BrowserContext, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=1, subject=EVIL)
    for source in (tmp_path / "sources").iterdir():
        source.write_text(EVIL)
    with serving(tmp_path) as (_, link):
        page = show(context, link.url)
        expect(page.locator("#caption")).to_have_text(EVIL.strip())
        press(page, "s")
        expect(page.locator("#source pre")).to_have_text(EVIL)
        press(page, "1", "g")
        expect(page.locator("#grid img")).to_have_count(1)
        assert page.evaluate("window.hacked") is None
        assert page.locator("img[src=x]").count() == 0


def test_names_of_models_and_ids_are_nowhere_on_the_page(context: BrowserContext, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=1, generator="somebody/painter-7")
    heard: list[str] = []
    with serving(tmp_path) as (_, link):
        page = context.new_page()
        page.on("response", lambda answer: heard.append(answer.text()) if "/state" in answer.url else None)
        page.goto(link.url)
        progress(page, "0 of 3 rated")
        page.wait_for_timeout(100)
        said = page.content() + "".join(heard)
        assert heard
        assert "painter-7" not in said
        assert "c00" not in said


def test_pairs_are_compared_and_ranked(context: BrowserContext, tmp_path: Path, run: Run) -> None:
    for number, reference in enumerate(pool_paintings(2)[:4]):
        shutil.copyfile(reference.picture, tmp_path / f"{number}.png")
    with serving(tmp_path, Mode.PAIR) as (desk, link):
        page = show(context, link.url)
        expect(page.locator("#stage img")).to_have_count(2)
        assert_accessible(page)
        first = shown(page)
        for number, key in enumerate(("ArrowLeft", "ArrowRight", "0", "Space"), 1):
            press(page, key)
            progress(page, f"{number} compared, 4 are enough")
            all_saved(page)
        fifth = shown(page)
        press(page, "1")
        all_saved(page)
        press(page, "Backspace")
        progress(page, "4 compared, 4 are enough")
        assert shown(page) == fifth
        all_saved(page)
        page.reload()
        progress(page, "4 compared, 4 are enough")
        press(page, "ArrowLeft")
        all_saved(page)
        press(page, "ArrowLeft")
        all_saved(page)
        expect(page.locator("#end")).to_contain_text("Every pair is compared")
        presses = read_presses(tmp_path)
        told = ["left", "right", "tie", "skip", "left", "undo", "left", "left"]
        assert [str(each.answer) for each in presses] == told
        assert len({each.subject for each in presses}) == 6
        assert {key_of(desk, name) for name in presses[0].ids} == set(first)
        assert presses[0].ids[0] == named(desk, first[0])
    [summary] = json.loads(run("pool", "rate", tmp_path, "--summary", "--json").out)["raters"]
    assert summary["ranking"]["comparisons"] == 5
    assert summary["ranking"]["parts"] == 1
    assert "5 comparisons, 1 ties, of 4 paintings" in run("pool", "rate", tmp_path, "--summary").out


def key_of(desk: Desk, name: str) -> str:
    return next(each.key for each in desk.paintings if each.id == name)


def named(desk: Desk, key: str) -> str:
    painting = desk.painting(key)
    assert painting
    return painting.id


def test_a_tenth_is_rated_again(context: BrowserContext, tmp_path: Path, run: Run) -> None:
    rated = make_candidates(tmp_path, each=4)
    rate(tmp_path, rated)
    with serving(tmp_path, Mode.RERATE) as (desk, link):
        assert len(desk.paintings) == 2
        page = show(context, link.url)
        progress(page, "0 of 2 rated again")
        expect(page.locator("#caption")).not_to_contain_text("you said")
        say = {Tier.LOVE: "1", Tier.OKAY: "2", Tier.NOPE: "3"}
        press(page, say[rated[desk.paintings[0].id]])
        press(page, "1" if rated[desk.paintings[1].id] is Tier.NOPE else "3")
        all_saved(page)
        expect(page.locator("#end")).to_contain_text("Everything is rated again")
    assert tiers(tmp_path) == rated
    [summary] = json.loads(run("pool", "rate", tmp_path, "--summary", "--json").out)["raters"]
    assert summary["agreement"]["count"] == 2
    assert summary["agreement"]["equal"]["value"] == 0.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(context: BrowserContext, tmp_path: Path, scheme: str) -> None:
    make_candidates(tmp_path, each=1)
    with serving(tmp_path) as (_, link):
        page = show(context, link.url)
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        press(page, "1", "Space", "ArrowLeft", "ArrowLeft", "s")
        expect(page.locator("#source pre")).not_to_be_empty()
        assert_accessible(page)
        press(page, "g")
        assert_accessible(page)
        press(page, "?")
        assert_accessible(page)
        press(page, "Escape", "g", "ArrowRight", "ArrowRight", "3")
        expect(page.locator("#end")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert_accessible(page)


def test_a_phone_rates_by_touch(browser: Browser, tmp_path: Path) -> None:
    make_candidates(tmp_path, each=1)
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with serving(tmp_path) as (desk, link):
        page = show(phone, link.url)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.get_by_role("button", name="Love").tap()
        page.get_by_role("button", name="Nope").tap()
        page.get_by_role("button", name="Undo").tap()
        progress(page, "1 of 3 rated")
        all_saved(page)
        assert tiers(tmp_path) == expected(desk, ["1"])
    phone.close()


def test_candidates_that_did_not_paint_are_not_shown(tmp_path: Path) -> None:
    make_candidates(tmp_path, each=1)
    lines = (tmp_path / CANDIDATES).read_text().splitlines()
    broken = {**json.loads(lines[0]), "image": None}
    (tmp_path / CANDIDATES).write_text("\n".join([json.dumps(broken), *lines[1:]]) + "\n")
    with serving(tmp_path) as (desk, _):
        assert len(desk.paintings) == 2


def test_presses_of_other_raters_do_not_show(context: BrowserContext, tmp_path: Path) -> None:
    rated = make_candidates(tmp_path, each=1)
    rate(tmp_path, rated, rater="somebody else")
    with serving(tmp_path) as (_, link):
        page = show(context, link.url)
        progress(page, "0 of 3 rated")
        press(page, "1")
        all_saved(page)
    kept = read_presses(tmp_path)
    assert isinstance(kept[-1], Press)
    assert [each.rater for each in kept] == ["somebody else"] * 3 + ["me"]
