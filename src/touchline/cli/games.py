"""`touchline games`: list the installed games."""

from __future__ import annotations

import click

from touchline.cli._options import emit, json_option, option_names


@click.command(
    epilog="""\b
Examples:
  touchline games
  touchline games --json"""
)
@json_option
def command(as_json: bool) -> None:
    """List the installed games, ours and those of other packages."""
    from touchline.core import registry

    kinds = {name: registry.find("games", name) for name in registry.names("games")}
    if as_json:
        emit(
            [
                {
                    "name": name,
                    "seats": list(kind.seats),
                    "hidden": kind.hidden,
                    "about": kind.__doc__.splitlines()[0],
                    "options": option_names(kind),
                }
                for name, kind in kinds.items()
            ]
        )
        return
    wide = max(map(len, kinds), default=0)
    for name, kind in kinds.items():
        few, many = kind.seats[0], kind.seats[-1]
        seats = f"{few} seats" if few == many else f"{few} to {many} seats"
        click.echo(f"{name:<{wide}}  {seats:<12}  {kind.__doc__.splitlines()[0]}")
    click.echo("`touchline rules GAME` explains one, `touchline show GAME` draws one.", err=True)
