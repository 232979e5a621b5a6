"""`check_bot`: does a bot keep the contract of `bots/base.py`?

It lets the bot play whole games from fixed seeds, in every seat, with every number of seats that it claims,
and checks what it returns. It knows no bot by name.
"""

from __future__ import annotations

from inspect import Parameter, signature
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from touchline.bots.base import HouseBot, Thought
from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.events import Result
from touchline.core.messages import Resigned
from touchline.core.rules import IllegalMove
from touchline.games.hexapawn import Hexapawn
from touchline.testing.game_check import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from touchline.core.rules import Game, Seat, State

TURNS = 400
"""Turns after which a game is broken off: enough to meet most kinds of positions."""
TYPES = frozenset({"int", "float", "str", "None"})
"""Annotations that an option may have, alone or joined by `|`."""


def check_bot(
    bot: str | type[HouseBot],
    *,
    game: Game | None = None,
    seed: int = 0,
    turns: int = TURNS,
    deterministic: bool = True,
    report: Callable[[str], None] | None = None,
) -> None:
    """Raise CheckFailed unless the bot keeps the contract. `report` hears each law that is kept.

    The bot is a word, such as `mcts:playouts=50`, or a class. The game defaults to the bot's own with default
    options, or to a small Hexapawn. A bot that thinks for a time is not reproducible: limit it by an option
    (`shark:nodes=500`), or pass `deterministic=False`.

    >>> check_bot("greedy")
    """
    told = report or (lambda _: None)
    name, kind, options = _resolved(bot)
    _check_declaration(name, kind)
    told("declares what it is, and its options have defaults and types")
    _check_levels(name, kind)
    told("has levels that can be made")
    played = game or (Hexapawn(rows=3, cols=3) if kind.game is None else registry.game(kind.game))
    checked = _Checked(name, kind, options, played, turns)
    counts = [seats for seats in played.seats if kind.seats is None or seats in kind.seats]
    counts = [seats for seats in counts if _suits(played, seats)]
    _demand(bool(counts), f"{name} plays {played.name} with some number of seats", kind.seats)
    for seats in counts:
        moves = checked.play(seats, seed, "view")
        if deterministic:
            same = moves == checked.play(seats, seed, "view")
            _demand(same, "the same seed gives the same moves", name, played)
        checked.play(seats, seed, "json")
        checked.check_thought(seats, seed, deterministic=deterministic)
    told(f"plays legal moves with {', '.join(map(str, counts))} seats, and from views rebuilt from JSON")
    told("never changes a view")
    if deterministic:
        told("plays the same moves from the same seed")
    told("explains its choice with a value per seat")


def _demand(true: bool, law: str, *where: object) -> None:
    if not true:
        raise CheckFailed(": ".join([law, *map(repr, where)]))


def _resolved(bot: str | type[HouseBot]) -> tuple[str, type[HouseBot], Mapping[str, Any]]:
    """Return the name, the class and the options of a bot."""
    if isinstance(bot, str):
        name, options = factory.split(bot)
        return name, factory.kind(name), options
    if not issubclass(bot, HouseBot):
        raise CheckFailed(f"a bot is derived from touchline.bots.base.HouseBot: {bot!r}")
    return bot.__name__, bot, {}


def _suits(game: Game, seats: int) -> bool:
    """Return whether the options of the game suit this number of seats."""
    try:
        game.start(seats, Random(0))
    except ValueError:
        return False
    return True


def _check_declaration(name: str, kind: type[HouseBot]) -> None:
    _demand(bool(kind.__doc__), "a bot's docstring says in a line how it plays", name)
    parameters = signature(kind).parameters
    _demand(kind.chance == ("rng" in parameters), "a bot takes `rng` if, and only if, `chance` is True", name)
    for option, written in factory.options_of(kind).items():
        default, types = parameters[option].default, {part.strip() for part in written.split("|")}
        _demand(default is not Parameter.empty, "an option has a default", name, option)
        _demand(types <= TYPES, "the type of an option is int, float or str", name, option, written)
    if kind.seats is not None:
        _demand(len(kind.seats) > 0 and kind.seats[0] >= 1, "`seats` is not empty", name, kind.seats)


def _check_levels(name: str, kind: type[HouseBot]) -> None:
    _demand(len(kind.levels) > 0, "a bot has at least one level", name)
    for level in kind.levels:
        _demand(0 <= level.strength <= 100, "a strength is from 0 to 100", name, level.strength)
        try:
            factory.check_numbers(name, level.options)
            factory.build(kind, name, None, 0, level.options)
        except BadOptions as error:
            raise CheckFailed(f"every level can be made: {error}") from None


class _Checked:
    """One bot in one game."""

    def __init__(
        self, name: str, kind: type[HouseBot], options: Mapping[str, Any], game: Game, turns: int
    ) -> None:
        self._name, self._kind, self._options = name, kind, options
        self._game, self._turns = game, turns

    def _made(self, seed: object) -> HouseBot:
        try:
            return factory.build(self._kind, self._name, self._game, seed, self._options)
        except BadOptions as error:
            raise CheckFailed(str(error)) from None

    def play(self, seats: int, seed: int, views: Literal["view", "json"]) -> list[Any]:
        """Let the bot play itself in all seats; return the moves, checked."""
        bots = [self._made(f"{seed} {seat}") for seat in range(seats)]
        state: State = self._game.start(seats, Random(seed))
        moves: list[Any] = []
        resigned: tuple[Seat, ...] = ()
        for turn in range(self._turns):
            if (seat := state.to_move) is None:
                break
            view = state.view(seat)
            if views == "json":
                view = self._rebuilt(view)
            try:
                moves.append(self._chosen(bots[seat], state, view, turn))
            except Resigned:
                moves.append(None)
                resigned = (*resigned, seat)
                state = state.without(seat)
                continue
            state = state.play(moves[-1])
        self._end(bots, state, len(moves), resigned)
        return moves

    def _chosen(self, bot: HouseBot, state: State, view: State, turn: int) -> Any:
        before = msgspec.json.encode(view.position())
        move = bot.choose(view, turn)
        where = (self._name, self._game, view.position())
        _demand(before == msgspec.json.encode(view.position()), "a bot never changes a view", *where)
        try:
            state.check(move)
        except IllegalMove as error:
            raise CheckFailed(f"a bot plays legal moves: {where}: {move!r}: {error}") from None
        return move

    def _rebuilt(self, view: State) -> State:
        """Return the view from its written form, so that nothing but the view is in it."""
        data = msgspec.json.encode(view.position())
        return self._game.restore(msgspec.json.decode(data, type=self._game.Position))

    def _end(self, bots: list[HouseBot], state: State, turns: int, resigned: tuple[Seat, ...]) -> None:
        """Tell the bots the result: a game that was broken off is void."""
        outcome = state.outcome()
        verdict: Literal["finished", "void"] = "void" if outcome is None else "finished"
        reason = "broken off" if outcome is None else outcome.reason
        result = Result(verdict=verdict, outcome=outcome, reason=reason, turns=turns, resigned=resigned)
        for seat, bot in enumerate(bots):
            bot.told(seat, result)

    def check_thought(self, seats: int, seed: int, *, deterministic: bool) -> None:
        """Hold the thought about the first position against the choice there."""
        state = self._game.start(seats, Random(seed))
        seat = state.to_move
        assert seat is not None
        view = state.view(seat)
        before = msgspec.json.encode(view.position())
        thought, where = self._made(seed).think(view), (self._name, self._game)
        _demand(isinstance(thought, Thought), "think() returns a Thought", *where)
        _demand(before == msgspec.json.encode(view.position()), "think() never changes a view", *where)
        _demand(len(thought.values) == seats, "a thought has a value per seat", *where, thought.values)
        _demand(all(0 <= value <= 1 for value in thought.values), "a value is from 0 to 1", thought.values)
        _demand(bool(thought.says) and "\n" not in thought.says, "a thought has a reason in one line", *where)
        _demand(not thought.line or thought.line[0] in view.legal_moves(), "a line begins with a legal move")
        if deterministic and thought.line:
            choice = self._made(seed).choose(view, 0)
            same = choice == thought.line[0]
            _demand(same, "choose() plays the first move of the line", *where, choice, thought.line)
