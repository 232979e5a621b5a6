"""`touchline play GAME PLAYER ...`: a match, or many."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _isolation, _terms
from touchline.cli._csv_rows import check_csv, csv_option
from touchline.cli._debugging import Debugged, debug_option
from touchline.cli._desk import PlainDesk, desk_for, people_among
from touchline.cli._many_games import play_many
from touchline.cli._options import PerGame, emit
from touchline.cli._player_output import OutputPlan, hidden_log, log_option, show_option
from touchline.cli._players import HELP, player, without_dialect
from touchline.cli._signing import sign_option, signer_of
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.cli._desk import Desk
    from touchline.core.rules import Game
    from touchline.matches.fixture import Fixture
    from touchline.matches.result import MatchResult
    from touchline.records.fault_notes import FaultNotes
    from touchline.records.recording import Recording
    from touchline.records.signing import SigningKey
    from touchline.records.story import LastMover


def play(
    game: Game,
    players: tuple[str, ...],
    games: int,
    seed: int | None,
    record: str | None,
    force: bool,
    sign: str | None,
    watch: bool,
    plain: bool,
    think: bool,
    strict: bool,
    as_json: bool,
    isolation: str,
    ponder: str,
    show_output: bool,
    log_players: str | None,
    debug: str | None,
    csv_file: str | None,
    **given: Any,
) -> int:
    from touchline.cli._thinkers import compile_adviser
    from touchline.matches.fixture import fixture, hidden_files
    from touchline.matches.many import RecordFiles
    from touchline.records.recording import Recording

    aloud = partial(click.echo, err=True) if think else None
    terms = _terms.chosen(**given)
    lines = games > 1 or show_output or think or debug is not None  # printed while the match is played
    plain = plain or lines
    desk = desk_for(game, players, watch=watch, plain=plain, as_json=as_json)
    match = fixture(
        game, players, make=partial(player, as_json=as_json, aloud=aloud, person=desk.person), **terms,
        isolation=isolation, ponder=ponder == "yes",
        hidden=(*hidden_files(record), *hidden_log(log_players)),
        program=_isolation.limits_of(given["conduct"]),
    )  # fmt: skip
    debugged = None if debug is None else Debugged(debug, match, games=games, watch=watch)
    _isolation.say(match.sandbox, match.players if debugged is None else debugged.others)
    click.echo(f"{match.terms}", err=True)
    check_csv(csv_file, games, as_json=as_json)
    _check_together(players, games, watch=watch, think=think)
    signer = _signer(sign, record)
    stopped = None if debugged is None else debugged.seat
    output = OutputPlan(match, games, show=show_output, log=log_players, force=force, debugged=stopped)
    if games == 1:
        person = "human" in map(without_dialect, players)
        if person and (given["seconds"] or given["bank"] or given["increment"]):
            compile_adviser(game.name)  # a hint must not cost the person the time to compile
        prompt = person or debug is not None
        recording = Recording(record, overwrite=force, signer=signer, prompt=prompt)
        with debugged or nullcontext(match) as match:
            return _one(match, seed, recording, desk, output, watch=watch, strict=strict, as_json=as_json)
    files = RecordFiles(record, overwrite=force, signer=signer)
    return play_many(
        match, games, seed, files, output, csv_file=csv_file, force=force, strict=strict, as_json=as_json
    )


def _signer(key: str | None, record: str | None) -> SigningKey | None:
    if key is not None and record is None:
        raise BadOptions("--sign signs a record: say where with --record")
    return signer_of(key)


def _check_together(players: tuple[str, ...], games: int, *, watch: bool, think: bool) -> None:
    """Refuse options that do not go together, and say it if --think has nothing to do."""
    from touchline.cli._thinkers import thinks

    if games == 1:
        if think and not any(map(thinks, map(without_dialect, players))):
            click.echo("note: no player of this match explains its moves", err=True)
        return
    if watch:
        raise BadOptions("--watch shows one game: leave out --games")
    if think:
        raise BadOptions("--think is for one game: leave out --games")
    if "human" in players:
        raise BadOptions("a person plays one game at a time: leave out --games")


def _one(
    match: Fixture,
    seed: int | None,
    recording: Recording,
    desk: Desk,
    output: OutputPlan,
    *,
    watch: bool,
    strict: bool,
    as_json: bool,
) -> int:
    """Play one match, and say who won and why."""
    from msgspec.structs import replace

    from touchline.records.fault_notes import FaultNotes
    from touchline.records.story import LastMover

    notes, mover, heard = FaultNotes(), LastMover(), output.game(match)
    seen = [desk.see] if watch or people_among([str(one) for one in match.players]) else []
    try:
        played = desk.run(lambda: match.play(seed, [*seen, notes, mover], recording, heard))
    except KeyboardInterrupt:
        _say_how_to_resume(recording.path)
        raise
    if output.shows and heard is not None:  # what was shown as a whole is not repeated after a fault
        played = replace(played, stderr={seat: played.stderr[seat] for seat in heard.cut})
    code = report(
        played, recording, mover, notes, seed_given=seed is not None, strict=strict, as_json=as_json
    )
    output.check()
    return code


def _say_how_to_resume(path: Path | None) -> None:
    """Tell somebody who leaves a match how it can go on."""
    from touchline.records.side_file import side_file

    if path is not None and side_file(path).exists():
        echo(f"the match is not over; go on with: touchline play --resume {path}", err=True)


def report(
    played: MatchResult,
    recording: Recording,
    mover: LastMover,
    notes: FaultNotes | None = None,
    *,
    seed_given: bool,
    strict: bool,
    as_json: bool,
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
        for line in story(played.result, played.players, mover.seat):
            echo(line)
    _explain_faults(played, notes)
    if not seed_given:
        click.echo(f"played with --seed {played.seed}", err=True)
    if asked and played.record is None:
        click.echo(f"recorded: no ({recording.failed})", err=True)
    recording.check()
    if asked:
        click.echo(f"recorded in {recording.path}, digest {played.digest}", err=True)
    return 3 if strict and (played.faults or played.verdict == "void") else 0


def _explain_faults(played: MatchResult, notes: FaultNotes | None) -> None:
    """Print what players at fault had sent, and what they wrote to stderr, as far as no reason has it."""
    from touchline.players.crash_report import not_told

    for seat, reason in sorted({fault.seat: fault.reason for fault in played.faults}.items()):
        name = played.players[seat]
        if notes is not None and (sent := notes.sent_by(seat)) is not None:
            echo(f"{name} had sent {sent}", err=True)
        if text := not_told(played.stderr.get(seat, ""), reason):
            echo_text(f"what {name} wrote to stderr:", text)


def _resume(file: str, *, sign: str | None, strict: bool, as_json: bool, plain: bool) -> int:
    """Go on with a recorded match."""
    from touchline.matches.resume import resume
    from touchline.records.interrupted import has_begun
    from touchline.records.recording import Recording
    from touchline.records.replay import Replay
    from touchline.records.story import LastMover

    desk: Desk
    mover = LastMover()
    if has_begun(Path(file)):
        begun = Replay.read(Path(file))
        desk = desk_for(begun.game, begun.begun.names, watch=False, plain=plain, as_json=as_json)
    else:
        desk = PlainDesk(None)  # `resume` says what is wrong

    def make(word: str, game: Game, seed: object, folder: Path, **more: Any) -> Any:
        return player(word, game, seed, as_json=as_json, folder=folder, person=desk.person, **more)

    recording = Recording(file, signer=signer_of(sign))
    try:
        played = desk.run(lambda: resume(Path(file), recording, [desk.see, mover], make=make))
    except KeyboardInterrupt:
        _say_how_to_resume(recording.path)
        raise
    return report(played, recording, mover, seed_given=True, strict=strict, as_json=as_json)


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
_PLAIN = click.Option(
    ["--plain"], is_flag=True, help="Use a plain prompt and plain drawings, not the full screen."
)
_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON.")

command = Play(
    "play",
    params=[
        click.Option(
            ["--resume"], type=click.Path(exists=True, dir_okay=False), metavar="FILE",
            help="Go on with the match of this record, whose process was killed.",
        ),
        sign_option(), _PLAIN, _STRICT, _JSON,
    ],
    run=play,
    params_of_run=[
        click.Argument(["players"], nargs=-1, required=True, metavar="PLAYER..."),
        click.Option(
            ["--games"], type=click.IntRange(1, 1_000_000), default=1,
            help="Number of games; players change seats. Shows wins, ties, losses, points and Elo with its "
            "95 % interval.",
        ),
        csv_option(),
        *_terms.OPTIONS,
        _isolation.isolation_option(),
        _isolation.ponder_option(),
        debug_option(),
        show_option(),
        log_option(),
        _terms.fuel_option(),
        click.Option(["--seed"], type=int, help="Seed of the random numbers; drawn and shown if not given."),
        click.Option(
            ["--record"], type=click.Path(),
            help="Write the match to this file; with --games, to files in this folder, or to one file for "
            "all of them if its name ends in .jsonl.",
        ),
        click.Option(["--force"], is_flag=True, help="Overwrite records, logs and CSV files."),
        sign_option(),
        click.Option(["--watch"], is_flag=True, help="Show every move on the board, and who made it."),
        _PLAIN,
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
  touchline play fish mybot.py random --show-output --log-players logs
  touchline play fish mybot.py random --debug mybot.py
  touchline play fish fish_course random --games 100 --csv games.csv
  touchline play hexapawn wasm:bot.wasm random --fuel 5M --record match.jsonl
  touchline play --resume match.jsonl""",
)  # fmt: skip
