"""`touchline show GAME`: draw a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import PerGame, emit, options_of, seats_of, started
from touchline.cli._pictures import THEME, file_option, position_files
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from typing import BinaryIO

    from touchline.core.rules import Game, State

EPILOG = """\b
Examples:
  touchline show hexapawn --rows 4 --cols 4
  touchline show fish --seats 3 --seed 7 --moves 20
  touchline show labyrinth --seats 4 --view 0
  touchline show fish --json > here.json
  touchline show fish --position here.json
  touchline show labyrinth --seats 4 --svg board.svg --png board.png --theme dark"""


def _restored(game: Game, source: BinaryIO) -> State:
    """Read a position from a file, as written by `--json` or alone."""
    import msgspec

    most = 16 << 20
    data = source.read(most + 1)
    if len(data) > most:
        raise BadInput("longer than 16 MiB", source.name)
    try:
        value = msgspec.json.decode(data, type=dict[str, Any])
        return game.restore(msgspec.convert(value.get("position", value), game.Position))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BadInput(f"not a position of this {game.name}: {error}", source.name) from None


def show(
    game: Game,
    seats: int | None,
    seed: int | None,
    moves: int,
    view: str | None,
    position: BinaryIO | None,
    as_json: bool,
    svg: str | None,
    png: str | None,
    theme: str,
) -> None:
    from random import Random

    from touchline.bots.random import Random as RandomBot
    from touchline.cli._draw import console, picture

    chosen = Random().randrange(1 << 32) if seed is None else seed
    state = _restored(game, position) if position else started(game, seats, chosen)
    bot = RandomBot(Random(chosen))
    for _ in range(moves):
        if state.to_move is None:
            break
        state = state.play(bot.choose(state.view(state.to_move)))
    if view is not None:
        most = game.seats[-1] if position else seats_of(game, seats)
        state = state.view(_viewer(view, most))
    outcome = state.outcome()
    if svg or png:
        position_files(state.sketch(), type(game), theme, svg, png)
    if as_json:
        emit(
            {
                "game": game.name,
                "options": options_of(game),
                "seed": None if position else chosen,
                "position": state.position(),
                "legal_moves": len(state.legal_moves()),
                "outcome": outcome,
            }
        )
        return
    console().print(picture(state.sketch()), end="")
    if outcome is None:
        click.echo(f"seat {state.to_move} to move, {len(state.legal_moves())} legal moves")
    else:
        winners = ", ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
        click.echo(f"over: {outcome.reason}; winners: {winners}; scores: {list(outcome.scores)}")
    if seed is None and position is None:
        click.echo(f"the random seed was {chosen}: repeat it with --seed {chosen}", err=True)


def _viewer(text: str, seats: int) -> int | None:
    if text == "spectator":
        return None
    if text not in map(str, range(seats)):
        raise click.BadParameter(f"{text!r} is neither a seat (0 to {seats - 1}) nor 'spectator'")
    return int(text)


command = PerGame(
    "show",
    run=show,
    params_of_run=[
        click.Option(["--seats"], type=int, help="Number of seats.  [default: the fewest of the game]"),
        click.Option(["--seed"], type=int, help="Random seed.  [default: a new one, which is printed]"),
        click.Option(
            ["--moves"],
            type=click.IntRange(0),
            default=0,
            show_default=True,
            help="Number of random moves to play first.",
        ),
        click.Option(["--view"], metavar="SEAT|spectator", help="Draw only what this seat may see."),
        click.Option(
            ["--position"], type=click.File("rb"), help="Draw the position in this JSON file (- is stdin)."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the position as JSON."),
        file_option("svg", "Write a picture to this file, too."),
        file_option("png", "The same as PNG: needs touchline[web]."),
        THEME,
    ],
    help="Draw a position of a game in the terminal.",
    epilog=EPILOG,
)
