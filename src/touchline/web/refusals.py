"""Why a request is refused that was understood: a limit is reached, or the time is wrong."""

from __future__ import annotations


class LimitReached(Exception):
    """A limit of `Caps` is reached."""


class NotNow(Exception):
    """The table is not in a state that allows this."""
