"""Compile the kernels of a cup's house players once, before workers are started.

Otherwise every worker would wait for the first that compiles them. Workers on other machines have caches of
their own, and compile by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.bots.shared import factory
from touchline.players.by_name import is_program, without_dialect
from touchline.tournament.cup import LEAGUE, REMOTE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool


def compile_house_kernels(cups: Iterable[Cup], pool: WorkerPool) -> None:
    """Compile what the house players among the entrants of these cups need on their boards."""
    if not pool.shares_cache:
        return
    for cup in cups:
        words = [one.player for one in cup.entrants if one.player != REMOTE and not is_program(one.player)]
        seats = None if cup.format == LEAGUE else cup.rules().seats
        for number in range(len(cup.boards)):
            factory.compile_kernels(map(without_dialect, words), cup.board(number), seats)
