"""Simulated cups, and how evenly boards, seats, byes and opponents are shared out in them.

`measured` counts; `bounds` is what the formats promise (docs/tournaments.md, "What is shared out").
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.core import registry
from touchline.testing.format_check import ranked
from tournament.fields import entrants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.pairing import Played

GAME = 60
"""A game, in units that every size of a table divides."""
NO_PROMISE = 10**6
FORMATS = ("fish_manager", "gauntlet", "knockout", "ladder", "round_robin", "swiss")


class Fairness(NamedTuple):
    """How far a cup is from sharing out everything evenly, for the entrant that is worst off."""

    boards: int
    """The most by which its numbers of positions on two boards differ."""
    seats: int
    """Whole games by which it sat in a seat more or less often than its share: 0 is within one."""
    met: int
    """In how many rounds it met the same opponent."""
    byes: int


def simulated(rules: Any, names: Sequence[str], rng: Random) -> list[Played]:
    """Play a cup to its end with random results."""
    played: list[Played] = []
    while (due := rules.due(names, played)) is not None:
        for game in due:
            seats = range(len(game.entrants))
            marks = [rng.randrange(3) for _ in seats]
            played.append(ranked(game, [1 + sum(mark > marks[seat] for mark in marks) for seat in seats]))
    return played


def measured(rules: Any, names: Sequence[str], played: Sequence[Played]) -> Fairness:
    pairings = [game.pairing for game in played]
    positions = {(name, game.board) for game in pairings for name in game.entrants}
    boards = Counter((name, board % rules.boards) for name, board in positions)
    excess: Counter[tuple[str, int]] = Counter()
    for game in pairings:
        for seat, name in enumerate(game.entrants):
            excess[name, seat] += GAME
            for other in range(len(game.entrants)):
                excess[name, other] -= GAME // len(game.entrants)
    rounds = {(game.round, frozenset(two)) for game in pairings for two in combinations(game.entrants, 2)}
    byes = Counter({line.entrant: int(2 * line.byes) for line in rules.standings(names, played)})
    spread = ([boards[name, board] for board in range(rules.boards)] for name in names)
    return Fairness(
        boards=max(max(counts) - min(counts) for counts in spread),
        seats=max(map(abs, excess.values())) // GAME,
        met=max(Counter(two for _, two in rounds).values()),
        byes=max(byes.values()),
    )


def bounds(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    """Return what a format promises in a field of this size."""
    return {
        "fish_manager": _fish_manager, "gauntlet": _gauntlet, "knockout": _knockout, "ladder": _ladder,
        "round_robin": _round_robin, "swiss": _swiss,
    }[rules.name](rules, field, played)  # fmt: skip


def _swiss(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    rounds = rules.rounds or (field - 1).bit_length()
    whole = rules.games % 2 == 0
    if rules.seats > 2:
        one_size = field % -(-field // rules.seats) == 0
        alike = one_size or not rules.paired or rules.games == 1
        return Fairness(boards=1 if alike else 3, seats=1, met=NO_PROMISE, byes=0)
    if field % 2 == 0:
        return Fairness(boards=1, seats=0, met=-(-rounds // (field - 1)), byes=0)
    few = rounds <= (field + 1) // 2
    cycles = -(-rounds // field)
    one_position = rules.games == 1 or (rules.paired and rules.games == 2)
    return Fairness(
        boards=1 if few and one_position else 2, seats=0 if few or whole else 1, met=cycles, byes=cycles
    )


def _round_robin(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    even = rules.games % rules.seats in (0, 1) or rules.seats == 2
    boards = 1 if rules.seats == 2 and equal_boards_exist(rules, field) else 2 if rules.seats < 4 else 3
    return Fairness(boards=boards, seats=0 if even else 1, met=NO_PROMISE, byes=0)


def equal_boards_exist(rules: Any, field: int) -> bool:
    """Return whether pairs can be shared out: not if all must play equally often and that adds up odd."""
    positions = (field - 1) * rules.rounds * (-(-rules.games // 2) if rules.paired else rules.games)
    each, rest = divmod(positions, rules.boards)
    return bool(rest) or field * each % 2 == 0


def _gauntlet(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    even = rules.games % rules.seats in (0, 1) or rules.seats == 2
    return Fairness(boards=1 if rules.seats == 2 else 3, seats=0 if even else 1, met=NO_PROMISE, byes=0)


def _knockout(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    rounds = 1 + max(game.pairing.round for game in played)
    whole = rules.seats == 2 and rules.games % 2 == 0
    replayed = Counter(
        name for game in played if game.pairing.table % (rules.games + rules.replays) >= rules.games
        for name in game.pairing.entrants
    )  # fmt: skip
    extra = max(replayed.values(), default=0)
    mixed = rules.paired and rules.seats > 2 and rules.games > 1
    return Fairness(
        boards=1 + extra + mixed, seats=extra if whole else rounds + extra, met=NO_PROMISE, byes=0
    )


def _ladder(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    whole = rules.seats == 2 and rules.games % 2 == 0
    return Fairness(boards=4, seats=0 if whole else 2, met=NO_PROMISE, byes=0)


def _fish_manager(rules: Any, field: int, played: Sequence[Played]) -> Fairness:
    return Fairness(boards=1, seats=NO_PROMISE, met=NO_PROMISE, byes=0)


def random_cup(seed: int) -> tuple[Any, list[str], Random]:
    """Return a format with options and boards, its field of 2 to 60, and a source of results."""
    rng = Random(seed)
    name = FORMATS[seed % len(FORMATS)]
    field = 2 + int(59 * rng.random() ** 3)
    options: dict[str, Any] = {}
    if name != "fish_manager":
        seats = min(field, rng.choice((2, 2, 2, 3, 4, 5, 6)))
        options = {"seats": seats, "games": rng.choice((1, 1, 1, 2, 3, seats)), "paired": rng.random() < 0.8}
    if name in ("swiss", "ladder"):
        options["rounds"] = rng.randint(1, 12 if field > 16 else field + 2)
    if name in ("round_robin", "gauntlet"):
        field = max(min(field, 60 if rng.random() < 0.05 else 24), options["seats"])
        options["rounds"] = rng.choice((1, 1, 2))
    if name == "gauntlet":
        options["challengers"] = rng.randint(1, min(4, field - options["seats"] + 1))
    if name == "knockout":
        options["replays"] = rng.choice((0, 2))
        divisors = [some for some in range(1, options["seats"]) if options["seats"] % some == 0]
        options["through"] = rng.choice(divisors)
    made = registry.format(name, options)
    return type(made)(**options, boards=rng.choice((1, 2, 2, 3, 4))), entrants(field), rng
