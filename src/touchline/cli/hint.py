"""`touchline hint RECORD[@TURN]|POSITION`: recommend a move, with the reason."""

from __future__ import annotations

import click

from touchline.cli._options import emit, json_option
from touchline.cli._thinker_options import WHERE, game_option, seconds_option, with_option
from touchline.cli.main import CONTEXT

EPILOG = f"""{WHERE}

\b
Examples:
  touchline hint match.jsonl@12
  touchline show fish --moves 20 --json | touchline hint -
  touchline hint match.jsonl@12 --with mcts --seconds 5
  touchline hint board.json --game hexapawn:rows=3,cols=3"""


@click.command(context_settings=CONTEXT, epilog=EPILOG)
@click.argument("where", metavar="RECORD[@TURN]|POSITION")
@game_option
@with_option
@seconds_option
@json_option
def command(where: str, game: str | None, who: str | None, seconds: float | None, as_json: bool) -> None:
    """Recommend a move in a position, with the reason, the expected line and the value of each seat.

    A hint uses only what the seat to move may see. At the table, `touchline play GAME human ...`, type `hint`
    for the same.
    """
    from touchline.cli._positions import OpenPosition, before, read
    from touchline.cli._thinkers import in_words, thinker
    from touchline.records.analysis import advised

    found = read(where, game)
    position = found if isinstance(found, OpenPosition) else before(found, None)
    name, mind = thinker(who, position.game.name, seconds)
    advice = advised(position.state, mind)
    if as_json:
        emit({"game": position.game.name, "turn": position.turn, "thinker": name, "advice": advice})
    else:
        click.echo(in_words(advice))
