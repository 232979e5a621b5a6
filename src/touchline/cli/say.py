"""`touchline say DIALECT`: play one seat of a match by hand, frame by frame."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Result
    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.drivers.match import MatchSpec
    from touchline.testing.practice_match import Explained
    from touchline.testing.transcript import Deed

NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay")
HOUSE = {"labyrinth": "euclid"}
"""The house players by game, chosen so that matches are short; other games have random players."""
MOST_TYPED = 64 << 10
"""Longest line of input in bytes, the same as for a frame."""
HELP = """\
  Enter   send what an honest player would send
  TEXT    send this text as a frame, byte for byte
  :auto   play on honestly to the end
  :gone   hang up
  :late   let your time run out
  :quit   leave
  :help   this list"""


class Quit(Exception):
    """The person typed :quit."""


@click.command(
    context_settings=CONTEXT,
    epilog=f"""\b
At the prompt:
{HELP}

\b
Examples:
  touchline say seed-003
  touchline say seed-001 --seat 1 --seats 3
  touchline say native --game fish --auto
  touchline say seed-002 --auto --json
  echo 'move(f(1 1) t(3 3))' | touchline say seed-002""",
)
@click.argument("dialect")
@click.option("--seat", default=0, show_default=True, help="Your seat, counted from 0.")
@click.option("--seats", type=int, help="Number of seats.  [default: the fewest of the game]")
@click.option("--seed", default=0, show_default=True, help="Random seed of the match.")
@click.option("--game", "name", help="The game.  [default: the game of the dialect; hexapawn if it has none]")
@click.option("--rows", type=int, help="Rows of the board.  [default: a small board]")
@click.option("--cols", type=int, help="Columns of the board.  [default: a small board]")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="The seconds for a move as shown in frames; only :late makes them run out.  [default: no limit]",
)
@click.option("--auto", is_flag=True, help="Play honestly to the end without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(
    dialect: str,
    seat: int,
    seats: int | None,
    seed: int,
    name: str | None,
    rows: int | None,
    cols: int | None,
    seconds: float | None,
    auto: bool,
    as_json: bool,
) -> int:
    """Show each frame of a match in DIALECT with its meaning, and let you answer by hand.

    House players sit at the other seats. If stdin is not a terminal, its lines are your answers: an empty
    line is the honest answer, and after the last line all answers are honest.
    """
    from touchline.bots import make
    from touchline.core import registry
    from touchline.players.by_name import check_spoken
    from touchline.testing.practice_match import PracticeMatch

    kind = registry.dialect(dialect)
    name = name or next(iter(kind.games), "hexapawn")
    game = _game(name, seats, rows, cols)
    check_spoken(dialect, game)
    spec = _spec(game, kind, seats or game.seats[0], seat, seed, seconds)
    bots = [make(HOUSE.get(name, "random"), game, f"{seed} {place}") for place in range(len(spec.names))]
    screen = _Screen(as_json)
    person = _Person(screen, auto)
    match = PracticeMatch(spec, kind, bots, seat, person.ask, screen.tell)
    try:
        result = match.run()
    except Quit:
        return 0
    screen.end(result, spec.names, match.last_word)
    return 0


def _game(name: str, seats: int | None, rows: int | None, cols: int | None) -> Game:
    """Return a game on a small board, so that its frames are readable."""
    from touchline.core import registry

    few: dict[str, dict[str, Any]] = {
        "fish": {"rows": 2, "cols": 5, "fish": 1} if seats == 3 else {"rows": 3, "cols": 3, "fish": 1},
        "hexapawn": {"rows": 3, "cols": 3},
        "labyrinth": {"rows": 3, "cols": 2 * (seats or 2) + 1},
    }
    given = {key: value for key, value in (("rows", rows), ("cols", cols)) if value is not None}
    return registry.game(name, {**few.get(name, {}), **given})


def _spec(
    game: Game, kind: type[Dialect], seats: int, seat: int, seed: int, seconds: float | None
) -> MatchSpec:
    from touchline.core.clock import UNTIMED, Clock, Limits, micros
    from touchline.core.registry import CONDUCTS
    from touchline.drivers.match import agreed, opened

    if not 0 <= seat < seats:
        raise BadOptions(f"there is no seat {seat} at a table of {seats}: seats are counted from 0")
    names = [*NAMES[:seat], "you", *NAMES[seat + 1 : seats]]
    limits = UNTIMED if seconds is None else Limits(clock=Clock(micros(seconds)))
    conduct = CONDUCTS[kind.conduct]
    spec = agreed(game, names, seed=seed, conduct=conduct, limits=limits)
    opened(spec)  # BadOptions if the board does not take this number of seats
    return spec


class _Screen:
    """Prints frames with their meaning, for people or as JSON."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def tell(self, line: Explained) -> None:
        from touchline.testing.player_session import shown

        frame = None if line.frame is None else shown(line.frame, None)
        if self.as_json:
            emit({"from": line.source, "frame": frame, "means": line.means})
            return
        arrow = "<-" if line.source == "referee" else "->"
        if frame is None:
            click.echo(f"   * {line.means}")
        else:
            click.echo(f"{arrow} {frame}\n   {line.means}")

    def end(self, result: Result, names: Sequence[str], last_word: str) -> None:
        from touchline.testing.practice_match import Explained

        winners = result.outcome.winners if result.outcome is not None else ()
        won = ", ".join(names[seat] for seat in winners) or "nobody"
        last = f"your last message was {last_word}" if last_word else "you got no last message"
        self.tell(Explained("referee", None, last))
        self.tell(
            Explained("referee", None, f"the match is over, {result.verdict}: {result.reason}; won: {won}")
        )

    def say(self, text: str) -> None:
        """Print a text of the prompt; with --json it goes to stderr."""
        click.echo(text, err=self.as_json)


class _Person:
    """Answers for the seat: from the terminal, from the lines of stdin, or honestly with --auto."""

    def __init__(self, screen: _Screen, auto: bool) -> None:
        self._screen, self._auto = screen, auto
        self._typing = not auto and sys.stdin.isatty()
        if self._typing:
            screen.say(f"At the prompt:\n{HELP}\n")

    def ask(self, honest: Sequence[bytes]) -> bytes | Deed:
        from touchline.testing.player_session import shown
        from touchline.testing.transcript import Deed

        deeds = {"": Deed.HONEST, ":late": Deed.LATE, ":gone": Deed.GONE}
        if self._typing:
            answer = ", ".join(shown(frame, None) for frame in honest) or "nothing"
            self._screen.say(f"   an honest player sends: {answer}")
        while not self._auto:
            line = self._read()
            if line is None or line == b":auto":
                self._auto = True
            elif line == b":quit":
                raise Quit
            elif (deed := deeds.get(line.decode(errors="replace"))) is not None:
                return deed
            elif line.startswith(b":"):
                self._screen.say(HELP)
            else:
                return line
        return Deed.HONEST

    def _read(self) -> bytes | None:
        """Return the next line of input, or None at its end."""
        if self._typing:
            try:
                click.echo("> ", nl=False, err=self._screen.as_json)
                return input().encode(errors="surrogateescape")
            except EOFError:
                return None
        line = sys.stdin.buffer.readline(MOST_TYPED + 2)
        if len(line.rstrip(b"\r\n")) > MOST_TYPED:
            raise BadInput(f"an answer is longer than {MOST_TYPED} bytes", "stdin")
        return line.rstrip(b"\r\n") if line else None
