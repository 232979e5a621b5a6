"""Who sits down with whom, and who may be called what."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.server.lobby import Lobby
from touchline.server.names import RESERVED, problem_with, skeleton

# -- tables --------------------------------------------------------------------------------------------

STEPS = st.lists(st.sampled_from(["come", "come", "come", "leave", "leave twice", "close"]), max_size=60)


def told(steps: list[str], places: int, least: int, last_first: bool, drawn: Any) -> list[list[int]]:
    """The tables that come of these steps; meanwhile nobody is lost, and nobody is in two places."""
    lobby = Lobby[int](places, least, last_first=last_first)
    waiting: list[int] = []
    tables: list[list[int]] = []
    for number, step in enumerate(steps):
        table = None
        if step == "come":
            waiting.append(number)
            table = lobby.sign_up(number)
        elif step == "close":
            table = lobby.close_window()
        elif waiting:
            leaver = drawn.draw(st.sampled_from(waiting))
            waiting.remove(leaver)
            for _ in range(2 if step == "leave twice" else 1):
                lobby.leave(leaver)
        if table is not None:
            tables.append(table)
            assert sorted(table) == waiting[: len(table)], "those who came first sit first, and nobody else"
            del waiting[: len(table)]
        assert len(lobby) == len(waiting)
    assert lobby.dismiss() == waiting
    assert len(lobby) == 0
    return tables


@given(STEPS, st.integers(1, 5), st.integers(1, 5), st.booleans(), st.data())
@settings(deadline=None)
def test_tables(steps: list[str], places: int, least: int, last_first: bool, drawn: Any) -> None:
    """The order of turns is the order of sign-ups or its reverse, tables are neither too full nor too empty,
    and nobody sits at two."""
    least = min(least, places)
    tables = told(steps, places, least, last_first, drawn)
    for table in tables:
        assert table == sorted(table, reverse=last_first)
        assert least <= len(table) <= places
    everybody = [one for table in tables for one in table]
    assert len(everybody) == len({*everybody})


@given(st.integers(1, 8), st.integers(0, 40))
def test_a_table_is_complete_at_once(places: int, coming: int) -> None:
    """Without a window there is a table with every so-manieth sign-up, and with no other."""
    lobby = Lobby[int](places)
    for number in range(coming):
        table = lobby.sign_up(number)
        assert (table is not None) == ((number + 1) % places == 0)
        assert table is None or table == [*range(number + 1 - places, number + 1)]
    assert len(lobby) == coming % places


def test_a_window_that_closes_on_too_few_seats_nobody() -> None:
    """They go on waiting."""
    lobby = Lobby[str](4, 2)
    assert lobby.close_window() is None
    lobby.sign_up("ann")
    assert lobby.close_window() is None
    lobby.sign_up("bob")
    assert lobby.close_window() == ["ann", "bob"]
    assert lobby.close_window() is None


def test_who_leaves_frees_the_place() -> None:
    """And who was never there can leave as well."""
    lobby = Lobby[str](2)
    lobby.sign_up("ann")
    lobby.leave("ann")
    lobby.leave("ann")
    assert lobby.sign_up("bob") is None
    assert lobby.sign_up("cyd") == ["bob", "cyd"]


# -- names ---------------------------------------------------------------------------------------------

FIT = [
    "Ann", "bob 2", "x", "x" * 32, "Ω", "李雷", "Łukasz", "José", "O'Neill", "a-b_c.d", "<b>", "=1+1",
    "😀", "naïve", "Ирина", "null", "undefined", "../x", "--help", "referees", "%s", "𝕏",
]  # fmt: skip
INVISIBLE = [
    "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u061c", "\u3164", "\u115f",
    "\uffa0", "\u2800", "\u034f", "\u0301", "\ue000", "\ufffe", "\x00", "\x07", "\x1b", "\x7f", "\x85",
    "\u2028", "\u00a0", "\u2003", "\t", "\n", "\r", "\U000e0041", "\ufe0f", "\u180e", "\U0001d173",
]  # fmt: skip
UNFIT = [
    "", "x" * 33, " ann", "ann ", "Jose\u0301", "A\u030a", "\u212b", "e" + "\u0301" * 20, "\ud800", " ",
    "referee", "Referee", "REFEREE", "ｒｅｆｅｒｅｅ", "r\u0435feree", "Winner", "nobody", "n\u043eb\u03bfdy",
    "n0body", "TouchLine", "touch1ine",
]  # fmt: skip


@pytest.mark.parametrize("name", FIT)
def test_a_name_that_fits(name: str) -> None:
    """Any script, any sign that is seen."""
    assert problem_with(name) is None


@pytest.mark.parametrize("char", INVISIBLE)
def test_nothing_invisible_is_in_a_name(char: str) -> None:
    """Neither alone nor among letters, in front or behind."""
    for name in (char, f"an{char}n", f"{char}ann", f"ann{char}"):
        assert problem_with(name), f"{name!r} is a name"


@pytest.mark.parametrize("name", UNFIT)
def test_a_name_that_does_not_fit(name: str) -> None:
    """Too long or too short, blanks around it, not in its normal form, or somebody's whom nobody may be."""
    assert problem_with(name)


@given(st.text(max_size=40))
@settings(max_examples=500)
def test_a_name_that_fits_can_be_shown_anywhere(name: str) -> None:
    """Whatever passes is printable, is not blank, looks like something, and can be written."""
    if problem_with(name) is None:
        assert 1 <= len(name) <= 32
        assert name.isprintable()
        assert skeleton(name).strip()
        assert unicodedata.normalize("NFC", name.encode().decode()) == name
        assert skeleton(name) not in RESERVED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "Ann"), ("ann", "ANN"), ("ann", "ａｎｎ"), ("Anna", "\u0391nna"), ("ﬁn", "fin"),
        ("SCOPE", "\u0405\u0421\u041e\u0420\u0415"), ("bob", "b\u03bfb"), ("straße", "STRASSE"),
        ("paypal", "p\u0430yp\u0430l"),
        ("bob 2", "bob  2"), ("bot0", "botO"), ("bill1", "billl"), ("bob", "b\u0585b"), ("x²", "x2"),
        ("KATE", "\u041aATE"), ("ann", "𝖆𝖓𝖓"),
    ],
)  # fmt: skip
def test_names_that_look_alike(one: str, other: str) -> None:
    """In another case, width or script they would be taken for each other."""
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ann", "anne"), ("bot1", "bot2"), ("李", "雷"), ("Ирина", "Ирена")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
