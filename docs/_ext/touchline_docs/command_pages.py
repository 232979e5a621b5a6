"""The reference of the command line: one page for each command, from click.

A command that has a sub-command for each game shows the options that all of them share once, and then those
of each game.
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

from touchline.cli._options import PerGame
from touchline.cli.main import cli
from touchline_docs.markdown import block, code, plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MADE = "<!-- made by docs/_ext/touchline_docs/command_pages.py from the command itself -->"

SEEN = "[Exit codes](../../exit-codes.md) mean the same in every command.\n"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page; `index` is the list of the commands."""
    root = click.Context(cli, info_name="touchline")
    names = cli.list_commands(root)
    commands = {name: found for name in names if (found := cli.get_command(root, name)) is not None}
    yield "index", _index(commands, root)
    for name, command in commands.items():
        if not command.hidden:
            yield name, "\n".join([MADE, *_command(command, root, name, level=1), SEEN])


def _index(commands: dict[str, click.Command], root: click.Context) -> str:
    rows = [
        (f"[touchline {name}]({name}.md)", plain(command.get_short_help_str(200)))
        for name, command in commands.items()
        if not command.hidden
    ]
    return "\n".join(
        [
            MADE,
            "# Commands",
            "",
            "Every command has `--help` with examples. Results go to stdout, everything else to stderr.",
            "[Exit codes](../../exit-codes.md) mean the same everywhere.",
            "",
            table(["command", "what it does"], rows),
            "Options of `touchline` itself stand before the command:",
            "",
            _options(cli.params, root),
            "```{toctree}",
            ":hidden:",
            *(name for name, command in commands.items() if not command.hidden),
            "```",
            "",
        ]
    )


def _command(command: click.Command, parent: click.Context, name: str, level: int) -> Iterator[str]:
    """Yield the lines of a command and of its sub-commands."""
    context = click.Context(command, info_name=name, parent=parent)
    yield f"{'#' * level} {context.command_path}\n"
    yield from _help(command.help or "")
    yield block(" ".join([context.command_path, *_pieces(command, context)]))
    if isinstance(command, PerGame):
        yield from _per_game(command, context)
    else:
        yield _options(command.params, context)
    yield from _help(command.epilog or "")
    if isinstance(command, click.Group) and not isinstance(command, PerGame):
        yield from _sub_commands(command, context, level + 1)


def _pieces(command: click.Command, context: click.Context) -> list[str]:
    if isinstance(command, PerGame):
        first = next(iter(_children(command, context).values()))
        return ["GAME", *first.collect_usage_pieces(context)]
    return command.collect_usage_pieces(context)


def _children(group: click.Group, context: click.Context) -> dict[str, click.Command]:
    names = group.list_commands(context)
    found = {name: group.get_command(context, name) for name in names}
    return {name: child for name, child in found.items() if child is not None and not child.hidden}


def _sub_commands(group: click.Group, context: click.Context, level: int) -> Iterator[str]:
    """Yield the sub-commands; those that differ in their help alone share one table."""
    children = _children(group, context)
    alike = [name for name, child in children.items() if not child.epilog and _is_bare(child)]
    if len(alike) > 1:
        rows = [(code(f"{context.command_path} {name}"), plain(_flat(children[name]))) for name in alike]
        yield table(["command", "what it does"], rows)
        yield _options(children[alike[0]].params, context)
    for name, child in children.items():
        if len(alike) < 2 or name not in alike:
            yield from _command(child, context, name, level)


def _is_bare(command: click.Command) -> bool:
    """Whether a command takes nothing but `--json`."""
    return not isinstance(command, click.Group) and [p.name for p in command.params] in ([], ["as_json"])


def _flat(command: click.Command) -> str:
    return " ".join(inspect.cleandoc(command.help or "").split())


def _per_game(command: PerGame, context: click.Context) -> Iterator[str]:
    games = _children(command, context)
    shared: Sequence[click.Parameter] = command._params
    yield _options(shared, context)
    for name, child in games.items():
        own = [param for param in child.params if (param.name or "").startswith("game_")]
        if own:
            yield f"**Options of {name}**\n"
            yield _options(own, context)


def _options(params: Sequence[click.Parameter], context: click.Context) -> str:
    records = [record for param in params if (record := param.get_help_record(context)) is not None]
    rows = [(code(_typed(names)), plain(_in_words(text))) for names, text in records if text]
    return table(["option", "meaning"], rows) if rows else ""


def _typed(names: str) -> str:
    """Return an option with the type of its value as people say it.

    >>> _typed("--seconds FLOAT RANGE")
    '--seconds NUMBER'
    """
    return re.sub(r"\b(INTEGER|FLOAT)( RANGE)?\b", "NUMBER", names)


def _in_words(text: str) -> str:
    """Return the help of an option with its range in words.

    >>> _in_words("Games. [default: 3; x>=1]"), _in_words("A port. [0<=x<=65535]")
    ('Games. [default: 3; at least 1]', 'A port. [0 to 65535]')
    """
    text = re.sub(r"\b([\d.]+)<=x<=([\d.]+)", r"\1 to \2", text)
    return re.sub(r"\bx>([\d.]+)", r"more than \1", re.sub(r"\bx>=([\d.]+)", r"at least \1", text))


def _help(text: str) -> Iterator[str]:
    """Yield click's help as Markdown: a paragraph that begins with \\b keeps its lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if not paragraph.strip():
            continue
        if not paragraph.startswith("\b"):
            yield plain(" ".join(paragraph.split())) + "\n"
            continue
        lines = paragraph.removeprefix("\b").strip("\n").splitlines()
        if lines and lines[0].rstrip().endswith(":") and not lines[0].startswith(" "):
            yield f"**{lines.pop(0).strip().rstrip(':')}**\n"
        yield block(inspect.cleandoc("\n".join(["", *lines])))
