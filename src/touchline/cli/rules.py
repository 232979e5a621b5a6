"""`touchline rules [GAME]`: the rules of a game for people, with pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit, json_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from touchline.core.rules import Game
    from touchline.draw.rules_page import RulesPage


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str | CompletionItem]:
    from touchline.core import registry

    return [name for name in registry.names("games") if name.startswith(incomplete)]


@click.command(
    epilog="""\b
Examples:
  touchline rules                    # list the games
  touchline rules fish
  touchline rules labyrinth --short  # the 20-second version
  touchline rules hexapawn --no-pager
  touchline rules fish --json"""
)
@click.argument("game", required=False, shell_complete=_complete)
@click.option("--short", is_flag=True, help="Print the rules in five lines.")
@click.option("--no-pager", is_flag=True, help="Print without a pager, also what is longer than the screen.")
@json_option
def command(game: str | None, short: bool, no_pager: bool, as_json: bool) -> None:
    """Explain the rules of a game, with pictures. Without GAME, list the games.

    On a terminal, rules that are longer than the screen open in your pager.
    """
    from touchline.core import registry
    from touchline.draw.rules_page import rules_page

    if game is None:
        _list(as_json)
        return
    kind = registry.find("games", game)
    page = rules_page(kind)
    if as_json:
        emit(_written(kind, page))
    elif short:
        _short(kind, page)
    else:
        _whole(kind, page, no_pager)


def _list(as_json: bool) -> None:
    from touchline.core import registry
    from touchline.draw.rules_page import short_rules

    kinds = {name: registry.find("games", name) for name in registry.names("games")}
    if as_json:
        emit([{"game": name, "short": short_rules(kind)} for name, kind in kinds.items()])
        return
    wide = max(map(len, kinds), default=0)
    for name, kind in kinds.items():
        click.echo(f"{name:<{wide}}  {(kind.__doc__ or '').partition(chr(10))[0]}")
    click.echo("`touchline rules GAME` explains one; with --short in five lines.", err=True)


def _short(kind: type[Game], page: RulesPage | None) -> None:
    from touchline.draw.rules_page import short_rules

    for line in short_rules(kind):
        _echo(line)
    if page is None:
        _say_that_there_is_no_page(kind)


def _whole(kind: type[Game], page: RulesPage | None, no_pager: bool) -> None:
    from touchline.cli._rules_text import options_table, rendered, rules_text
    from touchline.draw.rules_page import docstring

    if page is None:
        _echo(docstring(kind) + "\n")
        _echo(rendered(options_table(kind)).rstrip("\n"))
        _say_that_there_is_no_page(kind)
        return
    text = rules_text(kind, page)
    if not no_pager and _is_longer_than_the_screen(text):
        click.echo_via_pager(text)
    else:
        _echo(text.rstrip("\n"))


def _echo(text: str) -> None:
    """Print text, with `?` for what the encoding of stdout does not have."""
    import sys

    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding), color=True)


def _is_longer_than_the_screen(text: str) -> bool:
    import shutil
    import sys

    return sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines


def _say_that_there_is_no_page(kind: type[Game]) -> None:
    from touchline.draw.game_files import file_name

    name = file_name(kind, ".md")
    click.echo(
        f"{kind.name} has no rules file, so this is its docstring; its author can add {name} beside the game",
        err=True,
    )


def _written(kind: type[Game], page: RulesPage | None) -> dict[str, Any]:
    import msgspec

    from touchline.draw.game_options import game_options
    from touchline.draw.rules_page import docstring, short_rules

    parts = () if page is None else page.parts
    pictures = [part for part in parts if not isinstance(part, str)]
    return {
        "game": kind.name,
        "title": kind.name if page is None else page.title,
        "short": short_rules(kind),
        "text": docstring(kind) if page is None else page.source,
        "from_docstring": page is None,
        "positions": [
            {
                "caption": part.caption,
                "position": part.state.position(),
                "legal": [msgspec.Raw(move) for move in part.legal],
                "illegal": [{"move": msgspec.Raw(move), "reason": why} for move, why in part.illegal],
            }
            for part in pictures
        ],
        "options": [option._asdict() for option in game_options(kind)],
    }
