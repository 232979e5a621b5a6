"""`--debug SEAT`: a player without a time limit, whose stdin and stdout are this terminal."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._terminal import echo
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.core.rules import Seat
    from touchline.matches.fixture import Fixture

YAMA = "/proc/sys/kernel/yama/ptrace_scope"
"""Where the kernel says whether a process may attach to one that it has not started."""


def debug_option() -> click.Option:
    """Return the option `--debug`."""
    return click.Option(
        ["--debug"], metavar="SEAT",
        help="Debug the player of this seat, a number from 0 or the player's name: it has no time limit and "
        "no isolation, and breakpoint() works in a Python file, with this terminal as stdin and stdout. For "
        "another program, its process id is printed for `gdb -p`.",
    )  # fmt: skip


class Debugged:
    """The seat that is debugged. As a context manager, it returns the fixture to be played."""

    def __init__(self, word: str, match: Fixture, *, games: int, watch: bool) -> None:
        """Find the seat, and say what is different about it. BadOptions if it cannot be debugged."""
        from touchline.players.by_name import WASM, is_python, without_dialect

        self._match = match
        self.seat: Seat = seat_named(word, match)
        if games > 1:
            raise BadOptions("--debug is for one game: leave out --games")
        if watch:
            raise BadOptions("--debug and --watch both need the screen: leave out one of them")
        if "human" in map(without_dialect, filter(lambda one: isinstance(one, str), match.players)):
            raise BadOptions("a person and the debugger would both read this terminal: debug against a bot")
        player = match.players[self.seat]
        self._python, self._module = is_python(player), without_dialect(player).startswith(WASM)
        self.others = [one for seat, one in enumerate(match.players) if seat != self.seat]
        """The players that are not debugged."""
        self._descriptors: list[int] = []
        self._settings: list[Any] | None = None

    def __enter__(self) -> Fixture:
        from msgspec.structs import replace

        from touchline.sandbox.launch import Sandbox

        self._open_terminal()
        given, output = self._descriptors
        own = Sandbox(tier="none", terminal=(given, output))
        self._say()
        limits = replace(self._match.terms.limits, untimed=(self.seat,))
        return replace(
            self._match,
            terms=self._match.terms._replace(limits=limits),
            own_sandboxes={self.seat: own},
            make=self._make_and_hold(own),
        )

    def __exit__(self, *_: object) -> None:
        for descriptor in self._descriptors:
            if self._settings is not None:
                _restore(descriptor, self._settings)
            os.close(descriptor)

    def _open_terminal(self) -> None:
        """Copy the descriptors of stdin and stderr; stdout carries the result."""
        try:
            self._descriptors = [os.dup(0), os.dup(2)]
        except OSError as error:
            raise BadOptions(f"--debug needs stdin and stderr: {error.strerror}") from None
        if os.isatty(self._descriptors[0]):
            import termios

            self._settings = termios.tcgetattr(self._descriptors[0])

    def _say(self) -> None:
        who = f"seat {self.seat} ({self._match.names[self.seat]})"
        echo(f"{who} is debugged: no time limit, no isolation", err=True)
        if self._python:
            echo("breakpoint() stops it here, and so does an exception; Ctrl-C ends the match", err=True)
        elif self._module:
            echo("a WebAssembly module has no debugger here: what it writes to stderr is shown", err=True)

    def _make_and_hold(self, own: Any) -> Any:
        """Return what makes the players; after it has started the debugged program, it waits for a person."""
        make = self._match.make

        def made(word: str, game: Any, seed: object, **place: Any) -> Any:
            player = make(word, game, seed, **place)
            if place.get("sandbox") is own and not self._python and not self._module:
                self._hold(player.process_id())
            return player

        return made

    @staticmethod
    def _hold(pid: int | None) -> None:
        """Give the user the time to attach a debugger to a process."""
        if pid is None:
            return  # it has ended already, and the referee says how
        echo(
            f"its stdin and stdout carry the protocol; its process is {pid}: attach a debugger from another "
            f"terminal, such as gdb -p {pid}{_permission()}", err=True,
        )  # fmt: skip
        click.echo("press Enter to begin the match: ", nl=False, err=True)
        with suppress(EOFError):
            input()
        if not os.isatty(0):
            click.echo(err=True)


def seat_named(word: str, match: Fixture) -> Seat:
    """Return the seat of a number from 0 or of a player's name. BadOptions if no program sits there."""
    from touchline.players.by_name import is_program, without_dialect

    seats = range(len(match.names))
    listed = ", ".join(f"{seat} ({name})" for seat, name in enumerate(match.names))
    found = [
        seat for seat in seats if word in (str(seat), match.names[seat], without_dialect(match.names[seat]))
    ]
    if not found:
        raise BadOptions(f"--debug {word}: there is no such seat or player; there are: {listed}")
    if len(found) > 1:
        raise BadOptions(f"--debug {word}: several seats have this name; give a number: {listed}")
    player = match.players[found[0]]
    if not isinstance(player, str) or not is_program(player):
        raise BadOptions(
            f"--debug {word}: {match.names[found[0]]} is no program; Python files, programs and modules can "
            "be debugged"
        )
    return found[0]


def _permission() -> str:
    """Return a hint if only root may attach a debugger to a process."""
    try:
        with open(YAMA) as file:
            forbidden = file.read().strip() != "0"
    except OSError:
        return ""
    return " (with sudo: this kernel lets only root attach)" if forbidden and os.getuid() else ""


def _restore(descriptor: int, settings: list[Any]) -> None:
    """Restore the terminal: a debugger that was killed at its prompt may have left it without echo."""
    import termios

    with suppress(termios.error, OSError):
        termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
