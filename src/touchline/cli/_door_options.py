"""Options of `touchline serve` about who may sign up."""

from __future__ import annotations

import click

MOST_SEATS = 128
"""The default of `--seats-per-address`: that of `touchline.server.server`, which is imported when it runs."""

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--key"], envvar="TOUCHLINE_KEY",
        help="The key that a sign-up needs.  [default: none on this machine, a random one with --public]",
    ),
    click.Option(["--no-key", "open_to_all"], is_flag=True, help="Require no key, even with --public."),
    click.Option(
        ["--per-address"], type=click.IntRange(1), default=64, show_default=True,
        help="Most connections from one address that have not signed up yet; the oldest makes room.",
    ),
    click.Option(
        ["--seats-per-address"], type=click.IntRange(1), default=MOST_SEATS, show_default=True,
        help="Most players from one address that wait or play at the same time.",
    ),
]  # fmt: skip
