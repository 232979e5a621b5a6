"""`touchline shrink RECORD BOT`: the shortest start of a game on which a bot still fails, as a record."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.one_player import OnePlayer
    from touchline.records.replay import Replay
    from touchline.records.script import Script
    from touchline.records.shrink import Shrinking
    from touchline.records.trial import Trials


@click.command(
    epilog="""\b
Examples:
  touchline shrink match.jsonl mybot.py
  touchline shrink match.jsonl seed-001+mybot.py --seat 0 -o bug.jsonl
  touchline shrink match.jsonl process:./mybot --seconds 0.5 --tries 1000
  touchline shrink match.jsonl mcts:seconds=0.1 --seat 1 --different --json"""
)
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("bot")
@click.option(
    "--seat", type=click.IntRange(0), help="The seat of the bot.  [default: the first at fault in the record]"
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
    help="The record to write.  [default: RECORD.shrunk.jsonl]",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite the output if it exists.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="Time limit of an answer.  [default: that of the record, or 10]",
)
@click.option("--different", is_flag=True, help="A legal move that is not the recorded one fails, too.")
@click.option(
    "--tries", type=click.IntRange(1), default=300, show_default=True, help="How often to start the bot."
)
@click.option("--strict", is_flag=True, help="Exit with 3 if the bot fails.")
@json_option
def command(
    record: Path,
    bot: str,
    seat: int | None,
    output: Path | None,
    force: bool,
    seconds: float | None,
    different: bool,
    tries: int,
    strict: bool,
    as_json: bool,
) -> int:
    """Find the shortest start of a recorded game on which a bot still fails, and write it as a record.

    To fail is to crash or exit, to send what is malformed or illegal, or to be late. The record is replayed
    into the bot up to its first failure. Then moves are left out, and other short games are tried, as long as
    the bot fails with the same offence. All seats but the failing answer are played as scripted. The
    result is the record of a real match with the same game, seed and conduct, which `touchline replay verify`
    accepts.

    Ctrl-C stops the search, and the best record so far is written.
    """
    from touchline.cli.replay import read
    from touchline.records.script import script_of
    from touchline.records.trial import Trials, trial_spec

    replay = read(str(record))
    at = _seat(replay, bot, seat)
    target = output or record.with_name(f"{record.name.removesuffix('.jsonl')}.shrunk.jsonl")
    _check_free(target, record, force)
    spec = trial_spec(replay, at, bot, seconds)
    trials = Trials(spec, at, lambda: _player(replay, bot, at))
    script = script_of(replay, at)
    failure = trials.first(script, different=different)
    if failure is None:
        _tell_sound(bot, at, as_json)
        return 0
    echo(f"{bot} fails at turn {failure.turn}: {failure.offence}: {failure.reason}", err=True)
    search, interrupted = _searched(spec, at, trials, script[: failure.steps], tries)
    _write(target, trials, force=force)
    _tell(target, at, failure.steps, search, trials, as_json)
    return 130 if interrupted else 3 if strict else 0


def _searched(
    spec: MatchSpec, seat: int, trials: Trials, failing: Script, tries: int
) -> tuple[Shrinking, bool]:
    """Search for a shorter script; return the search, and whether it was interrupted."""
    from random import Random

    from touchline.drivers.match import opened
    from touchline.records.shrink import Shrinking

    search = Shrinking(
        opened(spec),
        seat,
        trials.fails,
        tries=tries - 1,  # the first was for the record itself
        rng=Random(0),
        wanted=trials.wanted(failing),
        progress=_Progress(tries, len(failing)),
    )
    try:
        if failing:
            echo(f"looking for less than its {len(failing)} moves; Ctrl-C keeps the best so far", err=True)
        search.run(failing)
    except KeyboardInterrupt:
        return search, True
    return search, False


def _seat(replay: Replay, bot: str, seat: int | None) -> int:
    """Return the seat of the bot: the chosen one, the only one of its name, or the first at fault."""
    from touchline.core.events import Faulted

    names = replay.begun.names
    if seat is not None:
        if seat >= len(names):
            raise BadOptions(f"{replay.where} has no seat {seat}: its seats are 0 to {len(names) - 1}")
        return seat
    faults = [event.seat for event in replay.events if isinstance(event, Faulted)]
    named = [at for at, name in enumerate(names) if name == bot]
    for at in [at for at in faults if at in named] + (named if len(named) == 1 else []) + faults:
        if 0 <= at < len(names):
            return at
    raise BadOptions(f"no seat of {replay.where} was at fault: choose the seat of {bot} with --seat")


def _check_free(target: Path, record: Path, force: bool) -> None:
    if target.exists() and target.samefile(record):
        raise BadOptions(f"{target} is the record itself: choose another file with -o")
    if target.exists() and not force:
        raise BadOptions(f"{target} exists: choose another file with -o, or overwrite it with --force")


def _player(replay: Replay, bot: str, seat: int) -> OnePlayer:
    from touchline.cli._players import dialect_of, player
    from touchline.drivers.one_player import one_player

    return one_player(player(bot, replay.game, "shrink"), replay.game, seat, dialect_of(bot))


def _tell_sound(bot: str, seat: int, as_json: bool) -> None:
    if as_json:
        emit({"fails": False, "seat": seat})
    else:
        echo(f"{bot} does not fail on this record in seat {seat}")


class _Progress:
    """The progress of the search on stderr: each improvement, and on a terminal each try."""

    def __init__(self, tries: int, steps: int) -> None:
        self._tries, self._steps = tries, steps
        self._live = sys.stderr.isatty()

    def __call__(self, tries: int, steps: int) -> None:
        if self._live:
            click.echo(f"\r{tries + 1} of {self._tries} tries \r", nl=False, err=True)
        if steps < self._steps:
            echo(f"try {tries + 1}: it fails after {steps} moves", err=True)
        self._steps = steps


def _write(target: Path, trials: Trials, *, force: bool) -> None:
    """Write the record of the shortest failing match."""
    from touchline.records.recorder import RecordWriter

    assert trials.failure is not None
    try:
        with target.open("wb" if force else "xb") as file:
            writer = RecordWriter(file.write)
            for event in trials.failure.events:
                writer.see(event)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", str(target)) from None


def _tell(target: Path, seat: int, before: int, search: Shrinking, trials: Trials, as_json: bool) -> None:
    failure = trials.failure
    assert failure is not None
    if as_json:
        found: dict[str, Any] = {
            "fails": True, "seat": seat, "turn": failure.turn, "offence": failure.offence,
            "reason": failure.reason, "moves": failure.steps, "recorded_moves": before,
            "tries": search.tries + 1, "shortest": search.shortest, "record": str(target),
            "stderr": failure.notes,
        }  # fmt: skip
        emit(found)
        return
    echo(f"after {failure.steps} moves (recorded: {before}) seat {seat} fails: "
         f"{failure.offence}: {failure.reason}")  # fmt: skip
    if search.shortest and failure.steps:
        echo("no start of fewer moves fails: all their positions were tried")
    elif search.bound and not search.shortest:
        echo(f"all positions after at most {search.bound - 1} moves were tried; --tries searches further")
    echo(f"written to {target} after {search.tries + 1} starts of the bot", err=True)
    if text := failure.notes.strip():
        echo_text("what it wrote to stderr:", text)
    sys.stdout.flush()
