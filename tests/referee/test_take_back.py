"""A seat takes a turn back, where the terms allow it: the match goes on from the state before that turn."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, absentees, every
from touchline.core import events
from touchline.core.clock import Clock, Limits
from touchline.core.errors import BadInput, BadOptions
from touchline.core.fold import Fold, after, turns_taken_back
from touchline.core.happenings import TookBack
from touchline.core.messages import Act, Update, YourTurn
from touchline.drivers.match import agreed, announced, opened, play_now
from touchline.records.fast_replay import follows_quickly
from touchline.records.match_log import log_of
from touchline.records.positions import positions
from touchline.records.replay import Replay
from touchline.records.rerun import happenings
from touchline.records.script import script_of

if TYPE_CHECKING:
    from touchline.core.rules import Game


def table(game: Game = HEXAPAWN, seats: int = 2, **terms: Any) -> Dialogue:
    return Dialogue(game, seats, takeback=True, **terms).seated()


def test_the_state_before_the_turn_is_back() -> None:
    """The seat is asked again, in a turn with a new number."""
    dialogue = table()
    states = [dialogue.state]
    for _ in range(3):
        dialogue.move()
        states.append(dialogue.state)
    dialogue.take(TookBack(0, 2))
    assert dialogue.noted() == [events.TakenBack(3, 0, to=2)]
    assert dialogue.state == states[2]
    assert dialogue.told(0) == [YourTurn(4, states[2], 100)]
    assert dialogue.told(1) == []
    assert dialogue.referee.awaited == {0: 100}
    dialogue.play_out()
    dialogue.verify()


def test_who_is_asked_may_take_its_last_turn_back() -> None:
    """The turns of the others since then are taken back with it."""
    dialogue = table().moves(4)
    assert dialogue.referee.last_turn_of(0) == 2
    dialogue.take(TookBack(0, 2))
    assert dialogue.words(0) == ["YourTurn"]
    assert dialogue.referee.last_turn_of(0) == 0
    assert dialogue.referee.last_turn_of(1) == 1
    dialogue.take(TookBack(1, 1))
    assert dialogue.noted() == [events.TakenBack(5, 1, to=1)]
    dialogue.play_out()
    dialogue.verify()


@pytest.mark.parametrize("to", [-1, 1, 3, 4, 5, 7])
def test_what_cannot_be_taken_back_is_ignored(to: int) -> None:
    """A turn of the other seat, one that was taken back, the one that goes on, and one that never was."""
    dialogue = table().moves(5)
    dialogue.take(TookBack(0, 4))
    dialogue.move()
    before = dialogue.state
    assert dialogue.take(TookBack(0, to)) == []
    assert dialogue.state == before
    assert dialogue.referee.turn == 7


def test_only_where_the_terms_allow_it() -> None:
    """In any other match it is nothing, and the header does not name it."""
    dialogue = Dialogue(HEXAPAWN).seated().moves(2)
    assert dialogue.take(TookBack(0, 0)) == []
    assert dialogue.referee.last_turn_of(0) is None
    assert b"takeback" not in dialogue.record()
    assert b'"takeback":true' in table().record()


def test_not_before_the_first_turn_nor_after_the_end() -> None:
    """There is nothing to take back yet, or no more."""
    dialogue = Dialogue(HEXAPAWN, takeback=True)
    assert dialogue.take(TookBack(0, 0)) == []
    dialogue.seated().play_out()
    assert dialogue.take(TookBack(0, 0)) == []
    assert dialogue.referee.last_turn_of(0) is None


def test_a_game_that_hides_something_has_no_take_backs() -> None:
    """What a seat has seen cannot be unseen: such terms are refused, also in a record."""
    with pytest.raises(BadOptions, match="labyrinth hides what seats must not know"):
        opened(agreed(MAZE, "ab", 1, takeback=True))
    dialogue = Dialogue(MAZE).seated().moves(1)
    dialogue.breaks()
    head, *rest = dialogue.record().splitlines(keepends=True)
    forged = head.replace(b'"position":', b'"takeback":true,"position":')
    with pytest.raises(BadInput, match="labyrinth hides"):
        Replay(b"".join([forged, *rest]), "x").verify()


def test_a_seat_that_left_does_not_come_back() -> None:
    """What happened before a seat left stays: it cannot be asked any more whether it agrees."""
    dialogue = table(FISH, 3).moves(4)
    dialogue.fail(2)
    assert dialogue.referee.last_turn_of(0) is None
    assert dialogue.take(TookBack(0, 3)) == []
    dialogue.move()
    dialogue.take(TookBack(1, 4))
    assert dialogue.noted() == [events.TakenBack(5, 1, to=4)]
    dialogue.play_out()
    dialogue.verify()


def test_nobody_is_asked_who_is_not_there() -> None:
    """A seat whose player is gone takes nothing back."""
    dialogue = table(FISH, 3, under=absentees("skip 9", "expel", idle=9)).moves(3)
    dialogue.fail(2)
    assert dialogue.take(TookBack(2, 2)) == []
    assert dialogue.kinds() == []
    dialogue.take(TookBack(1, 1))
    assert dialogue.kinds() == ["TakenBack"]


def test_a_turn_that_was_taken_away_can_be_taken_back() -> None:
    """Also a move that the referee made for the seat."""
    for word in ("skip", "default"):
        dialogue = table(FISH, under=every(word)).moves(2)
        before = dialogue.state
        dialogue.lapse(0)
        dialogue.take(TookBack(0, 2))
        assert dialogue.state == before
        dialogue.play_out()
        dialogue.verify()


def test_an_answer_to_a_turn_that_was_taken_back_is_stale() -> None:
    """It is ignored, with its number or without, and the next one counts."""
    for number in (3, None):
        dialogue = table().moves(3)
        late = dialogue.state.legal_moves()[0]
        dialogue.take(TookBack(0, 2))
        dialogue.hear(1, Act(late, number))
        assert dialogue.kinds() == ["Ignored"]
        dialogue.move()
        dialogue.move()
        assert dialogue.kinds() == ["Moved"]
        dialogue.play_out()
        dialogue.verify()


def test_time_that_was_spent_stays_spent() -> None:
    """The clock of a seat does not go back; a turn that was broken off is not charged."""
    bank = Limits(set_up=1000, clock=Clock(per_move=0, bank=500))
    dialogue = table(limits=bank, under=every("retry", "expel"))
    dialogue.move(took=100)
    dialogue.move(took=30)
    dialogue.cheat(0, took=50)
    assert dialogue.referee.awaited == {0: 350}
    dialogue.take(TookBack(0, 0))
    assert dialogue.referee.awaited == {0: 400}
    dialogue.hear(0, Act(dialogue.state.legal_moves()[0], dialogue.referee.turn), 1)
    assert dialogue.referee.awaited == {1: 470}


def test_seats_that_want_updates_are_shown_the_state() -> None:
    """As after any turn."""
    dialogue = Dialogue(HEXAPAWN, takeback=True).seated(0, 1).moves(2)
    dialogue.take(TookBack(0, 0))
    assert [type(message) for message in dialogue.told(0)] == [Update, YourTurn]
    assert dialogue.told(1) == [Update(3, dialogue.state)]


def test_the_cap_on_turns_holds() -> None:
    """Turn numbers go on, so that a match in which everything is taken back ends, too."""
    dialogue = table(turn_cap=20)
    for _ in range(10):
        dialogue.move()
        dialogue.take(TookBack(0, dialogue.referee.last_turn_of(0) or 0))
    assert dialogue.result.verdict == "void"
    dialogue.verify()


# -- any play ------------------------------------------------------------------------------------

GAMES = [(HEXAPAWN, 2), (FISH, 2), (FISH, 3)]


def random_play(seed: int, game: Game, seats: int) -> Dialogue:
    """A match with random moves and random take-backs, to its end."""
    rng, dialogue = Random(seed), table(game, seats, turn_cap=400)
    while dialogue.referee.result is None:
        seat = rng.randrange(seats)
        to = rng.choice([dialogue.referee.last_turn_of(seat), rng.randrange(dialogue.referee.turn + 1)])
        if to is not None and rng.random() < 0.25:
            dialogue.take(TookBack(seat, to))
        else:
            moves = dialogue.state.legal_moves()
            dialogue.hear(dialogue.on_turn, Act(rng.choice(moves), dialogue.referee.turn))
    return dialogue


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(GAMES))
def test_it_is_as_if_only_the_other_moves_had_been_made(seed: int, at: tuple[Game, int]) -> None:
    """The state, the outcome and what follows are those of a match of the moves that were not taken back."""
    dialogue = random_play(seed, *at)
    undone = turns_taken_back(dialogue.events)
    kept = [
        event for event in dialogue.events if isinstance(event, events.Moved) and event.turn not in undone
    ]
    plain = Dialogue(*at, turn_cap=400).seated()
    for event in kept:
        assert plain.on_turn == event.seat
        plain.hear(event.seat, Act(event.move))
    assert plain.state == dialogue.state
    if dialogue.result.verdict == "finished":
        assert plain.result.outcome == dialogue.result.outcome
    assert [(step.seat, step.move) for step in script_of(Replay(dialogue.record(), "x"), 0)] == [
        (event.seat, event.move) for event in kept
    ]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(GAMES))
def test_the_record_proves_itself_whole_or_cut(seed: int, at: tuple[Game, int]) -> None:
    """It verifies, its states are the referee's, and it can be replayed from any line on."""
    dialogue = random_play(seed, *at)
    replay = Replay(dialogue.record(), "x")
    replay.verify()
    assert follows_quickly(replay, replay.spec())
    *_, (_, last) = replay.states()
    assert last == dialogue.state
    again = Dialogue(*at, takeback=True, turn_cap=400)
    for happening in happenings(replay):
        again.take(happening)
    assert again.events[1:-1] == dialogue.events[1:-1]
    assert len(list(positions(replay))) == len(dialogue.events)
    log_of(replay)


def test_a_changed_take_back_is_found() -> None:
    """Another turn, another seat, or no take-back at all: the record does not verify."""
    dialogue = table().moves(5)
    dialogue.take(TookBack(0, 2))
    dialogue.play_out()
    lines = dialogue.record().splitlines(keepends=True)
    (at,) = [number for number, line in enumerate(lines) if b"taken_back" in line]
    event = json.loads(lines[at])
    for change in ({"to": 0}, {"to": 4}, {"seat": 1}, {"turn": 4}, {"to": 99}):
        other = json.dumps(event | change).encode() + b"\n"
        with pytest.raises(BadInput):
            Replay(b"".join([*lines[:at], other, *lines[at + 1 :]]), "x").verify()
    with pytest.raises(BadInput):
        Replay(b"".join([*lines[:at], *lines[at + 1 :]]), "x").verify()
    plain = [lines[0].replace(b'"takeback":true,', b""), *lines[1:]]
    with pytest.raises(BadInput, match="replayed, this line is"):
        Replay(b"".join(plain), "x").verify()
    with pytest.raises(BadInput, match="impossible event: turn 2 cannot be taken back"):
        list(Replay(b"".join(plain), "x").states())


def test_one_fold_follows_take_backs() -> None:
    """A single state does not know what was before; a fold without take-backs keeps no states."""
    dialogue = table().moves(2)
    back = events.TakenBack(2, 0, to=0)
    with pytest.raises(ValueError, match="not from a state"):
        after(dialogue.state, back)
    with pytest.raises(ValueError, match="turn 0 cannot be taken back"):
        Fold(dialogue.state).take(back)
    fold = Fold(opened(dialogue.spec))
    for event in dialogue.events:
        fold.take(event)
    assert fold.take(back) == opened(dialogue.spec)


def test_a_fold_does_not_bring_seats_back() -> None:
    """As the referee does not: a forged record cannot either."""
    dialogue = table(FISH, 3).moves(3)
    fold = Fold(opened(dialogue.spec))
    for event in (*dialogue.events, events.Expelled(3, 2, "gone: it hung up")):
        fold.take(event)
    with pytest.raises(ValueError, match="turn 0 cannot be taken back"):
        fold.take(events.TakenBack(3, 0, to=0))


def test_bots_of_this_process_may_play_such_a_match() -> None:
    """Nobody takes anything back there, and the record verifies."""
    from touchline.bots.random import Random as RandomBot

    spec = agreed(HEXAPAWN, "ab", 1, takeback=True)
    seen: list[events.Event] = []
    play_now(spec, [RandomBot(Random(0)), RandomBot(Random(1))], [seen.append])
    assert seen[0] == announced(spec, opened(spec))
    Replay(b"".join(events.encode(event) + b"\n" for event in seen), "x").verify()
