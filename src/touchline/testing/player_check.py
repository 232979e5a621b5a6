"""`check_player`: check in nine steps that a player speaks its dialect correctly.

`check_player` is for the tests of a player's author. It and `touchline check player` call `run_player_check`.

Each step gets a new player, a started program or a new connection, and puts it into one situation with the
referee's messages, translated by the dialect. A step that the dialect cannot express is skipped: it neither
passes nor fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.core import registry
from touchline.core.messages import Rejected, YourTurn
from touchline.drivers.runner import run
from touchline.players.by_name import check_spoken, command_of
from touchline.testing import player_check_steps as steps
from touchline.testing.game_check import CheckFailed
from touchline.testing.player_check_steps import PlayerCheck
from touchline.testing.player_session import StepFailed
from touchline.testing.player_source import NoConnection, Programs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine
    from pathlib import Path
    from typing import Any, TypeAlias

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.testing.player_source import PlayerSource

    StepFunction: TypeAlias = "Callable[[PlayerCheck], Coroutine[Any, Any, None]]"


NOT_RUN = "not run: an earlier step failed"
"""Why a step was skipped after a failure."""


class StepResult(NamedTuple):
    """The result of one step."""

    number: int
    what: str
    failure: str | None
    skipped: str | None
    """Why the step was skipped, if it was."""
    talk: list[str]
    """The last frames sent (>) and received (<)."""
    stderr: str


# -- why a dialect skips a step -----------------------------------------------------------------


def _numbered(check: PlayerCheck) -> str | None:
    return None if check.dialect.numbered else "its questions have no numbers"


def _grows(check: PlayerCheck) -> str | None:
    return None if check.dialect.extensible else "its words and fields are all fixed"


def _begins(check: PlayerCheck) -> str | None:
    told = check.dialect(check.game).say(check.begin()).frames
    return None if told or check.source.signs_up else "a program is not told that a match begins"


def _asks_again(check: PlayerCheck) -> str | None:
    turn = YourTurn(3, check.start.view(0), None)
    dialect = check.dialect(check.game)
    frames: list[bytes] = []
    for message in (check.begin(), turn, Rejected(3, "no"), turn):
        frames = [*dialect.say(message).frames]
        while dialect.owes:  # the next call is held back until the open one is answered
            frames += dialect.hear(b'"void"').frames
    return None if frames else "a turn lasts after a rejection, and is not announced again"


class _Situation(NamedTuple):
    what: str
    run: StepFunction
    lacking: Callable[[PlayerCheck], str | None] = lambda check: None
    """Return why the dialect cannot express the situation, or None if it can."""


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


def check_player(
    player: str | Path,
    game: Game | str | None = None,
    *,
    dialect: str = "native",
    seconds: float = 5.0,
    report: Callable[[str], None] | None = None,
) -> list[StepResult]:
    """Raise CheckFailed unless a program passes every step of its dialect; return the results of the steps.

    `player` is a Python file or "process:COMMAND". Without `game` it plays the first game of the dialect.
    `seconds` is the time limit of an answer; `report` is called with a line for each step.

    >>> import pathlib, tempfile
    >>> bot = pathlib.Path(tempfile.mkdtemp()) / "bot.py"
    >>> _ = bot.write_text("class Bot:\\n    def choose(self, view, turn): return view.legal_moves()[0]")
    >>> [step.what for step in check_player(bot, "hexapawn", seconds=30)][:2]
    ['takes its seat when a match begins', 'answers a question with a legal move']
    """
    module = registry.dialect(dialect)
    games: tuple[str, ...] = module.games
    game = game or next(iter(games), "hexapawn")
    rules = registry.game(game) if isinstance(game, str) else game
    check_spoken(dialect, rules)
    told = report or (lambda _: None)
    programs = Programs(command_of(f"{dialect}+{player}"), module, rules, seconds)
    steps = run(run_player_check(programs, module, rules, seconds, lambda step: told(_line(step))))
    failed = [step for step in steps if step.failure]
    if failed:
        raise CheckFailed("\n".join([*map(_line, failed), *failed[0].talk, failed[0].stderr]).rstrip())
    return steps


def _line(step: StepResult) -> str:
    return f"{step.number}. {step.what}: {step.failure or step.skipped or 'ok'}"


async def run_player_check(
    source: PlayerSource,
    dialect: type[Dialect],
    game: Game,
    seconds: float = 5.0,
    told: Callable[[StepResult], None] = lambda step: None,
    only: Collection[int] = range(1, len(SITUATIONS) + 1),
    *,
    stop: bool = False,
) -> list[StepResult]:
    """Run steps on players of a dialect and return the results; `told` gets each as soon as it is done.

    `only` are the numbers of the steps, all of them by default. If no player connects for a step, or with
    `stop` if a step fails, the remaining steps are skipped.
    """
    check, taken = PlayerCheck(source, dialect, game, seconds), list[StepResult]()
    deserted = None
    for number, situation in enumerate(SITUATIONS, 1):
        if number not in only:
            continue
        skipped = deserted or _not_in_dialect(situation.lacking(check))
        failure = None
        source.last = source.program = None
        if skipped is None:
            check.title = f"step {number}"
            try:
                await situation.run(check)
            except NoConnection as error:
                failure, deserted = str(error), "nobody had connected for an earlier step"
            except StepFailed as error:
                failure = str(error)
                deserted = NOT_RUN if stop else None
        what = situation.what
        if number == 1 and source.signs_up:
            what = f"signs up and {what}"
        taken.append(StepResult(number, what, failure, skipped, *_evidence(source)))
        told(taken[-1])
    return taken


def _not_in_dialect(why: str | None) -> str | None:
    return None if why is None else f"not in this dialect: {why}"


def _evidence(source: PlayerSource) -> tuple[list[str], str]:
    """Return the last frames of the step, and what the program wrote to stderr."""
    session, program = source.last, source.program
    talk = [] if session is None else list(session.connection.talk)
    return talk, "" if program is None else program.notes.text()
