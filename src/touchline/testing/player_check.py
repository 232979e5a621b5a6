"""`check_player`: does a program keep its side of a dialect? For the tests of a player's author.

`compliance.py` has the steps; `touchline check player` runs them on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.drivers.runner import run
from touchline.players.by_name import check_spoken, command_of
from touchline.testing.compliance import check_player as run_steps
from touchline.testing.entrance import Programs
from touchline.testing.game_check import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.core.rules import Game
    from touchline.testing.compliance import Step


def check_player(
    player: str | Path,
    game: Game | str | None = None,
    *,
    dialect: str = "native",
    seconds: float = 5.0,
    report: Callable[[str], None] | None = None,
) -> list[Step]:
    """Raise CheckFailed unless a program passes every step of its dialect; else return the steps.

    `player` is a Python file or "process:COMMAND". Without a game it plays one that the dialect is for.
    `seconds` is the time for an answer; `report` is called with each step.

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
    steps = run(run_steps(programs, module, rules, seconds, lambda step: told(_line(step))))
    failed = [step for step in steps if step.failure]
    if failed:
        raise CheckFailed("\n".join([*map(_line, failed), *failed[0].talk, failed[0].stderr]).rstrip())
    return steps


def _line(step: Step) -> str:
    return f"{step.number}. {step.what}: {step.failure or step.skipped or 'ok'}"
