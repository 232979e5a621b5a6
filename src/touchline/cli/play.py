"""`touchline play GAME PLAYER ...`: a match, or many."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _isolation, _terms
from touchline.cli._options import PerGame, emit
from touchline.cli._players import HELP, is_program, player, without_dialect
from touchline.cli._signing import sign_option, signer_of
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Game, State
    from touchline.matches.fixture import Fixture
    from touchline.matches.many import Matches, RecordFiles
    from touchline.matches.result import MatchResult
    from touchline.records.recording import Recording


def _watcher(game: Game, *, as_json: bool) -> Callable[[Event], None]:
    """Redraw the board after every event that changes it, as a spectator sees it."""
    import time

    from touchline.cli._draw import console, picture
    from touchline.core.events import Begun
    from touchline.core.fold import after

    screen = console(stderr=as_json)
    state: State | None = None

    def see(event: Event) -> None:
        nonlocal state
        if isinstance(event, Begun):
            state = game.restore(event.position)
        if state is None:
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
    force: bool,
    sign: str | None,
    watch: bool,
    think: bool,
    strict: bool,
    as_json: bool,
    isolation: str,
    ponder: str,
    **given: Any,
) -> int:
    from touchline.cli._thinkers import compile_adviser, thinks
    from touchline.matches.fixture import fixture, hidden_files
    from touchline.matches.many import RecordFiles
    from touchline.records.recording import Recording

    aloud = partial(click.echo, err=True) if think else None
    terms = _terms.chosen(**given)
    match = fixture(
        game, players, make=partial(player, as_json=as_json, aloud=aloud), **terms,
        isolation=isolation, ponder=ponder == "yes", hidden=hidden_files(record),
        program=_isolation.limits_of(given["conduct"]),
    )  # fmt: skip
    _isolation.say(match.sandbox, players)
    click.echo(f"{match.terms}", err=True)
    if games > 1:
        _check_many(players, watch=watch, think=think)
    elif think and not any(map(thinks, map(without_dialect, players))):
        click.echo("note: no player of this match explains its moves", err=True)
    signer = signer_of(sign)
    if signer is not None and record is None:
        raise BadOptions("--sign signs a record: say where with --record")
    if games == 1:
        prompt = "human" in map(without_dialect, players)
        if prompt and (given["seconds"] or given["bank"] or given["increment"]):
            compile_adviser(game.name)  # a hint must not cost the person the time to compile
        recording = Recording(record, overwrite=force, signer=signer, prompt=prompt)
        return _one(match, seed, recording, watch=watch, strict=strict, as_json=as_json)
    files = RecordFiles(record, overwrite=force, signer=signer)
    return _many(match, games, seed, files, strict=strict, as_json=as_json)


def _check_many(players: tuple[str, ...], *, watch: bool, think: bool) -> None:
    if watch:
        raise BadOptions("--watch shows one game: leave out --games")
    if think:
        raise BadOptions("--think is for one game: leave out --games")
    if "human" in players:
        raise BadOptions("a person plays one game at a time: leave out --games")


def _one(
    match: Fixture, seed: int | None, recording: Recording, *, watch: bool, strict: bool, as_json: bool
) -> int:
    """Play one match, and say who won and why."""
    watchers = [_watcher(match.game, as_json=as_json)] if watch else []
    played = match.play(seed, watchers, recording)
    return report(played, recording, seed_given=seed is not None, strict=strict, as_json=as_json)


def report(
    played: MatchResult, recording: Recording, *, seed_given: bool, strict: bool, as_json: bool
) -> int:
    """Print the result of a match and what became of its record; return the exit code."""
    from touchline.records.story import story

    asked = recording.path is not None
    if as_json:
        said = {"recorded": played.record is not None, "digest": played.digest} if asked else {}
        emit(
            {"names": played.players, "seed": played.seed, "isolation": played.isolation,
             "result": played.result, **said}
        )  # fmt: skip
    else:
        for line in story(played.result, played.players):
            echo(line)
    for seat in dict.fromkeys(fault.seat for fault in played.faults):
        if text := played.stderr.get(seat, "").strip():
            echo_text(f"what {played.players[seat]} wrote to stderr:", text)
    if not seed_given:
        click.echo(f"played with --seed {played.seed}", err=True)
    if asked and played.record is None:
        click.echo(f"recorded: no ({recording.failed})", err=True)
    recording.check()
    if asked:
        click.echo(f"recorded in {recording.path}, digest {played.digest}", err=True)
    return 3 if strict and (played.faults or played.verdict == "void") else 0


def _many(
    match: Fixture, games: int, seed: int | None, files: RecordFiles, *, strict: bool, as_json: bool
) -> int:
    """Play many matches, the players changing seats after each, and show a table."""
    from touchline.matches.many import play_fixture

    matches = play_fixture(match, games, seed, progress=True, files=files)
    rows = [
        {"player": row["player"], "games": row["games"], "won": row["won"], "faulty": row["faulty"],
         "score": row["score"]}
        for row in matches.totals()
    ]  # fmt: skip
    if as_json:
        said = {} if files.place is None else {"recorded": games - len(files.failed)}
        tier = match.sandbox.tier if any(map(is_program, match.players)) else None
        emit({"seed": seed, "void": matches.void, "isolation": tier, "players": rows, **said})
    else:
        _print_table(matches, rows)
    if seed is None:
        click.echo("each game drew a seed of its own; --seed N makes them repeatable", err=True)
    files.check()
    if files.place is not None:
        click.echo(f"{games} games recorded in {files.place}", err=True)
    return 3 if strict and (matches.void or any(row["faulty"] for row in rows)) else 0


def _print_table(matches: Matches, rows: Sequence[dict[str, Any]]) -> None:
    wide = max(len(name) for name in matches.players)
    click.echo(f"{'player':<{wide}}  {'won':>6}  {'of':>6}  {'score':>8}  {'faulty games':>12}")
    for row in rows:
        echo(
            f"{row['player']:<{wide}}  {row['won']:>6}  {row['games']:>6}  {row['score']:>8}  "
            f"{row['faulty']:>12}"
        )
    if matches.void:
        click.echo(f"{matches.void} games were void")


def _resume(file: str, *, sign: str | None, strict: bool, as_json: bool) -> int:
    """Go on with a recorded match."""
    from touchline.matches.resume import resume
    from touchline.records.recording import Recording

    def make(word: str, game: Game, seed: object, folder: Path, **more: Any) -> Any:
        return player(word, game, seed, as_json=as_json, folder=folder, **more)

    recording = Recording(file, signer=signer_of(sign))
    played = resume(Path(file), recording, make=make)
    return report(played, recording, seed_given=True, strict=strict, as_json=as_json)


class Play(PerGame):
    """A command with the games as sub-commands; with --resume it goes on with a recorded match."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, callback=self._alone, **kwargs)

    @staticmethod
    @click.pass_context
    def _alone(ctx: click.Context, /, resume: str | None, **given: Any) -> int | None:
        if ctx.invoked_subcommand is None and resume is None:
            raise click.UsageError("name a game, or go on with a recorded match with --resume FILE", ctx)
        if ctx.invoked_subcommand is None and resume is not None:
            return _resume(resume, **given)
        if resume is not None:
            raise click.UsageError("--resume takes the game and the players from the record: name none", ctx)
        return None


_STRICT = click.Option(
    ["--strict"], is_flag=True, help="Exit with 3 if a player was at fault or a match is void."
)
_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON.")

command = Play(
    "play",
    params=[
        click.Option(
            ["--resume"], type=click.Path(exists=True, dir_okay=False), metavar="FILE",
            help="Go on with the match of this record, whose process was killed.",
        ),
        sign_option(), _STRICT, _JSON,
    ],
    run=play,
    params_of_run=[
        click.Argument(["players"], nargs=-1, required=True, metavar="PLAYER..."),
        click.Option(
            ["--games"], type=click.IntRange(1), default=1, help="Number of games; players change seats."
        ),
        *_terms.OPTIONS,
        _isolation.isolation_option(),
        _isolation.ponder_option(),
        _terms.fuel_option(),
        click.Option(["--seed"], type=int, help="Seed of the random numbers; drawn and shown if not given."),
        click.Option(
            ["--record"], type=click.Path(),
            help="Write the match to this file; with --games, to files in this folder, or to one file for "
            "all of them if its name ends in .jsonl.",
        ),
        click.Option(["--force"], is_flag=True, help="Overwrite records that are there already."),
        sign_option(),
        click.Option(["--watch"], is_flag=True, help="Draw the board after every move."),
        click.Option(
            ["--think"], is_flag=True, help="House players explain their moves on stderr, if they can."
        ),
        _STRICT,
        _JSON,
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
  touchline play fish fish_course random --games 100
  touchline play hexapawn wasm:bot.wasm random --fuel 5M --record match.jsonl
  touchline play --resume match.jsonl""",
)  # fmt: skip
