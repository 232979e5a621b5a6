"""The front desk: it takes submissions, within quotas, and answers entrants about their own versions.

Laws of this file: a submission is on the disk, bundle and log, before it is acknowledged. An upload that
cannot be read is a rejected version with the reason; it counts for the quota. Use a desk from one thread: it
numbers versions by what the log says.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

import msgspec

from touchline.bundles.submissions import read_upload
from touchline.core.errors import BadInput, TouchlineError
from touchline.league.roster import REJECT, SUBMIT, Handed, Version, read_roster, version_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.bundles.store import BundleStore
    from touchline.league.league_file import League
    from touchline.league.roster import Roster
    from touchline.tournament.ledger.base import Ledger

DAY = 24 * 3600.0
LONGEST_REASON = 1000
"""Characters of a reason in the log."""


class WrongToken(TouchlineError):
    """Nobody has this token, or its owner was ejected."""


class QuotaReached(TouchlineError):
    """An entrant has handed in as many versions as it may for now."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds until it may hand in another one."""


class FrontDesk:
    """Takes submissions of one league."""

    def __init__(
        self,
        ledger: Ledger,
        store: BundleStore,
        league: League,
        told: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`told` is called after a submission was taken; `now` returns seconds since 1970."""
        self._ledger, self._store, self._league = ledger, store, league
        self._told, self._now = told, now

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()

    def roster(self) -> Roster:
        """Read the roster."""
        return read_roster(self._league.cup, self._ledger.log(), self._league.quotas.versions)

    def owner(self, token: str) -> str:
        """Return whose token this is. WrongToken if it is nobody's."""
        return _owner(self.roster(), token)

    def submit(self, token: str, data: bytes, name: str) -> Version:
        """Take an upload that its sender calls `name`; return the new version.

        The same bytes as in the entrant's last upload are no new version, so that a retry does no harm.
        """
        roster = self.roster()
        entrant = _owner(roster, token)
        quotas, earlier = self._league.quotas, roster.of(entrant)
        if len(data) > quotas.bytes:
            raise BadInput(f"an upload has at most {quotas.bytes:,} bytes here")
        upload = hashlib.sha256(data).hexdigest()
        if earlier and earlier[-1].upload == upload:
            return earlier[-1]
        self._check_quota(earlier)
        made = version_name(entrant, len(earlier) + 1)
        problem, handed = "", Handed("", "", len(data), upload)
        try:
            found = read_upload(data, name)
            handed = Handed(self._store.put(found.bundle), found.player, len(data), upload)
        except BadInput as error:
            problem = str(error)[:LONGEST_REASON]
        self._ledger.note(SUBMIT, made, msgspec.json.encode(handed).decode(), self._now())
        if problem:
            self._ledger.note(REJECT, made, problem, self._now())
        self._told()
        return self.roster().versions[made]

    def _check_quota(self, earlier: list[Version]) -> None:
        now, most = self._now(), self._league.quotas.submissions
        recent = [one.at for one in earlier if one.at > now - DAY]
        if len(recent) >= most:
            wait = recent[-most] + DAY - now
            raise QuotaReached(
                f"you may hand in {most} versions in 24 hours; the next one in {wait / 3600:.1f} hours", wait
            )


def _owner(roster: Roster, token: str) -> str:
    entrant = roster.owner(token)
    if entrant is None:
        raise WrongToken("this is not the token of an entrant: ask the organiser for one")
    if entrant in roster.ejected:
        raise WrongToken(f"{entrant} was ejected: {roster.ejected[entrant]}")
    return entrant
