"""Print to the terminal. What players wrote is never printed raw."""

from __future__ import annotations

import click

from touchline.core.printable import printable, printable_text


def echo(line: str, *, err: bool = False) -> None:
    """Print a line that may hold the words of a player: escape what is not printable, newlines too."""
    click.echo(printable(line), err=err)


def echo_text(title: str, text: str, *, err: bool = True) -> None:
    """Print text of several lines that a player wrote, such as its stderr output, under a title."""
    click.echo(f"{printable(title)}\n{printable_text(text.strip())}", err=err)


def printable_log() -> None:
    """Escape what is not printable in the log: its messages and tracebacks may quote players."""
    import logging

    class Printable(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return printable_text(super().format(record))

    if logging.lastResort is not None:
        logging.lastResort.setFormatter(Printable())
