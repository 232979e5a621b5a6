"""`touchline new bot|game|dialect|format`: write a project that runs at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadOptions
from touchline.templates.languages import LANGUAGES

if TYPE_CHECKING:
    from touchline.templates.names import Name
    from touchline.templates.project import Project

_force = click.option("--force", is_flag=True, help="Overwrite files that are there already.")
_folder = click.argument("folder", required=False, type=click.Path())


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline new bot fish
  touchline new bot labyrinth --lang rust
  touchline new game nim
  touchline new dialect plain --game fish
  touchline new format all-play""",
)
def command() -> None:
    """Start a bot, a game, a dialect or a tournament format: write a project that runs at once."""


@command.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline new bot fish
  touchline new bot hexapawn --lang javascript --name pawn-eater
  touchline new bot labyrinth --lang rust bots/minos
  touchline new bot fish --lang c --json""",
)
@click.argument("game", required=False)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="The language of the bot.",
)
@click.option("--name", "text", metavar="NAME", help="The name of the bot.  [default: that of FOLDER]")
@_force
@json_option
@_folder
def bot(
    game: str | None, lang: str, text: str | None, force: bool, as_json: bool, folder: str | None
) -> None:
    """Write the project of a bot to FOLDER, with its test and the next steps in its README.md.

    The bot speaks the native dialect over stdin and stdout; in Python it is a class with choose(view, turn).
    FOLDER is the name of the bot if it is not given, and that is mybot. No file is ever overwritten, unless
    with --force.
    """
    from touchline.core import registry
    from touchline.templates.bot import bot_project

    if game is None:
        raise click.UsageError(f"name the game that it plays: {', '.join(registry.names('games'))}")
    name, place = _called(text, folder, "mybot")
    _write("bot", name, place, bot_project(game, lang, name, place.resolve().name), force, as_json)


@command.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline new game nim
  touchline new game four-in-a-row games/four --json""",
)
@click.argument("name")
@_force
@json_option
@_folder
def game(name: str, force: bool, as_json: bool, folder: str | None) -> None:
    """Write a package with a small complete game, its test and an entry point, to FOLDER.

    After `pip install -e .` in FOLDER the game is found by its name. FOLDER is NAME if it is not given.
    """
    from touchline.templates.plugin import game_project

    called, place = _called(name, folder, name)
    _write("game", called, place, game_project(called), force, as_json)


@command.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline new dialect plain --game fish
  touchline new dialect club-protocol --game labyrinth dialects/club --json""",
)
@click.argument("name")
@click.option("--game", "of", required=True, metavar="GAME", help="The game that it is spoken in.")
@_force
@json_option
@_folder
def dialect(name: str, of: str, force: bool, as_json: bool, folder: str | None) -> None:
    """Write a package with a small complete dialect, a player that speaks it, and its test, to FOLDER.

    After `pip install -e .` in FOLDER the dialect is found by its name. FOLDER is NAME if it is not given.
    """
    from touchline.templates.plugin import dialect_project

    called, place = _called(name, folder, name)
    _write("dialect", called, place, dialect_project(called, of), force, as_json)


@command.command(
    name="format",
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline new format all-play
  touchline new format scheveningen formats/scheveningen --json""",
)
@click.argument("name")
@_force
@json_option
@_folder
def format_(name: str, force: bool, as_json: bool, folder: str | None) -> None:
    """Write a package with a small complete tournament format, a cup in it, and its test, to FOLDER.

    After `pip install -e .` in FOLDER the format is found by its name. FOLDER is NAME if it is not given.
    """
    from touchline.templates.plugin import format_project

    called, place = _called(name, folder, name)
    _write("format", called, place, format_project(called), force, as_json)


def _called(text: str | None, folder: str | None, usual: str) -> tuple[Name, Path]:
    """Return the name of a project and its folder; each is made from the other, if only one is given."""
    from touchline.templates.names import named, spelled

    if folder is None:
        name = named(usual if text is None else text)
        return name, Path(name.dashed)
    place = Path(folder)
    if text is not None:
        return named(text), place
    try:
        return named(spelled(place.resolve().name)), place
    except BadOptions as error:
        raise BadOptions(f"{error}; choose one with --name") from None


def _write(kind: str, name: Name, place: Path, project: Project, force: bool, as_json: bool) -> None:
    """Write a project, and print its files or what to do next."""
    import shlex

    from touchline.templates.project import write_project

    write_project(project.files, place, force=force)
    steps = [*([] if place.resolve() == Path.cwd() else [f"cd {shlex.quote(str(place))}"]), *project.next]
    if as_json:
        emit({
            "kind": kind, "name": name.dashed, "folder": str(place), "files": list(project.files),
            "next": steps, "missing": project.missing,
        })  # fmt: skip
        return
    echo(f"{place}: {project.what}")
    for path in project.files:
        echo(f"  {path}")
    echo("next:")
    for step in steps:
        echo(f"  {step}")
    for tool, source in project.missing.items():
        echo(f"note: {tool} is not on this machine, and this project needs it: {source}", err=True)
