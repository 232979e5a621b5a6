"""`touchline`: find the command, run it, and turn errors into one line and an exit code."""

from __future__ import annotations

import difflib
import gc
import importlib
import pkgutil
import sys
from typing import Any, ClassVar, NoReturn

import click

import touchline
from touchline.cli import _internal_error
from touchline.cli._ascii import print_anything
from touchline.cli._compiling import announce_compiling
from touchline.cli._terminal import echo, printable_log
from touchline.core.errors import TouchlineError
from touchline.core.exit_codes import ExitCode

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Group(click.Group):
    """A group that names its commands when it is given another word."""

    kind: ClassVar[str] = "command"
    """What its sub-commands are called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            close = difflib.get_close_matches(error.command_name, names)
            near = f"Did you mean {' or '.join(close)}? " if close else ""
            raise click.UsageError(
                f"No such {self.kind} {error.command_name!r}. {near}There are: {', '.join(names)}.", ctx
            ) from None


class PipeClosed(Exception):
    """The reader of our output has exited. Click would turn a BrokenPipeError into exit code 1."""


class Commands(Group):
    """A group whose commands are the files of this package."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise PipeClosed from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        folder = importlib.import_module("touchline.cli").__path__
        modules = (module.name for module in pkgutil.iter_modules(folder))
        return sorted(name for name in modules if name != "main" and not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"touchline.cli.{cmd_name}").command
        return command


@click.group(
    cls=Commands,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline games
  touchline rules fish
  touchline show fish --rows 4 --cols 6 --holes 5
  touchline perft hexapawn --rows 3 --cols 3 --depth 7
  touchline harness labyrinth xchoice < in.json""",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to print in colour; auto depends on the terminal and NO_COLOR.",
)
@click.version_option(touchline.__version__, prog_name="touchline")
@click.pass_context
def cli(ctx: click.Context, color: str) -> None:
    """The referee for turn-based games between players that nobody trusts."""
    ctx.obj = color
    printable_log()
    announce_compiling()


def main() -> NoReturn:
    """Run the command line and exit."""
    sys.exit(run())


def run() -> int:
    """Run the command line and return its exit code."""
    print_anything()
    gc.set_threshold(50_000)  # a cup of 100,000 games is read without thousands of searches for cycles
    try:
        code = cli.main(prog_name="touchline", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except TouchlineError as error:
        echo(f"Error: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except (PipeClosed, BrokenPipeError):
        _internal_error.close_output()
        return ExitCode.PIPE_CLOSED
    except Exception as error:
        return _internal_error.reported(error)
