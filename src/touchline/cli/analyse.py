"""`touchline analyse RECORD|POSITION`: the value of every move, and where the match was lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli._thinker_options import WHERE, game_option, seconds_option, with_option
from touchline.cli.main import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.text import Text

    from touchline.bots.base import Thinker
    from touchline.cli._positions import OpenPosition
    from touchline.records.analysis import Advice, Analysis, Incident, Turn, WeighedMove
    from touchline.records.replay import Replay

NUMBERS = ("turn", "value", "after", "gave")
STYLES = {"doubtful": "yellow", "mistake": "magenta", "blunder": "bold red"}

EPILOG = f"""{WHERE}

\b
Verdicts, by what a move gave away, in parts of a fair share (1 / seats):
  best       nothing            doubtful   less than a quarter
  fine       less than a tenth  mistake    less than a half      blunder   more

\b
Examples:
  touchline play fish mcts random --record match.jsonl
  touchline analyse match.jsonl
  touchline analyse match.jsonl --with mcts --seconds 1 --turns 10-20
  touchline analyse match.jsonl --worst
  touchline analyse match.jsonl --svg match.svg
  touchline analyse match.jsonl@12 --moves
  touchline show hexapawn --json | touchline analyse - --json"""


MANY = 1 << 62


class Turns(click.ParamType[range]):
    """Some turns: `12`, `10-20`, `10-`."""

    name = "turns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        found = re.fullmatch(r"(\d{1,9})(?:(-)(\d{1,9})?)?", str(value), re.ASCII)
        if found is None:
            self.fail(f"{value!r} is not a turn, or from one to another: 12, 10-20 or 10-", param, ctx)
        first, dash, last = found.groups()
        return range(int(first), int(last or (MANY if dash else first)) + 1)


@click.command(context_settings=CONTEXT, epilog=EPILOG)
@click.argument("where", metavar="RECORD|POSITION")
@game_option
@with_option
@seconds_option
@click.option("--turns", type=Turns(), metavar="A-B", help="Only these turns of a record.")
@click.option("--moves", is_flag=True, help="Of a position: show the value of every legal move.")
@click.option(
    "--worst", is_flag=True, help="Of a record: only the worst moves and the decisive moment, all-seeing."
)
@click.option("--all-seeing", is_flag=True, help="Use hidden information, too.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Write a chart of the values to this file.")
@click.option("--png", type=click.Path(dir_okay=False), help="The same as PNG: needs touchline[plots].")
@json_option
def command(
    where: str,
    game: str | None,
    who: str | None,
    seconds: float | None,
    turns: range | None,
    moves: bool,
    worst: bool,
    all_seeing: bool,
    svg: str | None,
    png: str | None,
    as_json: bool,
) -> int:
    """Show the value of every move of a match, better moves, and where each loser lost.

    A bot evaluates every position from the view of the seat to move, so the values are what that player could
    have known. A value is the expected result of a seat, from 0 (lost) to 1 (sole winner).
    """
    from touchline.cli import _value_chart
    from touchline.cli._positions import OpenPosition, read
    from touchline.cli._thinkers import thinker
    from touchline.core.errors import BadOptions

    found = read(where, game)
    alone = isinstance(found, OpenPosition)
    if alone and (turns is not None or svg or png):
        raise BadOptions("--turns, --svg and --png are for a record, not for a position")
    if not alone and moves:
        raise BadOptions(f"--moves is for a position, as {where}@12 is one")
    if worst:
        from touchline.cli._review import judge_of, review

        if isinstance(found, OpenPosition) or turns is not None or svg or png:
            raise BadOptions("--worst is for a whole record, and has no chart")
        return review(found, *judge_of(who, found.game.name, seconds), as_json)
    _value_chart.ready(svg, png)
    name, analyst = thinker(who, found.game.name, seconds)
    if isinstance(found, OpenPosition):
        return _position(found, name, analyst, moves, all_seeing, as_json)
    return _record(found, name, analyst, turns, all_seeing, svg, png, as_json)


def _record(
    replay: Replay,
    name: str,
    analyst: Thinker,
    turns: range | None,
    all_seeing: bool,
    svg: str | None,
    png: str | None,
    as_json: bool,
) -> int:
    from touchline.cli import _value_chart
    from touchline.core.events import Moved
    from touchline.core.fold import turns_taken_back
    from touchline.records.analysis import concluded, judged

    undone = turns_taken_back(replay.events)
    made = {event.turn for event in replay.events if isinstance(event, Moved)} - undone
    count = sum(turns is None or turn in turns for turn in made)
    done: list[Turn] = []
    whole = _gathered(judged(replay, analyst, all_seeing=all_seeing, turns=turns), done, count)
    analysis = concluded(replay, done, name, all_seeing=all_seeing)
    if as_json:
        emit(analysis)
    else:
        _print_match(analysis)
    _value_chart.draw(analysis, svg, png)
    return 0 if whole else _interrupted(len(done), count, "turns")


def _gathered(things: Iterable[Any], into: list[Any], count: int) -> bool:
    """Take them one by one, with a bar to look at; False if the person had enough before the end."""
    from rich.progress import Progress

    from touchline.cli._draw import console

    screen = console(stderr=True)
    try:
        with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
            for thing in bar.track(things, total=count, description="thinking"):
                into.append(thing)  # noqa: PERF402 what is there so far must outlive an interrupt
    except KeyboardInterrupt:
        return False
    return True


def _interrupted(done: int, count: int, what: str) -> int:
    click.echo(f"interrupted: this is what there was after {done} of {count} {what}", err=True)
    return 130


# -- a record -----------------------------------------------------------------------------------------


def _print_match(analysis: Analysis) -> None:
    """The table, what happened besides, and where it was lost."""
    seats = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(analysis.names))
    echo(f"{analysis.game}: {seats}; {analysis.thinker} thinks")
    rows = [(turn.turn, 1, _row(turn, analysis.names)) for turn in analysis.turns]
    told = [
        (each.turn, 0, _told(each, analysis.names)) for each in analysis.incidents if _shown(each, analysis)
    ]
    head = ["turn", "seat", "move", "value", "after", "gave", "verdict", "best", "says"]
    _print_table(head, [row for _, _, row in sorted([*rows, *told], key=lambda row: row[:2])])
    for line in _conclusion(analysis):
        echo(line)


def _shown(incident: Incident, analysis: Analysis) -> bool:
    """Of a part of a match, only what happened in it."""
    turns = [turn.turn for turn in analysis.turns]
    return analysis.complete or (bool(turns) and turns[0] <= incident.turn <= turns[-1])


def _told(incident: Incident, names: Sequence[str]) -> list[str]:
    who = f"{incident.seat} {names[incident.seat]}"
    return [f"{incident.turn}", who, f"{incident.what}: {incident.why}"]


def _row(turn: Turn, names: Sequence[str]) -> list[str]:
    played = turn.played
    whose = "" if turn.by == "seat" else " (by the referee)"
    return [
        f"{turn.turn}",
        f"{turn.seat} {names[turn.seat]}",
        f"{played.typed}{whose}",
        f"{turn.stood:.2f}",
        f"{played.after:.2f}",
        f"{played.gave:.2f}" if played.gave else "",
        played.verdict.value,
        "" if played.verdict.value == "best" else turn.before.best,
        turn.before.says,
    ]


def _conclusion(analysis: Analysis) -> list[str]:
    result = analysis.result
    if result is None:
        return ["the record stops here: the match did not end"]
    if result.outcome is None:
        return [f"void: {result.reason}; nobody has lost"]
    if not analysis.complete:
        return ["where it was lost is told when every turn is looked at"]
    return [loss.words for loss in analysis.losses]


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they must be; a row with fewer cells ends in text that runs across."""
    from rich.text import Text

    from touchline.cli._draw import console
    from touchline.core.printable import printable

    screen, last = console(), len(head) - 1
    rows = [[printable(cell) for cell in row] for row in rows]
    wide = [
        max([len(name), *(len(row[at]) for row in rows if len(row) > last)]) for at, name in enumerate(head)
    ]
    for row in [head, *rows]:
        line: Text = Text()
        for at, cell in enumerate(row):
            width = wide[at] if at + 1 < len(row) else 0
            text = f"{cell:>{width}}" if head[at] in NUMBERS else f"{cell:<{width}}"
            line.append(text if at == 0 else f"  {text}", STYLES.get(cell, ""))
        line.rstrip()
        screen.print(line)


# -- a position ---------------------------------------------------------------------------------------


def _position(
    position: OpenPosition, name: str, analyst: Thinker, moves: bool, all_seeing: bool, as_json: bool
) -> int:
    from touchline.cli._thinkers import in_words
    from touchline.records.analysis import advised, weighed

    state, hidden = position.state, position.game.hidden
    advice = advised(state, analyst, all_seeing=all_seeing)
    choices: list[WeighedMove] = []
    whole, count = True, len(state.legal_moves())
    if moves:
        each = weighed(state, advice, analyst, hidden=hidden, all_seeing=all_seeing)
        whole = _gathered(each, choices, count)
        choices.sort(key=lambda choice: -choice.after)
    if as_json:
        emit(_as_written(position, name, advice, choices if moves else None))
    else:
        click.echo(f"{name} thinks: {in_words(advice)}")
        if moves:
            rows = [[c.typed, f"{c.after:.2f}", f"{c.gave:.2f}", c.verdict.value] for c in choices]
            _print_table(["move", "after", "gave", "verdict"], rows)
    return 0 if whole else _interrupted(len(choices), count, "moves")


def _as_written(
    position: OpenPosition, name: str, advice: Advice, choices: list[WeighedMove] | None
) -> dict[str, Any]:
    return {
        "game": position.game.name,
        "turn": position.turn,
        "thinker": name,
        "advice": advice,
        "moves": choices,
    }
