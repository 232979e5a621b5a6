"""Make a player from a class in a Python file, and say in one line what is wrong with the file or the class.

Law of this file: whatever the file does when it is loaded, an error names the file, and the line if there is
one. It imports little, because every Python player waits for it.
"""

from __future__ import annotations

import os
import runpy
import sys
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadInput
from touchline.core.printable import printable
from touchline.core.text import clipped
from touchline.players.coroutines import CoroutinePlayer

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE = "touchline_player"
"""The name of a player's file as a module."""
MOST_SHOWN = 40
"""Characters that are shown of a value that is no move."""
TAKES_REST, ARGUMENTS = 4, 3
"""The flag of a function with `*args`, and the arguments of choose: self, view, turn."""


def loaded(source: str, asked: str = "choose") -> Any:
    """Return a new player from `FILE` or `FILE:NAME`: a class with a method `choose` or `asked`."""
    path, _, name = source.partition(":")
    if not os.path.exists(path):
        raise BadInput("there is no such file", path)
    base = os.path.basename(path)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # so that it can import its neighbours
    try:
        found = runpy.run_path(path, run_name=MODULE)
    except BadInput:  # our own, of `NoInput`
        raise
    except Exception as error:
        raise _broken(error, path) from error
    kind = _chosen(found, base, name, asked)
    if (wrong := _wrong_signature(kind)) is not None:
        raise BadInput(wrong, f"{base}, line {_line(kind)}")
    try:
        return kind()
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise _broken(error, path) from error
        why = f"{error}; the class is made without arguments: give them defaults"
        raise BadInput(why, base) from None
    except Exception as error:
        raise _broken(error, path) from error


class NoInput:
    """Stands for stdin while a player's file is loaded: a file that reads it is a program, not a class."""

    def __init__(self, path: str) -> None:
        self._file = os.path.basename(path)

    def __getattr__(self, name: str) -> Any:
        why = "reads stdin when it is loaded, so it is a program, and not a class with choose(view, turn)"
        raise BadInput(f"{self._file} {why}: run it with 'process:python3 {self._file}'")

    def __iter__(self) -> Any:
        return self.readline()


def _broken(error: Exception, path: str) -> BadInput:
    from touchline.players.own_traceback import in_one_line

    return BadInput(in_one_line(error, path))


def _chosen(found: dict[str, Any], file: str, name: str, asked: str) -> type[Any]:
    """Return the class that is the player."""
    classes = {
        key: kind
        for key, kind in found.items()
        if isinstance(kind, type) and kind.__module__ == MODULE
    }  # fmt: skip
    players = {key: kind for key, kind in classes.items() if hasattr(kind, "choose") or hasattr(kind, asked)}
    method = "choose(view, turn)" if asked == "choose" else f"choose(view, turn) or {asked}"
    if name and name not in players:
        raise BadInput(f"there is no class {name!r} with a method {method}{_named(players)}", file)
    if not players:
        raise BadInput(f"there is no class with a method {method}{_instead(found, classes)}", file)
    if not name and len(players) > 1:
        first = next(iter(players))
        raise BadInput(
            f"{file} defines several players ({', '.join(players)}): choose one with {file}:{first}"
        )
    return players[name or next(iter(players))]


def _named(players: dict[str, type[Any]]) -> str:
    return f"; there is: {', '.join(players)}" if players else ""


def _instead(found: dict[str, Any], classes: dict[str, type[Any]]) -> str:
    """Return what the file has in place of a player."""
    if isinstance(found.get("choose"), FunctionType):
        return ": choose is a function; put it into a class, with self as its first argument"
    if classes:
        return f": add `def choose(self, view, turn)` to class {next(iter(classes))}"
    return "; write `class Bot:` with `def choose(self, view, turn)`"


def _function(kind: type[Any]) -> FunctionType | None:
    """Return the function of the method `choose`, if it is a plain one."""
    for base in kind.__mro__:
        if (method := vars(base).get("choose")) is not None:
            return method if isinstance(method, FunctionType) else None
    return None


def _line(kind: type[Any]) -> int:
    function = _function(kind)
    return 0 if function is None else function.__code__.co_firstlineno


def _wrong_signature(kind: type[Any]) -> str | None:
    """Return what is wrong if `choose` cannot be called with a view and a turn."""
    function = _function(kind)
    if function is None:
        return None
    code, optional = function.__code__, len(function.__defaults__ or ())
    enough = code.co_argcount >= ARGUMENTS or code.co_flags & TAKES_REST
    keywords = code.co_kwonlyargcount > len(function.__kwdefaults__ or ())
    if enough and code.co_argcount - optional <= ARGUMENTS and not keywords:
        return None
    names = ", ".join(code.co_varnames[: code.co_argcount])
    return f"choose({names}) is called with a view and a turn: write `def choose(self, view, turn)`"


class HostedPlayer(CoroutinePlayer):
    """A player whose `choose` is watched: a value that is no move is named on stderr."""

    def __init__(self, player: Any, path: str) -> None:
        super().__init__(player)
        line = _line(type(player))
        vars(self)["_where"] = f"{os.path.basename(path)}, line {line}" if line else os.path.basename(path)

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        return partial(self._choose, found) if name == "choose" else found

    def _choose(self, choose: Callable[..., Any], view: Any, turn: int) -> Any:
        move = choose(view, turn)
        if type(move).__module__ in ("builtins", MODULE) and move not in view.legal_moves():
            why = f"choose() returned {_shown(move)}; return one of view.legal_moves()"
            if type(move).__module__ == MODULE:  # it cannot be written as JSON
                raise BadInput(why, self._where)
            sys.stderr.write(f"{self._where}: {why}\n")
        return move


def _shown(value: Any) -> str:
    """Return a value that is no move in words.

    >>> _shown(None), _shown("up"), _shown([1, 2])
    ('None', "the str 'up'", 'a list')
    """
    if value is None:
        return "None"
    if isinstance(value, bool | int | float | str):
        return f"the {type(value).__name__} {clipped(printable(repr(value)), MOST_SHOWN)}"
    return f"a {type(value).__name__}"
