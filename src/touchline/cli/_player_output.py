"""`--show-output` and `--log-players`: what programs write to stderr, on the terminal and in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from touchline.core.rules import Seat
    from touchline.matches.fixture import Fixture
    from touchline.players.output import PlayerOutput, Sink
    from touchline.players.output_log import PlayerLogs

SHOW = "Print what programs among the players write to stderr, live, each line with its player's name."


def show_option() -> click.Option:
    """Return the option `--show-output`."""
    return click.Option(["--show-output"], is_flag=True, help=SHOW)


def log_option() -> click.Option:
    """Return the option `--log-players`."""
    return click.Option(
        ["--log-players"], type=click.Path(file_okay=False), metavar="DIR",
        help="Write what programs among the players write to stderr to files of this folder, one for each "
        "seat, line by line with turn and time; with --games, in a folder for each game.",
    )  # fmt: skip


def hidden_log(folder: str | None) -> tuple[Path, ...]:
    """Return what programs must not see: the log of what others write."""
    return () if folder is None else (Path(folder),)


class OutputPlan:
    """Where the stderr output of players goes, in one game or many: to the terminal, to files, or nowhere."""

    def __init__(
        self, match: Fixture, games: int, *, show: bool, log: str | None, force: bool, debugged: Seat | None
    ) -> None:
        """Check that the files can be made. BadOptions if not. The output of a debugged seat is shown."""
        self.shows, self._debugged, self._many = show, debugged, games > 1
        self._logs: PlayerLogs | None = None
        if (show or log) and not _programs(match):
            click.echo("note: no player of this match is a program: none has a stderr of its own", err=True)
        if log is not None:
            from touchline.players.output_log import PlayerLogs

            self._logs = PlayerLogs(log, overwrite=force, many=self._many)
            self._logs.check_free(games, range(len(match.players)))

    def game(self, match: Fixture, number: int = 0) -> PlayerOutput | None:
        """Return what takes the output of the programs in a game of this number; None if nothing does."""
        from touchline.cli._output_terminal import OutputTerminal, labels_of
        from touchline.players.output import PlayerOutput

        programs = _programs(match)
        sinks: list[Sink] = []
        if self.shows or self._debugged is not None:
            prefix = f"game {number}, " if self._many else ""
            labels = labels_of(match.names, prefix)
            shown = programs if self.shows else [self._debugged]
            sinks.append(OutputTerminal({seat: label for seat, label in labels.items() if seat in shown}))
        if self._logs is not None:
            about = "turn and seconds since the match began | what it wrote to stderr"
            titles = {
                seat: f"{match.names[seat]}, seat {seat} of {match.game.name}: {about}" for seat in programs
            }
            sinks.append(self._logs.game(number, titles))
        return PlayerOutput(sinks) if sinks else None

    def check(self) -> None:
        """Raise NotRecorded if a log could not be written."""
        if self._logs is not None and self._logs.failed is not None:
            from touchline.records.recording import NotRecorded

            raise NotRecorded(self._logs.failed)
        if self._logs is not None:
            click.echo(f"what players wrote to stderr is in {self._logs.place}", err=True)


def _programs(match: Fixture) -> list[Seat]:
    from touchline.players.by_name import is_program

    return [seat for seat, one in enumerate(match.players) if isinstance(one, str) and is_program(one)]
