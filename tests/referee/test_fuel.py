"""The fuel clock: the referee decides from the fuel in a happening who is late, and a record proves it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import UNSET

from referee.dialogue import HEXAPAWN, LIMITS, Dialogue, conduct, every, fault
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.conduct import Offence, ladder
from touchline.core.errors import BadInput
from touchline.core.events import Faulted, Ignored, Moved, SatDown, encode
from touchline.core.fuel import MOST_FUEL, fuel_of
from touchline.core.happenings import Heard, Lapsed
from touchline.core.messages import Act, FromPlayer, Garbled, Ready
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.conduct import Conduct

FUELLED = msgspec.structs.replace(LIMITS, fuel=500)
LATE = "used more than 500 fuel"


def table(under: Conduct = COURSE) -> Dialogue:
    """Both seats sit, and may use 500 units for a move."""
    return Dialogue(HEXAPAWN, limits=FUELLED, under=under).seated()


def burn(dialogue: Dialogue, fuel: int, said: FromPlayer | None = None) -> None:
    """Whoever is to move makes a legal move, or says this, and has used this fuel for it."""
    move = Act(dialogue.state.legal_moves()[0], dialogue.referee.turn)
    dialogue.take(Heard(dialogue.on_turn, said or move, 0, 0, UNSET, UNSET, fuel))


@pytest.mark.parametrize(("fuel", "late"), [(0, False), (499, False), (500, False), (501, True)])
def test_a_move_at_the_limit_is_in_time(fuel: int, late: bool) -> None:
    """One unit more is late, whatever the move says, and the offence names the limit."""
    dialogue = table()
    burn(dialogue, fuel)
    assert dialogue.verdicts() == ([(0, "late", "expel")] if late else [])
    if late:
        assert (fault(dialogue).reason, fault(dialogue).fuel) == (LATE, fuel)
    else:
        assert [event.fuel for event in dialogue.events if isinstance(event, Moved)] == [fuel]


def test_each_turn_has_its_own_fuel() -> None:
    """What was used for one move is not charged to the next."""
    dialogue = table()
    while dialogue.referee.result is None:
        burn(dialogue, 500)
    assert dialogue.verdicts() == []
    dialogue.verify()


def test_fuel_is_charged_for_everything_that_is_said_in_a_turn() -> None:
    """A seat that tries again does so with the fuel that is left, so words between do not reset its clock."""
    dialogue = table(every("retry 5", "expel"))
    for fuel in (200, 200, 100):
        burn(dialogue, fuel, Garbled("noise"))
    assert [event.offence for event in dialogue.events if isinstance(event, Faulted)] == [
        Offence.MALFORMED
    ] * 3
    burn(dialogue, 1)
    assert (fault(dialogue).offence, fault(dialogue).reason) == (Offence.LATE, LATE)
    burn(dialogue, 500)  # a late seat that may try again has its whole limit
    assert dialogue.on_turn == 1
    dialogue.play_out()
    dialogue.verify()


def test_what_is_said_out_of_turn_is_charged_to_the_next_turn() -> None:
    """A seat cannot think for nothing while the other one is asked."""
    dialogue = table(every("retry 5", "expel"))
    dialogue.take(Heard(1, Garbled("noise"), 0, 0, UNSET, UNSET, 400))
    burn(dialogue, 10)
    burn(dialogue, 101)
    assert (fault(dialogue).seat, fault(dialogue).offence) == (1, Offence.LATE)


def test_an_ignored_answer_is_charged() -> None:
    """An answer to an old question is ignored, but not its fuel."""
    dialogue = table()
    burn(dialogue, 10)
    burn(dialogue, 10)
    burn(dialogue, 450, Act(dialogue.state.legal_moves()[0], 0))
    assert isinstance(dialogue.events[-1], Ignored)
    burn(dialogue, 51)
    assert dialogue.verdicts() == [(0, "late", "expel")]
    dialogue.play_out()
    dialogue.verify()


def test_a_seat_may_use_the_fuel_of_ten_moves_to_get_ready() -> None:
    """A player may prepare tables; one unit more is late."""
    dialogue = Dialogue(HEXAPAWN, limits=FUELLED)
    dialogue.take(Heard(0, Ready(), 0, 0, UNSET, UNSET, 5_000))
    assert dialogue.events[-1] == SatDown(0, False, 0, fuel=5_000)
    dialogue.take(Heard(1, Ready(), 0, 0, UNSET, UNSET, 5_001))
    assert dialogue.verdicts() == [(1, "late", "expel")]
    assert fault(dialogue).reason == "used more than 5,000 fuel"


def test_a_player_that_was_stopped_is_late_by_its_fuel() -> None:
    """There is no answer to judge; the fuel says why."""
    dialogue = table()
    dialogue.take(Lapsed(0, fuel=501))
    assert (fault(dialogue).reason, fault(dialogue).fuel, fault(dialogue).said) == (LATE, 501, None)
    dialogue.verify()


def test_the_time_runs_beside_the_fuel() -> None:
    """A seat that waits for ever uses no fuel: its time ends that."""
    dialogue = table()
    dialogue.lapse(0)
    assert (fault(dialogue).reason, fault(dialogue).fuel) == ("no answer in time", UNSET)
    dialogue = table()
    dialogue.take(Heard(0, Act(dialogue.state.legal_moves()[0]), 101, 0, UNSET, UNSET, 5))
    assert fault(dialogue).reason == "the answer came too late"


def test_a_lost_turn_takes_its_fuel_along() -> None:
    """After a move that the referee made for it, a seat has its whole limit again."""
    dialogue = table(conduct(late=ladder("default"), illegal=ladder("default")))
    for _ in range(3):
        burn(dialogue, 400, Garbled("noise"))
        burn(dialogue, 501)
    assert {event.offence for event in dialogue.events if isinstance(event, Faulted) and event.seat == 0} == {
        Offence.MALFORMED
    }
    dialogue.play_out()
    dialogue.verify()


def test_fuel_without_a_limit_is_only_noted() -> None:
    """A match without `--fuel` has the fuel in its record, and nobody is late by it."""
    dialogue = Dialogue(HEXAPAWN).seated()
    burn(dialogue, 10**12)
    assert dialogue.verdicts() == []
    assert dialogue.play_out().verdict == "finished"
    dialogue.verify()


def test_a_match_without_fuel_is_written_as_before() -> None:
    """So older records are read and written to the same bytes."""
    dialogue = Dialogue(HEXAPAWN).seated()
    dialogue.play_out()
    assert b"fuel" not in dialogue.record()
    assert b"modules" not in dialogue.record()


@pytest.mark.parametrize("seed", range(40))
def test_any_fuel_can_be_replayed(seed: int) -> None:
    """Whatever fuel comes with whatever is said, the record follows from it."""
    rng = Random(seed)
    dialogue = table(every("retry 2", "default", counted="row"))
    while dialogue.referee.result is None:
        fuel = rng.choice((0, 100, 300, 500, 501))
        happenings = (
            Heard(dialogue.on_turn, Act(dialogue.state.legal_moves()[0]), 0, 0, UNSET, UNSET, fuel),
            Heard(rng.randrange(2), Garbled("noise"), 0, 0, UNSET, UNSET, fuel),
            Heard(rng.randrange(2), Act(dialogue.wrong(), rng.randrange(4)), 0, 0, UNSET, UNSET, fuel),
            Lapsed(dialogue.on_turn, fuel=rng.choice((UNSET, fuel))),
        )
        dialogue.take(rng.choice(happenings))
    dialogue.verify()


@pytest.mark.parametrize("other", [500, 502, 0])
def test_a_verdict_does_not_follow_from_another_fuel(other: int) -> None:
    """Whoever lowers the fuel of a late answer is found out without the module; more is late, too."""
    dialogue = table()
    burn(dialogue, 501)
    lines = [
        encode(msgspec.structs.replace(event, fuel=other) if isinstance(event, Faulted) else event)
        for event in dialogue.events
    ]
    forged = Replay(b"".join(line + b"\n" for line in lines), "x")
    if other > 500:
        forged.verify()
    else:
        with pytest.raises(BadInput, match="line 4: replayed, this line is"):
            forged.verify()


def test_a_move_does_not_follow_from_more_fuel_than_the_limit() -> None:
    """A move that stands was in time."""
    dialogue = table()
    burn(dialogue, 500)
    dialogue.play_out()
    record = dialogue.record().replace(b'"fuel":500}\n', b'"fuel":501}\n')
    with pytest.raises(BadInput, match="used more than 500 fuel"):
        Replay(record, "x").verify()


@pytest.mark.parametrize("fuel", [-1, 1.5, "many"])
def test_a_record_with_impossible_fuel_is_not_read(fuel: object) -> None:
    """Less than none would pay for the next move."""
    dialogue = table()
    burn(dialogue, 7)
    dialogue.play_out()
    record = dialogue.record().replace(b'"fuel":7}', b'"fuel":' + msgspec.json.encode(fuel) + b"}")
    with pytest.raises(BadInput, match="line 4"):
        Replay(record, "x")


@pytest.mark.parametrize(
    "text", ["", "M", "-5", "5 M M", "5T", "0", "1e9", "0.1", f"{MOST_FUEL + 1}", "9" * 99]
)
def test_what_is_no_fuel(text: str) -> None:
    with pytest.raises(ValueError, match="fuel"):
        fuel_of(text)
