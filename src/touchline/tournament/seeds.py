"""The seeds of a cup's games: boards, nonces and house players, all from one secret salt.

Law of this file: nobody can compute a seed without the salt, and everybody can with it. `commit` binds the
cup to its salt before the first game; the salt is revealed when the cup is over. A cup that was begun before
there were salts has its seeds from `Cup.seed`, which anybody may guess.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.drivers.match import agreed

if TYPE_CHECKING:
    from touchline.drivers.match import MatchSpec
    from touchline.tournament.cup import Cup
    from touchline.tournament.pairing import Pairing

SALT_BYTES = 32
COMMITMENT = b"touchline cup salt 1\n"
"""The domain of the commitment: no other hash of ours begins with it."""
SEED_BITS = 63
"""The bits of a board's seed, as many as a match draws by itself."""


class GameSecrets(Struct, frozen=True):
    """What one game needs of the salt. It tells nothing about any other game but those on the same board."""

    seed: int
    nonce: str
    players: tuple[str, ...]
    """The seed of each seat's player, if it is a house player."""
    given: bool
    """Whether the seed follows from what somebody chose; else it was drawn."""


def commit(salt: bytes, spec: bytes) -> str:
    """Return the commitment to a salt and to the cup that it is for, as hexadecimal digits."""
    return hashlib.sha256(COMMITMENT + hashlib.sha256(spec).digest() + salt).hexdigest()


class CupSeeds:
    """Computes the secrets of a cup's games. Without a salt, the seeds follow from the cup's own seed."""

    def __init__(self, cup: Cup, salt: bytes | None, *, given: bool = False) -> None:
        self._cup, self.salt, self.given = cup, salt, given or salt is None

    def of(self, pairing: Pairing) -> GameSecrets:
        """Return the secrets of one game. Games on the same board have the same seed."""
        seats = range(len(pairing.entrants))
        if self.salt is None:
            return self._of_old_cup(pairing, seats)
        seed = int.from_bytes(self._derived(f"board {pairing.board}")[:8]) >> (64 - SEED_BITS)
        players = tuple(self._derived(f"player {pairing.id} {seat}").hex() for seat in seats)
        return GameSecrets(seed, self._derived(f"nonce {pairing.id}").hex()[:32], players, self.given)

    def _derived(self, what: str) -> bytes:
        assert self.salt is not None
        return hmac.digest(self.salt, f"{self._cup.seed} {what}".encode(), "sha256")

    def _of_old_cup(self, pairing: Pairing, seats: range) -> GameSecrets:
        own = self._cup.seed
        seed = int.from_bytes(hashlib.sha256(f"{own} board {pairing.board}".encode()).digest()[:7])
        nonce = hashlib.sha256(f"{seed}".encode()).hexdigest()[:32]
        return GameSecrets(seed, nonce, tuple(f"{own} {pairing.id} {seat}" for seat in seats), given=True)


def spec_of(cup: Cup, pairing: Pairing, secrets: GameSecrets) -> MatchSpec:
    """Return the match spec of one game of a cup."""
    return agreed(
        cup.board(pairing.board), pairing.entrants, secrets.seed, nonce=secrets.nonce,
        seed_given=secrets.given, conduct=cup.conduct, limits=cup.limits, turn_cap=cup.turn_cap,
    )  # fmt: skip
