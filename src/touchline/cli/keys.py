"""`touchline keys new|show`: make a key to sign records and cups with, and print its public half."""

from __future__ import annotations

import os

import click

from touchline.cli._options import emit, json_option
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadOptions, TouchlineError


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline keys new
  touchline keys new ann.key --comment "Ann's cups"
  touchline keys show ann.key.pub""",
)
def command() -> None:
    """Make a key to sign records and cups with, or print its public half."""


@command.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline keys new
  touchline keys new ann.key --comment "Ann's cups"
  touchline keys new ann.key --json | jq -r .public""",
)
@click.argument("file", default="touchline.key", type=click.Path(dir_okay=False))
@click.option("--comment", help="A text for the public key file.  [default: the name of FILE]")
@json_option
def new(file: str, comment: str | None, as_json: bool) -> None:
    """Make a new key: FILE is the private half, FILE.pub the public half. Neither is ever overwritten.

    FILE is touchline.key if it is not given. The public key is printed as 64 hex digits.
    """
    from touchline.records.signing import SigningKey, save_public

    if file.endswith(".pub"):
        raise BadOptions("FILE is the private key: give a name without .pub, which the public key gets")
    public_file = f"{file}.pub"
    key = SigningKey.new()
    key.save(file)
    try:
        save_public(public_file, key.public, _default_comment(file) if comment is None else comment)
    except TouchlineError:
        os.unlink(file)  # we have just created it, and a key comes with both halves or not at all
        raise
    secret, published = click.format_filename(file), click.format_filename(public_file)
    if as_json:
        emit({"public": key.public, "private_file": secret, "public_file": published})
        return
    click.echo(key.public)
    click.echo(f"keep {secret} secret: who has it can sign in your name; publish {published}", err=True)


def _default_comment(file: str) -> str:
    from touchline.records.signing import MOST_COMMENT

    name = os.path.basename(file)
    return name[:MOST_COMMENT] if name.isprintable() else ""


@command.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline keys show touchline.key
  touchline keys show ann.key.pub --json""",
)
@click.argument("file", type=click.Path())
@json_option
def show(file: str, as_json: bool) -> None:
    """Print the public key of a private or public key file, as 64 hex digits."""
    from touchline.records.signing import read_public

    public = read_public(file)
    if as_json:
        emit({"public": public})
        return
    click.echo(public)
