"""What can go wrong on our side, or in what a user handed us. Never what a player did: that is a verdict.

    TouchlineError            shown to the user as one line
    ├── UnknownName           no game, bot or the like of that name
    ├── BadOptions            the options of a game do not fit together
    ├── BadInput              a file or stream is not what it should be; says what and where
    │   └── store.Unreadable  this is no ledger, or a damaged one
    ├── store.Unavailable     a ledger cannot be written just now; ask again
    ├── store.Conflict        a ledger says otherwise
    └── client.connect.Away, NotLetIn, Crashed    how a visit to another server ended

The command line prints these without a traceback and exits with 2.
"""

from __future__ import annotations


class TouchlineError(Exception):
    """The base class of all errors that a user can cause; `str()` is one line for people.

    >>> issubclass(BadOptions, TouchlineError)
    True
    """


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
    """Options that do not fit: of a game, a player, a match or a command.

    >>> from touchline import game
    >>> game("hexapawn", colour="red")
    Traceback (most recent call last):
    ...
    touchline.core.errors.BadOptions: hexapawn has no option 'colour'; it has: cols, rows
    """


class BadInput(TouchlineError):
    """A file or stream that is not what it should be; says what is wrong, and where.

    >>> str(BadInput("not an event", "match.jsonl, line 3"))
    'match.jsonl, line 3: not an event'
    """

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
