"""A duel: the verdict, and that it is the same whoever plays it and whatever dies."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any

import pytest

from touchline.core.errors import BadOptions
from touchline.tournament.executors.cores import Cores
from touchline.tournament.executors.here import Here
from touchline.tournament.ratings.sprt import Sprt
from touchline.tournament.sprt_run import NEW, OLD, SprtRun
from tournament.cups import cup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.tournament.ratings.sprt import Judgement

TEST = Sprt(0, 200)


def duel(
    new: str, old: str, folder: Path, pool: Any = None, most: int = 400
) -> tuple[SprtRun, list[Judgement]]:
    made = SprtRun(cup(**{NEW: new, OLD: old}), folder, pool or Here(), TEST, most)
    return made, [*made.go()]


@pytest.mark.parametrize(
    ("new", "old", "verdict"), [("minimax:depth=2", "random", "H1"), ("random", "minimax:depth=2", "H0")]
)
def test_who_is_better(new: str, old: str, verdict: str, tmp_path: Path) -> None:
    made, said = duel(new, old, tmp_path)
    assert [one.verdict for one in said[:-1]] == ["continue"] * (len(said) - 1)
    assert said[-1].verdict == verdict
    assert [one.count for one in said] == [*range(1, len(said) + 1)]
    assert sum(made.counts) == len(said)


def test_not_decided(tmp_path: Path) -> None:
    made, said = duel("random", "random", tmp_path, most=3)
    assert [one.verdict for one in said] == ["continue"] * 3
    assert sum(made.counts) == 3


def test_two_games_of_a_pair_begin_alike_with_seats_swapped(tmp_path: Path) -> None:
    """So a player that plays like itself makes one point of every pair."""
    made, said = duel("minimax:depth=2", "minimax:depth=2", tmp_path, most=20)
    assert made.counts == [0, 0, len(said), 0, 0]
    assert said[-1].verdict == "H0"


def test_the_same_on_any_number_of_cores(tmp_path: Path) -> None:
    here, cores = duel("greedy", "random", tmp_path), duel("greedy", "random", tmp_path, Cores(2))
    assert here[1] == cores[1]
    assert here[0].counts == cores[0].counts


class Mortal(Executor):
    """One that dies over some jobs, and with it all that comes after."""

    def __init__(self, dies: Callable[[], bool]) -> None:
        self._dies, self._dead = dies, False

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._dead:
            raise BrokenExecutor("dead")
        future: Future[Any] = Future()
        self._dead = self._dies()
        if self._dead:
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(work(*args))
        return future


class Deadly(Here):
    def __init__(self, dies: Callable[[], bool]) -> None:
        self._dies, self.started = dies, 0

    def start(self) -> Executor:
        self.started += 1
        return Mortal(self._dies)


def test_workers_that_die_change_nothing(tmp_path: Path) -> None:
    deaths = iter((False, True, False, True))
    pool = Deadly(lambda: next(deaths, False))
    assert duel("greedy", "random", tmp_path, pool)[1] == duel("greedy", "random", tmp_path)[1]
    assert pool.started == 3


def test_pairs_that_kill_every_worker(tmp_path: Path) -> None:
    with pytest.raises(BadOptions, match="workers die while they play pairs"):
        duel("greedy", "random", tmp_path, Deadly(lambda: True))


def test_who_ends_at_once_loses(tmp_path: Path) -> None:
    """That is no reason to throw the pair away: the other has won both games."""
    (tmp_path / "broken.py").write_text("raise SystemExit(1)\n")
    made, said = duel("random", "broken.py", tmp_path, most=50)
    assert made.void == 0
    assert said[-1].verdict == "H1"
    assert made.counts[4] == sum(made.counts)


def test_void_pairs_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from touchline.tournament import seeds, worker

    played = seeds.spec_of

    def spec_of(cup: Any, pairing: Any, secrets: Any) -> Any:
        if pairing.table == 3:
            raise RuntimeError("the lights went out")
        return played(cup, pairing, secrets)

    monkeypatch.setattr(worker, "spec_of", spec_of)
    made, said = duel("random", "random", tmp_path, most=4)
    assert made.void == 1
    assert [one.count for one in said] == [1, 2, 3]
