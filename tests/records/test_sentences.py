"""Matches in words of people: who did what, without seat numbers, options and code."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import touchline
from touchline.core import events
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Fault, Result
from touchline.core.registry import CONDUCTS
from touchline.core.rules import Outcome
from touchline.games.fish import Fish, Place, Slide
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, Step
from touchline.games.labyrinth import PASS, Labyrinth
from touchline.games.labyrinth import Slide as Push
from touchline.records.fault_words import OURS
from touchline.records.sentences import Sentences
from touchline.records.story import LastMover, headline, story, verdicts, why
from touchline.web.record_shelf import described
from touchline.web.sentences import Teller, conduct_offer

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.core.rules import Game, State

LIMITS = Limits(clock=Clock(per_move=micros(60)))
NAMES = ("Ann", "Bo")
RAW = re.compile(r"seat \d|_|\[|\{|Error|degree|index|direction|\b(expel|forfeit|retry|skip)\b")
"""What the code has and people do not say."""


def told(event: Event, before: State | None = None, names: tuple[str, ...] = NAMES) -> str:
    return Teller(names, LIMITS).tell(3, event, before).text


# -- moves --------------------------------------------------------------------------------------------


def test_moves_of_fish() -> None:
    state: Any = Fish(board=((1, 2, 3), (1, 1, 1), (4, 4, 4))).start(2, Random(0))
    assert told(events.Moved(0, 0, Place((0, 1))), state) == "Ann put a penguin on (0, 1)"
    for cell in ((0, 1), (1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (2, 2)):
        state = state.play(Place(cell))
    assert (
        told(events.Moved(8, 0, Slide((0, 1), (2, 1))), state) == "Ann slid from (0, 1) to (2, 1) and ate 2"
    )


def test_moves_of_hexapawn() -> None:
    """Squares are called as on the frame of the board: row, then column."""
    board = HexapawnPosition(("1.1", ".2.", "1.."), 1)
    state = Hexapawn(rows=3, cols=3).restore(HexapawnPosition(("1.1", ".2.", "2.."), 0))
    assert told(events.Moved(0, 0, Step((0, 0), (1, 0))), state) == "Ann stepped to (1, 0)"
    assert told(events.Moved(0, 0, Step((0, 0), (1, 1))), state) == "Ann took on (1, 1) from (0, 0)"
    through = Hexapawn(rows=3, cols=3).restore(board)
    assert told(events.Moved(0, 1, Step((1, 1), (0, 1))), through) == "Bo stepped to (0, 1) and got through"


def test_moves_of_labyrinth() -> None:
    state = Labyrinth().start(2, Random(0))
    pushed = events.Moved(0, 1, Push(2, "LEFT", 180, (6, 5)))
    assert told(pushed, state) == "Bo pushed row 2 to the left and walked to (6, 5)"
    column = events.Moved(0, 1, Push(4, "DOWN", 0, (1, 5)))
    assert told(column, state) == "Bo pushed column 4 down and walked to (1, 5)"
    assert told(events.Moved(0, 1, PASS), state) == "Bo passed"


def test_a_move_of_the_referee() -> None:
    state = Hexapawn().start(2, Random(0))
    made = events.Moved(0, 0, Step((0, 0), (1, 0)), by="referee")
    assert told(made, state) == "The referee played for Ann: stepped to (1, 0)"
    assert told(made) == "The referee played for Ann: moved"


# -- faults -------------------------------------------------------------------------------------------

FAULTS = [
    (Offence.LATE, "no move within 60 s", Sanction.EXPEL, "Ann took too long (60 s) and was removed"),
    (Offence.LATE, "no answer in time", Sanction.SKIP, "Ann took too long (60 s) and lost the turn"),
    (Offence.LATE, "not ready within 10 s", Sanction.EXPEL,
     "Ann was not ready in time (10 s) and was removed"),
    (Offence.STARVED, "no answer in time, because the machine was busy", Sanction.SKIP,
     "Ann took too long on a busy machine (60 s) and lost the turn"),
    (Offence.GONE, "left the table and did not come back", Sanction.EXPEL,
     "Ann left the table and was removed"),
    (Offence.GONE, "nobody is there", Sanction.FORFEIT, "Ann stopped playing and lost the match"),
    (Offence.GONE, "raised ValueError: x", Sanction.EXPEL, "Ann stopped playing and was removed"),
    (Offence.ILLEGAL, "that is a hole", Sanction.RETRY,
     "Ann tried a move that the rules forbid and may try again: that is a hole"),
    (Offence.MALFORMED, "choose() returned a str, not a move", Sanction.EXPEL,
     "Ann sent something that cannot be read and was removed"),
    (Offence.GONE, f"{OURS}: it was killed", Sanction.VOID,
     "Our helper process stopped, so Ann could not go on. That is our fault"),
    (Offence.GONE, "our helper process failed", Sanction.EXPEL,
     "Our helper process stopped, so Ann could not go on. That is our fault"),
    (Offence.GONE, "a worker died: IncompleteReadError('0 bytes read')", Sanction.EXPEL,
     "Our helper process stopped, so Ann could not go on. That is our fault"),
]  # fmt: skip


@pytest.mark.parametrize(("offence", "reason", "sanction", "text"), FAULTS)
def test_faults(offence: Offence, reason: str, sanction: Sanction, text: str) -> None:
    """What somebody did and what it cost; what only a program's author understands is apart."""
    fault = events.Faulted(4, 0, offence, reason, sanction)
    line = Teller(NAMES, LIMITS).tell(9, fault)
    assert (line.text, line.detail) == (text, reason)


def test_the_terminal_tells_authors_what_they_need() -> None:
    """A log at a terminal keeps what a program's author needs."""
    fault = events.Faulted(4, 0, Offence.GONE, "raised ValueError: x", Sanction.EXPEL)
    assert Sentences(NAMES, LIMITS).of(fault).text.endswith("and was removed: raised ValueError: x")


def test_what_a_fault_costs_in_words() -> None:
    """The terms of a table say it without the words of the code."""
    for conduct in CONDUCTS.values():
        for line in conduct_offer(conduct).about:
            assert not RAW.search(line), line
    assert conduct_offer(CONDUCTS["course"]).about[2] == "Too slow: out of the game"


# -- results ------------------------------------------------------------------------------------------


def ended(outcome: Outcome | None, reason: str = "", **more: Any) -> Result:
    said = reason or (outcome.reason if outcome else "")
    return Result(**{"verdict": "finished", "outcome": outcome, "reason": said, "turns": 9, **more})


def outcome(*scores: int, reason: str = "nobody can move", ranks: tuple[int | None, ...] = ()) -> Outcome:
    found = ranks or tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(tuple(seat for seat, rank in enumerate(found) if rank == 1), found, scores, reason)


LATE = Fault(1, 7, Offence.LATE, "no move within 60 s", Sanction.EXPEL)
RESULTS = [
    (ended(outcome(40, 26)), "Ann won 40–26", "Nobody could move any more."),
    (ended(outcome(26, 40)), "Bo won 40–26", "Nobody could move any more."),
    (ended(outcome(33, 33)), "Ann and Bo share the win, 33–33", "Nobody could move any more."),
    (ended(outcome(1, 0, reason="reached the far row")), "Ann won", "Ann got through to the far row."),
    (ended(outcome(0, 1, reason="opponent cannot move")), "Bo won", "Ann could not move any more."),
    (ended(outcome(1, 1, ranks=(2, 1), reason="came home")), "Bo won", "A player came home."),
    (ended(outcome(3, 9, ranks=(1, None)), resigned=(1,)), "Ann won", "Bo resigned."),
    (ended(outcome(3, 9, ranks=(1, None)), expelled=(1,), faults=(LATE,)), "Ann won",
     "Bo took too long (60 s)."),
    (ended(outcome(0, 0, ranks=(None, None), reason="nobody is left"), resigned=(0, 1)),
     "Nobody won", "Ann resigned. Bo resigned."),
    (ended(None, "the cap of 9 turns is reached", verdict="void"),
     "The match does not count", "The cap of 9 turns is reached."),
    (ended(outcome(2, 1, reason="took the last {stone}")), "Ann won 2–1", "Took the last {stone}."),
]  # fmt: skip


@pytest.mark.parametrize(("result", "won", "ending"), RESULTS)
def test_results(result: Result, won: str, ending: str) -> None:
    """Who won, with the scores where they say more than that, and how it ended."""
    assert (headline(result, NAMES), why(result, NAMES)) == (won, ending)


def test_the_last_mover_is_named_who_ended_the_match() -> None:
    """It need not be the winner, and the result does not say who it was. A move taken back does not count."""
    home = ended(outcome(2, 1, reason="came home"))
    assert why(home, NAMES, 1) == "Bo came home."
    assert story(home, NAMES, 1)[0] == "Ann (seat 0) won with 2: Bo (seat 1) came home"
    assert story(home, NAMES)[0] == "Ann (seat 0) won with 2: came home"
    tower = ended(outcome(2, 1, reason="{mover} stands on the tower"))
    assert verdicts(tower, NAMES, 1) == ("Ann won 2–1", "Bo stands on the tower")
    assert story(tower, NAMES, 1)[0] == "Ann (seat 0) won with 2: Bo (seat 1) stands on the tower"
    assert story(tower, NAMES)[0] == "Ann (seat 0) won with 2: A player stands on the tower"
    moves = [events.Moved(0, 0, None), events.Moved(1, 1, None)]
    assert (LastMover(moves).seat, LastMover([*moves, events.TakenBack(2, 1, to=1)]).seat) == (1, None)


def test_names_in_a_reason_are_put_in_once() -> None:
    """A player whose name looks like a place for a name is shown by it, and by no other."""
    over = ended(outcome(2, 1, reason="{winner} beat {loser}"))
    assert why(over, ("{loser}", "{mover}"), 1) == "{loser} beat {mover}."
    assert story(over, NAMES)[0] == "Ann (seat 0) won with 2: Ann (seat 0) beat Bo (seat 1)"


def test_the_sentences_of_a_match_name_who_came_home() -> None:
    teller = Teller(NAMES, LIMITS)
    for n, event in enumerate((events.Moved(0, 0, None), events.Moved(1, 1, None))):
        teller.tell(n, event)
    over = events.Ended(ended(outcome(2, 1, reason="came home")), 0, "")
    assert teller.tell(2, over).text == "Ann won 2–1. Bo came home."


def test_a_forfeit_says_what_was_done() -> None:
    fault = Fault(1, 7, Offence.ILLEGAL, "that is a hole", Sanction.FORFEIT)
    lost = ended(outcome(1, 0), "seat 1 forfeits: that is a hole", verdict="forfeited", faults=(fault,))
    assert verdicts(lost, NAMES) == ("Ann won", "Bo tried a move that the rules forbid")


def test_our_failure_is_told_as_ours() -> None:
    """Not as a fault of the player whose helper process stopped."""
    fault = Fault(1, 7, Offence.GONE, OURS, Sanction.EXPEL)
    over = ended(outcome(3, 9, ranks=(1, None)), expelled=(1,), faults=(fault,))
    assert why(over, NAMES) == "Our helper process stopped, so Bo had to leave."


def test_who_left_is_told_beside_the_end() -> None:
    three = ended(outcome(9, 5, 3, ranks=(1, 2, None)), resigned=(2,))
    names = ("Ann", "Bo", "Bo")
    assert verdicts(three, names) == ("Ann won 9–5", "Nobody could move any more", "Bo (2) resigned")


# -- whole matches ------------------------------------------------------------------------------------


class Clumsy:
    """Plays some moves, then breaks the rules."""

    def __init__(self) -> None:
        self._left = 3

    def choose(self, view: Any, turn: int) -> Any:
        self._left -= 1
        return view.legal_moves()[0] if self._left else object()


@pytest.mark.parametrize("conduct", ["course", "seed-001", "seed-002"])
@pytest.mark.parametrize("game", [Fish(), Hexapawn(), Labyrinth()])
def test_no_line_has_words_of_the_code(game: Game, conduct: str) -> None:
    """No event and no result of a match has a seat number, an option, a class or an error of Python."""
    seen: list[Event] = []
    touchline.play(game, ["random", Clumsy()], names=["Ann", "Bo"], seed=2, conduct=conduct,
                   observers=[seen.append])  # fmt: skip
    record = described(seen, b"", None, "table", None)
    lines = [Teller(NAMES, LIMITS).tell(n, event).text for n, event in enumerate(seen)]
    lines += [*record.result.says, record.result.headline, record.result.why]
    lines += [fault.text for fault in record.faults]
    assert record.faults
    for line in lines:
        assert not RAW.search(line), line
        assert line[:1].isupper(), line
