"""The key of `touchline serve`: one rule for all its doors.

If the server has a key, it is needed to sign up at a port and, on the page, to make a table, take a seat, ask
for a hint or an analysis, or upload a record. Watching needs none.
"""

from __future__ import annotations

import secrets

import click

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--key"], envvar="TOUCHLINE_KEY",
        help="The key that is needed to sign up and, on the page, to make a table, take a seat, ask for a "
        "hint or an analysis, or upload a record. Watching needs none.  "
        "[default: none on this machine, a random one with --public]",
    ),
    click.Option(["--no-key", "open_to_all"], is_flag=True, help="Require no key, even with --public."),
]  # fmt: skip


def server_key(*, public: bool, key: str | None, open_to_all: bool) -> str | None:
    """Return the key of the server, or None; a public server gets a random key if none is given."""
    if open_to_all:
        return None
    if key is None and public:
        key = secrets.token_urlsafe(16)
        click.echo(f"a seat needs this key: {key}", err=True)
    return key
