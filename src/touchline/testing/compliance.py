"""`check_player`: does a player keep its side of a dialect? Nine steps, the same in every dialect.

Each step has a player of its own, a program that is started or one that connects, and puts it through one
situation by the referee's messages, which the dialect words. A step that the dialect has no words for is
skipped: it is neither passed nor failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.core.messages import Rejected, YourTurn
from touchline.testing import compliance_steps as steps
from touchline.testing.compliance_steps import Check
from touchline.testing.entrance import NobodyCame
from touchline.testing.session import Unmet

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeAlias

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.testing.entrance import Entrance

    Deed: TypeAlias = "Callable[[Check], Coroutine[Any, Any, None]]"


class Step(NamedTuple):
    """A step of the check: what it asks, and how it went."""

    number: int
    what: str
    failure: str | None
    skipped: str | None
    """Why the step was not taken, if it was not."""
    talk: list[str]
    """The last frames that were sent (>) and received (<)."""
    stderr: str


# -- what a dialect has no words for ------------------------------------------------------------


def _numbered(check: Check) -> str | None:
    return None if check.dialect.numbered else "its questions have no numbers"


def _grows(check: Check) -> str | None:
    return None if check.dialect.extensible else "its words and fields are all fixed"


def _begins(check: Check) -> str | None:
    told = check.dialect(check.game).say(check.begin()).frames
    return None if told or check.entrance.signs_up else "a program is not told that a match begins"


def _asks_again(check: Check) -> str | None:
    turn = YourTurn(3, check.start.view(0), None)
    dialect = check.dialect(check.game)
    frames: list[bytes] = []
    for message in (check.begin(), turn, Rejected(3, "no"), turn):
        frames = [*dialect.say(message).frames]
        while dialect.owes:  # the next call waits for the answer, whatever that is
            frames += dialect.hear(b'"void"').frames
    return None if frames else "a turn lasts after a rejection, and is not announced again"


class _Situation(NamedTuple):
    what: str
    deed: Deed
    lacking: Callable[[Check], str | None] = lambda check: None
    """Why the dialect has no words for it, if it has none."""


SITUATIONS = (
    _Situation("takes its seat when a match begins", steps.takes_its_seat, _begins),
    _Situation("answers a question with a legal move", steps.answers_with_a_legal_move),
    _Situation("takes the turn's number from the question", steps.takes_the_turns_number, _numbered),
    _Situation("answers again when the same turn is asked again", steps.answers_again, _asks_again),
    _Situation("moves from the position it is told, not one it remembers", steps.moves_from_the_position),
    _Situation("says nothing that it was not asked for", steps.speaks_only_when_asked),
    _Situation("ignores words and fields that it does not know", steps.ignores_what_it_does_not_know, _grows),
    _Situation("answers the last call, if there is one, and leaves by itself", steps.leaves),
    _Situation("plays whole matches from the first and the last seat without a fault", steps.plays),
)


async def check_player(
    entrance: Entrance,
    dialect: type[Dialect],
    game: Game,
    seconds: float = 5.0,
    told: Callable[[Step], None] = lambda step: None,
) -> list[Step]:
    """Put a player of this dialect through every step; `told` hears of each as soon as it is done.

    When nobody connects any more, the steps that are left are skipped.
    """
    check, taken = Check(entrance, dialect, game, seconds), list[Step]()
    deserted = None
    for number, situation in enumerate(SITUATIONS, 1):
        skipped = deserted or _not_in_dialect(situation.lacking(check))
        failure = None
        entrance.last = entrance.program = None
        if skipped is None:
            check.title = f"step {number}"
            try:
                await situation.deed(check)
            except NobodyCame as error:
                failure, deserted = str(error), "nobody had connected for an earlier step"
            except Unmet as error:
                failure = str(error)
        what = situation.what
        if number == 1 and entrance.signs_up:
            what = f"signs up and {what}"
        taken.append(Step(number, what, failure, skipped, *_evidence(entrance)))
        told(taken[-1])
    return taken


def _not_in_dialect(why: str | None) -> str | None:
    return None if why is None else f"not in this dialect: {why}"


def _evidence(entrance: Entrance) -> tuple[list[str], str]:
    """The last frames, and what the program wrote to stderr."""
    session, program = entrance.last, entrance.program
    talk = [] if session is None else list(session.connection.talk)
    return talk, "" if program is None else program.notes.text()
