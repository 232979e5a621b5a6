"""The lobby: a game in one click, friends by link and code, two at one screen, my games."""

from __future__ import annotations

import re
import shutil
import subprocess
from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from browser.conftest import missing
from browser.playing import Player
from browser.serving import SMALL, house, me
from browser.windows import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browser.serving import Served
    from browser.windows import Open

RAW = re.compile(r"\w+:\w+=|mcts|minimax|fish_course|seat \d")
"""Words of programs, not of people."""


def here(page: Page) -> str:
    """The id of the table that a page shows."""
    expect(page.locator("main")).to_have_attribute("data-page", "table")
    return page.url.rpartition("table=")[2]


def test_a_level_is_chosen_in_words_and_played_in_one_click(visit: Open, served: Served) -> None:
    """The character sits down, and the choice is remembered."""
    ann = visit()
    page = ann.go()
    levels = page.get_by_role("radiogroup", name="Level in Hexapawn")
    names = levels.get_by_role("radio").evaluate_all("all => all.map(one => one.parentNode.textContent)")
    assert names == ["Easy", "Medium", "Hard", "Unbeatable"]
    levels.get_by_role("radio", name="Medium").check()
    page.get_by_role("button", name="Play Hexapawn").click()
    seats = served.get(f"/api/tables/{here(page)}")["table"]["seats"]
    offered = next(game for game in served.get("/api/games")["games"] if game["name"] == "hexapawn")["levels"]
    assert (seats[1]["level"], seats[1]["name"]) == ("medium", offered[1]["name"])
    ann.go()
    expect(levels.get_by_role("radio", name="Medium")).to_be_checked()


def test_no_word_of_programs_is_seen(visit: Open) -> None:
    """Raw names are for experts only."""
    ann = visit()
    page = ann.go()
    page.get_by_role("button", name="Play Fish").wait_for()
    assert RAW.findall(page.locator("main .games").inner_text()) == []
    page.get_by_role("button", name="New table").click()
    dialog = page.get_by_role("dialog", name="New table")
    said = dialog.inner_text() + " ".join(dialog.locator("select:visible option").all_inner_texts())
    assert RAW.findall(said) == []
    dialog.get_by_text("Expert").click()
    assert RAW.findall(" ".join(dialog.locator("select:visible option").all_inner_texts()))


def decoded(picture: bytes) -> str:
    """What a phone reads from the picture of a QR code."""
    if shutil.which("zbarimg") is None:
        missing("there is no zbarimg: apt-get install zbar-tools")
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", "-"], input=picture, capture_output=True, check=True
    )
    return read.stdout.decode().strip()


def test_a_friend_comes_by_the_link_of_the_code(visit: Open) -> None:
    ann, bob = visit(), visit()
    page = ann.go()
    page.get_by_role("button", name="Hexapawn with a friend").click()
    expect(page.locator("main")).to_have_attribute("data-status", "open")
    link = page.locator("[data-link-line]").inner_text()
    code = page.locator("img.qr")
    expect(code).to_have_js_property("complete", True)
    assert code.evaluate("image => image.naturalWidth") > 0
    ann.shoot("waiting-room")
    assert decoded(code.screenshot()) == link
    bob.page.goto(link)
    bob.page.get_by_label("Your name").fill("bob")
    bob.page.get_by_role("button", name="Take a seat").click()
    for window in (ann, bob):
        expect(window.page.locator("main")).to_have_attribute("data-status", "running")


def test_two_people_at_one_screen(visit: Open, served: Served) -> None:
    ann = visit()
    page = ann.go()
    assert page.get_by_role("button", name="Labyrinth at one screen").count() == 0, "its goals are secret"
    page.get_by_role("button", name="Hexapawn at one screen").click()
    table = here(page)
    kinds = [seat["kind"] for seat in served.get(f"/api/tables/{table}")["table"]["seats"]]
    assert kinds == ["me", "me"]
    kept = page.evaluate("table => JSON.parse(localStorage.getItem(`touchline.table.${table}`))", table)
    assert [ticket["seat"] for ticket in kept["seats"]] == [0, 1]


def test_my_games_begin_with_those_that_wait_for_me(visit: Open, served: Served) -> None:
    ann = visit()
    over, tokens = served.table("hexapawn", me("ann"), house())
    ann.go(f"/#table={over}&token={tokens[0]}")
    assert Player(ann, Random(3)).asked()
    served.resign(over, tokens[0])
    expect(ann.page.locator("main")).to_have_attribute("data-status", "finished")
    ann.go()
    ann.page.get_by_role("button", name="Play Fish").click()
    assert Player(ann, Random(3)).asked()
    mine = here(ann.page)
    ann.go()
    rows = ann.page.get_by_role("region", name="My games").locator("[data-table]")
    expect(rows.first).to_have_attribute("data-table", mine)
    expect(rows.first).to_contain_text("your turn")
    expect(rows.first).to_contain_text("Go on")
    expect(rows.nth(1)).to_contain_text("you gave up")
    expect(rows.nth(1)).to_contain_text("Review")
    ann.shoot("my-games")
    rows.first.click()
    expect(ann.page.locator("main")).to_have_attribute("data-me", "0")


def test_a_name_is_given_in_the_header(visit: Open, served: Served) -> None:
    ann = visit()
    page = ann.go()
    page.get_by_role("button", name="Playing as").click()
    dialog = page.get_by_role("dialog", name="What shall we call you?")
    dialog.get_by_label("Your name").fill("Zoë")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Playing as Zoë")).to_be_visible()
    page.get_by_role("button", name="Play Hexapawn").click()
    assert served.get(f"/api/tables/{here(page)}")["table"]["seats"][0]["name"] == "Zoë"


def test_the_dialog_fits_a_phone(visit: Open) -> None:
    """Its button is in sight, however far one has scrolled, and nothing sticks out."""
    ann = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = ann.go()
    page.get_by_role("button", name="New table").tap()
    dialog = page.get_by_role("dialog", name="New table")
    make = dialog.get_by_role("button", name="Make the table")
    dialog.get_by_text("Expert").tap()
    for where in (0, 10_000):
        dialog.locator(".body").evaluate("(body, where) => body.scrollTo(0, where)", where)
        box = make.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= PHONE["height"]
        ann.shoot(f"phone-new-table-{where}")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    wide = dialog.locator(".body *").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.tagName)"
    )
    assert wide == []


CUT = """all => all.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth + 1)
    .map(one => one.textContent)"""
LONG = "Maximiliane von Hohenfels-Wittgen"[:32]


def test_long_names_are_whole_on_a_phone(visit: Open, served: Served) -> None:
    """They wrap, in the lobby and in the waiting room; never three letters and dots."""
    table, tokens = served.table("hexapawn", me(LONG), {"kind": "open"})
    ann = visit(viewport=PHONE)
    page = ann.go()
    row = page.locator(f'[data-table="{table}"] strong')
    expect(row).to_contain_text(LONG)
    assert row.evaluate_all(CUT) == []
    ann.go(f"/#table={table}&token={tokens[0]}")
    name = page.locator('[data-seat="0"] strong')
    expect(name).to_have_text(LONG)
    assert name.evaluate_all(CUT) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    served.resign(table, tokens[0])


def test_the_card_of_a_game_shows_it(visit: Open) -> None:
    """A board on which somebody plays; still, if that is wanted."""
    ann = visit()
    page = ann.go()
    before = {}
    for game in SMALL:
        picture = page.locator(f'[data-hero="{game}"] svg[data-board="{game}"]')
        expect(picture.locator("[data-pieces]").first).to_be_attached()
        before[game] = picture.locator(".layer-pieces").inner_html()
    page.wait_for_timeout(3500)
    for game in SMALL:
        assert page.locator(f'[data-hero="{game}"] .layer-pieces').inner_html() == before[game]
    page.emulate_media(reduced_motion="no-preference")
    for game in SMALL:
        page.wait_for_function(
            "([place, before]) => document.querySelector(place).innerHTML !== before",
            arg=[f"[data-hero='{game}'] .layer-pieces", before[game]],
        )


def test_cards_without_their_matches_can_be_played(visit: Open) -> None:
    """A match that does not come is no error of the page; the browser alone notes that it failed."""
    ann = visit()
    ann.page.route("**/demonstration", lambda route: route.abort())
    with ann.page.expect_event("requestfailed", lambda one: "labyrinth/demonstration" in one.url):
        page = ann.go()
    expect(page.get_by_role("button", name="Play Fish")).to_be_visible()
    page.evaluate("new Promise(requestAnimationFrame)")  # whoever waited for an answer has heard
    assert all("net::ERR_" in said for said in ann.complaints)
    ann.complaints.clear()


def without_catalogue(route: Route) -> None:
    """Serve the page without the games that it brings along."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('id="catalogue"', 'id="nothing"'))


def test_a_server_that_does_not_answer_is_said(visit: Open, served: Served) -> None:
    """And asking again is one click."""
    ann = visit()
    ann.page.route("**/api/games", lambda route: route.abort())
    ann.page.route(served.url + "/", without_catalogue)
    page = ann.go()
    page.get_by_text("The games could not be loaded").wait_for()
    page.unroute("**/api/games")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play Fish")).to_be_visible()
    ann.complaints.clear()  # of the request that failed, and of a page that no address has sent
