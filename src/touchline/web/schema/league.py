"""The league. The table is public; versions are shown to their entrant, who has a token."""

from __future__ import annotations

from msgspec import Struct

from touchline.league.feedback import GameStderr
from touchline.league.standings import LeagueView, OwnFault


class LeagueSeen(Struct, frozen=True, kw_only=True):
    """The league of this server."""

    cup: str
    """The id under which its games are at `/api/cups/ID/games` and its records at `/api/records`."""
    uploads: int
    """The most bytes of an upload."""
    league: LeagueView


class LeagueLine(Struct, frozen=True, kw_only=True, tag_field="type", tag="league"):
    """A line of the live feed: the current state of the league."""

    league: LeagueView


class OwnVersion(Struct, frozen=True, kw_only=True):
    """A version, as its entrant sees it."""

    version: str
    status: str
    reason: str
    """Why it was rejected; else empty."""
    player: str
    bytes: int
    at: float
    """When it was handed in, in seconds since 1970."""
    faults: tuple[OwnFault, ...] = ()
    """Its latest faults in games."""
    stderr: tuple[GameStderr, ...] = ()
    """What it wrote to stderr in its latest games."""
    check_stderr: str = ""
    check_record: bool = False
    """Whether the record of its check can be read."""


class OwnVersions(Struct, frozen=True):
    """The versions of an entrant, the newest first."""

    entrant: str
    versions: tuple[OwnVersion, ...]
