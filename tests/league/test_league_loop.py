"""The coordinator of a league, over workers that draw results."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from league.leagues import FakePool, at_fault, bot, by_strength, won_by
from touchline.core.clock import micros
from touchline.core.conduct import Offence
from touchline.core.events import Result
from touchline.league import checks
from touchline.league.roster import EJECT, RERATE
from touchline.league.skills import rated
from touchline.tournament.cup import Cup
from touchline.tournament.ledger.base import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from league.leagues import Hall
    from touchline.tournament.worker import Job


def _even(job: Job, names: tuple[str, ...]) -> Result:
    return won_by(sum(map(len, names)) % 2)


def _skills(hall: Hall, *names: str) -> list[tuple[float, float, int]]:
    found = [hall.run.skills.of(name) for name in names]
    return [(one.mu, one.sigma, one.games) for one in found]


def test_a_version_is_checked_and_then_plays(open_hall: Callable[..., Hall]) -> None:
    """A submission passes its check on every seat, becomes active, and is rated against the house."""
    pool = FakePool(_even)
    hall = open_hall(pool)
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 20)
    checked = [job.games[0].pairing for job in pool.jobs[:2]]
    assert [pairing.entrants.index("ann v1") for pairing in checked] == [0, 1]
    assert hall.run.roster.versions["ann v1"].status == "active"
    assert hall.run.skills.of("ann v1").games >= 20
    kinds = [news["type"] for news in hall.news]
    assert kinds.count("submission") == 1
    assert kinds.count("result") == hall.run.gallery.games


def test_a_version_with_a_fault_is_rejected(open_hall: Callable[..., Hall]) -> None:
    """The reason is its first fault; it plays no game."""
    hall = open_hall(FakePool(lambda job, names: at_fault(names.index("eve v1"))))
    hall.desk.submit(hall.token("eve"), bot(), "bot.py")
    hall.until(lambda: hall.run.view.checking == 0)
    version = hall.run.roster.versions["eve v1"]
    assert (version.status, version.reason) == ("rejected", "illegal at turn 0: no such move")
    assert hall.run.gallery.games == 0
    assert "eve" not in str(hall.run.view)


def test_what_we_cannot_check_is_not_rejected(
    open_hall: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check that fails by our own fault is run again, until there is a verdict."""
    monkeypatch.setattr(checks, "AGAIN", 0.0)
    failures = iter([True, True, False, False, False])

    def result(job: Job, names: tuple[str, ...]) -> Result:
        if job.cup and next(failures, False):
            return Result(verdict="void", outcome=None, reason="ours: no memory", turns=0)
        return won_by(0)

    hall = open_hall(FakePool(result))
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    hall.until(lambda: hall.run.view.checking == 0)
    assert hall.run.roster.versions["ann v1"].status == "active"


def test_checks_use_a_share_of_the_workers(open_hall: Callable[..., Hall]) -> None:
    """Of four workers two check; of one entrant, one version at a time; newcomers before repeat offenders."""
    hall = open_hall(FakePool(_even, slots=4))
    for name in ("ann", "bob", "cy"):
        token = hall.token(name)
        hall.desk.submit(token, b"PK rubbish" if name == "ann" else bot("0"), "bot.py")
        hall.desk.submit(token, bot(name), "bot.py")
    due = hall.run._checks.due(hall.desk.roster().versions.values(), 0.0)
    assert [one.name for one in due] == ["bob v1", "cy v1"]  # ann has a rejected version
    hall.run._checks.begin(due[0])
    due = hall.run._checks.due(hall.desk.roster().versions.values(), 0.0)
    assert [one.name for one in due] == ["cy v1"]


def test_a_late_version_has_its_full_time_later(open_hall: Callable[..., Hall]) -> None:
    """It is late by the short clock of the first check, waits behind newcomers, and passes the second one."""
    begun: list[tuple[str, int | None]] = []

    def result(job: Job, names: tuple[str, ...]) -> Result:
        cup = msgspec.json.decode(bytes(job.cup), type=Cup)
        if any(name.startswith("random ") for name in names):
            begun.append((next(name for name in names if not name.startswith("random ")), cup.limits.set_up))
            if "slow v1" in names and cup.limits.set_up != micros(10):
                return at_fault(names.index("slow v1"), Offence.LATE)
        return won_by(0)

    hall = open_hall(FakePool(result))
    for name in ("slow", "ann"):
        hall.desk.submit(hall.token(name), bot(name), "bot.py")
    hall.until(lambda: hall.run.view.checking == 0)
    assert hall.run.roster.versions["slow v1"].status == "active"
    assert [name for name, _ in begun] == ["slow v1", "ann v1", "ann v1", "slow v1", "slow v1"]


def test_a_restart_knows_everything(open_hall: Callable[..., Hall]) -> None:
    """Another coordinator over the same ledger has the same ratings, to the last bit, and plays on."""
    pool = FakePool(by_strength(len, Random(3)))
    hall = open_hall(pool)
    for name in ("ann", "bob", "cynthia"):
        hall.desk.submit(hall.token(name), bot(name), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 60)
    before = _skills(hall, "ann v1", "bob v1", "cynthia v1", "random")
    played = hall.run.gallery.games
    hall.ledger.close()
    again = open_hall(pool)
    assert _skills(again, "ann v1", "bob v1", "cynthia v1", "random") == before
    again.until(lambda: again.run.gallery.games >= played + 20)
    ids = [game.id for game in again.ledger.results()]
    assert len(ids) == len({*ids}) == again.run.gallery.games


def test_ratings_begin_anew(open_hall: Callable[..., Hall]) -> None:
    """After a re-rate the games before it do not count; replaying the ledger gives the same ratings."""
    hall = open_hall(FakePool(by_strength(len, Random(3))))
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 30)
    hall.ledger.note(RERATE, "ann v1", "a broken worker", time.time())
    hall.run.wake()
    hall.until(lambda: hall.run.gallery.games >= 40)
    mine = hall.run.skills.of("ann v1")
    assert mine.games < 20
    replayed = rated(hall.ledger.results(), hall.desk.roster().resets)
    assert replayed.of("ann v1") == mine
    assert replayed.of("random").games >= 10


def test_an_ejected_entrant_plays_no_more(open_hall: Callable[..., Hall]) -> None:
    """Its games that were scheduled are void, unplayed; the others play on."""
    pool = FakePool(by_strength(len, Random(3)))
    hall = open_hall(pool)
    for name in ("ann", "bob"):
        hall.desk.submit(hall.token(name), bot(name), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 20)
    hall.ledger.note(EJECT, "ann", "left", time.time())
    hall.run.wake()
    hall.run._obey()
    jobs = len(pool.jobs)
    hall.until(lambda: hall.run.gallery.games >= 60)
    names = {name for job in pool.jobs[jobs:] for claim in job.games for name in claim.pairing.entrants}
    assert "ann v1" not in names
    assert "bob v1" in names
    row = next(row for row in hall.run.view.older if row.version == "ann v1")
    assert (row.status, row.place) == ("ejected", 0)


def test_nothing_is_begun_while_it_is_paused(open_hall: Callable[..., Hall]) -> None:
    """A pause stops checks and games; submissions are taken."""
    pool = FakePool(_even)
    hall = open_hall(pool)
    hall.ledger.note("pause", "", "lunch", time.time())
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    hall.run.wake()
    hall.until(lambda: hall.run.view.paused == "lunch" and hall.run.view.checking == 1)
    assert pool.jobs == []
    hall.ledger.note("go on", "", "back", time.time())
    hall.run.wake()
    hall.until(lambda: hall.run.gallery.games >= 4)


def test_a_commit_is_later_than_the_one_before(
    open_hall: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings follow the order of commits, also if the clock of the machine is set back."""
    hall = open_hall(FakePool(by_strength(len, Random(3))))
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    now = iter(range(2_000_000_000, 0, -1))
    monkeypatch.setattr("touchline.league.game_queue.time.time", lambda: float(next(now)))
    hall.until(lambda: hall.run.gallery.games >= 30)
    replayed = rated(hall.ledger.results())
    assert replayed.of("ann v1") == hall.run.skills.of("ann v1")


def test_a_version_that_no_machine_can_start_is_rejected(
    open_hall: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After several attempts the reason is told; a missing interpreter is no fault in a game."""
    monkeypatch.setattr(checks, "AGAIN", 0.0)
    hall = open_hall(FakePool(_even, begun=False))
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    hall.until(lambda: hall.run.view.checking == 0)
    version = hall.run.roster.versions["ann v1"]
    assert version.status == "rejected"
    assert version.reason.startswith("it cannot be started here")


def test_news_tell_of_uploads_that_could_not_be_read(open_hall: Callable[..., Hall]) -> None:
    """The front desk rejects them without a check; whoever listens hears of it once."""
    hall = open_hall(FakePool(_even))
    hall.desk.submit(hall.token("eve"), b"PK rubbish", "bot.zip")
    hall.until(lambda: bool(hall.news))
    (news,) = hall.news
    assert (news["version"], news["status"]) == ("eve v1", "rejected")
    assert news["reason"]


def test_a_check_that_cannot_go_on_is_run_again_as_a_whole(
    open_hall: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no worker can be given the second game of a check, it begins anew, and only once at a time."""
    monkeypatch.setattr(checks, "AGAIN", 0.0)
    pool = FakePool(lambda job, names: won_by(0))
    hall = open_hall(pool)
    hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    given, hand_over = iter([False, True]), hall.run._games.hand_over

    def failing(*arguments: Any) -> Any:
        if next(given, False):
            raise Unavailable("no worker can be started")
        return hand_over(*arguments)

    monkeypatch.setattr(hall.run._games, "hand_over", failing)
    hall.until(lambda: hall.run.view.checking == 0)
    seats = [job.games[0].pairing.entrants.index("ann v1") for job in pool.jobs[:3]]
    assert seats == [0, 0, 1]
    assert hall.run._checks._busy == {}
