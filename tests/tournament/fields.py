"""Tournaments played out with made-up results, in any order and with drop-outs, watched for the laws."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

LONG = 400
"""No field in these tests asks so often for what is due."""


def entrants(number: int) -> list[str]:
    return [f"e{index:02}" for index in range(number)]


def ranked(pairing: Pairing, ranks: Sequence[int | None], **more: Any) -> Played:
    """A game that ended with these ranks."""
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    scores = tuple(0 if rank is None else 10 - rank for rank in ranks)
    return Played(pairing, "finished", winners, tuple(ranks), scores, **more)


def by_strength(pairing: Pairing) -> Played:
    """The one who is listed first always wins, and so on."""
    order = sorted(pairing.entrants)
    return ranked(pairing, [order.index(entrant) + 1 for entrant in pairing.entrants])


def at_random(rng: Random) -> Callable[[Pairing], Played]:
    """Wins, ties, expulsions, forfeits and void games."""

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
        game = ranked(pairing, ranks, expelled=() if culprit is None else (culprit,))
        if culprit is not None and rng.random() < 0.5:
            return Played(pairing, "forfeited", game.winners, game.ranks, game.scores, game.expelled)
        return game

    return play


def play_out(
    rules: Any,
    names: Sequence[str],
    play: Callable[[Pairing], Played],
    *,
    rng: Random | None = None,
    leaving: float = 0.0,
) -> tuple[list[Played], tuple[str, ...]]:
    """Play a tournament to its end; with `rng` a few games at a time, in any order, while entrants leave."""
    played: list[Played] = []
    out: tuple[str, ...] = ()
    owed: set[Pairing] = set()
    for asked in count():
        assert asked < LONG, "it does not end"
        due = rules.due(names, played, out)
        assert rules.due(names, played, out) == due
        if due is None:
            assert not owed
            return played, out
        check_due(due, played, out, names)
        assert owed <= {*due}, "a game that was given out has changed or is gone"
        some = due if rng is None else rng.sample(due, rng.randint(1, len(due)))
        played += map(play, some)
        if rng is not None and rng.random() < leaving:
            out = tuple(dict.fromkeys([*out, rng.choice(names)]))
        owed = {game for game in due if game not in some and not {*out} & {*game.entrants}}
    raise AssertionError


def check_due(due: list[Pairing], played: list[Played], out: tuple[str, ...], names: Sequence[str]) -> None:
    assert due, "an empty list says nothing"
    ids = [game.id for game in due]
    assert len({*ids}) == len(ids)
    assert not {*ids} & {game.pairing.id for game in played}
    for game in due:
        assert len({*game.entrants}) == len(game.entrants) >= 2
        assert {*game.entrants} <= {*names} - {*out}
