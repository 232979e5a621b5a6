"""Whatever happens, in whatever order, the referee keeps its laws and its record proves itself."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.driven import DISCIPLINES, KINDS, TABLES, Choice, Played, Table, again, choices, play, table
from touchline.core.errors import BadInput
from touchline.games import labyrinth
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERYDAY = 5 * 525
SLOW = 16 * 6600


@pytest.fixture(scope="module", autouse=True)
def few_rounds() -> Iterator[None]:
    """A game of Labyrinth is over after a few rounds: so now and then a move that reaches a goal ends it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labyrinth, "ROUNDS", 5)
        yield


def scripts(first: int, count: int) -> Iterator[tuple[Random, Table, Played]]:
    for number in range(first, first + count):
        rng = Random(f"campaign {number}")
        place = table(rng, number)
        script = choices(rng, rng.choice((0, 4, 12, 25, 60)))
        try:
            played = play(place, script)
            assert played.record == again(place, played.happenings)
            Replay(played.record, "x").verify()
        except Exception as error:
            error.add_note(f"script {number} at {place}")
            raise
        yield rng, place, played


@pytest.mark.parametrize("chunk", range(5))
def test_any_script(chunk: int) -> None:
    """Every law holds in every match, the same happenings give the same bytes, and the record verifies."""
    count = EVERYDAY // 5
    ends = {
        played.watch.ended.result.verdict
        for *_, played in scripts(chunk * count, count)
        if played.watch.ended
    }
    assert ends == {"finished", "forfeited", "void"}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(16))
def test_any_script_at_length(chunk: int) -> None:
    """The same for a hundred thousand other scripts."""
    count = SLOW // 16
    assert sum(1 for _ in scripts(1_000_000 + chunk * count, count)) == count


def test_the_scripts_meet_everything() -> None:
    """The generator leads to every kind of event, every offence and every sanction, and to long matches."""
    seen: set[str] = set()
    longest = 0
    for _, _, played in scripts(5_000_000, len(TABLES) * len(DISCIPLINES) * 8):
        longest = max(longest, played.record.count(b'"type":"moved"'))
        lines = [json.loads(line) for line in played.record.splitlines()]
        for event in lines:
            seen |= {event["type"], event.get("offence", ""), event.get("sanction", "")}
        seen |= {*played.watch.sights, *beginnings(lines[0])}
    assert seen >= {"begun", "sat_down", "moved", "faulted", "ignored", "skipped", "passed_over", "expelled"}
    assert seen >= {"illegal", "malformed", "late", "out_of_turn", "gone", "flood", "not_reading", "refused"}
    assert seen >= {"retry", "skip", "default", "random", "expel", "forfeit", "void"}
    assert seen >= {"sent_on", "resigned", "refused seats", "everybody refused", "proposals"}
    assert seen >= {"sent on", "sent on when it is over", "sent on and it Faulted", "sent on and it Resigned"}
    assert seen >= {"sent on and another Faulted", "sent on and another Resigned", "sent on and it Ignored"}
    assert seen >= {"owed malformed", "owed ignored", "taken_back", "alone"}
    assert longest >= 20


def beginnings(begun: dict[str, Any]) -> Iterator[str]:
    """What there is to see in a first line."""
    if begun["refused"]:
        yield "refused seats"
    if len(begun["refused"]) == len(begun["names"]):
        yield "everybody refused"
    if any(begun["proposals"]):
        yield "proposals"


SMALL = st.builds(
    Choice,
    kind=st.sampled_from(sorted(set(KINDS))),
    seat=st.integers(0, 3),
    which=st.integers(0, 200),
    took=st.integers(-1, 130),
    numbered=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(
    number=st.integers(0, len(TABLES) * len(DISCIPLINES) - 1),
    seed=st.integers(0, 20),
    script=st.lists(SMALL, max_size=20),
)
def test_any_small_script(number: int, seed: int, script: list[Choice]) -> None:
    """The same laws, with scripts that hypothesis can shrink."""
    place = table(Random(seed), number)
    played = play(place, script)
    assert played.record == again(place, played.happenings)
    Replay(played.record, "x").verify()


# -- records that were changed -------------------------------------------------------------------

INPUTS = {"took", "wire", "updates", "guided", "said"}
"""What an event says of the outside world and nothing else repeats: nobody can tell if it is changed."""
TERMS = {"names", "isolation", "conduct", "limits", "turn_cap", "options", "talks", "proposals", "refused"}
"""What was agreed, which may be changed where it made no difference."""


def differences(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, (*path, str(number)))
    elif one != other or type(one) is not type(other):
        yield path


def changed(rng: Random, line: bytes) -> bytes:
    """The line with one byte changed so that it says something else, or can no longer be read."""
    while True:
        at = rng.randrange(len(line))
        new = rng.choice(b'0123456789abcdefghijklmnopqrstuvwxyz-_ "{}[],:')
        other = line[:at] + bytes([new]) + line[at + 1 :]
        try:
            if json.loads(other) != json.loads(line):
                return other
        except ValueError:
            if rng.random() < 0.2:
                return other


def excused(path: tuple[str, ...], line: dict[str, Any], verdict: str) -> bool:
    """Whether what stands there comes from outside, and nothing else in the record follows from it."""
    if line["type"] == "moved" and path[0] == "move":
        return verdict != "finished"  # another legal move would have led nowhere else
    if line["type"] == "begun":
        return path[0] in TERMS
    if line["type"] == "ended":
        return path == ("result", "reason") and line["result"]["verdict"] == "void"
    return path[0] in INPUTS or (line["type"] == "resigned" and path == ("why",))


@pytest.mark.parametrize("chunk", range(4))
def test_a_changed_record_is_refused(chunk: int) -> None:
    """A record in which a byte was changed is BadInput, unless it is an input from which nothing follows."""
    refused = unplaced = 0
    for rng, _, played in scripts(7_000_000 + chunk * 200, 200):
        lines = played.record.splitlines()
        for _ in range(3):
            number = rng.randrange(len(lines))
            other = changed(rng, lines[number])
            data = b"\n".join([*lines[:number], other, *lines[number + 1 :]]) + b"\n"
            try:
                Replay(data, "x").verify()
            except BadInput as error:
                refused += 1
                unplaced += not str(error).startswith("x")
            else:
                line = json.loads(lines[number])
                paths = list(differences(line, json.loads(other)))
                verdict = json.loads(lines[-1])["result"]["verdict"]
                assert all(excused(path, line, verdict) for path in paths), (paths, lines[number], other)
    assert refused > 300
    assert unplaced == 0
