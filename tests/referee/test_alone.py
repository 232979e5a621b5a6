"""When one seat is left, the match ends and this seat has won, unless the conduct lets it play on."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, conduct
from referee.goals_reached import sent_on
from touchline.bots.random import Random as RandomBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.standard import CONDUCT as STANDARD
from touchline.core import events
from touchline.core.conduct import Conduct, Offence, ladder
from touchline.core.events import Ended, Event, Refused, Resigned
from touchline.core.messages import Act, Resign
from touchline.core.messages import Resigned as GivesUp
from touchline.core.referee import ALONE
from touchline.core.registry import CONDUCTS
from touchline.core.rules import Outcome
from touchline.drivers.match import agreed, play_now
from touchline.games.fish import Fish, FishState
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.rules import Game

PLAY_ON = msgspec.structs.replace(STANDARD, name="custom", alone="play_on")


def ended(dialogue: Dialogue) -> list[str]:
    """The kinds of the events of the last happening."""
    dialogue.verify()
    return dialogue.kinds()


def test_who_resigns_loses_at_once() -> None:
    """The other seat has won, with the scores as they stand; the reason says who left."""
    dialogue = Dialogue(FISH, under=STANDARD).seated().moves(12)
    state = dialogue.state
    assert isinstance(state, FishState)
    assert any(state.scores)
    dialogue.hear(1, Resign())
    assert ended(dialogue) == ["Resigned", "Ended"]
    assert dialogue.result.verdict == "finished"
    assert dialogue.result.outcome == Outcome((0,), (1, None), state.scores, ALONE)
    assert dialogue.result.reason == "player 1 resigned"
    assert dialogue.words(0) == ["Over"]
    assert dialogue.words(1) == ["Expelled"]
    assert dialogue.dismissed() == [1, 0]


@pytest.mark.parametrize("game", [FISH, MAZE])
@pytest.mark.parametrize("seat", [0, 1])
def test_who_is_expelled_loses_at_once(game: Game, seat: int) -> None:
    """On its turn or not, in a game that goes on by its own rules."""
    dialogue = Dialogue(game, under=STANDARD).seated().moves(2)
    dialogue.fail(seat)
    assert ended(dialogue) == ["Faulted", "Expelled", "Ended"]
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1 - seat,)
    assert dialogue.result.reason == f"player {seat} was removed"
    assert dialogue.result.expelled == (seat,)


def test_a_game_that_ends_by_itself_keeps_its_words() -> None:
    """In Hexapawn the other seat has won by the rules."""
    results = []
    for under in (COURSE, STANDARD):
        dialogue = Dialogue(HEXAPAWN, under=under).seated().moves(1)
        dialogue.hear(1, Resign())
        results.append((dialogue.result.outcome, dialogue.result.reason))
    assert results[0] == results[1]


def test_of_three_seats_two_must_leave() -> None:
    """Two play on; then the last one has won, and the others have no rank."""
    dialogue = Dialogue(FISH, 3, under=STANDARD).seated().moves(4)
    dialogue.hear(0, Resign())
    assert dialogue.referee.result is None
    dialogue.moves(2)
    dialogue.fail(2)
    assert ended(dialogue) == ["Faulted", "Expelled", "Ended"]
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.ranks == (None, 1, None)
    assert dialogue.result.reason == "only player 1 is left"


@pytest.mark.parametrize("under", [COURSE, PLAY_ON])
def test_where_the_conduct_says_so_it_plays_on(under: Conduct) -> None:
    """As in the courses: it is asked until it cannot move, and may still fail."""
    dialogue = Dialogue(FISH, under=under).seated().moves(2)
    dialogue.hear(0, Resign())
    assert dialogue.words(1) == ["YourTurn"]
    assert dialogue.play_out().reason == "nobody can move"
    dialogue = Dialogue(FISH, under=under).seated().moves(2)
    dialogue.hear(0, Resign())
    dialogue.cheat(1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()


def test_courses_and_seeds_play_on() -> None:
    """Only the conducts of our own end a match, and the others are written as ever."""
    ours = {"friendly", "standard"}
    assert {name for name, one in CONDUCTS.items() if one.alone == "end"} == ours
    for name, one in CONDUCTS.items():
        assert (b"alone" in msgspec.json.encode(one)) == (name in ours)


def test_before_the_first_turn() -> None:
    """A seat that never comes leaves the other one alone: it has won, and hears it in its last message."""
    refused = [Refused(1, Offence.REFUSED, "no such program")]
    dialogue = Dialogue(FISH, under=STANDARD, refused=refused)
    assert ended(dialogue) == ["Faulted", "Expelled", "Ended"]
    assert dialogue.words(0) == ["Begin", "Over"]
    both = Dialogue(FISH, under=STANDARD, refused=[*refused, Refused(0, Offence.GONE, "x")])
    assert both.result.outcome is not None
    assert both.result.outcome.winners == ()
    late = Dialogue(FISH, under=STANDARD)
    late.lapse(0)
    assert ended(late) == ["Faulted", "Expelled", "Ended"]
    assert late.words(1) == ["Over"]


def test_nobody_confirms_a_goal_after_the_end() -> None:
    """A seat that was sent on when the other one left has won: it need not answer."""
    dialogue = sent_on(0, under=STANDARD)
    assert dialogue.referee.phase == "goal"
    dialogue.hear(1, Resign())
    assert ended(dialogue) == ["Resigned", "Ended"]
    assert dialogue.words(0) == ["Over"]
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.scores == (1, 0)


def test_a_game_that_shows_no_scores() -> None:
    """The winner has 1, and the others have 0, as in a match that was forfeited."""

    class Scoreless(msgspec.Struct, frozen=True):
        state: Any

        def __getattr__(self, name: str) -> Any:
            if name == "scores":
                raise AttributeError(name)
            return getattr(self.state, name)

        def without(self, seat: int) -> Any:
            return Scoreless(self.state.without(seat))

    dialogue = Dialogue(Fish(rows=4, cols=4), 3, under=STANDARD).seated()
    dialogue.referee.state = Scoreless(dialogue.state)
    dialogue.hear(0, Resign())
    dialogue.hear(2, Resign())
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.scores == (0, 1, 0)


def test_a_record_of_before_plays_on() -> None:
    """A conduct without the field is one of before: its match is replayed as it was played."""
    dialogue = Dialogue(FISH, under=COURSE).seated().moves(3)
    dialogue.hear(1, Resign())
    dialogue.play_out()
    data = dialogue.record()
    assert b'"alone"' not in data
    Replay(data, "x").verify()
    assert sum(isinstance(event, events.Moved) for event in dialogue.events) > 3


def test_bots_of_this_process() -> None:
    """The fast lane ends with the resignation."""

    class Tired(RandomBot):
        def choose(self, view: Any, turn: int = 0) -> Any:
            if turn > 5:
                raise GivesUp("tired")
            return super().choose(view, turn)

    seen: list[Event] = []
    spec = agreed(FISH, ["Ann", "Bo"], seed=1)
    result = play_now(spec, [RandomBot(Random(0)), Tired(Random(1))], [seen.append])
    assert (result.reason, result.turns) == ("Bo resigned", 8)
    assert [type(event) for event in seen[-2:]] == [Resigned, Ended]


# -- any conduct ---------------------------------------------------------------------------------


def ladders() -> st.SearchStrategy[dict[str, Any]]:
    """Any ladder for each offence that a test here commits."""
    words = st.lists(st.sampled_from(["retry 2", "skip", "default", "random"]), max_size=2)
    ends = st.sampled_from(["expel", "forfeit", "void", "random"])
    rungs = st.builds(lambda steps, last: ladder(*steps, last), words, ends)
    return st.fixed_dictionaries({"illegal": rungs, "late": rungs})


@settings(max_examples=120, deadline=None)
@given(
    ladders(), st.sampled_from(["end", "play_on", msgspec.UNSET]), st.integers(2, 4), st.integers(0, 10**6)
)
def test_any_conduct(rungs: dict[str, Any], alone: Any, seats: int, seed: int) -> None:
    """A match ends with one seat left if, and only if, the conduct says so; else the conducts agree."""
    rng, under = Random(seed), conduct(COURSE, **rungs, alone=alone)
    dialogue = Dialogue(Fish(rows=5, cols=4), seats, under=under, turn_cap=60).seated()
    alone_since: int | None = None
    while dialogue.referee.result is None:
        seat = rng.randrange(seats)
        what = rng.choice(["move"] * 6 + ["cheat", "late", "resign"])
        if what == "move":
            dialogue.hear(dialogue.on_turn, Act(rng.choice(list(dialogue.state.legal_moves()))))
        elif what == "cheat":
            dialogue.cheat(dialogue.on_turn, dialogue.referee.turn)
        elif what == "late":
            dialogue.lapse(dialogue.on_turn)
        elif len(dialogue.referee.expelled) < seats - 1 or alone != "end":
            dialogue.hear(seat, Resign())
        if len(dialogue.referee.expelled) == seats - 1 and alone_since is None:
            alone_since = len(dialogue.events)
            assert (dialogue.referee.result is not None) == (alone == "end" or dialogue.state.to_move is None)
    result = dialogue.result
    if alone == "end" and alone_since is not None and result.verdict == "finished":
        assert result.outcome is not None
        assert len(result.outcome.winners) == 1
    assert (result.outcome is not None and result.outcome.reason == ALONE) <= (alone == "end")
    dialogue.verify()
