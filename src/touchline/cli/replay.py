"""`touchline replay show|verify|step|into`: print, verify or draw a record, or replay it into a bot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo, echo_text
from touchline.cli._verify_records import verify
from touchline.cli.main import CONTEXT, Group

if TYPE_CHECKING:
    from touchline.records.match_log import MatchLog
    from touchline.records.questions import Compared
    from touchline.records.replay import Replay

FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))


def read(file: str) -> Replay:
    """Read a record from a file, or from standard input if the file is `-`."""
    from touchline.records.replay import Replay

    return Replay(_data(file), "standard input" if file == "-" else file)


def _data(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline play fish random random --record match.jsonl
  touchline replay show match.jsonl
  touchline replay verify match.jsonl
  touchline replay step match.jsonl --turn 12
  touchline replay draw match.jsonl --gif match.gif --card card.png
  touchline replay into mybot.py match.jsonl --seat 1 --until 40
  touchline replay into seed-001+mybot.py match.jsonl --seat 0 --json""",
)
def command() -> None:
    """Print a recorded match, verify it, step through it, draw it, or replay it into a bot."""


@command.command(
    epilog="""\b
Examples:
  touchline replay show match.jsonl
  touchline replay show match.jsonl --json"""
)
@FILE
@json_option
def show(file: str, as_json: bool) -> None:
    """Print the terms, the events and the result of a match, one line each."""
    replay = read(file)
    if as_json:
        result = replay.ended.result if replay.ended else None
        emit({"game": replay.begun.game, "names": replay.begun.names, "events": len(replay.events),
              "result": result})  # fmt: skip
        return
    begun = replay.begun
    echo(f"{begun.game}, {len(begun.names)} seats: {', '.join(begun.names)}")
    echo(f"conduct {begun.conduct.name}, {isolation_text(begun.isolation)}")
    for event in replay.events[1:-1] if replay.ended else replay.events[1:]:
        echo(_line(event))
    if replay.ended is None:
        echo("the record stops here: the match did not end")
        return
    from touchline.records.story import LastMover, story

    for line in story(replay.ended.result, begun.names, LastMover(replay.events).seat):
        echo(line)


def isolation_text(isolation: str | tuple[str | None, ...]) -> str:
    """Return the isolation of the seats as a phrase.

    >>> isolation_text(("A", None)), isolation_text((None, None)), isolation_text("none")
    ('isolation A of seat 0', 'no programs', 'isolation none')
    """
    if isinstance(isolation, str):
        return f"isolation {isolation}"
    seats = [f"{tier} of seat {seat}" for seat, tier in enumerate(isolation) if tier is not None]
    return f"isolation {', '.join(seats)}" if seats else "no programs"


def _line(event: Any) -> str:
    """Return an event as a line of text."""
    import msgspec

    from touchline.core import events

    match event:
        case events.Moved(turn, seat, move, took, _, by):
            how = "" if by == "seat" else " (played by the referee)"
            fuel = "" if event.fuel is msgspec.UNSET else f" and {event.fuel:,} fuel"
            made = msgspec.json.encode(move).decode()
            return f"{turn:>5}. seat {seat} {made}{how} after {took / 1e6:.6f} s{fuel}"
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
        case events.TakenBack(turn, seat, to):
            return f"{turn:>5}. seat {seat} takes turn {to} back"
        case events.SentOn(turn, seat):
            return f"{turn:>5}. seat {seat} knows where to go next"
        case events.Resumed(turn):
            return f"{turn:>5}. the referee was restarted, and the match goes on"
        case events.Ignored(turn, seat):
            return f"{turn:>5}. seat {seat} answered an old question, which is ignored"
    return str(event)


command.add_command(verify)


@command.command(
    epilog="""\b
Examples:
  touchline replay step match.jsonl
  touchline replay step match.jsonl --turn 12 --plain"""
)
@FILE
@click.option(
    "--turn",
    type=click.IntRange(0),
    help="Begin with the position before this turn; in plain text, draw only this one.",
)
@click.option(
    "--plain", is_flag=True, help="Print plain text, also on a terminal that can show a full screen."
)
@json_option
def step(file: str, turn: int | None, plain: bool, as_json: bool) -> None:
    """Step through a match, forwards and backwards: who moved what, the board, and at faults the reason.

    On a terminal it is a full screen, with the arrow keys; elsewhere, and with --plain, it is text.
    """
    from touchline.cli._desk import full_screen
    from touchline.records.match_log import log_of

    log = log_of(read(file))
    at = _entry_before(log, turn or 0)
    if as_json:
        steps = [
            {"turn": one.turn, "seat": one.seat, "text": one.text, "fault": one.fault} for one in log.entries
        ]
        emit({"game": log.game.name, "names": log.names, "steps": steps if turn is None else [steps[at]]})
    elif file != "-" and not plain and full_screen():
        from touchline.terminal.step_view import StepView

        view = StepView(log.game, log, at=at)
        view.run()
        view.check()
    else:
        _print_steps(log, None if turn is None else at)


def _entry_before(log: MatchLog, turn: int) -> int:
    """Return the number of the last entry before a turn."""
    return max((at for at, entry in enumerate(log.entries) if at == 0 or entry.turn < turn), default=0)


def _print_steps(log: MatchLog, only: int | None) -> None:
    """Print every entry with its board; on a terminal, wait for a key after each."""
    from msgspec.structs import replace

    from touchline.cli._draw import console, picture

    screen = console()
    for at, entry in enumerate(log.entries):
        if only is not None and at != only:
            continue
        echo(f"{entry.turn:>5}. {'fault: ' if entry.fault else ''}{entry.text}")
        if only is not None or at == 0 or entry.state is not log.entries[at - 1].state:
            screen.print(picture(replace(entry.state.sketch(), marked=entry.keys)))
            if only is None and screen.is_terminal and sys.stdin.isatty():
                click.pause("... any key for the next position, Ctrl-C to stop")


@command.command(
    epilog="""\b
Examples:
  touchline replay draw match.jsonl --gif match.gif
  touchline replay draw match.jsonl --turn 12 --svg board.svg --png board.png --theme dark
  touchline replay draw match.jsonl --webp match.webp --seconds 0.4 --card card.png"""
)
@FILE
@click.option("--svg", type=click.Path(dir_okay=False), help="Write a position as SVG.")
@click.option("--png", type=click.Path(dir_okay=False), help="Write a position as PNG.")
@click.option("--gif", type=click.Path(dir_okay=False), help="Write the match as an animated GIF.")
@click.option(
    "--webp", type=click.Path(dir_okay=False), help="Write it as WebP, in more colours than the GIF."
)
@click.option("--card", type=click.Path(dir_okay=False), help="Write a card to share, 1200 by 630 pixels.")
@click.option("--turn", type=click.IntRange(0), help="The position before this turn.  [default: the last]")
@click.option(
    "--seconds", type=click.FloatRange(0.02, 10), default=0.6, show_default=True, help="Seconds a move."
)
@click.option(
    "--theme", type=click.Choice(("light", "dark")), default="light", show_default=True, help="Colours."
)
@json_option
def draw(
    file: str,
    svg: str | None,
    png: str | None,
    gif: str | None,
    webp: str | None,
    card: str | None,
    turn: int | None,
    seconds: float,
    theme: str,
    as_json: bool,
) -> None:
    """Draw a match: positions as SVG and PNG, the whole as GIF and WebP, and a card to share.

    Nothing is hidden in these pictures. All but SVG needs touchline[web].
    """
    from touchline.cli._pictures import write
    from touchline.core.errors import BadOptions
    from touchline.web.playback import Playback

    if not any((svg, png, gif, webp, card)):
        raise BadOptions("say what to write: --svg, --png, --gif, --webp or --card, each with a file")
    worn: Literal["light", "dark"] = "dark" if theme == "dark" else "light"
    playback = Playback(_data(file))
    if svg:
        write(svg, lambda: playback.svg(worn, None, turn).encode())
    if png:
        write(png, lambda: playback.png(worn, None, turn))
    if gif:
        write(gif, lambda: playback.film(worn, seconds, "GIF"))
    if webp:
        write(webp, lambda: playback.film(worn, seconds, "WEBP"))
    if card:
        write(card, lambda: playback.card(worn))
    wanted = {"svg": svg, "png": png, "gif": gif, "webp": webp, "card": card}
    if as_json:
        emit({"written": {kind: path for kind, path in wanted.items() if path}})


@command.command(
    epilog="""\b
Examples:
  touchline replay into mybot.py match.jsonl --seat 1 --until 40
  touchline replay into seed-001+mybot.py match.jsonl --seat 0 --json"""
)
@click.argument("bot")
@FILE
@click.option("--seat", type=click.IntRange(0), required=True, help="The seat of the bot, counted from 0.")
@click.option("--until", type=click.IntRange(0), help="Stop before this turn.")
@json_option
def into(bot: str, file: str, seat: int, until: int | None, as_json: bool) -> None:
    """Replay a recorded match into a bot: ask it what its seat was asked, and compare the answers.

    The match continues as recorded, whatever the bot answers: with the turns, the times and the messages of
    the record, in the dialect of the bot. It is told updates if it asks for them. There is no time limit, so
    you can attach a debugger to the bot. A bot that fails ends the replay with exit code 2.
    """
    from touchline.cli._players import dialect_of, player
    from touchline.core.errors import BadOptions
    from touchline.drivers.one_player import one_player
    from touchline.records.questions import questions

    replay = read(file)
    if seat >= len(replay.begun.names):
        raise BadOptions(f"{file} has no seat {seat}: its seats are 0 to {len(replay.begun.names) - 1}")
    replay.spec()  # before a program is started
    made = one_player(player(bot, replay.game, "replay"), replay.game, seat, dialect_of(bot))
    rows: list[Compared] = []
    try:
        for row in questions(replay, made, seat, until, bot):
            rows.append(row)
            if not as_json:
                echo(_comparison(row))
    finally:
        made.close(1)
        if text := made.notes().strip():
            echo_text(f"{bot} wrote to stderr:", text)
        if as_json:
            emit(_compared(rows))
    if not as_json:
        echo(f"{sum(row.same for row in rows)} of {len(rows)} answers as recorded")


def _compared(rows: list[Compared]) -> dict[str, Any]:
    """Return the answers of a bot as JSON-able data."""
    return {
        "asked": len(rows),
        "same": sum(row.same for row in rows),
        "turns": rows,
        "faults": [{"turn": row.turn, "fault": row.fault} for row in rows if row.fault is not None],
    }


def _comparison(row: Compared) -> str:
    """Return a question with both answers as a line of text."""
    recorded = _answer(row.recorded, row.recorded_fault)
    verdict = "the same" if row.same else "DIFFERENT"
    return f"{row.turn:>5}. recorded {recorded}, answered {_answer(row.answered, row.fault)}: {verdict}"


def _answer(move: Any, fault: str | None) -> str:
    if move is None:
        return f"nothing ({fault})"
    return _json(move) if fault is None else f"{_json(move)} ({fault})"


def _json(value: Any) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()
