"""Exceptions for failures on our side and for bad user input. A player's offence is a verdict instead.

    TouchlineError            shown to the user as one line
    ├── UnknownName           no game, bot or other plug-in of that name
    ├── BadOptions            the options of a game do not fit together
    │   └── BrokenPlayer      a player's own files are wrong, on every machine alike
    ├── BadInput              a file or stream is invalid; says what is wrong, and where
    │   └── ledger.Unreadable not a ledger, or a damaged one
    ├── NotWritten            an output file could not be written; exit code 1
    │   └── recording.NotRecorded a record could not be written
    ├── ledger.Unavailable    a ledger cannot be used at the moment; retry
    ├── ledger.Conflict       a request contradicts the ledger
    └── client.connect.Away, NotLetIn, Crashed    how a connection to another server ended

The command line prints these without a traceback and exits with 2, or with the `exit_code` of the class.
"""

from __future__ import annotations

from typing import ClassVar


class TouchlineError(Exception):
    """The base class of all errors that a user can cause; `str()` is one line for people.

    >>> issubclass(BadOptions, TouchlineError)
    True
    """

    exit_code: ClassVar[int] = 2
    """The exit code of a command that ends with this error."""


class UnknownName(TouchlineError, KeyError):
    """No game, bot, conduct or other plug-in of that name is installed, or it cannot be loaded.

    >>> from touchline import game
    >>> game("ludo")
    Traceback (most recent call last):
    ...
    touchline.core.errors.UnknownName: no game is called 'ludo'; there are: fish, hexapawn, labyrinth
    """

    __str__ = Exception.__str__  # a KeyError would show its message in quotes


class BadOptions(TouchlineError):
    """Unsuitable options of a game, a player, a match or a command.

    >>> from touchline import game
    >>> game("hexapawn", colour="red")
    Traceback (most recent call last):
    ...
    touchline.core.errors.BadOptions: hexapawn has no option 'colour'; it has: cols, rows
    """


class BrokenPlayer(BadOptions):
    """A player cannot be started because its own files are wrong, so it fails on every machine alike.

    >>> issubclass(BrokenPlayer, BadOptions)
    True
    """


class BadInput(TouchlineError):
    """An invalid file or stream; the message says what is wrong, and where.

    >>> str(BadInput("not an event", "match.jsonl, line 3"))
    'match.jsonl, line 3: not an event'
    """

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)


class NotWritten(TouchlineError):
    """An output file could not be written, such as on a full disk; that is a failure of our side.

    >>> NotWritten.exit_code
    1
    """

    exit_code: ClassVar[int] = 1
