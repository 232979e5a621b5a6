"""What each seat is told: updates, skipped turns, offences, and no secrets of other seats."""

from __future__ import annotations

from typing import Any

import pytest

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, every, fault
from touchline.core import events, messages
from touchline.core.conduct import ABSENT, LATENESS, Offence
from touchline.core.events import encode
from touchline.core.happenings import Tell
from touchline.core.messages import Accepted, Over, Rejected, Update, YourTurn
from touchline.core.rules import Outcome
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth, LabyrinthState

# -- who is told what ----------------------------------------------------------------------------


def test_updates_only_to_those_who_asked() -> None:
    """Who said so hears of each move and that its own is accepted; the others are only asked to move."""
    dialogue = Dialogue(FISH, 3).seated(1)
    dialogue.move()
    assert dialogue.words(0) == dialogue.words(2) == []
    assert dialogue.told(1) == [Update(1, dialogue.state), YourTurn(1, dialogue.state, 100)]
    dialogue.move()
    assert dialogue.told(1) == [Accepted(1), Update(2, dialogue.state)]
    assert dialogue.words(2) == ["YourTurn"]


def test_no_update_when_it_is_over() -> None:
    """The last state comes with the last word."""
    dialogue = Dialogue(HEXAPAWN).seated(0, 1)
    dialogue.play_out()
    loser = next(
        seat for seat in (0, 1) if seat not in (dialogue.result.outcome or Outcome((), (), (), "")).winners
    )
    assert dialogue.words(loser) == ["Over"]


def passed_over(dialogue: Dialogue) -> list[events.PassedOver]:
    return [event for event in dialogue.noted() if isinstance(event, events.PassedOver)]


def test_passed_over() -> None:
    """A seat that cannot move is noted and told, if it wants to know, and the next one is asked."""
    for seed in range(40):
        dialogue = Dialogue(FISH, 3, seed=seed).seated(0, 1, 2)
        while dialogue.referee.result is None:
            dialogue.move(seed % len(dialogue.state.legal_moves()))
            for event in passed_over(dialogue):
                assert event == events.PassedOver(dialogue.referee.turn, dialogue.state.passed_over)
                for seat in event.seats:
                    assert messages.Skipped(dialogue.referee.turn, "no move is possible") in dialogue.told(
                        seat
                    )
                return
    pytest.fail("nobody was ever passed over")


def test_passed_over_after_an_expulsion() -> None:
    """Who cannot move when the seat before it is expelled is noted and told just the same."""
    for seed in range(200):
        dialogue = Dialogue(FISH, 3, seed=seed).seated(0, 1, 2)
        while dialogue.referee.result is None:
            seat, after = dialogue.on_turn, dialogue.state.without(dialogue.on_turn)
            if after.passed_over and after.to_move is not None:
                dialogue.garble(seat)
                assert passed_over(dialogue) == [events.PassedOver(dialogue.referee.turn, after.passed_over)]
                for other in after.passed_over:
                    assert "Skipped" in dialogue.words(other)
                return
            dialogue.move(seed % len(dialogue.state.legal_moves()))
    pytest.fail("nobody was ever passed over")


def secrets(view: LabyrinthState, seat: int | None) -> list[Any]:
    """What a view tells of other seats' secrets."""
    others = [seeker for other, seeker in enumerate(view.seekers) if other != seat]
    known = [getattr(seeker, field) for seeker in others for field in ("goal", "found", "homeward")]
    return [*known, view.pool, view.reached if view.reached != seat else None]


@pytest.mark.parametrize("seed", range(5))
def test_no_seat_is_told_another_seats_secrets(seed: int) -> None:
    """Until a Labyrinth is over, nothing a seat is told says anything of the others' goals."""
    game = Labyrinth(rows=5, cols=5, goals=1)
    dialogue = Dialogue(game, 3, under=every("retry 2", "skip 2", "expel"), turn_cap=24, seed=seed).seated(
        0, 1, 2
    )
    while dialogue.referee.result is None:
        moves = dialogue.state.legal_moves()
        turn = dialogue.referee.turn
        if turn % 5 == 1:
            dialogue.cheat(dialogue.on_turn)
        if turn == 11:
            dialogue.fail((dialogue.on_turn + 1) % 3)
        dialogue.move(turn * 7 % len(moves))
    seen = 0
    for effect in dialogue.effects:
        view = getattr(effect.message, "view", None) if isinstance(effect, Tell) else None
        if isinstance(effect, Tell) and isinstance(view, LabyrinthState) and not view.ended:
            assert set(secrets(view, effect.seat)) == {None}
            assert view.seekers[effect.seat].goal is not None
            seen += 1
    assert seen > 20
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    assert {seeker.goal for seeker in begun.position.seekers} == {None}
    assert begun.position.pool is None
    assert str(dialogue.spec.seed) not in encode(begun).decode().split('"')
    for event in dialogue.events[:-1]:
        assert b"goal" not in encode(event).replace(b'"goal":null', b"").replace(b'"goals":1', b"")
    dialogue.verify()


def test_a_void_match_gives_no_secrets_away() -> None:
    """A match that is ended before the game is shows each seat its own view only."""
    dialogue = Dialogue(MAZE, 3).seated()
    dialogue.breaks()
    for seat in range(3):
        (over,) = dialogue.told(seat)
        assert isinstance(over, Over)
        assert set(secrets(over.view, seat)) == {None}


# -- what a seat is told of its offence ----------------------------------------------------------


def test_a_rejection_says_for_which_offence() -> None:
    """Illegal, malformed, late, and out of turn: a dialect may have a word for each."""
    dialogue = Dialogue(FISH, 3, under=every("retry 9", "expel")).seated()
    dialogue.cheat(0)
    assert dialogue.told(0)[0] == Rejected(0, fault(dialogue).reason, Offence.ILLEGAL)
    dialogue.garble(0)
    assert dialogue.told(0)[0] == Rejected(0, "noise", Offence.MALFORMED)
    dialogue.lapse(0)
    assert dialogue.told(0)[0] == Rejected(0, "no answer in time", Offence.LATE)
    dialogue.cheat(1)
    assert dialogue.told(1)[0] == Rejected(0, "it is not your turn", Offence.OUT_OF_TURN)


@pytest.mark.parametrize("offence", ["late", "malformed", "illegal"])
def test_a_turn_that_is_taken_away_says_for_which_offence(offence: str) -> None:
    """And one without an offence, because no move was possible, says none."""
    dialogue = Dialogue(MAZE, 3, under=every("skip")).seated(0)
    if offence == "late":
        dialogue.lapse(0)
    elif offence == "malformed":
        dialogue.garble(0)
    else:
        dialogue.cheat(0)
    assert dialogue.told(0)[0] == messages.Skipped(0, fault(dialogue).reason, Offence(offence))


def test_no_offence_if_no_move_is_possible() -> None:
    """Who is passed over has done nothing wrong."""
    told = []
    for seed in range(30):
        dialogue = Dialogue(Fish(rows=4, cols=4, holes=2), 4, seed=seed).seated(0, 1, 2, 3)
        dialogue.play_out()
        told += [
            effect.message
            for effect in dialogue.effects
            if isinstance(effect, Tell) and isinstance(effect.message, messages.Skipped)
        ]
    assert {message.offence for message in told} == {None}
    assert {message.reason for message in told} == {"no move is possible"}


@pytest.mark.parametrize("offence", list(Offence))
def test_the_last_word_says_for_which_offence(offence: Offence) -> None:
    """Every offence that expels is named with it."""
    dialogue = Dialogue(FISH, 3, under=every("expel")).seated()
    seat = 1 if offence is Offence.OUT_OF_TURN else 0
    if offence in ABSENT:
        dialogue.fail(seat, offence)
    elif offence in LATENESS:
        dialogue.lapse(seat, starved=offence is Offence.STARVED)
    elif offence is Offence.MALFORMED:
        dialogue.garble(seat)
    else:
        dialogue.cheat(seat)
    assert dialogue.told(seat) == [messages.Expelled(f"{offence.value}: {fault(dialogue).reason}", offence)]
