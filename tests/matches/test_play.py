"""`touchline.play` and its kin: any players, a typed result, a record."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

import touchline
from touchline.bots.random import Random as RandomBot
from touchline.records.recording import NotRecorded

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


class First:
    """Plays the first legal move."""

    def choose(self, view: Any, turn: int = 0) -> Any:
        return view.legal_moves()[0]


class Drawing:
    """Plays a random move, from the generator that it is given."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self._rng.choice(view.legal_moves())


class Wrong:
    """Never plays a move."""

    def choose(self, view: Any, turn: int = 0) -> Any:
        return None


SMALL = touchline.Hexapawn(rows=3, cols=3)


@pytest.fixture
def bot_file(tmp_path: Path) -> Path:
    path = tmp_path / "mybot.py"
    path.write_text(
        textwrap.dedent(
            """
            class Mine:
                def choose(self, view, turn):
                    print("turn", turn)
                    return view.legal_moves()[0]
            """
        )
    )
    return path


def test_every_kind_of_player(bot_file: Path) -> None:
    """A house player, a file, a path, an object and a class sit at one table."""
    match = touchline.play("labyrinth", ["random", str(bot_file), bot_file, First(), First, Drawing], seed=1)
    assert match.players == ("random", str(bot_file), str(bot_file), "First", "First", "Drawing")
    assert (match.verdict, match.faults) == ("finished", ())
    assert match.stderr[1].startswith("turn")


def test_a_program(bot_file: Path) -> None:
    """A command is a player too."""
    command = f"process:{sys.executable} -m touchline.players.python_file {bot_file}"
    assert touchline.play(SMALL, [command, "random"], seed=1).verdict == "finished"


def test_the_same_seed_is_the_same_match() -> None:
    """Chance comes from the seed alone; without one it is drawn, and told."""
    first = touchline.play("fish", ["random", Drawing], seed=5)
    assert touchline.play("fish", ["random", Drawing], seed=5) == first
    drawn = touchline.play("fish", ["random", "random"])
    assert touchline.play("fish", ["random", "random"], seed=drawn.seed).result == drawn.result


def test_names_and_options_of_a_game() -> None:
    """Names can be given, and a game by name and options."""
    match = touchline.play(
        touchline.game("fish", rows=4, cols=3), [First, First], seed=1, names=["ann", "bob"]
    )
    assert match.players == ("ann", "bob")
    assert set(match.winners) <= {"ann", "bob"}


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        (["random"], {}, "hexapawn is for 2 players, not 1"),
        (["random", 7], {}, "7 is no player"),
        (["random", "nobody"], {}, "no bot is called 'nobody'"),
        (["random", "random"], {"names": ["ann"]}, "1 names for 2 players"),
        (["random", "random"], {"conduct": "none"}, "no conduct is called 'none'"),
        (["random", "random"], {"record": "/nowhere/at/all.jsonl"}, "cannot record to"),
    ],
)
def test_what_does_not_fit_is_said(players: list[Any], options: dict[str, Any], why: str) -> None:
    """A mistake of the caller is a TouchlineError of one line."""
    with pytest.raises(touchline.TouchlineError, match=why):
        touchline.play(SMALL, players, **options)


def test_an_offence_is_in_the_result() -> None:
    """A bot that misbehaves is expelled by the conduct, which can be chosen."""
    match = touchline.play(SMALL, [Wrong, "random"], seed=1)
    assert (match.winners, match.result.expelled) == (("random",), (0,))
    match = touchline.play(SMALL, [Wrong, "random"], seed=1, conduct="seed-002")
    assert match.verdict == "forfeited"
    assert match.rows()[0]["faults"] == 2


def test_limits_can_be_chosen() -> None:
    """`seconds` is the time for a move; what is recorded says so."""
    seen: list[touchline.Event] = []
    touchline.play(SMALL, ["random", "random"], seed=1, seconds=2.5, observers=[seen.append])
    assert seen[0].limits.clock.per_move == 2_500_000  # type: ignore[union-attr]
    touchline.play(SMALL, ["random", "random"], seed=1, limits=touchline.UNTIMED, observers=[seen.append])
    begun = [event for event in seen if type(event).__name__ == "Begun"]
    assert begun[-1].limits == touchline.UNTIMED  # type: ignore[union-attr]


def test_a_record_is_verified(tmp_path: Path) -> None:
    """A recorded match can be read, verified and stepped through, and shows itself."""
    match = touchline.play(SMALL, ["random", "random"], seed=1, record=tmp_path / "match.jsonl")
    replay = match.replay()
    replay.verify()
    assert [state for _, state in replay.states()][-1].outcome() == match.outcome
    assert repr(replay).startswith("<Replay hexapawn: random, random, ")
    assert "<svg" in replay._repr_html_()
    assert " won with 1" in replay._repr_html_()
    with pytest.raises(touchline.BadInput, match="not recorded"):
        touchline.play(SMALL, ["random", "random"], seed=1).replay()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
def test_a_full_disk_is_reported() -> None:
    """The match is played to its end, but the record is not said to be complete."""
    with pytest.raises(NotRecorded, match="/dev/full is not a whole record: No space left"):
        touchline.play(SMALL, ["random", "random"], seed=1, record="/dev/full")


def test_inside_an_event_loop() -> None:
    """In a notebook a loop is running: `play` plays, also with players that need a loop of their own."""

    async def cell() -> touchline.MatchResult:
        return touchline.play(SMALL, ["seed-002+random", "random"], seed=1)

    assert asyncio.run(cell()).verdict == "finished"


def test_asyncio(bot_file: Path, tmp_path: Path) -> None:
    """Matches run beside each other on one loop, with files and bots, and give what `play` gives."""

    async def two() -> tuple[touchline.MatchResult, touchline.MatchResult]:
        return await asyncio.gather(
            touchline.play_async(SMALL, [First(), "random"], seed=3, record=tmp_path / "a.jsonl"),
            touchline.play_async(SMALL, [bot_file, Drawing], seed=4),
        )

    first, second = asyncio.run(two())
    assert first.result.outcome == touchline.play(SMALL, [First(), "random"], seed=3).outcome
    assert second.result.outcome == touchline.play(SMALL, [First, Drawing], seed=4).outcome
    first.replay().verify()


def test_a_house_bot_object_is_prepared() -> None:
    """`touchline.bot` gives a player that can sit down at once."""
    perfect = touchline.bot("perfect", SMALL)
    assert touchline.play(SMALL, ["random", perfect], seed=1).winners == ("Perfect",)
    assert isinstance(touchline.bot("random", seed=3), RandomBot)
    with pytest.raises(touchline.BadOptions, match="riemann plays labyrinth, not fish"):
        touchline.bot("riemann", "fish")


def test_a_result_shows_itself() -> None:
    """One line as text, a table with escaped names in a notebook."""
    match = touchline.play(SMALL, ["random", "random"], seed=1, names=["<ann>", "bob"])
    assert repr(match).startswith("<MatchResult hexapawn: ")
    assert "\n" not in repr(match)
    assert "&lt;ann&gt;" in match._repr_html_()
    assert "<ann>" not in match._repr_html_()
