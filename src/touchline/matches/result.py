"""The result of a match as users see it, and the reader of its record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.core.points import points_of
from touchline.core.rules import Game
from touchline.records.replay import Replay
from touchline.records.story import story

if TYPE_CHECKING:
    from touchline.core.events import Fault
    from touchline.core.rules import Outcome


class MatchResult(Struct, frozen=True, kw_only=True):
    """The result of a match, with its game and players. A notebook shows it as a table.

    >>> import touchline
    >>> match = touchline.play("hexapawn", ["random", "greedy"], seed=1)
    >>> match.verdict, match.winners, match.scores
    ('finished', ('greedy',), (0, 1))
    >>> match
    <MatchResult hexapawn: greedy won, 0-1 after 18 turns: reached the far row>
    """

    game: Game
    """The game with its options."""
    players: tuple[str, ...]
    """The name of the player in each seat."""
    seed: int
    """The seed of the match: with it the same bots play the same match again."""
    result: Result
    """The result as the referee reports it: the outcome, and every fault."""
    stderr: Mapping[int, str] = {}
    """The stderr output of programs, by seat."""
    record: Path | None = None
    """The file of its record; None if there is no whole one."""
    digest: str | None = None
    """The digest of its record, to be published."""
    isolation: str | tuple[str | None, ...] = ()
    """The tier of isolation of each seat; None for a player that is no program."""
    moves: tuple[int, ...] = ()
    """The number of moves that each seat made itself; empty if they were not counted."""
    thought: tuple[int, ...] = ()
    """How long each seat thought for them, in µs; empty if it was not measured."""
    moves_digest: str | None = None
    """A digest of what happened, without times: that of another match is equal if the same happened there."""

    @property
    def verdict(self) -> str:
        """`finished`, `forfeited`, or `void` for a match that does not count."""
        return self.result.verdict

    @property
    def outcome(self) -> Outcome | None:
        """Ranks, scores and winning seats; None if the match is void."""
        return self.result.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the players that won."""
        outcome = self.result.outcome
        return () if outcome is None else tuple(self.players[seat] for seat in outcome.winners)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, in the game's own unit; empty if the match is void."""
        return () if self.result.outcome is None else self.result.outcome.scores

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every offence of a player."""
        return self.result.faults

    @property
    def reason(self) -> str:
        """Why the match is over."""
        return self.result.reason

    @property
    def turns(self) -> int:
        """The number of turns played."""
        return self.result.turns

    def replay(self) -> Replay:
        """Return the record, state by state. BadInput if the match was not recorded."""
        if self.record is None:
            raise BadInput("the match was not recorded: play it with record=PATH")
        return read_record(self.record)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per seat, of plain values that a data frame takes; a match that is shared is tied."""
        outcome, result = self.result.outcome, self.result
        first = () if outcome is None else outcome.winners
        points = None if outcome is None else points_of(outcome.ranks)
        return [
            {
                "game": self.game.name, "seed": self.seed, "seat": seat, "player": name,
                "won": first == (seat,), "tied": seat in first and len(first) > 1,
                "lost": outcome is not None and seat not in first,
                "points": None if points is None else points[seat],
                "rank": None if outcome is None else outcome.ranks[seat],
                "score": None if outcome is None else outcome.scores[seat],
                "moves": self.moves[seat] if self.moves else None,
                "seconds": self.thought[seat] / 1e6 if self.thought else None,
                "turns": result.turns, "verdict": result.verdict, "reason": result.reason,
                "faults": sum(fault.seat == seat for fault in result.faults),
                "expelled": seat in result.expelled, "resigned": seat in result.resigned,
            }
            for seat, name in enumerate(self.players)
        ]  # fmt: skip

    def __str__(self) -> str:
        return "\n".join(story(self.result, self.players))

    def __repr__(self) -> str:
        if self.result.outcome is None:
            return f"<MatchResult {self.game.name}: void: {self.reason}>"
        who = " and ".join(self.winners) or "nobody"
        score = "-".join(map(str, self.scores))
        return f"<MatchResult {self.game.name}: {who} won, {score} after {self.turns} turns: {self.reason}>"

    def _repr_html_(self) -> str:
        from touchline.draw.notebook import html_table

        shown = ("seat", "player", "rank", "score", "faults")
        title = f"{self.game.name}, {self.turns} turns, {self.verdict}: {self.reason}"
        return html_table([{key: row[key] for key in shown} for row in self.rows()], title)


def read_record(path: str | Path) -> Replay:
    """Read the record of a match, to step through it or to verify it.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> match = touchline.play("hexapawn", ["random", "random"], seed=1, record=path)
    >>> replay = touchline.read_record(path)
    >>> replay.verify()  # plays it again; raises BadInput at the first line that differs
    >>> *_, (event, state) = replay.states()  # every event with the state after it
    >>> state.outcome() == match.outcome
    True
    """
    return Replay.read(Path(path))
