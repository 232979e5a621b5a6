"""Every command, found by walking the tree of commands: help with examples that parse, and `--json`."""

from __future__ import annotations

import re
import shlex
from functools import cache
from typing import TYPE_CHECKING

import click
import pytest

from cli.shell import Shell
from touchline.cli.main import cli
from touchline.core import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = click.Context(cli, info_name="touchline")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def walk(command: click.Command, ctx: click.Context, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that does something; a command for each game is taken once."""
    if not isinstance(command, click.Group):
        yield path
        return
    names = command.list_commands(ctx)
    if names == registry.names("games") and {type(found(command, ctx, name)) for name in names} == {
        click.Command
    }:
        names = names[:1]
    for name in names:
        inner = found(command, ctx, name)
        yield from walk(inner, click.Context(inner, info_name=name, parent=ctx), (*path, name))


def found(group: click.Group, ctx: click.Context, name: str) -> click.Command:
    command = group.get_command(ctx, name)
    assert command is not None
    return command


@cache
def at(path: tuple[str, ...]) -> tuple[click.Command, click.Context]:
    command: click.Command = cli
    ctx = ROOT
    for word in path:
        assert isinstance(command, click.Group)
        command = found(command, ctx, word)
        ctx = click.Context(command, info_name=word, parent=ctx)
    return command, ctx


COMMANDS = sorted(walk(cli, ROOT, ()))


def examples(command: click.Command) -> list[str]:
    """Return the lines of a command's examples."""
    _, _, text = (command.epilog or "").partition("Examples:\n")
    block, _, _ = text.replace("\\\n", " ").partition("\n\n")
    return [re.sub(r"(?<=\S)\s+(?=--)", " ", line.strip()) for line in block.splitlines()]


def calls(line: str) -> Iterator[list[str]]:
    """Yield the words after each `touchline` in an example, without redirections and the remark behind."""
    for part in re.split(r"[|&]|\$\(", line):
        _, called, rest = part.partition("touchline ")
        if called:
            rest = re.split(r"\s{2,}|\)\"?|\s2?[<>]", rest)[0]
            yield shlex.split(rest)


def test_the_tree_is_walked() -> None:
    """The walk finds commands at every depth."""
    assert {("games",), ("tournament", "run"), ("harness", "fish", "xboard")} <= set(COMMANDS)
    assert len(COMMANDS) > 50


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_has_examples_of_the_command(path: tuple[str, ...]) -> None:
    """A command's help ends with examples of it, or of its group if it is one of several alike."""
    command, _ = at(path)
    words = "touchline " + " ".join(path[: 2 if path[0] == "harness" else 1])
    assert any(words in line for line in examples(command)), command.epilog
    assert command.help


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_the_result_is_there_as_json(path: tuple[str, ...]) -> None:
    """Every command takes `--json`."""
    assert any("--json" in option.opts for option in at(path)[0].params)


@pytest.mark.parametrize("path", [(), *COMMANDS], ids=" ".join)
def test_examples_parse(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The options and words of every example are those of the command that it calls."""
    for line in examples(at(path)[0]):
        for words in calls(line):
            parse(cli, words, monkeypatch)


def parse(
    command: click.Command,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    parent: click.Context | None = None,
) -> None:
    """Parse words as the command line does; files in examples need not be there."""
    for option in command.params:
        if isinstance(option.type, click.Path | click.File):
            monkeypatch.setattr(option, "type", click.STRING)
    ctx = command.make_context(words[0] if words else "touchline", [*words], parent=parent)
    with ctx:
        rest = [*ctx._protected_args, *ctx.args]
        if isinstance(command, click.Group) and rest:
            _, inner, left = command.resolve_command(ctx, rest)
            assert inner is not None
            parse(inner, left, monkeypatch, ctx)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plaay"], "No such command 'plaay'. Did you mean play"),
        (["tournament", "rnu"], "Did you mean run"),
        (["play", "fihs", "random"], "No such game 'fihs'. Did you mean fish? There are: fish, hexapawn"),
        (["ludo"], "There are: analyse, check,"),
        (["play", "hexapawn", "--sede", "4"], "--seed"),
        (["play", "hexapawn", "minimax:dept=3", "random"], "minimax has no option 'dept'; it has: depth"),
    ],
)
def test_a_wrong_word_names_the_right_ones(words: list[str], said: str, shell: Shell) -> None:
    """A misspelt command, game or option is answered with those that there are."""
    assert said in shell.refused(*words)
