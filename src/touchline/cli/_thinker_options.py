"""The options of `analyse` and `hint`: what to analyse, with which bot, and for how long."""

from __future__ import annotations

import click

WHERE = """\b
What to analyse:
  match.jsonl                   a record; - is standard input
  match.jsonl@12                the position before turn 12 of a record
  here.json                     a position, as `touchline show GAME --json` writes it
  bare.json --game fish:rows=4,cols=5
                                a position that does not name its game"""

game_option = click.option(
    "--game", metavar="GAME[:OPTION=VALUE,...]", help="The game of a position that does not name it."
)
with_option = click.option(
    "--with",
    "who",
    metavar="PLAYER",
    help="The bot to ask: a house bot with options, or a Python file with a class that has think(view).  "
    "[default: the strongest house bot]",
)
seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="Time per position, if the bot has such an option.",
)
