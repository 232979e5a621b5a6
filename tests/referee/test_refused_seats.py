"""Seats that failed before the match."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, always
from touchline.conducts.hexapawn_ports import CONDUCT as SEED_002
from touchline.core import events, messages
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.events import Refused
from touchline.games.labyrinth import LabyrinthState


def test_the_refused_are_not_greeted() -> None:
    """A seat that failed before the match is told that it is out, and nothing else; the rest sit down."""
    dialogue = Dialogue(FISH, 3, refused=[Refused(1, Offence.LATE, "no board in time")])
    assert dialogue.kinds() == ["Faulted", "Expelled"]
    assert dialogue.told(1) == [messages.Expelled("late: no board in time", Offence.LATE)]
    assert dialogue.dismissed() == [1]
    assert [dialogue.words(seat) for seat in (0, 2)] == [["Begin"], ["Begin"]]
    assert dialogue.referee.awaited == {0: 1000, 2: 1000}
    dialogue.seated()
    result = dialogue.play_out()
    assert result.expelled == (1,)
    assert result.outcome is not None
    assert result.outcome.ranks[1] is None
    dialogue.verify()


def test_the_refused_are_in_the_first_line() -> None:
    """The record says who was refused; another who would make no sense there is no record."""
    dialogue = Dialogue(FISH, 3, refused=[Refused(1, Offence.FLOOD, "too much")]).seated()
    dialogue.play_out()
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    assert begun.refused == (Refused(1, Offence.FLOOD, "too much"),)
    for other in (Refused(0, Offence.FLOOD, "too much"), Refused(1, Offence.GONE, "too much")):
        dialogue.events[0] = msgspec.structs.replace(begun, refused=(other,))
        with pytest.raises(BadInput, match="line 2"):
            dialogue.verify()
    for seat in (-1, 3, 99):
        dialogue.events[0] = msgspec.structs.replace(begun, refused=(Refused(seat, Offence.GONE, ""),))
        with pytest.raises(BadInput, match="line 1"):
            dialogue.verify()


@pytest.mark.parametrize("offence", [offence for offence in Offence if offence is not Offence.OUT_OF_TURN])
@pytest.mark.parametrize("word", ["skip", "random", "default", "expel", "forfeit", "void"])
def test_every_sanction_of_the_refused(offence: Offence, word: str) -> None:
    """Nobody who has failed can sit down: what is not final expels."""
    dialogue = Dialogue(FISH, 3, under=always(word), refused=[Refused(0, offence, "it failed")])
    final = word if word in ("forfeit", "void") else "expel"
    assert dialogue.verdicts() == [(0, offence.value, final)]
    if final == "expel":
        dialogue.seated().play_out()
    assert dialogue.result.verdict == {"forfeit": "forfeited", "void": "void"}.get(word, "finished")
    dialogue.verify()


def test_who_only_talked_too_early_may_sit_down() -> None:
    """Talking before the match is out of turn, which the course forgives."""
    dialogue = Dialogue(FISH, 2, refused=[Refused(0, Offence.OUT_OF_TURN, "it was not asked")])
    assert dialogue.verdicts() == [(0, "out_of_turn", "retry")]
    assert dialogue.words(0) == ["Rejected", "Begin"]
    dialogue.seated().play_out()
    dialogue.verify()


@pytest.mark.parametrize("game", [HEXAPAWN, FISH, MAZE], ids=["hexapawn", "fish", "labyrinth"])
@pytest.mark.parametrize("talks", [(0, 1), ()])
def test_everybody_is_refused(game: Any, talks: tuple[int, ...]) -> None:
    """They have all failed before it began, so nobody wins, and nobody is greeted."""
    refused = [Refused(seat, Offence.GONE, "it hung up") for seat in (0, 1)]
    dialogue = Dialogue(game, 2, refused=refused, talks=talks)
    assert dialogue.result.expelled == (0, 1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.all_words(0) == (["Expelled"] if talks else [])
    dialogue.verify()


def test_one_of_two_is_refused() -> None:
    """The other is greeted, so that it knows its seat, and has won."""
    dialogue = Dialogue(HEXAPAWN, 2, refused=[Refused(0, Offence.REFUSED, "did not start")])
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1,)
    assert dialogue.words(1) == ["Begin", "Over"]
    dialogue.verify()


def test_only_the_first_of_the_refused_forfeits() -> None:
    """The match is over with it, and nothing more is found out."""
    refused = [Refused(seat, Offence.GONE, "it hung up") for seat in (0, 1)]
    dialogue = Dialogue(HEXAPAWN, 2, under=SEED_002, refused=refused)
    assert dialogue.verdicts() == [(0, "gone", "forfeit")]
    assert dialogue.words(1) == ["Over"]
    dialogue.verify()


def test_nobody_is_refused_twice() -> None:
    """Who is out is out."""
    refused = [Refused(0, Offence.LATE, "once"), Refused(0, Offence.GONE, "twice")]
    dialogue = Dialogue(FISH, 3, refused=refused).seated()
    assert dialogue.verdicts() == [(0, "late", "expel")]
    dialogue.play_out()
    dialogue.verify()


def test_bots_can_be_refused() -> None:
    """A seat that does not talk is out without a word."""
    dialogue = Dialogue(FISH, 3, talks=(), refused=[Refused(0, Offence.REFUSED, "did not start")])
    assert dialogue.all_words(0) == []
    assert dialogue.dismissed() == [0]
    assert dialogue.words(1) == ["YourTurn"]
    dialogue.play_out()
    dialogue.verify()


def test_proposals_are_in_the_first_line() -> None:
    """From the seed and the proposals the same start follows, and from other proposals another."""
    theirs = MAZE._drawn(Random(5))
    dialogue = Dialogue(MAZE, 2, proposals=[None, theirs]).seated()
    assert isinstance(dialogue.state, LabyrinthState)
    assert dialogue.state.position().connectors == theirs.connectors
    dialogue.play_out()
    dialogue.verify()
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    for other in ((), (None, None), (MAZE._drawn(Random(6)), None)):
        dialogue.events[0] = msgspec.structs.replace(begun, proposals=other)
        with pytest.raises(BadInput, match="line 1"):
            dialogue.verify()
