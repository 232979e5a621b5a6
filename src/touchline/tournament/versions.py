"""The versions of a cup's entrants: the digests of their bundles, as the log has them.

The log has an entry for each entrant that is a program, when it first plays and when a change of it was
accepted. Ledgers that were begun before there were bundles have hashes of single files instead; those are
not compared with digests.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from touchline.tournament.ledger.base import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from touchline.bundles.bundle import Bundle
    from touchline.tournament.ledger.base import Ledger, LogEntry

FILES, CHANGED = "files", "changed"
"""Acts of the log: the digest of an entrant's bundle, and an accepted change of it."""
_BUNDLE = re.compile(r"(?P<digest>[0-9a-f]{64}) bundle(?: from game (?P<game>\d+))?: ")
_OLD = re.compile(r"(?P<digest>[0-9a-f]{64}) ")


class Version(NamedTuple):
    """One version of an entrant."""

    digest: str
    at: float
    """When it first took part, in seconds since 1970."""
    game: int
    """The number of the first game that was committed after that, from 1; 0 if the log does not say."""


def versions(log: Iterable[LogEntry]) -> dict[str, list[Version]]:
    """Return the versions of each entrant that is a program, the first one first."""
    found: dict[str, list[Version]] = {}
    for entry in log:
        if entry.act not in (FILES, CHANGED):
            continue
        match = _BUNDLE.match(entry.why) or _OLD.match(entry.why)
        if match is not None:
            game = match.groupdict().get("game")
            first = 1 if entry.act == FILES else 0
            found.setdefault(entry.about, []).append(
                Version(match["digest"], entry.at, first if game is None else int(game))
            )
    return found


def version_marks(log: Iterable[LogEntry]) -> dict[str, str]:
    """Return what to show behind the names of the entrants that have changed: "version 2 from game 120"."""
    marks = {}
    for name, known in versions(log).items():
        if len(known) > 1:
            since = f" from game {known[-1].game:,}" if known[-1].game else ""
            marks[name] = f"version {len(known)}{since}"
    return marks


def note_versions(
    ledger: Ledger, bundles: Mapping[str, Bundle], *, accept: bool, games: int, words: Mapping[str, str]
) -> None:
    """Compare the entrants' bundles with those in the log, and note the new ones.

    `games` is the number of games that have been played, and `words` has the players' words. A `Conflict`
    names the first entrant that has changed, unless changes are accepted.
    """
    known = {entry.about: entry.why[:64] for entry in ledger.log() if _is_bundle(entry)}
    fresh: list[tuple[str, str, str]] = []
    for name, bundle in bundles.items():
        before = known.get(name)
        what = f"{len(bundle.files):,} files, {bundle.size:,} bytes"
        if before is None:
            fresh.append((FILES, name, f"{bundle.digest} bundle: {what}"))
        elif bundle.digest != before and accept:
            fresh.append(
                (CHANGED, name, f"{bundle.digest} bundle from game {games + 1}: {what}, was {before}")
            )
        elif bundle.digest != before:
            raise Conflict(
                f"{name}: the files of {words[name]} have changed since the cup began: put the old content "
                "back, or go on with --accept-changes, which every table will say"
            )
    for act, name, why in fresh:
        ledger.note(act, name, why, time.time())


def _is_bundle(entry: LogEntry) -> bool:
    return entry.act in (FILES, CHANGED) and _BUNDLE.match(entry.why) is not None


def changed_entrants(log: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return the entrants whose files were changed during the cup, which the organiser accepted."""
    return tuple(dict.fromkeys(entry.about for entry in log if entry.act == CHANGED))
