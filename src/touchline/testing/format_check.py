"""`check_format`: does a tournament format keep the contract of `tournament/formats/base.py`?

It plays tournaments of several sizes with made-up results, all games of a round at once or a few at a time in
any order, with and without withdrawals, and checks the laws below after every step. It knows no format by
name.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from math import fsum, isclose
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import BadOptions
from touchline.testing.game_check import CheckFailed
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.tournament.formats.base import Format

SIZES = (2, 3, 4, 5, 7, 8, 12)
"""The numbers of entrants that are tried. A format may refuse some of them with BadOptions, but not all."""
LONGEST = 2_000
"""A format that is asked more often than this for its next games is taken to be endless."""


def check_format(
    format: Format,
    *,
    plays: int = 2,
    seed: int = 0,
    balance: int | None = None,
    report: Callable[[str], None] | None = None,
) -> None:
    """Raise CheckFailed unless the format keeps the contract. `report` is called with each law that holds.

    `balance` is for formats that promise fair seats: the most by which an entrant's numbers of games in two
    seats may differ in a tournament without withdrawals.

    >>> from touchline.tournament.formats.round_robin import RoundRobin
    >>> check_format(RoundRobin(seats=2), balance=1)
    """
    _check_declaration(format)
    tried = 0
    for size in SIZES:
        names = [f"e{number:02}" for number in range(size)]
        try:
            format.due(names, [])
        except BadOptions:
            continue
        tried += 1
        _check_orders(format, names, seed, balance)
        _check_boards(format, names, seed)
        for play in range(plays):
            for leaving in (0.0, 0.1, 0.5):
                rng = Random(f"{seed} {size} {play} {leaving}")
                played, out = play_out(format, names, random_results(rng), rng=rng, leaving=leaving)
                check_standings(format, names, played, out)
                _check_order_of_results(format, names, played, out, rng)
    _demand(tried > 0, "a format accepts some number of entrants", SIZES)
    for law in (
        "declares its name, seats, options and tie-breaks",
        "gives the same games for the same results, in whatever order they came",
        "keeps a game that it asked for until it is played",
        "ends, whatever the results, also when entrants withdraw",
        "lets every entrant play",
        "has standings that add up",
        "gives each match positions of its own, and takes every board in turn",
        *(["shares out the seats fairly"] if balance is not None else []),
    ):
        if report is not None:
            report(law)


def _demand(true: bool, law: str, *where: object) -> None:
    if not true:
        raise CheckFailed(": ".join([law, *map(repr, where)]))


def _check_declaration(format: Format) -> None:
    kind = type(format)
    _demand(isinstance(format, msgspec.Struct), "a format is a msgspec struct", kind)
    _demand(bool(kind.__doc__), "a format's docstring says in a line what it is", kind)
    _demand(bool(format.name) and format.name == format.name.lower(), "a name is in lower case", format.name)
    _demand(format.seats >= 2, "a table has at least two seats", format.seats)
    _demand(len(format.tiebreaks) > 0, "a format names its tie-breaks", format.name)
    again = msgspec.json.decode(msgspec.json.encode(format), type=kind)
    _demand(again == format, "the options survive JSON", format)


def _check_orders(format: Format, names: Sequence[str], seed: int, balance: int | None) -> None:
    """Check that games played at once or one by one are the same, and that everybody plays."""
    at_once, _ = play_out(format, names, by_strength)
    few, _ = play_out(format, names, by_strength, rng=Random(f"{seed} orders"))
    _demand({*at_once} == {*few}, "the games do not depend on the order in which they are played", names)
    lines = format.standings(names, at_once)
    _demand(lines == format.standings(names, few), "nor do the standings", names)
    for line in lines:
        _demand(line.games + line.byes + line.walkovers > 0, "every entrant plays", line.entrant, names)
    if balance is not None:
        sat = Counter(
            (entrant, seat) for game in at_once for seat, entrant in enumerate(game.pairing.entrants)
        )
        for entrant in names:
            games = [sat[entrant, seat] for seat in range(format.seats)]
            _demand(max(games) - min(games) <= balance, "the seats are shared out fairly", entrant, games)


def _check_boards(format: Format, names: Sequence[str], seed: int) -> None:
    """Check that no two matches share a position, and with several boards, that all of them are used.

    Only a format that has a field `boards` knows how many there are.
    """
    told = format if isinstance(format, msgspec.Struct) and "boards" in format.__struct_fields__ else None
    for boards in (1,) if told is None else (1, 2, 3):
        rules: Any = format if told is None else msgspec.structs.replace(told, boards=boards)
        played, _ = play_out(rules, names, by_strength, rng=Random(f"{seed} boards"))
        at: dict[int, tuple[int, frozenset[str]]] = {}
        for game in (done.pairing for done in played):
            match = (game.round, frozenset(game.entrants))
            _demand(at.setdefault(game.board, match) == match, "a match has positions of its own", game)
        used = {board % boards for board in at}
        least = min(boards, len(at) // max(1, len(names)))
        _demand(len(used) >= least, "every board is used", sorted(used), boards, names)


def _check_order_of_results(
    format: Format, names: Sequence[str], played: list[Played], out: tuple[str, ...], rng: Random
) -> None:
    shuffled = rng.sample(played, len(played))
    law = "the order of results does not matter"
    _demand(format.due(names, shuffled, out) is None, law, names)
    _demand(format.standings(names, shuffled, out) == format.standings(names, played, out), law, names)
    some = rng.sample(played, rng.randint(0, len(played)))
    _demand(format.due(names, some, out) == format.due(names, some[::-1], out), law, names)


def ranked(pairing: Pairing, ranks: Sequence[int | None], expelled: tuple[int, ...] = ()) -> Played:
    """Return a finished game with these ranks."""
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    scores = tuple(0 if rank is None else 10 - rank for rank in ranks)
    return Played(pairing, "finished", winners, tuple(ranks), scores, expelled)


def by_strength(pairing: Pairing) -> Played:
    """Return a game that is won by the first in alphabetical order, and so on."""
    order = sorted(pairing.entrants)
    return ranked(pairing, [order.index(entrant) + 1 for entrant in pairing.entrants])


def random_results(rng: Random) -> Callable[[Pairing], Played]:
    """Return a function that makes up results: wins, ties, expulsions, forfeits and void games."""

    def play(pairing: Pairing) -> Played:
        kind = rng.random()
        seats = range(len(pairing.entrants))
        if kind < 0.05:
            return Played(pairing, "void", reason="ours: the lights went out")
        marks = [rng.randint(0, 2) for _ in seats]
        culprit = rng.choice(seats) if kind < 0.2 else None
        ranks = [
            None if seat == culprit
            else 1 + sum(mark > marks[seat] for other, mark in enumerate(marks) if other != culprit)
            for seat in seats
        ]  # fmt: skip
        game = ranked(pairing, ranks, () if culprit is None else (culprit,))
        if culprit is not None and rng.random() < 0.5:
            return Played(pairing, "forfeited", game.winners, game.ranks, game.scores, game.expelled)
        return game

    return play


def play_out(
    format: Format,
    names: Sequence[str],
    play: Callable[[Pairing], Played],
    *,
    rng: Random | None = None,
    leaving: float = 0.0,
) -> tuple[list[Played], tuple[str, ...]]:
    """Play a tournament to its end; return its games, and the withdrawn entrants.

    With `rng` only some of the due games are played at a time, and an entrant withdraws with a probability of
    `leaving` after each time. Raise CheckFailed where the format breaks a law.
    """
    played: list[Played] = []
    out: tuple[str, ...] = ()
    owed: set[Pairing] = set()
    for asked in count():
        _demand(asked < LONGEST, "a tournament ends", names)
        due = format.due(names, played, out)
        _demand(format.due(names, played, out) == due, "the same results give the same games", names)
        if due is None:
            _demand(not owed, "a tournament is not over while a game is due", sorted(owed))
            return played, out
        _check_due(due, played, out, names)
        _demand(owed <= {*due}, "a game that was asked for stays due", sorted(owed - {*due}))
        some = due if rng is None else rng.sample(due, rng.randint(1, len(due)))
        played += map(play, some)
        if rng is not None and rng.random() < leaving:
            out = tuple(dict.fromkeys([*out, rng.choice(names)]))
        owed = {game for game in due if game not in some and not {*out} & {*game.entrants}}
    raise AssertionError("the loop returns or raises")


def _check_due(due: list[Pairing], played: list[Played], out: tuple[str, ...], names: Sequence[str]) -> None:
    _demand(bool(due), "due() returns games, or None at the end, but never an empty list")
    ids = [game.id for game in due]
    _demand(len({*ids}) == len(ids), "every game has a round and table of its own", ids)
    again = {*ids} & {game.pairing.id for game in played}
    _demand(not again, "a game that was played is not due again", sorted(again))
    for game in due:
        _demand(len({*game.entrants}) == len(game.entrants), "an entrant sits at a table once", game)
        _demand(len(game.entrants) >= 2, "at least two play", game)
        _demand({*game.entrants} <= {*names}, "only entrants play", game)
        _demand(not {*game.entrants} & {*out}, "withdrawn entrants do not play", game)


def check_standings(
    format: Format, names: Sequence[str], played: Sequence[Played], out: Sequence[str] = ()
) -> None:
    """Raise CheckFailed unless the standings list every entrant once, and their numbers add up."""
    lines = format.standings(names, played, out)
    _demand(sorted(line.entrant for line in lines) == sorted(names), "the standings list every entrant once")
    games = [game for game in played if game.verdict != "void"]
    seats = sum(len(game.pairing.entrants) for game in games)
    voids = sum(len(game.pairing.entrants) for game in played if game.verdict == "void")
    offences = sum(len(game.expelled) for game in games)
    law = "the standings count every game"
    _demand(sum(line.games for line in lines) == seats, law, seats)
    _demand(sum(line.voids for line in lines) == voids, law, voids)
    _demand(sum(line.forfeits + line.expulsions for line in lines) == offences, law, offences)
    for line in lines:
        parts = line.won + line.tied + line.lost + line.forfeits + line.expulsions
        _demand(line.games == parts, "the numbers of a line add up", line)
        _demand(line.out == (line.entrant in out), "`out` says who has withdrawn", line)
        _demand(len(line.tiebreaks) == len(format.tiebreaks), "a line has all tie-breaks", line)
        most = line.games + line.byes + line.walkovers
        _demand(0 <= line.points <= most + 1e-9, "a game is worth a point at most", line)
        better = sum(other.tiebreaks > line.tiebreaks for other in lines)
        _demand(line.rank == 1 + better, "ranks follow from the tie-breaks", line)
    worth = seats / 2 + sum(line.byes + line.walkovers for line in lines)
    _demand(isclose(fsum(line.points for line in lines), worth, abs_tol=1e-6), "points add up", worth)
    ranks = [line.rank for line in lines]
    _demand(ranks == sorted(ranks), "the best comes first", ranks)
