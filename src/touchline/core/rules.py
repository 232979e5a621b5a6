"""The contract of a game. A game may import only this module, `sketch.py` and `draw/notebook.py` from us.

Two laws hold for all rules:

1. Rules are pure. A state is a value: `play()` and the other methods return a new state and change nothing.
   No rule reads a clock or a file, and none draws a random number except from the `rng` that it is given.
2. `check()` validates and `play()` trusts. `play()` of a move that was not checked may return nonsense.

`Game` and `State` are protocols: a game inherits nothing. `games/README.md` shows how to write one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from touchline.core.sketch import Sketch

Seat: TypeAlias = int
"""The number of a place at the table, from 0 in turn order. It is not a connection and not a person."""

Cell: TypeAlias = tuple[int, int]
"""A square or hexagon of a board: (row, column), from (0, 0) at the top left."""

S = TypeVar("S", bound="State")
K = TypeVar("K", bound="tuple[int, ...]")


class IllegalMove(Exception):
    """The move breaks the rules; `str()` says which one, in words fit for the player who made it.

    >>> str(IllegalMove("you have no pawn", at=(0, 2)))
    'you have no pawn at row 0, column 2'
    """

    def __init__(self, rule: str, *, at: Cell | None = None) -> None:
        super().__init__(rule)
        self._at = at

    def __str__(self) -> str:
        return self.worded(0)

    def worded(self, counted_from: int) -> str:
        """Return the message for a player whose first row and column have this number."""
        rule: str = self.args[0]
        if self._at is None:
            return rule
        row, col = self._at
        return f"{rule} at row {row + counted_from}, column {col + counted_from}"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a game.

    >>> Outcome(winners=(1,), ranks=(2, 1), scores=(9, 12), reason="nobody can move").winners
    (1,)
    """

    winners: tuple[Seat, ...]
    """The seats that won, in turn order; empty if no seat won."""
    ranks: tuple[int | None, ...]
    """A rank per seat, 1 the best, equal where tied; None for a seat that was removed."""
    scores: tuple[int, ...]
    """The final score of each seat, in the game's own unit."""
    reason: str
    """Why the game is over, as a short fixed phrase of the game.

    In words for people, `{winner}`, `{loser}` and `{mover}`, who made the last move, become names.
    """


class State(Protocol):
    """A position of a game at one moment: an immutable, hashable value.

    A view is also a State: what its seat may not see is None, and everything else works, so a bot that plays
    with full knowledge can also play from a view.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> state = Hexapawn(rows=3, cols=3).start(2, Random(0))
    >>> state.to_move, state.legal_moves()[0]
    (0, Step(origin=(0, 0), target=(1, 0)))
    >>> state.play(state.legal_moves()[0]).outcome() is None
    True
    """

    @property
    def to_move(self) -> Seat | None:
        """The seat whose turn it is, never a removed one; None if, and only if, the game is over."""

    @property
    def passed_over(self) -> tuple[Seat, ...]:
        """The seats that were due but could not move, and were passed over to reach this state."""

    def legal_moves(self) -> Sequence[Any]:
        """Return every move that `check()` accepts, once, in a fixed order; empty when the game is over."""

    def check(self, move: Any) -> None:
        """Raise IllegalMove unless the seat to move may make this move. Accepts any object."""

    def play(self: S, move: Any) -> S:
        """Return the state after a legal move."""

    def without(self: S, seat: Seat) -> S:
        """Return the state without a seat and its pieces, by the game's own rule for a removal.

        A game that was over stays over.
        """

    def view(self: S, seat: Seat | None) -> S:
        """Return what a seat may see; None is a spectator. Nothing is hidden once the game is over."""

    def imagine(self: S, rng: Random) -> S:
        """Return a possible full state: a random one that has this view."""

    def outcome(self) -> Outcome | None:
        """Return the outcome; None while the game goes on."""

    def position(self) -> msgspec.Struct:
        """Return this state in its written form, an instance of the game's `Position`."""

    def sketch(self) -> Sketch:
        """Return this state as a drawing."""


@runtime_checkable
class Skippable(State, Protocol):
    """A state of a game in which a turn can be taken away from a seat, as a sanction.

    >>> from random import Random
    >>> from touchline.games.fish import Fish
    >>> Fish().start(2, Random(0)).skip().to_move
    1
    """

    def skip(self: S) -> S:
        """Return the state after the seat to move lost its turn."""


@runtime_checkable
class Guiding(State, Protocol):
    """A state of a game that sends seats from one goal to the next."""

    @property
    def reached(self) -> Seat | None:
        """The seat that reached its goal with the last move, and must be told its next goal."""


@runtime_checkable
class Scored(State, Protocol):
    """A state that shows scores while the game goes on.

    >>> from random import Random
    >>> from touchline.games.fish import Fish
    >>> Fish().start(2, Random(0)).scores
    (0, 0)
    """

    @property
    def scores(self) -> tuple[Any, ...]:
        """The score of each seat, in the unit of the outcome; None where a view hides it."""


@runtime_checkable
class Tallied(State, Protocol):
    """A state that can evaluate itself while the game goes on, for bots without knowledge of the game."""

    def tally(self) -> tuple[float, ...]:
        """Return an evaluation per seat, higher is better; 0 where a view hides what it depends on."""


@runtime_checkable
class Narrated(State, Protocol):
    """A state that puts a move into words, for the log of a match and for advice.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> state = Hexapawn().start(2, Random(0))
    >>> state.narrate(state.legal_moves()[0])
    ('stepped to (1, 0)', 'step to (1, 0)')
    """

    def narrate(self, move: Any) -> tuple[str, str]:
        """Return a legal move as what the seat to move did, and as what to do, without its name.

        It says only what everybody may know: it is called with what a spectator sees.
        """


@runtime_checkable
class Walking(State, Protocol):
    """A state that knows where the walk of a move begins, if this is not one of the spots of the move.

    >>> from random import Random
    >>> from touchline.games.labyrinth import Labyrinth, Slide
    >>> state = Labyrinth().start(2, Random(0))
    >>> state.maze.grid.cells[state.avatars[0]], state.walks_from(Slide(0, "LEFT", 0, (5, 2)))
    ((5, 1), (5, 1))
    """

    def walks_from(self, move: Any) -> Cell | None:
        """Return the cell from which the seat to move walks with a legal move; None if it does not walk.

        A picture shows the way from there, on the board after the move.
        """


@runtime_checkable
class Redrawable(State, Protocol):
    """A state that says what a seat may not see, so that `check_leaks` need not believe `view()`.

    >>> from random import Random
    >>> from touchline.games.labyrinth import Labyrinth
    >>> state = Labyrinth().start(2, Random(0))
    >>> other = state.redraw(0, Random(1))
    >>> other.seekers[0] == state.seekers[0], other.seekers[1] == state.seekers[1]
    (True, False)
    """

    def redraw(self: S, seat: Seat | None, rng: Random) -> S:
        """Return a full state in which everything that a seat may not see is drawn anew; None: a spectator.

        The result depends on `rng` and on what the seat may see, and on nothing else. Nothing is hidden once
        the game is over. Write it without `view()`: the two are compared.
        """


class Game(Protocol):
    """The rules of one game with its options chosen: a frozen msgspec struct whose fields are the options.

    >>> from random import Random
    >>> from touchline.games.fish import Fish
    >>> game = Fish(rows=4, cols=3, fish=2)
    >>> game.name, game.seats, len(game.start(2, Random(0)).legal_moves())
    ('fish', range(2, 5), 12)
    """

    name: ClassVar[str]
    """The name in the registry, on the command line and in records."""
    seats: ClassVar[range]
    """The possible numbers of players."""
    hidden: ClassVar[bool]
    """Whether a view hides anything."""
    Move: ClassVar[Any]
    """The type of a move: a frozen struct, or a tagged union of them. Decodes from JSON."""
    Position: ClassVar[Any]
    """The type of a written state: a frozen struct. Decodes from JSON."""
    Proposal: ClassVar[Any]
    """The type of a proposal, which each seat may make before the start; None if the game has none."""

    def start(self, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> State:
        """Return the first state. ValueError if these options do not suit that many seats.

        `proposals` has one entry per seat, None where it made none; unsuitable ones are ignored.
        """

    def restore(self, position: Any) -> State:
        """Return the state of a position. ValueError if no state has this position."""

    def all_moves(self) -> Sequence[Any]:
        """Return every move that is legal in some state under these options, once, in a fixed order."""


@runtime_checkable
class RevisedStart(Protocol):
    """A game that once drew its first state in another way: older records must still give theirs."""

    def start_in(self, format_: int, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> State:
        """Return the first state as it is drawn for records of this format."""


def check_seats(game: Game, seats: int, error: type[Exception] = ValueError) -> None:
    """Raise this error unless the game is for that many seats.

    >>> from touchline.games.fish import Fish
    >>> check_seats(Fish(), 5)
    Traceback (most recent call last):
    ...
    ValueError: fish is for 2 to 4 players, not 5
    """
    if seats not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise error(f"{game.name} is for {wanted} players, not {seats}")


def ranks(keys: Sequence[K | None]) -> tuple[int | None, ...]:
    """Return the rank of each seat: 1 + the number of seats with a greater key; None for the key None.

    >>> ranks([(3,), (5,), None, (3,)])
    (2, 1, None, 2)
    """
    present = [key for key in keys if key is not None]
    return tuple(None if key is None else 1 + sum(other > key for other in present) for key in keys)


def first(places: Sequence[int | None]) -> tuple[Seat, ...]:
    """Return the seats of rank 1.

    >>> first((2, 1, None, 1))
    (1, 3)
    """
    return tuple(seat for seat, place in enumerate(places) if place == 1)
