"""`touchline solve GAME`: compute the result of a game under perfect play, and cache it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import PerGame, emit, options_of
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.bots.hexapawn.lookahead import Lookahead
    from touchline.bots.hexapawn.tablebase import Solver, Tablebase
    from touchline.games.hexapawn import Hexapawn

KEEP_EVERY = 20.0
"""Seconds between two saves of unfinished work: the most that a crash can lose."""
LARGEST = 100_000_000
"""Boards of up to about this many positions get a complete tablebase; of larger ones only the result."""


class Solvable(PerGame):
    """The games that can be solved: so far one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["hexapawn"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            raise click.UsageError(
                f"cannot solve {cmd_name!r}; there is: {', '.join(self.list_commands(ctx))}"
            )
        return super().get_command(ctx, cmd_name)


@contextmanager
def _asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Catch Ctrl-C so that the work ends where it can be saved; a second Ctrl-C ends it at once."""
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


def solve(game: Hexapawn, anew: bool, as_json: bool) -> None:
    from touchline.bots.hexapawn import tablebase

    rows, cols = game.rows, game.cols
    if rows * cols > 64:
        raise BadOptions(f"a board of up to 64 squares can be solved, not {rows} x {cols}")
    if (
        tablebase.fits(rows, cols)
        and (book := None if anew else tablebase.load_tablebase(rows, cols)) is not None
    ):
        return _tell(game, book, "kept", as_json)
    if tablebase.fits(rows, cols) and tablebase.estimated_positions(rows, cols) <= LARGEST:
        task: Solver | Lookahead = tablebase.Solver(rows, cols)
    else:
        from touchline.bots.hexapawn.lookahead import Lookahead

        task = Lookahead(rows, cols)
    resumed = not anew and task.resume()
    if task.plies is not None:
        return _tell(game, task, "kept", as_json)
    if resumed:
        click.echo(f"resuming after {task.micros / 1e6:.1f} s of work", err=True)
    _work(task, tablebase.estimated_positions(rows, cols))
    return _tell(game, task, "solved", as_json)


def _work(task: Solver | Lookahead, about: int) -> None:
    """Solve to the end with a progress bar; save the work at intervals and on Ctrl-C."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from touchline.cli._draw import console

    screen, before, begun = console(stderr=True), task.micros, perf_counter()
    columns = ("solve", BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with (
        _asked_to_stop() as stop,
        Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar,
    ):
        shown, kept = bar.add_task("", total=None if task.positions is None else about), begun
        while not (done := task.work()) and not stop():
            now = perf_counter()
            task.micros = before + round((now - begun) * 1e6)
            bar.update(shown, description=_progress(task), completed=task.positions or 0)
            if now > kept + KEEP_EVERY:
                task.keep()
                kept = perf_counter()
        task.micros = before + round((perf_counter() - begun) * 1e6)
        safe = task.keep()
    if not done:
        how = "the same command resumes from here" if safe else "the work could not be saved"
        click.echo(f"{_progress(task)}; {how}", err=True)
        raise KeyboardInterrupt
    if not safe:
        click.echo("note: the result could not be cached, and must be solved again next time", err=True)


def _progress(task: Solver | Lookahead) -> str:
    if task.positions is None:
        return f"open after {task.deep} plies"
    return f"{task.positions:,} positions"


def _tell(game: Hexapawn, found: Tablebase | Solver | Lookahead, how: str, as_json: bool) -> None:
    from touchline.bots.shared import table_cache

    plies, positions = found.plies, found.positions
    assert plies is not None
    winner, seconds, path = 1 - plies % 2, found.micros / 1e6, table_cache.path_of(found.name)
    if as_json:
        facts = {"winner": winner, "plies": plies, "positions": positions, "seconds": round(seconds, 3)}
        emit({"game": game.name, "options": options_of(game), **facts, "kept": how == "kept"})
        return
    counted = "" if positions is None else f"; {positions:,} positions"
    click.echo(f"seat {winner} wins in {plies} plies{counted}")
    if how == "kept":
        click.echo(f"it was solved before, in {seconds:.1f} s, and kept in {path}", err=True)
    else:
        click.echo(f"solved in {seconds:.1f} s", err=True)


command = Solvable(
    "solve",
    run=solve,
    params_of_run=[
        click.Option(["--anew"], is_flag=True, help="Solve it again even if the result is cached."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
    ],
    help="""Compute who wins under perfect play, and in how many moves.

    The result is cached (in TOUCHLINE_CACHE), also for the house bot `perfect`. Ctrl-C saves unfinished work,
    and the same command resumes it.""",
    epilog="""\b
Examples:
  touchline solve hexapawn --rows 4 --cols 4
  touchline solve hexapawn --rows 6 --cols 6 --json""",
)
