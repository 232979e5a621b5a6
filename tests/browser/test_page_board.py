"""The board under the hand: dragging, premoves, the turned board, the spare in its tray, zoom, hints."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from browser.playing import Player, spot
from browser.serving import house, me
from browser.windows import PHONE
from touchline.core import registry
from touchline.draw.sheet import sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from playwright.sync_api import Page, Request, Route

    from browser.serving import Served
    from browser.windows import Open, Window

    Sit: TypeAlias = Callable[..., Window]

pytestmark = pytest.mark.slow
FINGER = 44
"""CSS pixels that a finger needs."""
TOUCHED = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture
def sit(visit: Open, served: Served) -> Iterator[Callable[..., Window]]:
    """Sit down against the house, and wait for the first question; afterwards the game is given up."""
    tables: list[tuple[str, str]] = []

    def seated(game: str, looks: dict[str, Any] | None = None, seat: int = 0, **terms: Any) -> Window:
        seats = [house(), house()]
        seats[seat] = me("ann")
        table, tokens = served.table(game, *seats, **terms)
        tables.append((table, tokens[seat]))
        ann = visit(**(looks or {}))
        ann.go(f"/#table={table}&token={tokens[seat]}")
        assert Player(ann, Random(1)).asked()
        return ann

    yield seated
    for table, token in tables:
        served.post(f"/api/tables/{table}/resign", {}, token)


def middle(page: Page, key: str) -> tuple[float, float]:
    box = spot(page, key).locator(".hit").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: str, end: tuple[float, float]) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*end, steps=6)


class Touch:
    """Fingers on the screen, as a device reports them."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def tile(page: Page) -> float:
    """The width of the smallest spot with a row and a column, in CSS pixels."""
    widths: list[float] = page.locator('[data-spot*=","] .hit').evaluate_all(
        "spots => spots.map(one => one.getBoundingClientRect().width)"
    )
    return min(widths)


# -- what can be moved -----------------------------------------------------------------------------


def test_only_the_mover_sees_which_pieces_can_move(visit: Open, served: Served) -> None:
    """A pawn that is blocked has no mark, and nobody has one once a pawn is picked."""
    table, tokens = served.table("hexapawn", me("ann"), me("bob"))
    ann, bob = visit(), visit()
    for window, token in ((ann, tokens[0]), (bob, tokens[1])):
        window.go(f"/#table={table}&token={token}")
    first, second = Player(ann, Random(1)), Player(bob, Random(1))
    marks, theirs = ann.page.locator(".movable"), bob.page.locator(".movable")
    assert first.asked()
    expect(marks).to_have_count(3)
    expect(theirs).to_have_count(0)
    first.move([[0, 1], [1, 1]])
    assert second.asked()
    expect(marks).to_have_count(0)
    expect(theirs).to_have_count(3)
    second.move([[3, 1], [2, 1]])
    assert first.asked()
    expect(marks).to_have_count(2)  # the pawn in the middle is blocked
    spot(ann.page, "0,0").click()
    expect(marks).to_have_count(0)
    spot(ann.page, "0,0").click()
    expect(marks).to_have_count(2)
    served.resign(table, tokens[0])


# -- dragging --------------------------------------------------------------------------------------


def test_a_piece_is_dragged_to_its_target(sit: Sit) -> None:
    """It follows the pointer, its targets show; dropped elsewhere it goes back, dropped on one it moves."""
    ann = sit("hexapawn", {"reduced_motion": "no-preference"}, pace=0.3)
    page = ann.page
    pawn = page.locator(".piece.seat0").first
    was = pawn.bounding_box()
    drag(page, "0,1", middle(page, "3,1"))
    expect(spot(page, "0,1")).to_have_attribute("data-picked", "1")
    expect(spot(page, "1,1")).to_have_attribute("data-legal", "next")
    expect(page.locator("svg[data-dragging]")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("svg[data-dragging]")).to_have_count(0)
    expect(page.locator("svg[data-moving]")).to_have_count(0)
    assert pawn.bounding_box() == was
    assert ann.pieces()["0,1"] == "0"
    drag(page, "0,1", middle(page, "1,1"))
    page.mouse.up()
    expect(page.locator("main")).not_to_have_attribute("data-turn", "0")
    assert ann.pieces()["1,1"] == "0"


def test_a_piece_is_dragged_by_a_finger(sit: Sit) -> None:
    ann = sit("hexapawn", TOUCHED)
    page = ann.page
    start, end = middle(page, "0,1"), middle(page, "1,1")
    touch = Touch(page)
    touch("touchStart", start)
    for part in (0.3, 0.6, 1):
        touch("touchMove", (start[0], start[1] + part * (end[1] - start[1])))
    touch("touchEnd")
    expect(page.locator("main")).not_to_have_attribute("data-turn", "0")
    assert page.evaluate("scrollY") == 0
    assert ann.pieces()["1,1"] == "0"


# -- premoves --------------------------------------------------------------------------------------


def test_a_premove_is_made_when_the_turn_comes(sit: Sit) -> None:
    """It is picked while the other thinks, shown in a tone of its own, and taken back in three ways."""
    ann = sit("hexapawn", options={"rows": 6, "cols": 4}, pace=3)
    page = ann.page
    Player(ann, Random(1)).move([[0, 1], [1, 1]])
    armed = page.locator("[data-premove]")
    spot(page, "0,3").click()
    spot(page, "1,3").click()
    expect(armed).to_have_count(2)
    expect(page.locator(".premove-spot")).to_have_count(2)
    spot(page, "1,3").click(button="right")
    expect(armed).to_have_count(0)
    spot(page, "0,3").click()
    page.keyboard.press("Escape")
    expect(armed).to_have_count(0)
    spot(page, "0,2").click()
    spot(page, "0,2").click()
    expect(armed).to_have_count(0)
    spot(page, "0,3").click()
    spot(page, "1,3").click()
    expect(page.locator("main")).to_have_attribute("data-turn", "3")
    assert ann.pieces()["1,3"] == "0"


def test_a_placement_is_picked_ahead(visit: Open, served: Served) -> None:
    """It is moved by another click, taken back by a second one, made if it is legal, and else dropped."""
    table, tokens = served.table("fish", me("ann"), me("bob"))
    ann, bob = visit(), visit()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    bob.go(f"/#table={table}&token={tokens[1]}")
    first, second = Player(ann, Random(1)), Player(bob, Random(1))
    assert first.asked()
    places = [place[0] for place in ann.now["you"]["legal"]]
    near, far = (",".join(map(str, places[n])) for n in (1, 2))
    armed = page.locator("[data-premove]")
    first.move([places[0]])
    spot(page, near).click()
    expect(spot(page, near)).to_have_attribute("data-premove", "")
    spot(page, far).click()
    expect(armed).to_have_count(1)
    expect(spot(page, far)).to_have_attribute("data-premove", "")
    spot(page, far).click()
    expect(armed).to_have_count(0)
    spot(page, near).click()
    expect(page.locator(".premove-spot")).to_have_count(1)
    assert second.asked()
    second.move([places[3]])
    page.locator('main[data-turn="3"]').wait_for()
    assert ann.pieces()[near] == "0"
    expect(armed).to_have_count(0)
    # Bob takes the floe that Ann wants next.
    spot(page, far).click()
    expect(armed).to_have_count(1)
    assert second.asked()
    second.move([places[2]])
    assert first.asked()
    expect(armed).to_have_count(0)
    expect(page.locator(".advice")).to_have_text("The move you made in advance is not possible any more.")
    assert ann.pieces()[far] == "1"
    served.resign(table, tokens[0])


# -- the turned board ------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_who_sits_above_sees_the_board_turned(sit: Sit, seat: int) -> None:
    """Own pawns are at the bottom, and the numbers at the edge are those of their rows and columns."""
    ann = sit("hexapawn", seat=seat)
    page = ann.page
    mine, theirs = (
        next(key for key, who in ann.pieces().items() if who == str(one)) for one in (seat, 1 - seat)
    )
    assert middle(page, mine)[1] > middle(page, theirs)[1]
    numbers = page.locator("svg[data-board] .number").evaluate_all(
        "texts => texts.map(one => [one.getBoundingClientRect(), one.textContent, one.matches('.row')])"
        ".map(([box, text, row]) => [box.x + box.width / 2, box.y + box.height / 2, text, row])"
    )
    assert numbers
    for x, y, text, row in numbers:
        there = middle(page, f"{text},0" if row else f"0,{text}")
        assert abs((y - there[1]) if row else (x - there[0])) < 6


# -- the spare -------------------------------------------------------------------------------------


def test_the_spare_turns_in_the_tray(sit: Sit) -> None:
    """One of its four turns is seen; buttons, keys, the wheel and a click turn it; a push shows it so."""
    ann = sit("labyrinth", options={"rows": 7, "cols": 7})
    page = ann.page
    held = page.locator('[data-group="spare"]:not([hidden])')
    right, left = (page.get_by_role("button", name=f"Turn the spare {way}") for way in ("right", "left"))

    def shows(key: str) -> None:
        expect(held).to_have_count(1)
        expect(held).to_have_attribute("data-spot", key)

    shows("0")
    right.click()
    shows("90")
    left.click()
    left.click()
    shows("270")
    held.click()
    shows("0")
    held.focus()
    page.keyboard.press("r")
    shows("90")
    page.keyboard.press("Shift+R")
    shows("0")
    held.hover()
    page.mouse.wheel(0, 120)
    shows("90")
    push = next(keys[1] for keys in ann.now["you"]["legal"] if len(keys) == 3)
    spot(page, push).click()
    expect(spot(page, "90")).to_have_attribute("data-picked", "1")
    expect(spot(page, push)).to_have_attribute("data-picked", "2")
    ways = (spot(page, "90").get_attribute("aria-label") or "").split(", ")[1]
    direction, index = push.split()
    entry = {"LEFT": f"{index},6", "RIGHT": f"{index},0", "UP": f"6,{index}", "DOWN": f"0,{index}"}[direction]
    assert ways in (spot(page, entry).get_attribute("aria-label") or "")


def test_passing_asks_first(sit: Sit) -> None:
    ann = sit("labyrinth", options={"rows": 7, "cols": 7})
    page = ann.page
    spot(page, "pass").click()
    page.get_by_role("dialog").get_by_role("button", name="No").click()
    expect(page.locator("main")).to_have_attribute("data-turn", "0")
    spot(page, "pass").click()
    page.get_by_role("dialog").get_by_role("button", name="Yes, pass").click()
    expect(page.locator("main")).not_to_have_attribute("data-turn", "0")


# -- zoom ------------------------------------------------------------------------------------------


def test_a_large_board_begins_near_on_a_phone(sit: Sit) -> None:
    """Every tile can be touched; the whole board is one tap away; two fingers zoom, and pick nothing."""
    ann = sit("fish", TOUCHED, options={"rows": 8, "cols": 8})
    page = ann.page
    expect(page.locator("svg[data-zoomed]")).to_have_count(1)
    assert tile(page) >= FINGER
    page.get_by_role("button", name="Whole board").tap()
    expect(page.locator("svg[data-zoomed]")).to_have_count(0)
    assert tile(page) < FINGER
    box = page.locator("svg[data-board]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = Touch(page)
    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (30, 45, 60, 75):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    expect(page.locator("svg[data-zoomed]")).to_have_count(1)
    assert tile(page) >= FINGER
    assert ann.page.locator("main").get_attribute("data-turn") == "0"


# -- hints -----------------------------------------------------------------------------------------


def test_a_hint_is_gone_when_one_chooses_otherwise(sit: Sit) -> None:
    ann = sit("hexapawn")
    page = ann.page
    page.get_by_role("button", name="Hint").click()
    hinted = page.locator("[data-hint]")
    expect(hinted).to_have_count(2)
    keys = hinted.evaluate_all("spots => spots.map(one => one.dataset.spot)")
    spot(page, next(key for key in ann.offered() if key not in keys)).click()
    expect(hinted).to_have_count(0)


def test_a_game_keeps_its_colours_if_the_common_sheet_comes_late(visit: Open, served: Served) -> None:
    """Both style the numbers at the frame, and that of the game counts, not that of the later sheet."""
    table, tokens = served.table("labyrinth", me("ann"), house())
    ann = visit()
    waiting: list[Route] = []
    ann.page.route("**/art/common.svg*", lambda route: waiting.append(route))

    def finished(request: Request) -> None:
        if "/art/labyrinth.svg" in request.url:
            waiting.pop().continue_()

    ann.page.on("requestfinished", finished)
    ann.go(f"/#table={table}&token={tokens[0]}")
    number = ann.page.locator(".board .number").first
    expect(number).to_be_visible()
    assert number.evaluate("(one) => getComputedStyle(one).fill") == "rgb(248, 220, 148)"
    served.post(f"/api/tables/{table}/resign", {}, tokens[0])


@pytest.mark.parametrize("game", registry.GAMES.ours())
def test_the_page_has_the_symbols_of_a_sheet(visit: Open, served: Served, game: str) -> None:
    """With all that they refer to, also those that a sheet says once for several; but not the small ones."""
    table, _ = served.table(game, me("ann"), house())
    page = visit().go(f"/#table={table}")
    page.locator(".board .spot").first.wait_for()
    symbols = page.locator(".sheet [id]").evaluate_all(
        """all => Object.fromEntries(all.map(one => [one.id,
            [one, ...one.querySelectorAll("[href]")].map(part => part.getAttribute("href") ?? "")]))"""
    )
    wanted = {
        id: [
            part.attributes.get("href", "")
            for part in element.walk()
            if part is element or "href" in part.attributes
        ]
        for id, element in sheet_of(registry.find("games", game)).elements.items()
        if "-small-" not in id
    }
    assert symbols == wanted
