"""Make the jobs of a cup: its entrants' files are bundled, compared with the log, and named by digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from touchline.tournament.entrant_bundles import entrant_bundles, travelling
from touchline.tournament.isolation_notes import note_isolation
from touchline.tournament.ledger.base import Unavailable
from touchline.tournament.versions import note_versions
from touchline.tournament.worker import Job
from touchline.tournament.worker_bundles import stored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from touchline.bundles.store import BundleStore
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Claim, Ledger
    from touchline.tournament.seeds import CupSeeds


class JobMaker:
    """Makes the jobs of one cup. Its files are read once, by `prepare`."""

    def __init__(self, cup: Cup, folder: Path, isolation: str) -> None:
        self._cup, self._folder, self._isolation = cup, folder, isolation
        self._packed = msgspec.Raw(cup.bytes())
        self._bundles: dict[str, str] = {}
        """Entrant -> the digest of its bundle."""
        self._hidden: tuple[str, ...] = ()
        self.store: BundleStore | None = None
        """The bundles of the entrants, for workers that lack them."""

    def prepare(self, ledger: Ledger, *, accept: bool, games: int) -> None:
        """Bundle the entrants' files, compare them with the log, and keep them for the workers.

        `games` is the number of games that have been played. Changed files are a `Conflict`, unless `accept`.
        """
        made = entrant_bundles(self._cup, self._folder, ledger.files())
        words = {entrant.name: entrant.player for entrant in self._cup.entrants}
        bundles = {name: one.bundle for name, one in made.items()}
        note_versions(ledger, bundles, accept=accept, games=games, words=words)
        self._isolation = note_isolation(ledger, self._cup, self._isolation)
        self._hidden = tuple(map(str, ledger.files()))
        if bundles:
            try:
                self.store = stored(bundles.values())
            except OSError as error:
                raise Unavailable(f"the entrants' files cannot be stored: {error}") from None
            self._bundles = {name: bundle.digest for name, bundle in bundles.items()}
            self._packed = msgspec.Raw(travelling(self._cup, made).bytes())

    def job(self, claims: Sequence[Claim], seeds: CupSeeds, at_once: int, seconds: float) -> Job:
        """Return the job to play these games within a time budget."""
        secrets = tuple(seeds.of(claim.pairing) for claim in claims)
        return Job(
            self._packed, str(self._folder), tuple(claims), secrets, at_once, seconds, self._isolation,
            self._hidden, self._bundles, "" if self.store is None else str(self.store.folder),
        )  # fmt: skip
