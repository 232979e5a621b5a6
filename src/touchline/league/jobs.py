"""The jobs of a league: games and checks as bytes for a worker, which plays them as those of a cup."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from touchline.league.feedback import MOST_TEXT
from touchline.players.by_name import WASM, dialect_of, without_dialect
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

PROCESS = "process:"


class LeagueJobs:
    """Makes jobs. `hidden` are files that no program may see."""

    def __init__(self, store: BundleStore, at_once: int, isolation: str, hidden: Iterable[Path] = ()) -> None:
        self._store, self._at_once, self._isolation = store, at_once, isolation
        self._hidden = tuple(map(str, hidden))

    def job(
        self,
        cup: Cup,
        versions: Mapping[str, Version],
        claims: Sequence[Claim],
        secrets: Sequence[GameSecrets],
        seconds: float,
    ) -> bytes:
        """Return the job of these games; `versions` has everybody who plays in them, by name."""
        names = dict.fromkeys(name for claim in claims for name in claim.pairing.entrants)
        made = replace(cup, entrants=tuple(self._entrant(versions[name]) for name in names))
        return msgspec.json.encode(
            Job(
                msgspec.Raw(msgspec.json.encode(made)), str(self._store.folder.resolve()), tuple(claims),
                tuple(secrets), self._at_once, seconds, self._isolation, self._hidden, notes=MOST_TEXT,
            )
        )  # fmt: skip

    def _entrant(self, one: Version) -> Entrant:
        if not one.digest:
            return Entrant(one.name, one.player)
        return Entrant(one.name, _placed(one.player, self._store.folder_of(one.digest).resolve()), untrusted=True)


def _placed(word: str, folder: Path) -> str:
    """Return a player's word with its file below this folder."""
    spoken, bare = dialect_of(word), without_dialect(word)
    prefix = f"{spoken}+" if spoken else ""
    if bare.startswith(WASM):
        return f"{prefix}{WASM}{folder / bare.removeprefix(WASM)}"
    if not bare.startswith(PROCESS):
        return f"{prefix}{folder / bare}"
    parts = shlex.split(bare.removeprefix(PROCESS))
    placed = [str(folder / part) if (folder / part).exists() else part for part in parts]
    return f"{prefix}{PROCESS}{shlex.join(placed)}"
