"""Print to the terminal. What players wrote is never printed raw."""

from __future__ import annotations

import click

from touchline.core.printable import printable


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a line of text that may hold the words of a player: escape what is not printable."""
    click.echo(printable(text), err=err, nl=nl)
