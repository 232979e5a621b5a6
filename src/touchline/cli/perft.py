"""`touchline perft GAME`: count sequences of legal moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from touchline.cli._options import PerGame, emit, options_of, seats_of, started

if TYPE_CHECKING:
    from touchline.core.rules import Game


def perft(game: Game, depth: int, seats: int | None, seed: int, as_json: bool) -> None:
    from rich.progress import BarColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from touchline.cli._draw import console
    from touchline.core.perft import perft as count

    state = started(game, seats, seed)
    screen = console(stderr=True)
    columns = ("perft", BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("perft", total=1.0)
        counts = count(state, depth, lambda done: bar.update(task, completed=done))
    if as_json:
        emit(
            {
                "game": game.name,
                "options": options_of(game),
                "seats": seats_of(game, seats),
                "seed": seed,
                "perft": counts,
            }
        )
    else:
        click.echo(" ".join(map(str, counts)))


command = PerGame(
    "perft",
    run=perft,
    params_of_run=[
        click.Option(
            ["--depth"], type=click.IntRange(1, 1000), required=True, help="Longest sequence to count."
        ),
        click.Option(["--seats"], type=int, help="Number of seats.  [default: the fewest of the game]"),
        click.Option(["--seed"], type=int, default=0, show_default=True, help="Random seed of the start."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the counts as JSON."),
    ],
    help="Count the sequences of legal moves from the start, for every length up to a depth.",
    epilog="""\b
Examples:
  touchline perft hexapawn --rows 3 --cols 3 --depth 7
  touchline perft fish --rows 3 --cols 3 --seed 1 --depth 3 --json""",
)
