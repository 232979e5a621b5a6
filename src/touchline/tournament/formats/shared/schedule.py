"""The schedule of a tournament: settles each drawn game as due, played, or a walkover.

Law of this file: a game that has been played stays as it was drawn. If an earlier result was changed since,
and the draw would now differ, the played games count all the same; of the new draw only the games whose
players are free are used, and an entrant that is left over has a bye.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.tournament.formats.base import latest
from touchline.tournament.formats.shared.boards import BoardCounts, spread
from touchline.tournament.formats.shared.seating import sit
from touchline.tournament.pairing import Pairing, Played, points

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

WALKOVER = "walkover"
"""The reason of a game that an entrant won because all its opponents had withdrawn."""
BYE = 0.5
"""The points for a bye: what an entrant gets in a game on average."""


class Schedule:
    """The games drawn so far. A format draws games and enters them here with `play` or `play_round`."""

    def __init__(
        self,
        played: Iterable[Played],
        out: Collection[str],
        entrants: Sequence[str],
        *,
        tables: int,
        boards: int = 1,
    ) -> None:
        """`tables` is an upper bound of the tables in a round, the same for all rounds.

        A game from which an entrant has withdrawn is played at a table of its own: the number of its table
        plus `tables` for each entrant that is missing. `boards` is the number of boards in the cup.
        """
        ordered = out if isinstance(out, Sequence) else [one for one in entrants if one in out]
        self._tables, self._left = tables, {entrant: index for index, entrant in enumerate(ordered)}
        self._results = {(game.pairing.round, game.pairing.table): game for game in latest(played)}
        self._rounds: dict[int, list[Played]] = defaultdict(list)
        self._last_seen: dict[str, tuple[int, int]] = {}
        for (number, table), game in self._results.items():
            self._rounds[number].append(game)
            if self._left:
                for entrant in self._left.keys() & game.pairing.entrants:
                    seen = (number, table % tables)
                    self._last_seen[entrant] = max(seen, self._last_seen.get(entrant, seen))
        self._last: list[Pairing] = []
        self._boards = _Boards(boards, self._results.values())
        self._counted = self._seated = 0
        self._points: dict[str, float] = defaultdict(float)
        self._scored: Counter[str] = Counter()
        self._seat_excess: Counter[tuple[str, int]] = Counter()
        self._opponents: dict[str, dict[str, int]] = defaultdict(dict)
        self._met_in: dict[tuple[str, str], int] = {}
        self._company: Counter[str] = Counter()
        self.due: list[Pairing] = []
        self.games: list[Played] = []
        """The games that count so far: played, or won by walkover."""
        self.byes: Counter[str] = Counter()
        """How many byes each entrant had."""
        self.absent: set[str] = set()
        """The withdrawn entrants that have missed a game: they are not drawn any more."""

    def play(self, drawn: Sequence[Pairing], turn: int = 0, ahead: Sequence[int] = ()) -> list[Played] | None:
        """Enter drawn games; return their results, or None while some are due.

        Each match gets the board whose `turn` it is, if that keeps its entrants within one game on each;
        `ahead` has the later games on each board that an entrant is expected to play.
        """
        drawn = self._boards.placed(drawn, turn, ahead)
        settled = [self._settle(pairing) for pairing in drawn]
        due = [game for game in settled if isinstance(game, Pairing)]
        done = [game for game in settled if isinstance(game, Played)]
        self.due += due
        self.games += done
        if self._left:
            self._note_absent(drawn, settled)
        return None if due else done

    def play_round(
        self, number: int, drawn: Sequence[Pairing], turn: int = 0, ahead: Sequence[int] = ()
    ) -> list[Played] | None:
        """Enter a whole round. Its played games stay, also if the draw would be another one today."""
        self._last = self._with_played(number, drawn)
        return self.play(self._last, turn, ahead)

    def play_again(self, number: int, groups: Mapping[int, Sequence[str]], games: int) -> list[Played] | None:
        """Enter a round all of which has been played by these groups; None unless it has. It is quick.

        `groups` has the entrants of each match by its place.
        """
        if self._left or len(self._rounds[number]) != len(groups) * games:
            return None
        found = []
        for place, group in groups.items():
            size, members = len(group), {*group}
            for table in range(place * games, (place + 1) * games):
                game = self._results.get((number, table))
                if game is None or len(members.intersection(game.pairing.entrants)) != size:
                    return None
                found.append(game)
        self._boards.note(found)
        self.games += found
        return found

    def spread_boards(self, drawn: Sequence[Pairing]) -> None:
        """Share out the boards among games that are all known beforehand, before they are entered."""
        self._boards.spread(drawn)

    def as_played(self, number: int) -> list[Pairing]:
        """Return the games of a round that have been played, as they were drawn."""
        return [self._boards.unplaced(game.pairing) for game in self._rounds[number]]

    def is_complete(self, number: int, games: int, entrants: int) -> bool:
        """Return whether so many games of so many entrants were played in a round, and nobody has withdrawn.

        Then they are the round, whatever would be drawn today.
        """
        played = self._rounds[number]
        there = {entrant for game in played for entrant in game.pairing.entrants}
        return not self._left and (len(played), len(there)) == (games, entrants)

    def rested(self, pool: Iterable[str]) -> list[str]:
        """Return those of `pool` that were not drawn in the last round."""
        drawn = {entrant for pairing in self._last for entrant in pairing.entrants}
        return [entrant for entrant in pool if entrant not in drawn]

    def gone_by(self, number: int) -> set[str]:
        """Return the withdrawn entrants that have no game in this round or a later one."""
        return {entrant for entrant in self._left if self._last_seen.get(entrant, (-1, 0))[0] < number}

    def result(self, number: int, table: int) -> Played | None:
        """Return the result of a table in a round, if there is one."""
        return self._results.get((number, table))

    def _note_absent(self, drawn: Sequence[Pairing], settled: Sequence[Pairing | Played]) -> None:
        """Note who has missed a game. One before a game that it played is a game that was declared void."""
        for pairing, game in zip(drawn, settled, strict=True):
            if isinstance(game, Played) and (game.reason == WALKOVER or game.pairing != pairing):
                at = (pairing.round, pairing.table)
                for entrant in {*pairing.entrants} & self._left.keys() - {*present(game)}:
                    if self._last_seen.get(entrant, (-1, 0)) < at:
                        self.absent.add(entrant)

    def _settle(self, pairing: Pairing) -> Pairing | Played:
        """Return the result of a game; or the game, without its withdrawn entrants, if it is due."""
        if not self._left:
            return self._results.get((pairing.round, pairing.table), pairing)
        gone = sorted(self._left.keys() & pairing.entrants, key=self._left.__getitem__)
        for missing in range(len(gone) + 1):
            table = pairing.table + missing * self._tables
            if (game := self._results.get((pairing.round, table))) is not None:
                return game
        if not gone:
            return pairing
        here = tuple(entrant for entrant in pairing.entrants if entrant not in self._left)
        if len(here) >= 2:
            return replace(pairing, table=pairing.table + len(gone) * self._tables, entrants=here)
        # If all have withdrawn, the last one to leave had its walkover before.
        winner = pairing.entrants.index(here[0] if here else gone[-1])
        ranks = tuple(1 if seat == winner else None for seat in range(len(pairing.entrants)))
        return Played(pairing, "forfeited", (winner,), ranks, reason=WALKOVER)

    def _with_played(self, number: int, drawn: Sequence[Pairing]) -> list[Pairing]:
        """Return a round's played games, and the drawn ones whose players are free."""
        own = {pairing.table: {*pairing.entrants} for pairing in drawn}
        strays = [
            self._boards.unplaced(game.pairing)
            for game in self._rounds[number]
            if not own.get(game.pairing.table % self._tables, set()).issuperset(game.pairing.entrants)
        ]
        if not strays:
            return [*drawn]
        # An earlier result has been changed since this round was drawn.
        taken = {entrant for pairing in strays for entrant in pairing.entrants}
        tables = {pairing.table % self._tables for pairing in strays}
        free = [
            pairing for pairing in drawn if pairing.table not in tables and not taken & {*pairing.entrants}
        ]
        return sorted([*strays, *free])

    # -- what the games so far come to ----------------------------------------------------------

    def _count(self) -> None:
        """Count points and meetings in the games that were entered since the last time."""
        for game in self.games[self._counted :]:
            entrants = game.pairing.entrants
            walkover = game.reason == WALKOVER
            for seat, (entrant, share) in enumerate(zip(entrants, shares(game), strict=True)):
                self._points[entrant] += share
                self._scored[entrant] += game.verdict != "void" and (not walkover or seat in game.winners)
                self._company[entrant] += len(entrants)
            if not walkover:
                for two in combinations(entrants, 2):
                    self._meet(two, game.pairing.round)
        self._counted = len(self.games)

    def _meet(self, two: tuple[str, str], number: int) -> None:
        key = two if two[0] < two[1] else (two[1], two[0])
        if self._met_in.get(key) != number:
            self._met_in[key] = number
            for one, other in (two, two[::-1]):
                self._opponents[one][other] = self._opponents[one].get(other, 0) + 1

    def points(self) -> dict[str, float]:
        """Return the points of each entrant so far, with byes and walkovers."""
        self._count()
        everyone = {*self._points, *self.byes}
        return {one: round(self._points.get(one, 0.0) + BYE * self.byes[one], 9) for one in everyone}

    def points_per_game(self) -> dict[str, float]:
        """Return the points of each entrant so far per game; byes and walkovers are games here."""
        return {
            one: round(points / max(1, self._scored[one] + self.byes[one]), 9)
            for one, points in self.points().items()
        }

    def opponents(self, entrant: str) -> dict[str, int]:
        """Return in how many rounds an entrant has met each of its opponents."""
        self._count()
        return self._opponents.get(entrant, {})

    def seat_excess(self) -> Counter[tuple[str, int]]:
        """Return how much more often than its share each entrant sat in each seat, in units of `SHARE`."""
        fresh = self.games[self._seated :]
        sit(self._seat_excess, [game.pairing.entrants for game in fresh if game.reason != WALKOVER])
        self._seated = len(self.games)
        return self._seat_excess

    def company(self) -> Counter[str]:
        """Return the sum of the sizes of the tables at which each entrant sat."""
        self._count()
        return self._company

    def board_counts(self, entrant: str, ahead: Sequence[int] = ()) -> list[int]:
        """Return the number of games of an entrant on each board, with those that are `ahead`."""
        return self._boards.counts.expected(entrant, ahead)


class _Boards:
    """Gives each position of a schedule a board: its number becomes position * boards + board."""

    def __init__(self, boards: int, played: Iterable[Played]) -> None:
        self._boards, self.counts = boards, BoardCounts(boards)
        self._given: dict[int, int] = {}
        """Position -> board. A rotation that has begun stays on its board."""
        if boards > 1:
            self._given = dict(divmod(game.pairing.board, boards) for game in played)

    def spread(self, drawn: Sequence[Pairing]) -> None:
        if self._boards == 1:
            return
        first = {pairing.board: pairing.entrants for pairing in reversed(drawn)}
        groups = {position: first[position] for position in sorted(first)}
        self._given = dict(zip(groups, spread([*groups.values()], self._boards), strict=True)) | self._given

    def note(self, played: Sequence[Played]) -> None:
        """Count the boards of games that have been played."""
        if self._boards > 1:
            self.placed([self.unplaced(game.pairing) for game in played], 0, ())

    def unplaced(self, pairing: Pairing) -> Pairing:
        return replace(pairing, board=pairing.board // self._boards) if self._boards > 1 else pairing

    def placed(self, drawn: Sequence[Pairing], turn: int, ahead: Sequence[int]) -> Sequence[Pairing]:
        """Return games with boards. A match's games come one after the other; its first has `turn`."""
        if self._boards == 1:
            return drawn
        found: list[Pairing] = []
        match, last, step = frozenset[str](), -1, 0
        for pairing in drawn:
            if match != (match := frozenset(pairing.entrants)):
                last, step = pairing.board, 0
                self._begin(pairing, turn, ahead)
            elif pairing.board != last:
                last, step = pairing.board, step + 1
                self._begin(pairing, turn + step, ahead)
            board = pairing.board * self._boards + self._given[pairing.board]
            found.append(replace(pairing, board=board))
        return found

    def _begin(self, pairing: Pairing, turn: int, ahead: Sequence[int]) -> None:
        """Choose the board of a position that has none, and count it."""
        if pairing.board not in self._given:
            self._given[pairing.board] = self.counts.choose(pairing.entrants, turn, ahead)
        self.counts.add(pairing.entrants, self._given[pairing.board])


def present(game: Played) -> tuple[str, ...]:
    """Return the entrants that were at the table; in a walkover only the winner was."""
    if game.reason != WALKOVER:
        return game.pairing.entrants
    return tuple(game.pairing.entrants[seat] for seat in game.winners)


def shares(game: Played) -> tuple[float, ...]:
    """Return the points of each seat; in a walkover the withdrawn entrants have none."""
    if game.reason != WALKOVER:
        return points(game)
    return tuple(float(seat in game.winners) for seat in range(len(game.pairing.entrants)))
