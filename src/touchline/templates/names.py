"""The name of a new project, and how it is spelled in different places."""

from __future__ import annotations

import keyword
import re
from typing import NamedTuple

from touchline.core.errors import BadOptions

MOST = 40
"""The most characters of a name."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


class Name(NamedTuple):
    """A name in lower case; its words are joined by `-` or `_`.

    >>> name = named("four-in_a-row")
    >>> name.dashed, name.module, name.camel
    ('four-in-a-row', 'four_in_a_row', 'FourInARow')
    """

    text: str

    @property
    def dashed(self) -> str:
        """The name of a package, a folder or a program."""
        return self.text.replace("_", "-")

    @property
    def module(self) -> str:
        """The name of a Python module."""
        return self.text.replace("-", "_")

    @property
    def camel(self) -> str:
        """The name of a class."""
        return "".join(part.capitalize() for part in self.module.split("_"))


def named(text: str) -> Name:
    """Return the name that somebody has chosen. BadOptions if it cannot name a package in every language."""
    if len(text) > MOST or not _NAME.fullmatch(text):
        raise BadOptions(
            f"{text[:MOST]!r} cannot be a name: use at most {MOST} lower-case letters, digits, - and _, "
            "and begin with a letter, as in my-bot"
        )
    name = Name(text)
    if keyword.iskeyword(text) or text == "touchline" or name.camel in ("None", "True", "False"):
        raise BadOptions(f"{text!r} cannot be a name: it has a meaning in Python already")
    return name


def spelled(text: str) -> str:
    """Return the text as a name, as well as that goes: for the default name of a folder.

    >>> spelled("My first Bot!")
    'my-first-bot'
    """
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")
