"""The seeds of a cup's games: boards, openings, nonces and house players, all from one secret salt.

Law of this file: nobody can compute a seed without the salt, and everybody can with it. `commit` binds the
cup to its salt before the first game; the salt is revealed when the cup is over. A cup that was begun before
there were salts has its seeds from `Cup.seed`, which anybody may guess.
"""

from __future__ import annotations

import hashlib
import hmac
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.core.events import FORMAT
from touchline.drivers.match import agreed, started_in
from touchline.tournament.openings import OpeningBook, drawn, has_single_start

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
    opening: tuple[Any, ...] = ()
    """The moves with which the game begins, in their JSON form."""


def commit(salt: bytes, spec: bytes) -> str:
    """Return the commitment to a salt and to the cup that it is for, as hexadecimal digits."""
    return hashlib.sha256(COMMITMENT + hashlib.sha256(spec).digest() + salt).hexdigest()


class CupSeeds:
    """Computes the secrets of a cup's games. Without a salt, the seeds follow from the cup's own seed."""

    def __init__(self, cup: Cup, salt: bytes | None, *, given: bool = False) -> None:
        self.cup, self.salt, self.given = cup, salt, given or salt is None
        self._books: dict[tuple[int, int], OpeningBook | None] = {}
        """(board, seats) -> its openings; None if the game has more than one start."""

    def of(self, pairing: Pairing, format_: int = FORMAT) -> GameSecrets:
        """Return the secrets of one game. Games on the same board have the same seed and opening.

        `format_` is that of its record: the opening of a game that draws its start depends on it.
        """
        seats = range(len(pairing.entrants))
        if self.salt is None:
            seed, nonce, players = self._without_salt(pairing, seats)
        else:
            seed = int.from_bytes(self._derived(f"board {pairing.board}")[:8]) >> (64 - SEED_BITS)
            nonce = self._derived(f"nonce {pairing.id}").hex()[:32]
            players = tuple(self._derived(f"player {pairing.id} {seat}").hex() for seat in seats)
        opening = self._opening(pairing.board, len(seats), seed, format_)
        return GameSecrets(seed, nonce, players, self.given, opening)

    def _derived(self, what: str) -> bytes:
        text = f"{self.cup.seed} {what}".encode()
        return hashlib.sha256(text).digest() if self.salt is None else hmac.digest(self.salt, text, "sha256")

    def _without_salt(self, pairing: Pairing, seats: range) -> tuple[int, str, tuple[str, ...]]:
        seed = int.from_bytes(self._derived(f"board {pairing.board}")[:7])
        nonce = hashlib.sha256(f"{seed}".encode()).hexdigest()[:32]
        return seed, nonce, tuple(f"{self.cup.seed} {pairing.id} {seat}" for seat in seats)

    def book(self, board: int, seats: int) -> OpeningBook | None:
        """Return the openings of a board; None if it has none, or if its games have several starts."""
        kind = (board % len(self.cup.boards), seats)
        if kind not in self._books:
            game, moves = self.cup.board(board), self.cup.opening_moves(board)
            single = moves > 0 and has_single_start(game, seats)
            key = self._derived(f"openings {kind[0]} {seats}")
            self._books[kind] = OpeningBook(game, seats, moves, key) if single else None
        return self._books[kind]

    def _opening(self, board: int, seats: int, seed: int, format_: int) -> tuple[Any, ...]:
        moves = self.cup.opening_moves(board)
        if not moves:
            return ()
        book = self.book(board, seats)
        if book is not None:
            made = book.moves(board // len(self.cup.boards))
        else:  # boards differ by their starts already
            start = started_in(format_, self.cup.board(board), seats, Random(seed))
            found = drawn(start, moves, Random(self._derived(f"opening {board} {seats}")))
            made = found.moves if found else ()
        return tuple(map(msgspec.to_builtins, made))


def spec_of(cup: Cup, pairing: Pairing, secrets: GameSecrets) -> MatchSpec:
    """Return the match spec of one game of a cup."""
    game = cup.board(pairing.board)
    return agreed(
        game, pairing.entrants, secrets.seed, nonce=secrets.nonce,
        seed_given=secrets.given, conduct=cup.conduct, limits=cup.limits, turn_cap=cup.turn_cap,
        opening=tuple(msgspec.convert(move, game.Move) for move in secrets.opening),
    )  # fmt: skip
