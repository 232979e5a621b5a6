"""Resume the interrupted matches of a server that was restarted.

Laws of this file: remote players come back to their seats with their tokens; house players are made again and
told their past; a match with a player that cannot come back is void, with the reason, and nobody has lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions, TouchlineError
from touchline.players.remote import Disconnected, Remote
from touchline.server.sign_up import Guest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from touchline.drivers.match import Bot, MatchSpec
    from touchline.players.base import Player
    from touchline.records.interrupted import Interrupted
    from touchline.records.side_file import SeatSecret


class ReturningGuest(Guest):
    """A guest of before the restart: the server knows the hash of its token, and waits for it."""

    def __init__(self, name: str, spoken: str, seat: SeatSecret, match: Interrupted, patience: float) -> None:
        dialect = registry.dialect(spoken)
        if not dialect.resumable:
            raise BadOptions(f"{name} speaks {spoken}, in which a player cannot come back")
        super().__init__(name, Disconnected(), dialect, None)
        self.token_hash = seat.token or ""
        self.dialect = dialect(match.replay.game)
        goodbye = (match.spec.limits.goodbye or 0) / 1e6
        self.remote = Remote(self.connection, self.dialect, goodbye=goodbye, patience=patience)


def returning(match: Interrupted, patience: float) -> dict[int, ReturningGuest]:
    """Return the guests that an interrupted match waits for, by seat. BadOptions if one cannot come back."""
    spec, spoken = match.spec, match.spec.dialects or (None,) * len(match.spec.names)
    return {
        seat: ReturningGuest(spec.names[seat], spoken[seat] or "", kept, match, patience)
        for seat, kept in enumerate(match.secret.seats)
        if kept.token is not None
    }


def house_player(
    seat: SeatSecret, spec: MatchSpec, makers: Mapping[str, Callable[[str], Bot | Player]]
) -> Bot | Player:
    """Make the house player of a seat again, with the same random numbers."""
    word, seed = seat.word or "", seat.seed or ""
    try:
        return makers[word](seed) if word in makers else factory.make(word, spec.game, seed)
    except TouchlineError as error:
        raise BadOptions(f"the house player {word} cannot be made again: {error}") from None
