"""The siege: a little of it every day, a tenth of it when slow; and that it finds what is planted."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialects.mutant_moments import SETTINGS
from mutant_siege import decoders, live_seats
from mutant_siege.__main__ import main
from mutant_siege.plan import DOORS, plan, run
from mutant_siege.units import Outcome, Unit, errors_logged, minimised
from touchline.core.registry import CONDUCTS, dialect

if TYPE_CHECKING:
    from collections.abc import Iterable

PARTS = 12
TENTH = 1_000_000, 100_000
"""A tenth of the nightly siege: messages at the decoders and at live seats."""
SMALL = {"decoders": 1_600, "tcp": 60, "ws": 60, "pipes": 20, "courses": 14}
"""Messages of an everyday unit."""
SEED = "every day"


def harmed(units: Iterable[Unit]) -> list[str]:
    return [str(failure) for unit in units for failure in run(unit).failures]


@pytest.mark.parametrize("where", SMALL)
def test_a_small_siege(where: str) -> None:
    """No exception, no traceback in the log, no void match, and no honest player who is harmed."""
    places = [0, 3, 7] if where not in {"courses", "pipes"} else [0]
    assert harmed(Unit(where, place, 0, SMALL[where], SEED) for place in places) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_tenth_of_the_siege(part: int) -> None:
    """The same with a million messages at the decoders and a hundred thousand at live seats."""
    assert harmed(plan(*TENTH, "tenth")[part::PARTS]) == []


def test_a_siege_is_divided_completely() -> None:
    """The units have as many messages as were asked for, at every decoder and every door."""
    units = plan(1_000_000, 100_000, "x")
    assert sum(unit.messages for unit in units if unit.where == "decoders") == 1_000_000
    assert sum(unit.messages for unit in units if unit.where != "decoders") == 100_000
    assert {unit.where for unit in units} == {"decoders", *DOORS}
    assert {unit.setting for unit in units if unit.where == "tcp"} == {*range(len(SETTINGS))}
    assert len({unit.random_seed for unit in units}) == len(units)


@pytest.mark.parametrize("where", ["decoders", "tcp", "ws"])
def test_a_seed_gives_the_same_siege(where: str) -> None:
    """A unit can be repeated: as many messages in as many matches."""
    unit = Unit(where, 3, 5, SMALL[where], "again")
    assert run(unit) == run(unit)


# -- what is planted is found -----------------------------------------------------------------------


def test_an_exception_of_a_decoder_is_found_and_minimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failing input is as short as it can be, and the failure says how to repeat it."""
    kind: Any = dialect("seed-002")
    hear = kind.hear

    def stumbles(self: Any, frame: bytes, waited: int = 0) -> Any:
        if b"(" in frame and b"9" in frame:
            raise ZeroDivisionError("planted")
        return hear(self, frame, waited)

    monkeypatch.setattr(kind, "hear", stumbles)
    place = [setting.dialect for setting in SETTINGS].index("seed-002")
    outcome = decoders.run(Unit("decoders", place, 0, 16_000, SEED))
    assert outcome.failures
    for failure in outcome.failures:
        assert "ZeroDivisionError: planted" in failure.error
        assert sorted(failure.frame) == sorted(b"(9")
        assert f"--unit decoders:{place}:0:16000" in failure.repeat


def test_a_match_that_is_voided_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in a live match voids it and is logged: both are failures."""
    kind: Any = dialect("native")
    hear = kind.hear

    def stumbles(self: Any, frame: bytes, waited: int = 0) -> Any:
        if b"null" in frame:
            raise ZeroDivisionError("planted")
        return hear(self, frame, waited)

    monkeypatch.setattr(kind, "hear", stumbles)
    outcome = live_seats.run(Unit("tcp", 3, 0, 2_000, SEED))
    assert any("void" in failure.error for failure in outcome.failures)
    assert any("logged: a dialect failed" in failure.error for failure in outcome.failures)


def test_an_honest_player_that_is_blamed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the time of a move is nearly nothing, honest players are late, and that is harm."""
    hurried = msgspec.structs.replace(
        live_seats.LIMITS, clock=msgspec.structs.replace(live_seats.LIMITS.clock, per_move=0)
    )
    monkeypatch.setattr(live_seats, "LIMITS", hurried)
    monkeypatch.setattr(live_seats, "LENIENT", CONDUCTS["course"])
    monkeypatch.setattr(live_seats, "honest", lambda player: thinking(player))
    outcome = live_seats.run(Unit("tcp", 3, 0, 100, SEED))
    assert any("is honest and was blamed" in failure.error for failure in outcome.failures)


def thinking(player: Any) -> Any:
    from touchline.testing.hostile.player import honest

    return honest(player, 0.5)


def test_minimising_leaves_what_does_not_fail_alone() -> None:
    """An input that only failed in its match is reported as it is."""
    assert minimised(b"abc", lambda text: False) == b"abc"


def test_what_is_logged_as_an_error_is_kept() -> None:
    """A traceback in the log is a failure, a warning is not."""
    with errors_logged() as lines:
        logging.getLogger("touchline.x").warning("so so")
        logging.getLogger("touchline.x").error("bad")
    assert lines == ["bad"]


def test_outcomes_do_not_share_failures() -> None:
    """Each unit has failures of its own."""
    Outcome("a").fail(Unit("a", 0, 0, 1, "s"), "x")
    assert Outcome("a").failures == []


# -- as a program -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--live", "-1"], ["--unit", "moat:0:0:1"], ["--doors", "roof"], ["--x"]])
def test_wrong_words(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It says what is wrong, and exits with 2."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: scripts/siege" in capsys.readouterr().err


def test_the_report_of_a_siege(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON it has the seed and the counts; a siege that finds nothing exits with 0."""
    assert main(["--unit", "decoders:3:0:160", "--seed", "x", "--jobs", "1", "--json"]) == 0
    report = msgspec.json.decode(capsys.readouterr().out)
    assert (report["seed"], report["failures"]) == ("x", [])
    assert report["messages"] == {"decoders": 158}
