"""Shared by several commands: options made from the fields of a game, and `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli.main import CONTEXT, Group
from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from touchline.core.rules import Game, State

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


class PerGame(Group):
    """A command whose sub-commands are the games, each with the options of that game.

    `usual` overrides defaults of a game's options for this command, by the game's name.
    """

    kind = "game"

    def __init__(
        self,
        *args: Any,
        run: Callable[..., Any],
        params_of_run: Sequence[click.Parameter],
        usual: Mapping[str, Mapping[str, Any]] | None = None,
        **kwargs: Any,
    ):
        super().__init__(*args, **kwargs)
        self._run, self._params, self._usual = run, params_of_run, usual or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return registry.names("games")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in registry.names("games"):
            return None
        kind, usual = registry.find("games", cmd_name), self._usual.get(cmd_name, {})

        def callback(**given: Any) -> Any:
            options = {
                field: given.pop(f"game_{field}") for field in list(_fields(kind)) if f"game_{field}" in given
            }
            chosen = {field: value for field, value in options.items() if value is not None}
            return self._run(registry.game(cmd_name, {**usual, **chosen}), **given)

        return click.Command(
            cmd_name,
            params=[*_game_params(kind, usual), *self._params],
            callback=callback,
            help=f"{self.help}\n\n{kind.__doc__.splitlines()[0]}",
            short_help=kind.__doc__.splitlines()[0],
            epilog=self.epilog,
            context_settings=CONTEXT,
        )


def _fields(kind: Any) -> dict[str, Any]:
    import msgspec

    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    given = (field for field in info.fields if field.required or field.default is not msgspec.NODEFAULT)
    return {field.name: field for field in given}  # a field that is unset by default is no option


def option_names(kind: Any) -> list[str]:
    """Return the names of the options of a game."""
    return [*_fields(kind)]


def _game_params(kind: Any, usual: Mapping[str, Any]) -> list[click.Option]:
    """Return an option for each field of a game, with the field's description and default as help."""
    import msgspec
    import msgspec.inspect as shapes

    params = []
    for name, field in _fields(kind).items():
        shape, text = field.type, ""
        while isinstance(shape, shapes.Metadata):
            text = (shape.extra_json_schema or {}).get("description", text)
            shape = shape.type
        default = usual.get(name, field.default)
        if default not in (None, (), msgspec.NODEFAULT):
            text += f"  [default: {default}]"
        if isinstance(shape, shapes.UnionType):
            shape = next(part for part in shape.types if not isinstance(part, shapes.NoneType))
        params.append(
            click.Option([f"--{name.replace('_', '-')}", f"game_{name}"], type=_param_type(shape), help=text)
        )
    return params


def _param_type(shape: Any) -> click.ParamType[Any]:
    import msgspec.inspect as shapes

    if isinstance(shape, shapes.LiteralType):
        return click.Choice([str(value) for value in shape.values])
    if isinstance(shape, shapes.IntType):
        return click.INT
    if isinstance(shape, shapes.BoolType):
        return click.BOOL
    if isinstance(shape, shapes.StrType):
        return click.STRING
    return Json()


class Json(click.ParamType[Any]):
    """A JSON value on the command line."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        import msgspec

        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.fail(f"not JSON: {error}", param, ctx)


def seats_of(game: Game, seats: int | None) -> int:
    """Return `seats`, or the smallest number of seats of the game if it is None."""
    return game.seats[0] if seats is None else seats


def started(game: Game, seats: int | None, seed: int) -> State:
    """Start a new game; raise BadOptions if it does not take this number of seats."""
    from random import Random

    try:
        return game.start(seats_of(game, seats), Random(seed))
    except ValueError as error:
        raise BadOptions(f"{game.name}: {error}") from None


def options_of(game: Game) -> dict[str, Any]:
    """Return the options of a game as JSON-able data."""
    import msgspec

    written: dict[str, Any] = msgspec.to_builtins(game)
    return written


def emit(value: Any) -> None:
    """Print a value as one line of JSON."""
    import msgspec

    from touchline.core.printable import printable_json

    click.echo(printable_json(msgspec.json.encode(value).decode()))
