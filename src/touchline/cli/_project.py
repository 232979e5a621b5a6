"""The player of a project: a folder with a `touchline.toml`, as `touchline new bot` writes it."""

from __future__ import annotations

from pathlib import Path

import click


def project_player(program: tuple[str, ...], game: str | None) -> tuple[tuple[str, ...], str | None]:
    """Return the player in the folder that a command names, and its game unless one is chosen already.

    A command that names nothing means the current folder; UsageError if that has no player.
    """
    from touchline.players.project import SETTINGS, project_settings, resolved

    if not program:
        if not Path(SETTINGS).is_file():
            raise click.UsageError(
                "there is no player to check: name a PROGRAM, or an address with --listen, or make a project "
                "with `touchline new bot GAME` and run this in its folder."
            )
        program = ("./",)
    settings = project_settings(program[0]) if len(program) == 1 else None
    if settings is None:
        return program, game
    return (resolved(program[0]),), game or settings.game
