"""The front desk: tokens, quotas, versions, and uploads that are up to no good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league.hostile_uploads import bomb, link, named
from league.leagues import bot, league, zipped
from touchline.core.errors import BadInput, BadOptions
from touchline.league.front_desk import DAY, FrontDesk, QuotaReached, WrongToken
from touchline.league.roster import ACCEPT, EJECT, new_token, token_hash
from touchline.tournament.executors.here import Here

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from league.leagues import Hall


QUOTAS = "[quotas]\nsubmissions = 3\nversions = 2\nbytes = 100_000"


@pytest.fixture
def hall(open_hall: Callable[..., Hall]) -> Hall:
    return open_hall(Here(), league(QUOTAS))


def test_a_token_is_stored_as_its_hash(hall: Hall) -> None:
    """The log, which others may read, does not have the token; a new token replaces the old one."""
    first = hall.token("ann")
    second = hall.token("ann")
    assert not any(first in entry.about + entry.why for entry in hall.ledger.log())
    assert any(token_hash(first) == entry.about for entry in hall.ledger.log())
    assert hall.desk.owner(second) == "ann"
    with pytest.raises(WrongToken):
        hall.desk.owner(first)


def test_names_that_look_alike_are_refused(hall: Hall) -> None:
    """An entrant is not called like another one, a house player or a version."""
    hall.token("ann")
    for name in ("Ann", "random", "", "a" * 25):
        with pytest.raises(BadOptions):
            new_token(hall.desk.roster(), name)


def test_a_submission_is_on_the_disk_before_it_is_acknowledged(hall: Hall) -> None:
    """Its bundle is in the store, and another desk over the same ledger knows the version."""
    version = hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    assert (version.name, version.status, version.player) == ("ann v1", "checking", "bot.py")
    assert hall.store.get(version.digest).files[0].data == bot()
    other = FrontDesk(hall.ledger, hall.store, hall.league)
    assert other.roster().versions["ann v1"] == version


def test_the_same_bytes_again_are_no_new_version(hall: Hall) -> None:
    """A client that did not see the answer may send its upload again."""
    token = hall.token("ann")
    assert hall.desk.submit(token, bot(), "bot.py") == hall.desk.submit(token, bot(), "bot.py")


def test_there_is_a_quota_of_submissions(hall: Hall) -> None:
    """Rejected ones count; a day later there is room again; others are not concerned."""
    now = [1_000_000.0]
    desk = FrontDesk(hall.ledger, hall.store, hall.league, now=lambda: now[0])
    token = hall.token("ann")
    for mark in ("a", "b"):
        desk.submit(token, bot(mark), "bot.py")
        now[0] += 60
    assert desk.submit(token, b"PK rubbish", "bot.zip").status == "rejected"
    with pytest.raises(QuotaReached) as caught:
        desk.submit(token, bot("d"), "bot.py")
    assert caught.value.wait == pytest.approx(DAY - 120)
    desk.submit(hall.token("bob"), bot("d"), "bot.py")
    now[0] += DAY - 119
    assert desk.submit(token, bot("d"), "bot.py").name == "ann v4"


def test_an_upload_has_a_size(hall: Hall) -> None:
    with pytest.raises(BadInput, match="100,000 bytes"):
        hall.desk.submit(hall.token("ann"), bytes(100_001), "bot.zip")


def test_only_the_newest_versions_play(hall: Hall) -> None:
    """With two versions that may play, the third makes the first retire."""
    token = hall.token("ann")
    for mark in ("a", "b", "c"):
        version = hall.desk.submit(token, bot(mark), "bot.py")
        hall.ledger.note(ACCEPT, version.name, "", 1.0)
    statuses = [one.status for one in hall.desk.roster().of("ann")]
    assert statuses == ["retired", "older", "active"]


def test_an_ejected_entrant_is_out(hall: Hall) -> None:
    """Its token is worth nothing any more, and its versions do not play."""
    token = hall.token("ann")
    hall.desk.submit(token, bot(), "bot.py")
    hall.ledger.note(EJECT, "ann", "copied", 2.0)
    with pytest.raises(WrongToken, match="copied"):
        hall.desk.submit(token, bot("b"), "bot.py")
    assert hall.desk.roster().versions["ann v1"].status == "ejected"


HOSTILE = {
    "bomb": bomb(),
    "traversal": named("../../escaped.txt"),
    "absolute": named("/tmp/escaped.txt"),
    "link": link(),
    "no player": zipped(readme__txt=b"hello"),
    "cut off": zipped(bot__py=bot())[:-10],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_upload_is_a_rejected_version(
    open_hall: Callable[..., Hall], tmp_path: Path, kind: str
) -> None:
    """The reason is in the log, nothing was unpacked, and the next version is number two."""
    hall = open_hall(Here())
    token = hall.token("eve")
    version = hall.desk.submit(token, HOSTILE[kind], "bot.zip")
    assert version.status == "rejected"
    assert version.reason
    assert not [*(tmp_path / "bundles" / "packed").iterdir()]
    assert not (tmp_path / "escaped.txt").exists()
    assert hall.desk.submit(token, bot(), "bot.py").name == "eve v2"
