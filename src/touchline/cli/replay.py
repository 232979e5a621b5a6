"""`touchline replay show|verify|step|into`: print, verify or draw a record, or replay it into a bot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit, json_option
from touchline.cli._verify_records import verify
from touchline.cli.main import CONTEXT

if TYPE_CHECKING:
    from touchline.records.replay import Replay

FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))


def _read(file: str) -> Replay:
    from touchline.records.replay import Replay

    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return Replay(data, "standard input" if file == "-" else file)


@click.group(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline play fish random random --record match.jsonl
  touchline replay show match.jsonl
  touchline replay verify match.jsonl
  touchline replay step match.jsonl --turn 12
  touchline replay into mybot.py match.jsonl --seat 1 --until 40""",
)
def command() -> None:
    """Print a recorded match, verify it, step through it, or replay it into a bot."""


@command.command()
@FILE
@json_option
def show(file: str, as_json: bool) -> None:
    """Print the terms, the events and the result of a match, one line each."""
    replay = _read(file)
    if as_json:
        result = replay.ended.result if replay.ended else None
        emit({"game": replay.begun.game, "names": replay.begun.names, "events": len(replay.events),
              "result": result})  # fmt: skip
        return
    begun = replay.begun
    click.echo(f"{begun.game}, {len(begun.names)} seats: {', '.join(begun.names)}")
    click.echo(f"conduct {begun.conduct.name}, isolation {begun.isolation}")
    for event in replay.events[1:-1] if replay.ended else replay.events[1:]:
        click.echo(_line(event))
    if replay.ended is None:
        click.echo("the record stops here: the match did not end")
        return
    from touchline.records.story import story

    for line in story(replay.ended.result, begun.names):
        click.echo(line)


def _line(event: Any) -> str:
    """Return an event as a line of text."""
    import msgspec

    from touchline.core import events

    match event:
        case events.Moved(turn, seat, move, took, _, by):
            how = "" if by == "seat" else " (played by the referee)"
            return (
                f"{turn:>5}. seat {seat} {msgspec.json.encode(move).decode()}{how} after {took / 1e6:.6f} s"
            )
        case events.Faulted(turn, seat, offence, reason, sanction):
            return f"{turn:>5}. seat {seat} {offence.value}: {reason} -> {sanction.value}"
        case events.SatDown(seat):
            return f"       seat {seat} is ready"
        case events.Skipped(turn, seat, reason):
            return f"{turn:>5}. seat {seat} is skipped: {reason}"
        case events.PassedOver(turn, seats):
            return f"{turn:>5}. cannot move: {', '.join(f'seat {seat}' for seat in seats)}"
        case events.Expelled(turn, seat, reason):
            return f"{turn:>5}. seat {seat} is expelled: {reason}"
        case events.Resigned(turn, seat, why):
            return f"{turn:>5}. seat {seat} resigns: {why}"
        case events.SentOn(turn, seat):
            return f"{turn:>5}. seat {seat} was told its next goal"
        case events.Resumed(turn):
            return f"{turn:>5}. the referee was restarted, and the match goes on"
        case events.Ignored(turn, seat):
            return f"{turn:>5}. seat {seat} answered an old question, which is ignored"
    return str(event)


command.add_command(verify)


@command.command()
@FILE
@click.option("--turn", type=click.IntRange(0), help="Draw only the position before this turn.")
def step(file: str, turn: int | None) -> None:
    """Draw the match position by position; on a terminal, press a key for the next one."""
    from touchline.cli._draw import console, picture
    from touchline.core.events import Begun, Ended

    screen = console()
    for event, state in _read(file).states():
        number = getattr(event, "turn", -1) + 1
        if turn is not None and number < turn and not isinstance(event, Ended):
            continue
        if not isinstance(event, Begun | Ended):
            click.echo(_line(event))
        screen.print(picture(state.sketch()))
        if turn is not None:
            return
        if screen.is_terminal and sys.stdin.isatty():
            click.pause("... any key for the next position, Ctrl-C to stop")


@command.command()
@click.argument("bot")
@FILE
@click.option("--seat", type=click.IntRange(0), required=True, help="The seat of the bot, counted from 0.")
@click.option("--until", type=click.IntRange(0), help="Stop before this turn.")
@json_option
def into(bot: str, file: str, seat: int, until: int | None, as_json: bool) -> None:
    """Replay a recorded match into a bot: ask it what its seat was asked, and compare the answers.

    The match continues as recorded, whatever the bot answers. There is no time limit, so you can attach a
    debugger to the bot.
    """
    from touchline.cli._players import dialect_of, player
    from touchline.core.errors import BadOptions
    from touchline.drivers.match import Bot
    from touchline.players.process import Program
    from touchline.records.replay import questions

    replay = _read(file)
    if seat >= len(replay.begun.names):
        raise BadOptions(f"{file} has no seat {seat}: its seats are 0 to {len(replay.begun.names) - 1}")
    if dialect_of(bot) is not None:
        raise BadOptions(f"{bot}: a record can be replayed into native players only")
    made = player(bot, replay.game, "replay")
    assert isinstance(made, Bot | Program)
    same = asked = 0
    rows = []
    try:
        for turn, taken, answer in questions(replay, made, seat, until):
            asked += 1
            same += answer == taken
            rows.append({"turn": turn, "recorded": taken, "answered": answer})
            if not as_json:
                verdict = "the same" if answer == taken else "DIFFERENT"
                click.echo(f"{turn:>5}. recorded {_json(taken)}, answered {_json(answer)}: {verdict}")
    finally:
        if isinstance(made, Program):
            made.stop(1)
            if text := made.notes.text().strip():
                click.echo(f"{bot} wrote to stderr:\n{text}", err=True)
    if as_json:
        emit({"asked": asked, "same": same, "turns": rows})
    else:
        click.echo(f"{same} of {asked} answers as recorded")


def _json(value: Any) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()
