"""The roster: entrants, their tokens and versions, read from the log of the ledger.

Laws of this file: the log is the only truth, so a restart knows what was acknowledged before it. A token is
stored as its hash. The first verdict on a version stands.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from touchline.core.errors import BadInput, BadOptions
from touchline.server.names import problem_with, skeleton

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import LogEntry

TOKEN, SUBMIT, ACCEPT, REJECT, EJECT, RERATE = "token", "submit", "accept", "reject", "eject", "rerate"
"""Acts of the log."""
UNREAD = "the upload could not be read"
TOKEN_BYTES = 24
LONGEST_NAME = 24
"""Characters in an entrant's name; that of a version is longer by its number, and has 32 at most."""

Status = Literal["checking", "active", "older", "retired", "rejected", "ejected", "house"]
"""What a version does.

checking: its compliance check has not ended; active: the newest of its entrant that passed; older: it plays
as an opponent; retired: it does not play, but keeps its rating; house: a house player.
"""
PLAYING: tuple[Status, ...] = ("active", "older", "house")


class Handed(Struct, frozen=True):
    """What the log says about a submission."""

    digest: str
    """The digest of its bundle; empty if it could not be read."""
    player: str
    size: int
    upload: str | UnsetType = UNSET
    """The SHA-256 hash of the uploaded bytes."""


class Version(Struct, frozen=True, kw_only=True):
    """A version of an entrant's player, or a house player."""

    name: str
    """Its name in games: `ann v3`; that of a house player has no number."""
    entrant: str
    number: int
    digest: str
    player: str
    size: int
    upload: str
    at: float
    status: Status
    reason: str = ""
    """Why it was rejected, or its entrant ejected."""


def version_name(entrant: str, number: int) -> str:
    """
    >>> version_name("ann", 3)
    'ann v3'
    """
    return f"{entrant} v{number}"


def token_hash(token: str) -> str:
    """Return what the log stores of a token. Tokens are random, so the hash needs no salt."""
    return hashlib.sha256(f"touchline league token {token}".encode()).hexdigest()


class Roster(Struct, frozen=True, kw_only=True):
    """Entrants, tokens and versions of a league at one time."""

    tokens: dict[str, str]
    """The hash of each valid token -> its entrant."""
    versions: dict[str, Version]
    """By name, the house players first, then in the order of submission."""
    ejected: dict[str, str]
    """Entrant -> the organiser's reason."""
    resets: tuple[tuple[float, str], ...]
    """When ratings began anew, and whose: a version's, or everybody's (empty)."""

    def owner(self, token: str) -> str | None:
        """Return the entrant whose token this is."""
        return self.tokens.get(token_hash(token))

    def entrants(self) -> tuple[str, ...]:
        """Return all entrants that have, or had, a token."""
        return tuple(dict.fromkeys([*self.tokens.values(), *(v.entrant for v in self.versions.values())]))

    def of(self, entrant: str) -> list[Version]:
        """Return the versions of an entrant, the oldest first."""
        return [one for one in self.versions.values() if one.entrant == entrant and one.status != "house"]

    def playing(self) -> list[Version]:
        """Return the versions that may be paired."""
        return [one for one in self.versions.values() if one.status in PLAYING]


def read_roster(cup: Cup, log: Iterable[LogEntry], most_playing: int) -> Roster:
    """Read the roster from the log; of each entrant, the newest `most_playing` accepted versions play."""
    tokens: dict[str, str] = {}
    versions = {one.name: _house(one.name, one.player) for one in cup.entrants}
    verdicts: dict[str, LogEntry] = {}
    ejected: dict[str, str] = {}
    resets: list[tuple[float, str]] = []
    for entry in log:
        if entry.act == TOKEN:
            tokens[entry.about] = entry.why
        elif entry.act == SUBMIT:
            versions[entry.about] = _version(entry)
        elif entry.act in (ACCEPT, REJECT):
            verdicts.setdefault(entry.about, entry)
        elif entry.act == EJECT:
            ejected.setdefault(entry.about, entry.why)
        elif entry.act == RERATE:
            resets.append((entry.at, entry.about))
    judged = _judged(versions, verdicts, ejected, most_playing)
    return Roster(
        tokens=_latest(tokens), versions=judged, ejected=ejected, resets=tuple(resets)
    )  # fmt: skip


def _latest(tokens: dict[str, str]) -> dict[str, str]:
    """Return the tokens that are valid: of each entrant, the one that was made last."""
    last = {entrant: hashed for hashed, entrant in tokens.items()}
    return {hashed: entrant for entrant, hashed in last.items()}


def _house(name: str, player: str) -> Version:
    return Version(
        name=name, entrant=name, number=0, digest="", player=player, size=0, upload="", at=0.0, status="house"
    )


def _version(entry: LogEntry) -> Version:
    entrant, _, number = entry.about.rpartition(" v")
    try:
        handed = msgspec.json.decode(entry.why, type=Handed)
        count = int(number)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput(f"the log's entry of {entry.about} cannot be read: {error}") from None
    return Version(
        name=entry.about, entrant=entrant, number=count, digest=handed.digest, player=handed.player,
        size=handed.size, upload=handed.upload or "", at=entry.at, status="checking",
    )  # fmt: skip


def _judged(
    versions: dict[str, Version], verdicts: dict[str, LogEntry], ejected: dict[str, str], most_playing: int
) -> dict[str, Version]:
    """Return the versions with their status."""
    accepted: dict[str, list[str]] = {}
    for name, one in versions.items():
        if name in verdicts and verdicts[name].act == ACCEPT:
            accepted.setdefault(one.entrant, []).append(name)
    found = {}
    for name, one in versions.items():
        verdict, status, reason = verdicts.get(name), one.status, ""
        if verdict is None and status == "checking" and not one.digest:
            status, reason = "rejected", UNREAD  # we were killed before the reason was noted
        elif verdict is not None and verdict.act == REJECT:
            status, reason = "rejected", verdict.why
        elif one.entrant in ejected:
            status, reason = "ejected", ejected[one.entrant]
        elif verdict is not None:
            newer = len(accepted[one.entrant]) - 1 - accepted[one.entrant].index(name)
            status = "active" if newer == 0 else "older" if newer < most_playing else "retired"
        found[name] = replace(one, status=status, reason=reason)
    return found


def new_token(roster: Roster, name: str) -> tuple[str, str]:
    """Return a new token for an entrant, and the hash of it that the log gets. BadOptions if it may not be.

    An entrant's earlier token becomes invalid when the log has the new one.
    """
    if (why := problem_with(name)) is not None:
        raise BadOptions(f"{name!r}: {why}")
    if len(name) > LONGEST_NAME:
        raise BadOptions(f"{name!r}: an entrant's name has at most {LONGEST_NAME} characters")
    if name in roster.ejected:
        raise BadOptions(f"{name} was ejected: {roster.ejected[name]}")
    others: Sequence[str] = [*roster.entrants(), *roster.versions]
    for other in others:
        is_house = other in roster.versions and roster.versions[other].status == "house"
        if skeleton(other) == skeleton(name) and (other != name or is_house):
            raise BadOptions(f"{name!r} looks like {other!r}, which is taken: choose another name")
    token = secrets.token_urlsafe(TOKEN_BYTES)
    return token, token_hash(token)
