"""`touchline play GAME PLAYER ...`: a match, or many."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _terms
from touchline.cli._options import PerGame, emit
from touchline.cli._players import HELP, is_program, player, spoken_by, without_dialect
from touchline.cli._thinkers import thinks
from touchline.core.errors import BadOptions
from touchline.records.story import story

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Event, Result
    from touchline.core.rules import Game

NO_SANDBOX = "note: programs run with your rights; there is no sandbox yet"


class Table:
    """One match at the command line: who sits where, who watches, and what is shown afterwards."""

    def __init__(
        self,
        game: Game,
        words: tuple[str, ...],
        seed: int,
        *,
        watch: bool = False,
        think: bool = False,
        as_json: bool = False,
    ) -> None:
        self.game, self.words, self.seed = game, words, seed
        self.watch, self.think, self.as_json = watch, think, as_json
        self.notes: dict[int, str] = {}

    def _observers(self, spec: Any, record: Path | None) -> list[Callable[[Event], None]]:
        observers: list[Callable[[Event], None]] = []
        if record is not None:
            from touchline.records.recorder import recorder

            try:
                observers.append(recorder(record.open("wb", buffering=0)))
            except OSError as error:
                raise BadOptions(f"cannot record to {record}: {error.strerror}") from None
        if self.watch:
            observers.append(_watcher(spec, as_json=self.as_json))
        return observers

    def play(self, record: Path | None, terms: dict[str, Any]) -> Result:
        from touchline.drivers.lineup import Seating
        from touchline.drivers.match import agreed

        aloud = partial(click.echo, err=True) if self.think else None
        seeds = [f"{self.seed} {seat}" for seat in range(len(self.words))]
        seating = Seating(self.words, seeds, partial(player, as_json=self.as_json, aloud=aloud))
        spec = seating.fill(agreed(self.game, self.words, self.seed, **terms))
        try:
            return seating.play(spec, self._observers(spec, record))
        finally:
            self.notes = seating.notes


def _watcher(spec: Any, *, as_json: bool) -> Callable[[Event], None]:
    """Redraw the board after every event that changes it."""
    import time

    from msgspec.structs import replace

    from touchline.cli._draw import console, picture
    from touchline.core.events import Begun
    from touchline.core.fold import after
    from touchline.drivers.match import opened

    screen, state = console(stderr=as_json), opened(spec)

    def see(event: Event) -> None:
        nonlocal state
        if isinstance(event, Begun):
            state = opened(replace(spec, proposals=event.proposals))
            return
        before, state = state, after(state, event)
        if state is before:
            return
        if screen.is_terminal:
            screen.clear()
        screen.print(picture(state.view(None).sketch()))
        if screen.is_terminal:
            time.sleep(0.1)

    return see


def play(
    game: Game,
    players: tuple[str, ...],
    games: int,
    seed: int | None,
    record: str | None,
    watch: bool,
    think: bool,
    strict: bool,
    as_json: bool,
    **given: Any,
) -> int:
    from random import Random

    from touchline.drivers.terms import terms_of

    if len(players) not in game.seats:
        raise BadOptions(
            f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {len(players)}"
        )
    first = Random().randrange(1 << 32) if seed is None else seed
    agreed = terms_of(map(spoken_by, players), **_terms.chosen(**given))
    terms = {"conduct": agreed.conduct, "limits": agreed.limits}
    if any(map(is_program, players)):
        click.echo(NO_SANDBOX, err=True)
    click.echo(f"{agreed}", err=True)
    if games > 1 and watch:
        raise BadOptions("--watch shows one game: leave out --games")
    if games > 1 and think:
        raise BadOptions("--think is for one game: leave out --games")
    if think and not any(map(thinks, map(without_dialect, players))):
        click.echo("note: nobody at this table can say what it thinks", err=True)
    if games > 1 and "human" in players:
        raise BadOptions("a person plays one game at a time: leave out --games")
    target = None if record is None else Path(record)
    if target is not None and games > 1:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOptions(f"cannot make the folder {target}: {error.strerror}") from None
    if games == 1:
        table = Table(game, players, first, watch=watch, think=think, as_json=as_json)
        code = _one(table, target, terms)
    else:
        code = _many(game, players, games, first, target, terms, as_json)
    if seed is None:
        click.echo(f"played with --seed {first}", err=True)
    return code if strict else 0


def _one(table: Table, record: Path | None, terms: dict[str, Any]) -> int:
    result = table.play(record, terms)
    if table.as_json:
        emit({"names": table.words, "seed": table.seed, "result": result})
    else:
        for line in story(result, table.words):
            click.echo(line)
    for seat in dict.fromkeys(fault.seat for fault in result.faults):
        if text := table.notes.get(seat, "").strip():
            click.echo(f"what {table.words[seat]} wrote to stderr:\n{text}", err=True)
    if record is not None:
        click.echo(f"recorded in {record}", err=True)
    return 3 if result.faults or result.verdict == "void" else 0


def _many(
    game: Game,
    players: tuple[str, ...],
    games: int,
    first: int,
    folder: Path | None,
    terms: dict[str, Any],
    as_json: bool,
) -> int:
    """Many games, the seats changing with each, and a table at the end."""
    from rich.progress import Progress

    from touchline.cli._draw import console

    won: Counter[int] = Counter()
    faulty: Counter[int] = Counter()
    scores: Counter[int] = Counter()
    void = 0
    screen = console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        for number in bar.track(range(games), description="playing"):
            turned = [(seat + number) % len(players) for seat in range(len(players))]
            table = Table(game, tuple(players[who] for who in turned), first + number)
            record = None if folder is None else folder / f"{number:06}.jsonl"
            result = table.play(record, terms)
            faulty.update({turned[fault.seat] for fault in result.faults})
            if result.outcome is None:
                void += 1
                continue
            won.update(turned[seat] for seat in result.outcome.winners)
            for seat, score in enumerate(result.outcome.scores):
                scores[turned[seat]] += score
    rows = [
        {"player": name, "games": games - void, "won": won[who], "faulty": faulty[who], "score": scores[who]}
        for who, name in enumerate(players)
    ]
    if as_json:
        emit({"seed": first, "void": void, "players": rows})
    else:
        wide = max(len(name) for name in players)
        click.echo(f"{'player':<{wide}}  {'won':>6}  {'of':>6}  {'score':>8}  {'faulty games':>12}")
        for row in rows:
            click.echo(
                f"{row['player']:<{wide}}  {row['won']:>6}  {row['games']:>6}  {row['score']:>8}  "
                f"{row['faulty']:>12}"
            )
        if void:
            click.echo(f"{void} games were void")
    return 3 if faulty or void else 0


command = PerGame(
    "play",
    run=play,
    params_of_run=[
        click.Argument(["players"], nargs=-1, required=True, metavar="PLAYER..."),
        click.Option(["--games"], type=click.IntRange(1), default=1, help="So many games, changing seats."),
        *_terms.OPTIONS,
        click.Option(["--seed"], type=int, help="Where chance begins; drawn and told if not given."),
        click.Option(
            ["--record"], type=click.Path(), help="Write the match to this file (with --games: a folder)."
        ),
        click.Option(["--watch"], is_flag=True, help="Draw the board after every move."),
        click.Option(
            ["--think"], is_flag=True, help="House players that can say what they think say so, on stderr."
        ),
        click.Option(
            ["--strict"], is_flag=True, help="Exit with 3 if a player was at fault or a match is void."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
    ],
    help="Play a match between players, and say who won and why.",
    epilog=f"""{HELP}

\b
Examples:
  touchline play hexapawn random random --seed 1
  touchline play fish mybot.py fish_course:depth=1 --record match.jsonl
  touchline play labyrinth riemann euclid random --watch
  touchline play fish human random
  touchline play fish mcts minimax --think
  touchline play fish fish_course random --games 100""",
)  # fmt: skip
