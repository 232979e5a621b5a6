"""The contract of a bot: a player that runs in this process.

`Bot` is all that a driver needs: `choose(view, turn)`. `HouseBot` is the base class of every bot that is
found by its name: it adds class attributes that describe the bot, and hooks with defaults. `README.md` in
this folder shows how to write one, and `touchline.testing.bot_check.check_bot` checks it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeGuard, runtime_checkable

from msgspec import Struct

from touchline.bots.shared.evaluation import seats_seen, worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Result
    from touchline.core.rules import Game, Seat


@runtime_checkable
class Bot(Protocol):
    """A trusted player in this process. It cannot be interrupted, so use it only for code that you trust.

    >>> class First:
    ...     def choose(self, view, turn):
    ...         return view.legal_moves()[0]
    >>> isinstance(First(), Bot)
    True
    """

    def choose(self, view: Any, turn: int) -> Any:
        """Return the move to make from this view, in the turn of this number."""


class Clocked(Protocol):
    """A player in this process that is told its time before each move: a person, who must see the clock."""

    def allow(self, budget: Micros | None) -> None:
        """Take note of the time for the next move, which starts now; None means no limit."""


def is_clocked(player: object) -> TypeGuard[Clocked]:
    """Return whether a player wants to be told its time. `isinstance` with a protocol takes 20 times as long.

    >>> is_clocked(object())
    False
    """
    return hasattr(player, "allow")


@runtime_checkable
class Learner(Protocol):
    """A bot that hears the result of every match, once for each of its seats.

    That includes void matches and those from which it was expelled. An exception is logged and ignored.
    """

    def told(self, seat: Seat, result: Result) -> None:
        """Take note of how the match ended for this seat."""


@runtime_checkable
class Thinker(Protocol):
    """A bot that explains its choice: analyses and hints ask for this."""

    def think(self, view: Any) -> Thought:
        """Return the evaluation of a state in which this bot is to move.

        The state may be complete, that is, it may know more than a view.
        """


class Thought(Struct, frozen=True):
    """A bot's evaluation of a state in which it is to move."""

    values: tuple[float, ...]
    """The expected result per seat, from 0 (lost) to 1 (sole winner)."""
    line: tuple[Any, ...]
    """The principal variation: the bot's own choice, then the moves that it expects. Empty if it resigns."""
    says: str
    """The reason in one short sentence: `wins in 7`, `12 moves ahead: 31 fish to 24`."""


class Level(Struct, frozen=True):
    """A setting of a bot that people can choose as an opponent."""

    strength: int
    """From 0 (random moves) to 100 (the best there is); opponents are listed in this order."""
    options: dict[str, int | float] = {}


UNRATED = 50
"""The strength of a bot whose author has not stated one."""


class HouseBot(ABC):
    """The base class of the bots that are found by name: ours, and those of other packages.

    The options of a bot are the parameters of its `__init__`. Each needs a default and an annotation: `int`,
    `float` or `str`, possibly with `| None`. With `chance = True` the first parameter is `rng`, a seeded
    generator; it must be the bot's only source of random numbers.
    """

    game: ClassVar[str | None] = None
    """The name of the game that it plays; None means any game."""
    seats: ClassVar[range | None] = None
    """The numbers of seats that it can play with; None means all that the game allows."""
    hidden: ClassVar[bool] = True
    """Whether it can play from a view that hides something."""
    chance: ClassVar[bool] = False
    """Whether `__init__` takes a seeded generator as `rng`."""
    quick: ClassVar[bool] = False
    """Whether it answers at once, so that a server may ask it on the event loop."""
    levels: ClassVar[tuple[Level, ...]] = (Level(UNRATED),)
    """The settings that are offered as opponents."""
    judging: ClassVar[dict[str, int | float]] = {}
    """The options with which it judges the positions of a finished match."""
    slow_at: ClassVar[frozenset[str]] = frozenset()
    """Games in which a move takes minutes: it can play them, but is not offered as an opponent."""

    @abstractmethod
    def choose(self, view: Any, turn: int = 0) -> Any:
        """Return the move to make from this view, in the turn of this number."""

    def think(self, view: Any) -> Thought:
        """Return the evaluation of a state; by default the choice, valued by the generic evaluation."""
        move = self.choose(view)
        after = view.play(move)
        return Thought(tuple(worth(after, seats_seen([view, after]))), (move,), "gives no reason")

    def judge(self, state: Any) -> Thought:
        """Return the evaluation of a whole state, for the analysis of a finished match: all goals are open.

        The values must not depend on who asks, nor on what was asked before. By default it is `think`.
        """
        return self.think(state)

    @classmethod
    def compile_kernels(cls, game: Game | str | None, seats: int | None) -> None:
        """Compile what it calls in a match of this game with so many seats, before any clock runs.

        Of a game only its name may be known, or nothing; None is an unknown number of seats. By default
        there is nothing to compile.
        """
        return

    def prepare(self, game: Game) -> None:
        """Load or compute what this game needs, before any clock runs; by default nothing."""
        return

    def told(self, seat: Seat, result: Result) -> None:
        """Take note of how a match ended for this seat; by default nothing."""
        return

    @classmethod
    def strength(cls) -> int:
        """Return the strength of its strongest level."""
        return max((level.strength for level in cls.levels), default=UNRATED)

    @classmethod
    def plays(cls, game: str | None) -> bool:
        """Return whether it plays this game; of an unknown game (None), whether it plays any game."""
        return cls.game is None or cls.game == game


class LearningBot(HouseBot):
    """A bot that improves by the results it is told: `touchline learn` trains it and reports on it."""

    @abstractmethod
    def told(self, seat: Seat, result: Result) -> None:
        """Learn from how a match ended for this seat."""

    def learnt(self) -> dict[str, int]:
        """Return counts that describe what it knows; by default none."""
        return {}

    def save(self) -> None:
        """Write what it knows to its file, if it has one. OSError if that fails."""
        return

    def may_play(self, view: Any) -> Sequence[Any] | None:
        """Return all moves that it might choose, for a proof that it is unbeatable; None if unknown."""
        return None
