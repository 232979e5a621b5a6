"""Play a fixture many times, game by game, so that a caller can stop in between and keep what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from touchline.core.errors import BadOptions
from touchline.matches.fixture import Fixture, rotation
from touchline.matches.many import Matches, RecordFiles
from touchline.matches.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.matches.result import MatchResult
    from touchline.players.output import PlayerOutput

MOST_GAMES = 1_000_000
"""The most games of a series, whose results are all kept in memory."""
Listen: TypeAlias = "Callable[[Fixture, int], PlayerOutput | None]"
"""Return what takes the stderr output of the programs in the game of this number."""


class Series:
    """The games of a fixture. Iterate to play them; the players change seats after each."""

    def __init__(
        self,
        match: Fixture,
        games: int,
        seed: int | None,
        files: RecordFiles | None = None,
        listen: Listen = lambda match, number: None,
    ) -> None:
        """Check that the games can be played. BadOptions if not."""
        if not 1 <= games <= MOST_GAMES:
            raise BadOptions(f"cannot play {games:,} games: from 1 to {MOST_GAMES:,} are possible")
        self._match, self.games, self._seed, self._listen = match, games, seed, listen
        self._files = files or RecordFiles()
        self._files.check_free(games)
        self._results: list[MatchResult] = []
        self._seated: list[list[int]] = []

    def __iter__(self) -> Iterator[MatchResult]:
        """Play one game after another, and yield each result."""
        try:
            for number in range(self.games):
                played = self._play(number)
                self._results.append(played)
                self._seated.append(rotation(number, len(self._match.players)))
                yield played
        finally:
            self._files.close(len(self._results))

    def _play(self, number: int) -> MatchResult:
        match, recording = self._match.rotated(number), self._files.recording(number)
        seed = None if self._seed is None else self._seed + number
        tally = Tally(len(match.players))
        played = match.play(seed, [tally], recording, self._listen(match, number))
        self._files.note(number, recording)
        return replace(
            played, moves=tuple(tally.moves), thought=tuple(tally.thought),
            moves_digest=tally.digest(played.result),
        )  # fmt: skip

    def matches(self) -> Matches:
        """Return what was played so far."""
        return Matches(self._match.names, self._results, self._seated)
