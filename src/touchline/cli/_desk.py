"""The desk of people at this terminal: a plain prompt, or a full screen where the terminal can show one."""

from __future__ import annotations

import os
import sys
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import click

from touchline.core.printable import printable_text
from touchline.players.by_name import PERSON, without_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from touchline.bots.base import Bot
    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat
    from touchline.core.sketch import Sketch
    from touchline.matches.result import MatchResult

PAUSE = 0.1
"""Seconds between two boards of a match that is watched on a terminal without full screen."""


class Desk(Protocol):
    """Where the people of a match sit, and those who watch it."""

    def person(self) -> Bot:
        """Return a new person at this desk."""

    def see(self, event: Event) -> None:
        """Follow the match, as an observer."""

    def run(self, play: Callable[[], MatchResult]) -> MatchResult:
        """Play the match, and return its result. KeyboardInterrupt if the person leaves it."""


def people_among(words: Sequence[str]) -> int:
    """Return the number of people among these players."""
    return sum(without_dialect(word) == PERSON for word in words)


def desk_for(game: Game, words: Sequence[str], *, watch: bool, plain: bool, as_json: bool) -> Desk:
    """Return the desk of a match: in full screen if somebody plays or watches and the terminal can."""
    people = people_among(words)
    if (people or watch) and not plain and not as_json and full_screen():
        from touchline.terminal.desk import ScreenDesk

        return ScreenDesk(game, people, adviser_of(game.name), partial(rules_of, game.name))
    return PlainDesk(game, people, watch=watch, as_json=as_json)


def full_screen() -> bool:
    """Return whether this terminal can show the full screen; a note says if only Textual is missing."""
    from importlib.util import find_spec

    if not _terminal_can():
        return False
    if find_spec("textual") is None:
        click.echo("note: pip install 'touchline[tui]' shows the board in full screen", err=True)
        return False
    return True


def _terminal_can() -> bool:
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and os.environ.get("TERM", "dumb") != "dumb"
        and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        and _locale() not in ("C", "POSIX")
    )


def _locale() -> str:
    """Return the name of the locale that the user set; Python itself uses UTF-8 in that of C."""
    return os.environ.get("LC_ALL") or os.environ.get("LANG") or ""


def rules_of(game: str) -> str:
    """Return the rules of a game in short, and where the whole of them is."""
    from touchline.core import registry
    from touchline.draw.rules_page import short_rules

    return "\n".join([*short_rules(registry.find("games", game)), f"see `touchline rules {game}`"])


def adviser_of(game: str | None) -> Callable[[Any], str]:
    """Return a function that gives a person hints."""
    from touchline.cli._thinkers import adviser

    return adviser(game)


class PlainDesk:
    """A desk with a plain prompt, which works over a pipe."""

    def __init__(
        self,
        game: Game | None,
        people: int = 1,
        *,
        watch: bool = False,
        as_json: bool = False,
        name: str | None = None,
    ) -> None:
        """Of a game that is played elsewhere only the `name` may be known, or nothing."""
        from touchline.records.match_log import MatchLog

        self._game, self._people, self._watch = game, people, watch and not people
        self._name = name if game is None else game.name
        self._as_json = as_json  # then stdout carries the JSON result only
        self._log = None if game is None else MatchLog(game)
        self._last_seat: Seat | None = None
        self._timed: Any = None
        self._first = True

    @cached_property
    def _console(self) -> Console:
        """The console; made when it is needed, since most matches need none."""
        from touchline.cli._draw import console

        return console(stderr=self._as_json)

    def person(self) -> Bot:
        from touchline.players.terminal import Terminal

        name, first = self._name, self._first
        self._first = False
        secret = self._game is not None and self._game.hidden and self._people > 1
        return Terminal(
            ask=self._ask, show=self._show, tell=self._tell, advise=adviser_of(name),
            ask_within=self._ask_within, log=self._log, farewell=first, alone=self._people == 1,
            rules=None if name is None else partial(rules_of, name),
            hand_over=self._hand_over if secret else None,
        )  # fmt: skip

    def see(self, event: Event) -> None:
        from touchline.core.events import Begun, Ended

        if self._log is None:
            return
        before = self._log.state
        entry = self._log.follow(event)
        if entry is None or not self._watch or isinstance(event, Begun | Ended):
            return
        if entry.state is not before and self._console.is_terminal:
            self._console.clear()
        self._tell(entry.text)
        if entry.state is not before:
            self._draw_watched(entry.state.view(None).sketch(), entry.keys)

    def _draw_watched(self, sketch: Sketch, keys: Sequence[Any]) -> None:
        import time

        from msgspec.structs import replace

        self._show(replace(sketch, marked=tuple(keys)))
        if self._console.is_terminal:
            time.sleep(PAUSE)

    def run(self, play: Callable[[], MatchResult]) -> MatchResult:
        return play()

    def _say(self, text: str) -> None:
        click.echo(self._encodable(text), nl=False, err=self._as_json)

    def _tell(self, text: str) -> None:
        click.echo(self._encodable(printable_text(text)), err=self._as_json)

    def _show(self, sketch: Sketch) -> None:
        from touchline.cli._draw import picture

        drawn = picture(sketch)
        if self._encodable(drawn.plain) == drawn.plain:
            self._console.print(drawn)
        else:
            self._tell(drawn.plain)

    def _encodable(self, text: str) -> str:
        from touchline.cli._draw import encodable

        return encodable(text, (sys.stderr if self._as_json else sys.stdout).encoding)

    def _ask(self, prompt: str) -> str:
        self._say(prompt)
        return self._typed(input())

    def _typed(self, line: str) -> str:
        """Echo a line that came over a pipe, so that a transcript reads like that of a terminal."""
        if not sys.stdin.isatty():
            self._tell(line)
        return line

    def _ask_within(self, prompt: str, seconds: float) -> str:
        from touchline.cli._timed_input import TimedInput

        if self._timed is None:
            self._timed = TimedInput(self._say)
        return self._typed(self._timed.ask(prompt, seconds))

    def _hand_over(self, seat: Seat, colour: str) -> None:
        """Ask for the keyboard to be handed over, so that nobody sees what another may see."""
        if seat == self._last_seat:
            return
        self._last_seat = seat
        if self._console.is_terminal:
            self._console.clear()
        self._ask(f"{colour} is next: hand over the keyboard, then press Enter ")
