"""Playing at the full screen, key by key."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from textual.events import Print

from terminal.sittings import Sitting, sitting
from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.drivers.match import agreed, announced
from touchline.records.interrupted import Interrupted
from touchline.records.match_log import MatchLog
from touchline.terminal.dialogs import Confirm, HandOver, Page
from touchline.terminal.person import Question
from touchline.terminal.play_view import PlayView
from touchline.terminal.view import MatchView, ScreenFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path


def played(scene: Callable[[Sitting], Coroutine[Any, Any, None]], **given: Any) -> None:
    """Run a scene at a screen."""

    async def run() -> None:
        async with sitting(**given) as seat:
            await seat.turn()
            await scene(seat)

    asyncio.run(run())


def test_a_move_is_lit_step_by_step() -> None:
    """First the pawns that can move, then where the picked one can go; Esc takes it back."""

    async def scene(seat: Sitting) -> None:
        view = seat.view
        assert view.board.lights.lit == ((0, 0), (0, 1), (0, 2))
        assert view.cursor == (0, 0)
        await seat.press("right")
        assert view.cursor == (0, 1)
        await seat.press("enter")
        picked, lit = view.board.lights.picked, list(view.board.lights.lit)
        assert (picked, lit) == (((0, 1),), [(1, 1)])
        assert view.cursor == (1, 1)
        await seat.press("escape")
        assert view.board.lights.lit == ((0, 0), (0, 1), (0, 2))
        await seat.press("enter", "enter")
        await seat.until(lambda: any("0,1 → 1,1" in entry.text for entry in view.history.entries))

    played(scene)


def test_looking_plays_nothing() -> None:
    """`u` shows the position after the move under the cursor; Enter then plays it."""

    async def scene(seat: Sitting) -> None:
        view = seat.view
        assert view.question is not None
        start, question = view.question.view, view.question
        await seat.press("enter", "u")
        assert view.shown()[0] == start.play(start.legal_moves()[0])
        assert "this is what 0,0 → 1,0 would do" in seat.status
        assert view.question is question, "nothing is played"
        await seat.press("u")
        assert view.shown()[0] == start
        await seat.press("u", "enter")
        await seat.until(lambda: view.question is not question)

    played(scene)


def test_a_whole_game_ends_with_names_and_scores() -> None:
    """Enter alone plays one; nobody is at fault."""

    async def scene(seat: Sitting) -> None:
        while not seat.view.over:
            await seat.press("space")
        assert seat.result is not None
        assert (seat.result.verdict, seat.result.faults) == ("finished", ())
        assert " won: " in seat.status
        assert "you " in seat.status

    played(scene, words=("human", "random"))


def test_the_last_move_of_the_other_is_named_and_marked() -> None:
    """In the list, in the line below the board, and on the board."""

    async def scene(seat: Sitting) -> None:
        await seat.press("enter", "enter")
        await seat.until(lambda: len([one for one in seat.view.history.entries if one.keys]) == 2)
        await seat.turn()
        other = seat.view.history.entries[-1]
        assert other.text.startswith("greedy (blue): 2,")
        assert other.text in seat.status
        assert seat.view.board.lights.marked == other.keys

    played(scene)


def test_the_mouse_picks_spots() -> None:
    """A click on a lit spot picks it; one on another is explained."""

    async def scene(seat: Sitting) -> None:
        view = seat.view
        for key, picked in (((1, 1), False), ((0, 1), True), ((1, 1), True)):
            row, col = view.board.drawn.centre(key)
            await seat.pilot.click(view.board, offset=(int(col), int(row)))
            await seat.pilot.pause()
            assert picked or "the lit ones can" in seat.status
        await seat.until(lambda: any("0,1 → 1,1" in entry.text for entry in view.history.entries))

    played(scene)


def test_a_hint_is_asked_for_in_the_background() -> None:
    """It gets the view of the person, and its answer is shown."""
    asked: list[Any] = []

    def advise(view: Any) -> str:
        asked.append(view)
        return "play 0,1 1,1: looks nice\nexpected then: nothing"

    async def scene(seat: Sitting) -> None:
        await seat.press("h")
        await seat.until(lambda: "hint: play 0,1 1,1: looks nice" in seat.status)
        assert seat.view.question is not None
        assert asked == [seat.view.question.view]
        assert "cost" not in seat.status, "there is no clock"

    played(scene, advise=advise)


def test_resigning_is_confirmed() -> None:
    """`n` plays on; `y` is no fault."""

    async def scene(seat: Sitting) -> None:
        await seat.press("r")
        assert isinstance(seat.view.screen, Confirm)
        await seat.press("n")
        assert seat.view.question is not None
        await seat.press("r", "y")
        await seat.until(lambda: seat.view.over)
        assert seat.result is not None
        assert (seat.result.result.resigned, seat.result.faults) == ((0,), ())

    played(scene)


def test_the_help_explains_the_keys_and_the_marks() -> None:
    """And where the rules are."""

    async def scene(seat: Sitting) -> None:
        text = seat.view.help_text()
        assert all(word in text for word in ("Enter", "Esc", "look", "hint", "resign", "pawn of red"))
        assert "see the book" in text
        await seat.press("question_mark")
        assert isinstance(seat.view.screen, Page)
        await seat.press("escape")
        assert not isinstance(seat.view.screen, Page)

    played(scene)


def test_a_clock_that_runs_is_seen() -> None:
    """The time is beside the name, and in the line below the board."""

    async def scene(seat: Sitting) -> None:
        assert "Your turn: pick" in seat.status, "there is none unless it was asked for"
        assert seat.view.question is not None
        timed = Question(seat.view.question.view, monotonic() + 1000)
        seat.view.post_message(PlayView.Asked(timed))
        await seat.until(lambda: " s left: pick" in seat.status)
        assert list(seat.view.clocks()) == [0]

    played(scene)


def test_the_end_of_the_time_ends_the_question() -> None:
    """Nothing more can be picked; the referee says that it is late."""

    async def run() -> None:
        async with sitting(seconds=0.3) as seat:
            await seat.until(lambda: seat.view.over)
            assert seat.view.question is None
            assert seat.result is not None
            assert [(fault.seat, fault.offence) for fault in seat.result.faults] == [(0, Offence.LATE)]

    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)])
def test_a_labyrinth_fits_and_is_played_with_words(size: tuple[int, int]) -> None:
    """All of the board is seen at 80 × 24; the digits pick the turn of the spare."""

    async def scene(seat: Sitting) -> None:
        view = seat.view
        await seat.until(lambda: view.board.drawn.width > 10)
        stage = view.query_one("#stage").size
        assert view.board.drawn.width <= stage.width
        assert view.board.drawn.height <= stage.height
        assert "2: 90" in seat.status
        await seat.press("2")
        assert view.choice is not None
        assert view.choice.picked == ("90",)
        assert {str(key).split()[0] for key in view.choice.lit} == {"LEFT", "RIGHT", "UP", "DOWN"}
        question = view.question
        await seat.press("enter")
        assert "this is what 90 → " in seat.status, "the push is shown before the walk is chosen"
        assert question is not None
        assert view.shown()[0] != question.view
        await seat.press("enter")
        await seat.until(lambda: view.question is not question)
        assert any("human (red): 90 → " in entry.text for entry in view.history.entries)

    played(scene, game="labyrinth", options={}, size=size)


def test_two_people_hand_over_the_keyboard_where_something_is_hidden() -> None:
    """While it is handed over, no goal is on the screen; then only that of the seat to move."""

    async def run() -> None:
        async with sitting("labyrinth", ("human", "human"), options={}) as seat:
            view = seat.view
            for mover in (0, 1):
                await seat.until(lambda: isinstance(view.screen, HandOver))
                state, _ = view.shown()
                assert state is not None
                assert goals(state) == set()
                await seat.press("enter")
                await seat.turn()
                state, _ = view.shown()
                assert state is not None
                assert goals(state) == {mover}
                await seat.press("1", "enter", "enter")

    asyncio.run(run())


def goals(state: Any) -> set[int]:
    """The seats whose goals are drawn."""
    return {piece.seat for spot in state.sketch().spots for piece in spot.marks if piece.glyph == "*"}


def test_two_people_share_an_open_board_without_ado() -> None:
    """Nothing is hidden in Hexapawn: the next one is asked at once, by name and colour."""

    async def scene(seat: Sitting) -> None:
        assert "human (red), your turn" in seat.status
        await seat.press("enter", "enter")
        await seat.until(lambda: "human (blue), your turn" in seat.status)

    played(scene, words=("human", "human"))


def test_who_leaves_finds_a_record_to_resume(tmp_path: Path) -> None:
    """It holds the moves so far, and follows from the rules."""
    record = tmp_path / "m.jsonl"

    async def scene(seat: Sitting) -> None:
        await seat.press("enter", "enter")
        await seat.until(lambda: len([one for one in seat.view.history.entries if one.keys]) == 2)

    played(scene, record=record)
    found = Interrupted(record)
    assert found.replay.ended is None
    assert len([event for event in found.replay.events if type(event).__name__ == "Moved"]) == 2


def test_a_hostile_name_is_shown_as_text() -> None:
    """No escape sequence and no markup of a player reaches the screen."""

    async def scene(seat: Sitting) -> None:
        game, start = seat.view.game, seat.view.history.entries[0].state
        names = ["\x1b]0;owned\x07[bold]x[/bold]", "b"]
        seat.view.history = MatchLog(game)
        seat.view.history.see(announced(agreed(game, names, 1), start))
        seat.view.draw()
        shown = seat.view.export_screenshot()
        assert "\x1b" not in shown
        assert "[bold]" in shown.replace("&#160;", " "), "markup is text"

    played(scene)


def test_what_is_printed_meanwhile_is_shown() -> None:
    """Text or bytes, the last line; nothing of it reaches the terminal."""

    async def scene(seat: Sitting) -> None:
        for text in ("compiling\r 50 %\x1b[2J", b"\xffdone\n"):
            seat.view.post_message(Print(text, stderr=True))  # type: ignore[arg-type]
            await seat.pilot.pause()
        assert seat.view.printed == "�done"
        seat.view.post_message(Print("a\x1b[2J\n", stderr=True))
        await seat.pilot.pause()
        assert seat.view.printed == r"a\x1b[2J"

    played(scene)


def test_a_screen_that_fails_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is our failure, and no player's."""

    async def run() -> None:
        async with sitting() as seat:
            await seat.turn()
            monkeypatch.setattr(seat.view, "status", lambda: 1 / 0)
            await seat.press("u")

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())
    view = MatchView(registry.game("hexapawn"), MatchLog(registry.game("hexapawn")))
    view.failure = ZeroDivisionError("division by zero")
    with pytest.raises(ScreenFailed, match=r"the full screen failed \(ZeroDivisionError: .*--plain"):
        view.check()
