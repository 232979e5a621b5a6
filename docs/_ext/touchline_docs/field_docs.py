"""The docstrings of the fields of a type: the text below each field."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import msgspec


def field_docs(kind: type[Any]) -> dict[str, str]:
    """Return the docstrings of a struct's fields by the names that they have when they are written.

    >>> from touchline.games.hexapawn import Step
    >>> field_docs(Step)["from"]
    'Where the pawn is: row and column.'
    """
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("touchline"):
            found |= _own_docs(base)
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    return {names[name]: text for name, text in found.items() if name in names}


def _own_docs(kind: type[Any]) -> dict[str, str]:
    (definition,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for field, after in zip(definition.body, definition.body[1:], strict=False):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
    return found
