"""The option `--sign KEY`, and the key in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from touchline.records.signing import SigningKey


def sign_option() -> click.Option:
    """Return the option `--sign KEY`."""
    return click.Option(
        ["--sign"], type=click.Path(dir_okay=False), metavar="KEY",
        help="Sign with the private key in this file; `touchline keys new` makes one.",
    )  # fmt: skip


def signer_of(path: str | None) -> SigningKey | None:
    """Return the key in a file; None without a file."""
    if path is None:
        return None
    from pathlib import Path

    from touchline.records.signing import SigningKey

    return SigningKey.load(Path(path))
