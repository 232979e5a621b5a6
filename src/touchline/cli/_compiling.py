"""Say on stderr that kernels are being compiled, and how far it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from touchline.bots.shared.compile_progress import Compiling

ERASE = "\r\x1b[K"
"""Go back to the beginning of the line, and erase it."""


class CompileLines:
    """Prints one line when kernels are compiled, and on a terminal below it how far that is."""

    def __init__(self) -> None:
        self._announced, self._cached = False, True

    def compiling(self, compiling: Compiling) -> None:
        if compiling.left is None:
            return
        if not self._announced:
            self._announced = True
            click.echo(compiling.announcement(cached=self._cached), err=True)
        if sys.stderr.isatty():
            click.echo(ERASE + ("" if compiling.over else _progress(compiling)), err=True, nl=False)
        if compiling.over:
            self._announced = False

    def uncached(self, why: str) -> None:
        from touchline.bots.shared.compile_progress import uncached_line

        self._cached = False
        click.echo(f"note: {uncached_line(why)}", err=True)


def _progress(compiling: Compiling) -> str:
    return f"  kernel {compiling.done + 1} of {compiling.of}, {max(1, round(compiling.left or 0))} s left"


def announce_compiling() -> None:
    """Print from now on when kernels are compiled in this process."""
    from touchline.bots.shared import compile_progress

    compile_progress.listen(CompileLines())
