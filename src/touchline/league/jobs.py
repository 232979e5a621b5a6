"""The jobs of a league: games and checks, which a worker plays as those of a cup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from touchline.league.feedback import MOST_TEXT
from touchline.tournament.cup import Entrant
from touchline.tournament.worker import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from touchline.bundles.store import BundleStore
    from touchline.league.roster import Version
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Claim
    from touchline.tournament.seeds import GameSecrets


class LeagueJobs:
    """Makes jobs. `hidden` are files that no program may see."""

    def __init__(self, store: BundleStore, at_once: int, isolation: str, hidden: Iterable[Path] = ()) -> None:
        self.store, self._at_once, self._isolation = store, at_once, isolation
        self._hidden = tuple(str(path.resolve()) for path in hidden)

    def job(
        self,
        cup: Cup,
        versions: Mapping[str, Version],
        claims: Sequence[Claim],
        secrets: Sequence[GameSecrets],
        seconds: float,
    ) -> Job:
        """Return the job of these games; `versions` has everybody who plays in them, by name."""
        names = dict.fromkeys(name for claim in claims for name in claim.pairing.entrants)
        playing = [versions[name] for name in names]
        made = replace(cup, entrants=tuple(map(_entrant, playing)))
        folder = str(self.store.folder.resolve())
        return Job(
            msgspec.Raw(msgspec.json.encode(made)), folder, tuple(claims), tuple(secrets), self._at_once,
            seconds, self._isolation, self._hidden, {one.name: one.digest for one in playing if one.digest},
            folder, notes=MOST_TEXT,
        )  # fmt: skip


def _entrant(one: Version) -> Entrant:
    return Entrant(one.name, one.player, untrusted=True) if one.digest else Entrant(one.name, one.player)
