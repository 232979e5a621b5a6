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
    """The root of the tree."""


class UnknownName(TouchlineError):
    """Nothing of that name is installed."""


class BadOptions(TouchlineError):
    """A game cannot be played with these options."""


class BadInput(TouchlineError):
    """Input that is not what it should be."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
