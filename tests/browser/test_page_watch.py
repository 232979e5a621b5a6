"""Spectators follow a table live, and nobody is told what another seat must keep secret."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from browser.goals import STAR, Goals, about, starred, true_goals, whispered
from browser.playing import Player
from browser.serving import house, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open, Window

# -- a spectator of Fish -------------------------------------------------------------------------


class Followed(NamedTuple):
    """A match that ann played and eve, a spectator, followed."""

    ann: Window
    eve: Window
    boards: list[tuple[Any, Any]]
    """After each move: the pieces at ann's window, and at eve's."""
    offers: list[int]
    """After each move: how many spots eve's window offered to pick."""


@pytest.fixture(scope="module")
def followed(visit_once: Open, served: Served) -> Followed:
    """From the lobby to a table that runs; after every move eve's window comes to the same turn as ann's."""
    table, tokens = served.table("fish", me("ann"), house())
    ann, eve = visit_once(), visit_once()
    ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(4))
    player.play(1)
    eve.go()
    eve.page.locator(f'[data-table="{table}"]').click()
    seen = eve.page.locator('main[data-page="table"]')
    boards, offers = [], []
    while player.asked():
        player.move()
        player.asked()
        expect(seen).to_have_attribute("data-turn", player.main.get_attribute("data-turn") or "")
        boards.append((ann.pieces(), eve.pieces()))
        offers.append(eve.page.locator("[data-legal], [data-asked]").count())
    expect(seen).to_have_attribute("data-status", "finished")
    eve.shoot("watching-fish")
    return Followed(ann, eve, boards, offers)


def test_a_spectator_sees_the_board_of_the_players(followed: Followed) -> None:
    """It is the same after every move."""
    assert followed.boards
    for anns, eves in followed.boards:
        assert eves == anns


def test_a_spectator_is_never_offered_a_move(followed: Followed) -> None:
    assert set(followed.offers) == {0}


def test_a_spectator_has_no_buttons_of_a_player(followed: Followed) -> None:
    for name in ("Resign", "Hint"):
        expect(followed.eve.page.get_by_role("button", name=name)).not_to_be_visible()


def test_a_spectator_sees_the_result(followed: Followed) -> None:
    """In the words of somebody who did not play; ann reads her own."""
    expect(followed.eve.page.locator("[data-result] h2")).to_contain_text(
        re.compile("^(ann|random) won|^ann and random share")
    )
    expect(followed.ann.page.locator("[data-result] h2")).to_contain_text(
        re.compile("^You (won|lost|and random share)")
    )


def test_a_spectator_of_a_finished_table_is_led_on(visit: Open, served: Served) -> None:
    """To a table where something goes on."""
    other, others = served.table("hexapawn", me("cy"), house())
    table, tokens = served.table("hexapawn", me("ann"), house())
    cy, eve = visit(), visit()
    cy.go(f"/#table={other}&token={others[0]}")
    assert Player(cy, Random(7)).asked()
    served.resign(table, tokens[0])
    eve.go(f"/#table={table}")
    eve.page.locator("[data-end] a[href^='#table=']").click()
    expect(eve.page.locator("main")).to_have_attribute("data-status", "running")


# -- the goals of Labyrinth ----------------------------------------------------------------------


class Told(NamedTuple):
    """What one window was told about a table."""

    own: Goals
    """The goals of its seat, all that it ever had."""
    early: list[dict[str, Any]]
    """Lines of its live feed before the end."""
    answers: list[tuple[str, bytes]]
    """Everything it received before the end, with the URL it came from."""
    lines: list[dict[str, Any]]
    """Lines of its live feed, to the end."""


class Hidden(NamedTuple):
    """A match between ann and bob that eve watched, and what there was to hide."""

    table: str
    told: dict[str, Told]
    goals: Goals
    """All goals there ever were."""
    last: Goals
    """The goals at the end."""
    secrets: list[bytes]
    """The secrets from which the goals were drawn."""


@pytest.fixture(scope="module")
def hidden(visit_once: Open, served: Served) -> Hidden:
    """Eight moves of Labyrinth in three windows, everything that each received, and the truth."""
    options = {"rows": 7, "cols": 7, "goals": 7}
    table, tokens = served.table("labyrinth", me("ann"), me("bob"), options=options)
    ann, bob, eve = windows = [visit_once(), visit_once(), visit_once()]
    for window, token in zip(windows, (*tokens.values(), ""), strict=True):
        window.go(f"/#table={table}" + (f"&token={token}" if token else ""))
    players = [Player(ann, Random(5)), Player(bob, Random(6))]
    for _ in range(4):  # nobody can find nine treasures in that time, and go home
        for player in players:
            assert player.asked()
            player.move()
    eve.go("/#")  # the lobby, with a picture of the table
    picture = eve.page.locator(f'[data-table="{table}"] img').first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert "/picture" in (picture.get_attribute("src") or "")
    # The same drawing as text, in which one can search.
    eve.page.evaluate("table => fetch(`/api/tables/${table}/svg`).then(answer => answer.text())", table)
    eve.go(f"/#table={table}")
    eve.page.locator("main[data-turn]").wait_for()
    answers = [[*window.received()] for window in windows]
    early = [[*about(table, window.lines())] for window in windows]
    for player in players:  # who passes with everybody else ends the game
        assert player.asked()
        player.move(["pass"])
    for window in windows:
        expect(window.page.locator('main[data-status="finished"]')).to_be_visible()
    ann.shoot("table-labyrinth-goals-shown")

    goals, last, secrets = true_goals(served.record(table))
    told = {
        name: Told({goal for goal in goals if goal[0] == seat}, early[seat], answers[seat], [*window.lines()])
        for seat, (name, window) in enumerate(zip(("ann", "bob", "eve"), windows, strict=True))
    }
    return Hidden(table, told, goals, last, secrets)


everybody = pytest.mark.parametrize("name", ["ann", "bob", "eve"])


@everybody
def test_a_window_shows_the_goals_of_its_seat_and_no_other(hidden: Hidden, name: str) -> None:
    """A spectator has no seat, and so it sees no goal."""
    told = hidden.told[name]
    assert starred(told.early) == told.own


@everybody
def test_no_line_names_the_goal_of_another_seat(hidden: Hidden, name: str) -> None:
    """Nor in any other way than by a mark on the board."""
    told = hidden.told[name]
    assert [*whispered(told.early, hidden.goals - told.own)] == []


@everybody
def test_no_line_says_that_a_seat_reached_its_goal(hidden: Hidden, name: str) -> None:
    kinds = {event["kind"] for line in hidden.told[name].early for event in line.get("events", ())}
    assert "sent_on" not in kinds


@everybody
def test_no_answer_holds_what_the_goals_are_drawn_from(hidden: Hidden, name: str) -> None:
    """Neither the seed nor the nonce is in anything that a browser received before the end."""
    answers = hidden.told[name].answers
    assert not [url for url, data in answers if any(secret in data for secret in hidden.secrets)]


@everybody
def test_at_the_end_every_goal_is_shown(hidden: Hidden, name: str) -> None:
    assert hidden.last <= starred(hidden.told[name].lines)


def test_pictures_of_a_running_table_show_no_goal(hidden: Hidden) -> None:
    """The lobby has them, for everybody."""
    answers = hidden.told["eve"].answers
    pictures = [data for url, data in answers if f"/api/tables/{hidden.table}/svg" in url]
    assert pictures
    assert not any(STAR.search(picture) for picture in pictures)


def test_the_picture_of_a_finished_table_shows_the_goals(hidden: Hidden, served: Served) -> None:
    assert STAR.search(served.ask("GET", f"/api/tables/{hidden.table}/svg")[1])
