"""Each sanction, on turn and off turn."""

from __future__ import annotations

import pytest

from referee.dialogue import FISH, HEXAPAWN, Dialogue, conduct, every
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.core import events, messages
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Offence, Sanction, ladder
from touchline.core.messages import Act, Garbled, Over, Rejected, Update, YourTurn
from touchline.core.rules import Outcome

# -- sanctions on turn ---------------------------------------------------------------------------


def test_retry_on_turn() -> None:
    """The seat hears why and is asked again with the same number, and the state is as it was."""
    dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel")).seated()
    state = dialogue.state
    dialogue.garble(0)
    assert dialogue.told(0) == [Rejected(0, "noise", Offence.MALFORMED), YourTurn(0, state, 100)]
    assert dialogue.state is state
    dialogue.move()
    assert dialogue.referee.turn == 1


def test_retry_is_not_said_to_bots() -> None:
    """A bot in this process is only asked again."""
    dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel"), talks=())
    dialogue.cheat(0)
    assert dialogue.words(0) == ["YourTurn"]


def test_retry_keeps_the_used_time() -> None:
    """Who is asked again has only what is left of its time."""
    dialogue = Dialogue(FISH, 2, under=every("retry 5", "expel")).seated()
    dialogue.garble(0, took=30)
    assert dialogue.referee.awaited == {0: 70}
    dialogue.garble(0, took=30)
    assert dialogue.told(0)[-1] == YourTurn(0, dialogue.state, 40)
    dialogue.garble(0, took=40)
    assert dialogue.referee.awaited == {0: 0}
    assert dialogue.verdicts()[-1] == (0, "malformed", "retry")
    dialogue.move(took=1)
    assert dialogue.verdicts()[-1] == (0, "late", "retry")
    dialogue.play_out()
    dialogue.verify()


def test_retry_charges_the_bank_for_the_whole_turn() -> None:
    """The time of all tries together is what the clock is charged, and the next turn begins afresh."""
    limits = Limits(clock=Clock(per_move=100, bank=50, increment=5))
    dialogue = Dialogue(FISH, 2, under=every("retry 5", "expel"), limits=limits).seated()
    dialogue.garble(0, took=90)
    assert dialogue.referee.awaited == {0: 60}
    dialogue.move(took=40)
    assert dialogue.referee.clocks[0].bank == 25
    assert dialogue.referee.awaited == {1: 150}
    dialogue.move()
    assert dialogue.referee.awaited == {0: 125}


def test_retry_when_late_gives_the_time_again() -> None:
    """A seat that may be late once has its whole time once more."""
    dialogue = Dialogue(FISH, 2, under=every("retry", "expel")).seated()
    dialogue.lapse(0)
    assert dialogue.words(0) == ["Rejected", "YourTurn"]
    assert dialogue.referee.awaited == {0: 100}
    dialogue.lapse(0)
    assert dialogue.verdicts() == [(0, "late", "retry"), (0, "late", "expel")]


def test_untimed() -> None:
    """Without a limit a seat has as long as it likes, and is told so."""
    dialogue = Dialogue(FISH, 2, limits=Limits(clock=Clock(per_move=None))).seated()
    assert dialogue.told(0) == [YourTurn(0, dialogue.state, None)]
    dialogue.move(took=10**15)
    assert dialogue.kinds() == ["Moved"]
    assert dialogue.referee.awaited == {1: None}


def test_skip_on_turn() -> None:
    """The turn is taken away and the next seat is asked; those who want to know hear of it."""
    dialogue = Dialogue(FISH, 3, under=every("skip 2", "expel")).seated(0, 2)
    dialogue.garble(0)
    assert dialogue.verdicts() == [(0, "malformed", "skip")]
    assert dialogue.kinds() == ["Faulted", "Skipped"]
    assert dialogue.told(0) == [messages.Skipped(0, "noise", Offence.MALFORMED), Update(1, dialogue.state)]
    assert dialogue.words(1) == ["YourTurn"]
    assert dialogue.words(2) == ["Update"]
    assert (dialogue.on_turn, dialogue.referee.turn) == (1, 1)


def test_skip_where_the_game_has_none() -> None:
    """In Hexapawn a turn cannot be taken away, so the seat is expelled."""
    dialogue = Dialogue(HEXAPAWN, under=every("skip", "expel")).seated()
    dialogue.garble(0)
    assert dialogue.verdicts() == [(0, "malformed", "expel")]
    assert dialogue.result.expelled == (0,)


def test_skipping_for_ever_ends() -> None:
    """The third turn in a row that is taken away expels the seat, though its ladder says skip."""
    dialogue = Dialogue(FISH, 2, under=every("skip")).seated()
    while dialogue.referee.result is None:
        dialogue.lapse(dialogue.on_turn)
    assert dialogue.verdicts() == [
        (seat, "late", what) for what in ("skip", "skip", "expel") for seat in (0, 1)
    ]
    dialogue.verify()


@pytest.mark.parametrize("idle", [1, 2, 5])
def test_idle(idle: int) -> None:
    """The so-manieth turn in a row that is taken away expels; a good move begins the row anew."""
    dialogue = Dialogue(FISH, 2, under=every("skip", idle=idle)).seated()
    for _ in range(idle - 1):
        dialogue.lapse(0)
        dialogue.move()
    assert all(sanction == "skip" for _, _, sanction in dialogue.verdicts())
    if idle > 1:
        dialogue.hear(0, Garbled("this was owed"))
        dialogue.move()
        dialogue.move()
        for _ in range(idle - 1):
            dialogue.lapse(0)
            dialogue.move()
    assert dialogue.referee.expelled == []
    dialogue.lapse(0)
    assert dialogue.verdicts()[-1] == (0, "late", "expel")


def test_default_on_turn() -> None:
    """The first legal move is played in the seat's place, noted as the referee's, and it is not accepted."""
    dialogue = Dialogue(HEXAPAWN, under=every("default")).seated(0)
    expected = dialogue.state.legal_moves()[0]
    dialogue.garble(0, took=9)
    assert dialogue.verdicts() == [(0, "malformed", "default")]
    assert dialogue.noted()[1] == events.Moved(0, 0, expected, 0, 0, "referee")
    assert dialogue.words(0) == ["Update"]
    assert dialogue.on_turn == 1


def test_random_on_turn() -> None:
    """A legal move is played in its place that follows from seed and turn, and from nothing else."""
    moves = []
    for seed in [*range(30), 0]:
        dialogue = Dialogue(HEXAPAWN, under=every("random"), seed=seed).seated()
        start = dialogue.state
        dialogue.lapse(0)
        moved = dialogue.noted()[1]
        assert isinstance(moved, events.Moved)
        assert moved.by == "referee"
        assert moved.move in start.legal_moves()
        moves.append(moved.move)
    assert moves[0] == moves[-1]
    assert len(set(moves)) > 1


def test_random_differs_from_turn_to_turn() -> None:
    """The same seed does not always mean the first or the same move."""
    dialogue = Dialogue(FISH, 2, under=every("random")).seated()
    drawn = set()
    while not dialogue.referee.result:
        count, choice = len(dialogue.state.legal_moves()), dialogue.state.legal_moves()
        dialogue.lapse(dialogue.on_turn)
        moved = next(event for event in dialogue.noted() if isinstance(event, events.Moved))
        drawn.add(choice.index(moved.move) * 4 // count)
    assert drawn == {0, 1, 2, 3}
    dialogue.verify()


def test_expel_on_turn() -> None:
    """The seat hears its last word, is let go and removed; the turn goes on with a new number."""
    dialogue = Dialogue(FISH, 3).seated(1)
    expected = dialogue.state.without(0)
    dialogue.garble(0)
    assert dialogue.told(0) == [messages.Expelled("malformed: noise", Offence.MALFORMED)]
    assert dialogue.dismissed() == [0]
    assert dialogue.state == expected
    assert dialogue.noted()[1] == events.Expelled(0, 0, "malformed: noise")
    assert dialogue.told(1) == [Update(1, expected), YourTurn(1, expected, 100)]
    assert dialogue.words(2) == []


def test_forfeit_with_two_seats() -> None:
    """The other seat has won and the offender is behind it, and both hear so."""
    dialogue = Dialogue(HEXAPAWN, under=every("forfeit")).seated()
    dialogue.lapse(0)
    reason = "late: no answer in time"
    outcome = Outcome((1,), (2, 1), (0, 1), reason)
    assert dialogue.result.verdict == "forfeited"
    assert dialogue.result.outcome == outcome
    assert dialogue.result.expelled == ()
    over = Over(dialogue.state, "forfeited", outcome, f"seat 0 forfeits: {reason}")
    assert (dialogue.told(0), dialogue.told(1)) == ([over], [over])
    assert dialogue.dismissed() == [0, 1]
    dialogue.verify()


def test_forfeit_with_more_seats() -> None:
    """All who are left share the win, whoever was expelled before has no rank, the offender is behind."""
    under = conduct(illegal=ladder("forfeit"), gone=ladder("expel"))
    dialogue = Dialogue(FISH, 4, under=under).seated()
    dialogue.fail(2)
    dialogue.move()
    dialogue.garble(1)
    outcome = dialogue.result.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.ranks, outcome.scores) == ((0, 3), (1, 3, None, 1), (1, 0, 0, 1))
    assert dialogue.result.expelled == (2,)
    dialogue.verify()


def test_forfeit_of_the_last_seat_left() -> None:
    """Who forfeits has not won, even if nobody else is left to win."""
    under = conduct(illegal=ladder("forfeit"), gone=ladder("expel"))
    dialogue = Dialogue(FISH, 2, under=under).seated()
    dialogue.fail(1)
    dialogue.garble(0)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.result.outcome.scores == (0, 0)
    assert 1 not in dialogue.result.outcome.ranks


def test_void() -> None:
    """The match ends and does not count, with the reason and without an outcome, and everybody hears it."""
    dialogue = Dialogue(FISH, 3, under=every("void")).seated()
    dialogue.garble(0)
    assert (dialogue.result.verdict, dialogue.result.outcome) == ("void", None)
    assert dialogue.result.reason == "seat 0: malformed: noise"
    assert [dialogue.words(seat) for seat in range(3)] == [["Over"]] * 3
    dialogue.verify()


def test_something_of_ours_broke() -> None:
    """If we fail, the match is void, in set-up and in play, and nobody is at fault."""
    for dialogue in (Dialogue(FISH, 3), Dialogue(FISH, 3).seated(), Dialogue(FISH, 3).seated().moves(4)):
        dialogue.breaks("disk full")
        assert (dialogue.result.verdict, dialogue.result.reason) == ("void", "disk full")
        assert dialogue.result.faults == ()
        assert [dialogue.words(seat) for seat in range(3)] == [["Over"]] * 3
        dialogue.verify()


# -- sanctions off turn --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "sanction"),
    [
        (["retry", "expel"], "retry"), (["skip", "expel"], "retry"), (["default"], "retry"),
        (["random"], "retry"), (["expel"], "expel"), (["forfeit"], "forfeit"), (["void"], "void"),
    ],
)  # fmt: skip
def test_every_sanction_off_turn(steps: list[str], sanction: str) -> None:
    """A seat that is not to move has no turn to lose, so it is refused; what ends things ends them."""
    dialogue = Dialogue(FISH, 3, under=every(*steps)).seated()
    state = dialogue.state
    dialogue.garble(2)
    assert dialogue.verdicts() == [(2, "out_of_turn", sanction)]
    if sanction == "retry":
        assert dialogue.told(2) == [Rejected(0, "it is not your turn", Offence.OUT_OF_TURN)]
    assert dialogue.words(0) == (["Over"] if sanction in ("forfeit", "void") else [])
    if sanction in ("retry", "expel"):
        assert dialogue.referee.awaited == {0: 100}
        assert dialogue.state == (state if sanction == "retry" else state.without(2))


def test_a_retry_off_turn_costs_the_mover_nothing() -> None:
    """Out of turn talk neither asks the mover again nor takes of its time."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.garble(1, took=90)
    dialogue.move(took=100)
    assert dialogue.kinds() == ["Moved"]


def test_the_tenth_out_of_turn() -> None:
    """Nine are refused in one turn of somebody else, the tenth expels; each turn counts anew."""
    dialogue = Dialogue(FISH, 3, under=SEED_001).seated()
    for _ in range(9):
        dialogue.garble(2)
    dialogue.move()
    for _ in range(9):
        dialogue.garble(2)
    assert dialogue.referee.expelled == []
    dialogue.garble(2)
    assert dialogue.referee.expelled == [2]
    assert len(dialogue.verdicts()) == 19


def test_expelled_while_another_thinks() -> None:
    """The mover is not asked again, keeps its turn, its number and its time, and its answer counts."""
    dialogue = Dialogue(FISH, 3).seated(0)
    dialogue.fail(1)
    assert dialogue.words(0) == ["Update"]
    assert dialogue.referee.turn == 0
    assert dialogue.referee.awaited == {0: 100}
    dialogue.hear(0, Act(dialogue.state.legal_moves()[0], 0), 100)
    assert dialogue.kinds() == ["Moved"]
    assert dialogue.on_turn == 2


def test_the_innocent_are_not_punished() -> None:
    """When an expulsion ends the game while the other thinks, the other has won and is not late."""
    dialogue = Dialogue(HEXAPAWN).seated()
    dialogue.fail(1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (0,)
    assert dialogue.referee.awaited == {}
    assert dialogue.lapse(0) == []
    assert dialogue.verdicts() == [(1, "gone", "expel")]
    dialogue.verify()


def test_everybody_is_expelled() -> None:
    """If nobody is left the match is finished, without a winner."""
    dialogue = Dialogue(FISH, 3).seated()
    for seat in (1, 0, 2):
        dialogue.fail(seat)
    assert dialogue.result.expelled == (1, 0, 2)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.result.reason == "nobody is left"
    dialogue.verify()


def test_sanctions_are_complete() -> None:
    """Every sanction there is has been tried above."""
    assert {sanction.value for sanction in Sanction} == {
        "retry", "skip", "default", "random", "expel", "forfeit", "void",
    }  # fmt: skip
