"""`touchline demo`: a game of each kind, played by random moves and drawn."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option, options_of, started

if TYPE_CHECKING:
    from touchline.rules import Game, State

FRAMES = 16
"""How many positions of a game are shown on a screen."""
PAGES = 3
"""And how many where there is no screen, or too small a one: the first, one in the middle, the last."""
PAUSE = 0.15


def _play(game: Game, rng: Random, seed: int) -> list[State]:
    from touchline.bots.random import Random as RandomBot

    state = started(game, None, seed)
    states, bot = [state], RandomBot(rng)
    while state.to_move is not None:
        state = state.play(bot.choose(state.view(state.to_move)))
        states.append(state)
    return states


def _show(states: list[State]) -> None:
    from rich.live import Live

    from touchline.cli._draw import console, picture

    screen = console()
    last = len(states) - 1
    moving = screen.is_terminal and str(picture(states[last].sketch())).count("\n") < screen.height
    count = FRAMES if moving else PAGES
    pictures = [picture(states[turn * last // (count - 1)].sketch()) for turn in range(count)]
    if not moving:
        for drawn in pictures:
            screen.print(drawn)
        return
    with Live(console=screen, auto_refresh=False) as live:
        for drawn in pictures:
            live.update(drawn, refresh=True)
            time.sleep(PAUSE)


@click.command(
    epilog="""\b
Examples:
  touchline demo
  touchline demo --seed 7 --json"""
)
@click.option("--seed", type=int, default=1, show_default=True, help="Where chance begins.")
@json_option
def command(seed: int, as_json: bool) -> None:
    """Play a game of each kind with random moves, and draw it."""
    from touchline import registry

    results = []
    for name in registry.names("games"):
        game = registry.game(name)
        states = _play(game, Random(seed), seed)
        outcome = states[-1].outcome()
        assert outcome is not None
        results.append(
            {"game": name, "options": options_of(game), "turns": len(states) - 1, "outcome": outcome}
        )
        if as_json:
            continue
        click.secho(f"{name}: {type(game).__doc__}", bold=True)
        _show(states)
        winners = " and ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
        scores = ", ".join(f"seat {seat} {score}" for seat, score in enumerate(outcome.scores))
        click.echo(f"{winners} won after {len(states) - 1} turns: {outcome.reason} ({scores})\n")
    if as_json:
        emit(results)
    else:
        click.echo("More: `touchline --help`; `touchline show fish --rules commercial --seats 4`.")
