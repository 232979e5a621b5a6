"""`touchline demo`: draw a game of each kind, referee a match of four dialects over TCP, serve the page."""

from __future__ import annotations

import sys
import time
from random import Random
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _demo_page
from touchline.cli._options import emit, json_option, options_of, started
from touchline.cli._terminal import echo
from touchline.cli._web_page import MISSING

if TYPE_CHECKING:
    from touchline.core.rules import Game, State

FRAMES = 16
"""Positions of a game to animate on a terminal."""
PAGES = 3
"""Positions to print where there is no terminal, or it is too small: the first, the middle, the last."""
PAUSE = 0.15
"""Seconds between two positions."""


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


class _Cheat:
    """Plays legal moves until turn 20, then moves a penguin that does not exist."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: Any, turn: int) -> Any:
        from touchline.games.fish import Slide

        return Slide((0, 0), (0, 0)) if turn > 20 else self._rng.choice(view.legal_moves())


GUESTS = {"seed-000": "Ann", "seed-001": "Bob", "fish-course": "Cyd", "native": "Dan"}


async def _refereed(seed: int) -> tuple[list[str], dict[str, Any]]:
    """Play a match on a local server between clients of four dialects, one of which cheats."""
    import asyncio
    import io

    from touchline.bots.random import Random as RandomBot
    from touchline.client.join import join
    from touchline.conducts.course import CONDUCT as COURSE
    from touchline.core import registry
    from touchline.core.clock import Limits
    from touchline.core.events import Result
    from touchline.drivers.match import MatchSpec
    from touchline.players.address import ServerAddress
    from touchline.records.recorder import RecordWriter
    from touchline.records.replay import Replay
    from touchline.server.server import Server

    record, told = io.BytesIO(), list[tuple[MatchSpec, Result]]()
    see = RecordWriter(record.write).see

    server = Server(
        registry.game("fish"), 4, conduct=COURSE, limits=Limits(), seed=seed, tables=1,
        observers=lambda number, spec, secret: [see],
        told=lambda number, spec, result: told.append((spec, result)),
    )  # fmt: skip
    guests = []
    for name, called in GUESTS.items():
        url = await server.listen(ServerAddress("tcp", "127.0.0.1", 0, name))
        kind, rng = registry.dialect(name), Random(f"{seed} {name}")
        player = _Cheat(rng) if called == "Dan" else RandomBot(rng)
        guests.append(
            asyncio.create_task(
                join(ServerAddress.read(url), kind.face(player), kind.framing, called, seconds=5)
            )
        )
        await asyncio.sleep(0.05)  # the order of sign-up is the order of seats
    await server.idle.wait()
    await server.stop(0)
    await asyncio.gather(*guests, return_exceptions=True)
    Replay(record.getvalue(), "this match").verify()
    (spec, result), *_ = told
    from touchline.records.story import story

    return story(result, spec.names), {"names": spec.names, "result": result, "verified": True}


@click.command(
    epilog="""\b
Examples:
  touchline demo
  touchline demo --seed 7 --json
  touchline demo --no-page"""
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random games.")
@click.option("--no-page", is_flag=True, help="Do not serve the page at the end.")
@click.option("--host", metavar="ADDRESS", help="Let friends play on the page, as `serve --host` does.")
@json_option
def command(seed: int, no_page: bool, host: str | None, as_json: bool) -> None:
    """Play a game of each kind with random moves and draw it, then referee a match over TCP.

    In that match four players speak four dialects, and one of them cheats. At the end a page shows matches of
    house players: until Ctrl-C on a terminal, else for ten minutes in the background.
    """
    from touchline.core import registry
    from touchline.drivers.runner import run

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
        click.secho(f"{name}: {(type(game).__doc__ or name).splitlines()[0]}", bold=True)
        _show(states)
        winners = " and ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
        scores = ", ".join(f"seat {seat} {score}" for seat, score in enumerate(outcome.scores))
        click.echo(f"{winners} won after {len(states) - 1} turns: {outcome.reason} ({scores})\n")
    lines, match = run(_refereed(seed))
    if as_json:
        page = None if no_page else _left_running()
        emit({"games": results, "match": match, "page": None if page is None else page._asdict()})
        return
    table = ", ".join(f"{called} ({name})" for name, called in GUESTS.items())
    click.secho(f"fish, refereed over TCP: {table} at one table", bold=True)
    for line in lines:
        echo(line)
    click.echo("replayed from its record: every byte is the same\n")
    click.echo("More: `touchline --help`; `touchline play hexapawn human random`; `touchline serve fish`.")
    if not no_page:
        _page(host)


def _page(host: str | None) -> None:
    """Serve the page: in the foreground on a terminal or with a host, else in the background."""
    if host is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        page = _left_running()
        if page is not None:
            whose = "the page of an earlier demo is still" if page.earlier else "house players play on a page"
            ends = f"It stops after {_demo_page.MINUTES} minutes; to stop it now: kill {page.pid}"
            click.echo(f"\n{whose} at {page.url}\n{ends}")
    elif _demo_page.possible():
        click.echo("\nOpen this in a browser; Ctrl-C stops it.")
        _demo_page.foreground(host)
    else:
        click.echo(f"note: {MISSING}", err=True)


def _left_running() -> _demo_page.Left | None:
    if not _demo_page.possible():
        click.echo(f"note: {MISSING}", err=True)
        return None
    return _demo_page.left_running()
