"""Many matches between the same players, and their results as rows for a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, overload

from touchline.core.errors import BadOptions
from touchline.drivers.match import TURN_CAP
from touchline.matches.fixture import AnyPlayer, Fixture, fixture, hidden_files
from touchline.matches.progress import Progress, shown_progress
from touchline.matches.result import MatchResult
from touchline.records.recording import NotRecorded, Recording

if TYPE_CHECKING:
    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game
    from touchline.records.recorder import Signer


class Total(TypedDict):
    """The totals of one player over all matches; void ones count only for `faulty`, `moves` and `seconds`."""

    player: str
    games: int
    won: int
    """Games won alone."""
    tied: int
    """Games won together with others."""
    lost: int
    points: float
    """The share of the others that it beat, summed; in a game of two 1 for a win and ½ for a tie."""
    score: int
    """The scores of the games themselves, summed."""
    faulty: int
    """Games with a fault of this player."""
    moves: int
    """The moves that it made itself."""
    seconds: float
    """How long it thought for them."""


class Matches(Sequence[MatchResult]):
    """The results of many matches, in the order in which they were played.

    >>> import touchline
    >>> matches = touchline.play_many("hexapawn", ["random", "greedy"], games=4, seed=1)
    >>> len(matches), matches[0].winners
    (4, ('greedy',))
    >>> sorted(matches.rows()[0])[:3]
    ['expelled', 'faults', 'game']
    """

    def __init__(
        self, players: Sequence[str], results: Sequence[MatchResult], seated: Sequence[Sequence[int]]
    ) -> None:
        """`seated` has, for each match, the index into `players` for each seat."""
        self.players, self._results, self._seated = tuple(players), tuple(results), tuple(seated)

    @overload
    def __getitem__(self, index: int) -> MatchResult: ...
    @overload
    def __getitem__(self, index: slice) -> Matches: ...
    def __getitem__(self, index: int | slice) -> MatchResult | Matches:
        if isinstance(index, slice):
            return Matches(self.players, self._results[index], self._seated[index])
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[MatchResult]:
        return iter(self._results)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per match and seat, of plain values: `pandas.DataFrame(matches.rows())`."""
        return [{"match": number, **row} for number, match in enumerate(self) for row in match.rows()]

    def totals(self) -> list[Total]:
        """Return a row per player, in the order given to `play_many`."""
        rows = [
            Total(
                player=name, games=0, won=0, tied=0, lost=0, points=0.0, score=0, faulty=0, moves=0,
                seconds=0.0,
            )
            for name in self.players
        ]  # fmt: skip
        for match, seated in zip(self._results, self._seated, strict=True):
            for who, row in zip(seated, match.rows(), strict=True):
                total = rows[who]
                total["faulty"] += row["faults"] > 0
                total["moves"] += row["moves"] or 0
                total["seconds"] += row["seconds"] or 0
                if match.outcome is not None:
                    total["games"] += 1
                    total["won"] += row["won"]
                    total["tied"] += row["tied"]
                    total["lost"] += row["lost"]
                    total["points"] += row["points"]
                    total["score"] += row["score"]
        for total in rows:
            total["seconds"] = round(total["seconds"], 6)
        return rows

    @property
    def tied(self) -> int:
        """The number of matches that several players won together."""
        return sum(match.outcome is not None and len(match.outcome.winners) > 1 for match in self)

    def seats(self, number: int) -> Sequence[int]:
        """Return the index of the player in each seat of a match."""
        return self._seated[number]

    @property
    def void(self) -> int:
        """The number of matches that do not count."""
        return sum(match.outcome is None for match in self)

    def __repr__(self) -> str:
        won = [f"{row['player']} won {row['won']}" for row in self.totals()]
        rest = [f"{count} {what}" for count, what in ((self.tied, "tied"), (self.void, "void")) if count]
        return f"<Matches {len(self)}: {', '.join([*won, *rest])}>"

    def _repr_html_(self) -> str:
        from touchline.draw.notebook import html_table

        return html_table([dict(row) for row in self.totals()], f"{len(self)} matches")


def play_many(
    game: Game | str,
    players: Sequence[AnyPlayer],
    games: int = 100,
    *,
    seed: int | None = None,
    progress: bool | Progress = False,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    overwrite: bool = False,
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
    isolation: str = "auto",
    ponder: bool = True,
) -> Matches:
    """Play many matches, the players changing seats after each, and return all results.

    Match number `n` has the seed `seed + n`; without a seed each draws its own, so that nobody who knows one
    can predict another. `progress=True` draws a progress bar; a function is called after each match. `record`
    is a folder for the records, or one file for all of them if it ends in `.jsonl`. If some records cannot be
    written, NotRecorded is raised after all matches; it has their results in its attribute `matches`. The
    other arguments are those of `play`.

    >>> import touchline
    >>> matches = touchline.play_many("hexapawn", ["random", "minimax:depth=3"], games=10, seed=1)
    >>> matches
    <Matches 10: random won 0, minimax:depth=3 won 10>
    >>> matches.totals()[1]["won"], len(matches.rows())
    (10, 20)
    """
    match = fixture(
        game, players, conduct=conduct, seconds=seconds, limits=limits, names=names, turn_cap=turn_cap,
        isolation=isolation, ponder=ponder, hidden=hidden_files(record),
    )  # fmt: skip
    files = RecordFiles(record, overwrite=overwrite)
    matches = play_fixture(match, games, seed, progress=progress, files=files)
    files.check(matches)
    return matches


class RecordFiles:
    """Where the records of many matches go: files of a folder, one file, or nowhere."""

    def __init__(
        self, place: str | Path | None = None, *, overwrite: bool = False, signer: Signer | None = None
    ) -> None:
        self.place = None if place is None else Path(place)
        self._overwrite, self._signer = overwrite, signer
        self._shared: Recording | None = None
        self.failed: dict[int, str] = {}
        """Why a match has no record, by the number of the match."""
        if self.place is None or self.place.suffix == ".jsonl":
            self._shared = Recording(self.place, overwrite=overwrite, signer=signer, many=True)
            return
        try:
            self.place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOptions(f"cannot make the folder {self.place}: {error.strerror}") from None

    def check_free(self, games: int) -> None:
        """Raise BadOptions if the record of one of these matches would overwrite a file."""
        if self._shared is not None or self._overwrite or self.place is None:
            return
        try:
            there = {path.name for path in self.place.iterdir()}
        except OSError as error:
            raise BadOptions(f"cannot record to {self.place}: {error.strerror}") from None
        if taken := sorted(there.intersection(f"{number:06}.jsonl" for number in range(games))):
            raise BadOptions(
                f"{self.place / taken[0]} exists already: give another folder, or overwrite it with --force"
            )

    def recording(self, number: int) -> Recording:
        """Return the recording of a match; only the first must succeed, so that no result is lost later."""
        if self._shared is not None:
            return self._shared
        assert self.place is not None
        return Recording(
            self.place / f"{number:06}.jsonl",
            overwrite=self._overwrite, signer=self._signer, optional=number > 0,
        )  # fmt: skip

    def note(self, number: int, recording: Recording) -> None:
        """Note whether the match of this number was recorded."""
        if recording.failed is not None:
            self.failed[number] = recording.failed

    def close(self, games: int = 0) -> None:
        """Close a shared file. If it is not certain to be on the disk, none of the matches is recorded."""
        if self._shared is not None:
            self._shared.close()
            if self._shared.lost is not None:
                self.failed.update(dict.fromkeys(range(games), self._shared.lost))

    def check(self, matches: Matches | None = None) -> None:
        """Raise NotRecorded, with the results of all matches, if one has no whole record."""
        if self.failed:
            numbers = [f"{number}" for number in self.failed]
            which = ", ".join(numbers[:10]) + (", ..." if len(numbers) > 10 else "")
            why = next(iter(self.failed.values()))
            lost = NotRecorded(f"{self.place}: {len(numbers)} matches have no record ({which}): {why}")
            lost.matches = matches
            raise lost


def play_fixture(
    match: Fixture,
    games: int,
    seed: int | None,
    *,
    progress: bool | Progress = False,
    files: RecordFiles | None = None,
) -> Matches:
    """Play a fixture many times, the players changing seats after each match."""
    from touchline.matches.series import Series

    series = Series(match, games, seed, files)
    with shown_progress() if progress is True else nullcontext(progress or _silent) as told:
        for done, _ in enumerate(series, 1):
            told(done, games)
    return series.matches()


def _silent(done: int, of: int) -> None:
    """Show no progress."""
