"""Ladders of sanctions: what they cost, which are refused, and how they are read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.conducts.base import read
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.conducts.hexapawn_ports import CONDUCT as SEED_002
from touchline.core.conduct import (  # fmt: skip
    ABSENT,
    FINAL,
    MOST_RETRIES,
    Conduct,
    Ladder,
    LadderStep,
    Offence,
    Sanction,
    ladder,
)
from touchline.core.errors import BadInput
from touchline.core.registry import CONDUCTS


def costs(rungs: Ladder, count: int) -> list[str]:
    return [rungs.sanction(number).value for number in range(1, count + 1)]


# -- ladders -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["expel"], ["expel", "expel", "expel"]),
        (["retry", "expel"], ["retry", "expel", "expel"]),
        (["retry 2", "expel"], ["retry", "retry", "expel", "expel"]),
        (["retry 2", "skip 2", "random"], ["retry", "retry", "skip", "skip", "random", "random"]),
        (["skip 3"], ["skip", "skip", "skip", "skip"]),
        (["retry", "default", "void"], ["retry", "default", "void", "void"]),
        (["forfeit"], ["forfeit"]),
    ],
)
def test_steps(steps: list[str], expected: list[str]) -> None:
    """Each step serves for its count, and the last for all that follow."""
    assert costs(ladder(*steps), len(expected)) == expected


@pytest.mark.parametrize("counted", ["turn", "row", "match"])
def test_counted(counted: Any) -> None:
    """A ladder says what it counts; all offences of the match if nothing is said."""
    assert ladder("expel", counted=counted).counted == counted
    assert ladder("expel").counted == "match"


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ([], "at least one step"),
        (["retry 0", "expel"], "1 to 100"),
        (["retry -1", "expel"], "1 to 100"),
        ([f"retry {MOST_RETRIES + 1}", "expel"], "1 to 100"),
        (["expel", "retry"], "nothing comes after"),
        (["forfeit", "expel"], "nothing comes after"),
        (["retry", "void", "expel"], "nothing comes after"),
        (["jump"], "not a sanction"),
        (["retry two", "expel"], "not a sanction"),
        (["retry 2 3", "expel"], "not a sanction"),
        (["Retry", "expel"], "not a sanction"),
        ([""], "not a sanction"),
    ],
)
def test_ladders_that_are_refused(steps: list[str], complaint: str) -> None:
    """What is no ladder cannot be built, and the reason is said."""
    with pytest.raises(ValueError, match=complaint):
        ladder(*steps)


def test_the_most_retries() -> None:
    """A hundred is still allowed."""
    assert ladder(f"retry {MOST_RETRIES}", "expel").sanction(MOST_RETRIES) is Sanction.RETRY
    assert ladder(f"retry {MOST_RETRIES}", "expel").sanction(MOST_RETRIES + 1) is Sanction.EXPEL


@given(
    st.lists(st.builds(LadderStep, st.sampled_from(Sanction), st.integers(1, 5)), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_a_ladder_is_its_steps_written_out(steps: list[LadderStep], count: int) -> None:
    """The n-th offence costs the n-th of the steps, each written so often as it serves."""
    final = [number for number, step in enumerate(steps) if step.sanction in FINAL]
    if final:
        steps = steps[: final[0] + 1]
    written = [step.sanction for step in steps for _ in range(step.times)]
    expected = written[min(count, len(written)) - 1]
    assert Ladder(tuple(steps)).sanction(count) is expected


# -- conducts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("offence", list(Offence))
def test_asking_again_for_ever_is_refused(offence: Offence) -> None:
    """No ladder may end in a retry, for any offence."""
    with pytest.raises(ValueError, match=f"^{offence.value}: "):
        msgspec.structs.replace(COURSE, **{offence.value: ladder("retry 3")})
    with pytest.raises(ValueError, match=f"^{offence.value}: "):
        msgspec.structs.replace(COURSE, **{offence.value: ladder("skip", "retry")})


@pytest.mark.parametrize("offence", [offence for offence in Offence if offence in ABSENT])
def test_nobody_is_asked_again_who_is_not_there(offence: Offence) -> None:
    """A ladder for the absent has no retry at all."""
    with pytest.raises(ValueError, match=f"^{offence.value}: no player is left"):
        msgspec.structs.replace(COURSE, **{offence.value: ladder("retry", "expel")})


def test_who_is_absent() -> None:
    """Who is gone, killed, floods, does not read or was refused is not there; who is slow or wrong is."""
    assert {offence.value for offence in ABSENT} == {"gone", "flood", "not_reading", "refused", "limit"}


@pytest.mark.parametrize("idle", [0, -1, MOST_RETRIES + 1])
def test_idle_has_bounds(idle: int) -> None:
    """A seat cannot lose its turn for ever."""
    with pytest.raises(ValueError, match="idle"):
        msgspec.structs.replace(COURSE, idle=idle)


@pytest.mark.parametrize("word", ["skip", "default", "random", "expel", "forfeit", "void"])
def test_what_may_be_the_last_step(word: str) -> None:
    """Everything but a retry comes to an end: by the game, by `idle`, or at once."""
    for offence in Offence:
        built = msgspec.structs.replace(COURSE, **{offence.value: ladder(word)})
        assert built.ladder(offence).last.value == word


def test_malformed_counts_as_illegal() -> None:
    """Unless a conduct names it, malformed is on the ladder of illegal and counted with it."""
    assert COURSE.malformed is None
    assert COURSE.ladder(Offence.MALFORMED) is COURSE.illegal
    assert COURSE.counted_as(Offence.MALFORMED) is Offence.ILLEGAL
    assert SEED_001.malformed is not None
    assert SEED_001.ladder(Offence.MALFORMED) is SEED_001.malformed
    assert SEED_001.counted_as(Offence.MALFORMED) is Offence.MALFORMED
    for offence in set(Offence) - {Offence.MALFORMED, Offence.LIMIT, Offence.STARVED}:
        assert COURSE.counted_as(offence) is offence


def test_limit_counts_as_gone_and_starved_as_late() -> None:
    """Unless a conduct names them: then they have a ladder and a count of their own."""
    assert COURSE.ladder(Offence.LIMIT) is COURSE.gone
    assert COURSE.ladder(Offence.STARVED) is COURSE.late
    assert COURSE.counted_as(Offence.STARVED) is Offence.LATE
    kind = msgspec.structs.replace(COURSE, starved=ladder("retry 2", "skip"), limit=ladder("forfeit"))
    assert kind.counted_as(Offence.STARVED) is Offence.STARVED
    assert kind.ladder(Offence.STARVED).sanction(2) is Sanction.RETRY
    assert kind.ladder(Offence.LIMIT).last is Sanction.FORFEIT


# -- the seeds -----------------------------------------------------------------------------------

KICKED = ["course", "seed-000", "seed-003", "seed-004"]


def test_the_conducts() -> None:
    """There are the courses' conduct, one for each of the five seeds, the usual one, and one for friends."""
    seeds = ["seed-000", "seed-001", "seed-002", "seed-003", "seed-004"]
    assert list(CONDUCTS) == ["course", "friendly", *seeds, "standard"]
    assert all(conduct.name == name for name, conduct in CONDUCTS.items())


@pytest.mark.parametrize("name", KICKED)
@pytest.mark.parametrize(
    "offence", ["illegal", "malformed", "late", "gone", "flood", "not_reading", "refused"]
)
def test_kicked_at_once(name: str, offence: str) -> None:
    """The courses, 000, 003 and 004: illegal, malformed, late, crashed or gone is expelled at once."""
    assert costs(CONDUCTS[name].ladder(Offence(offence)), 2) == ["expel", "expel"]


def test_seed_001() -> None:
    """Three rejections skip the turn; the third malformed or late turn in a row, and being gone, is a ban."""
    conduct = CONDUCTS["seed-001"]
    assert costs(conduct.illegal, 4) == ["retry", "retry", "skip", "skip"]
    assert conduct.illegal.counted == "turn"
    assert costs(conduct.ladder(Offence.MALFORMED), 3) == ["retry", "retry", "expel"]
    assert conduct.ladder(Offence.MALFORMED).counted == "row"
    assert costs(conduct.late, 3) == ["skip", "skip", "expel"]
    assert conduct.late.counted == "row"
    assert costs(conduct.gone, 1) == ["expel"]
    assert costs(conduct.out_of_turn, 10) == ["retry"] * 9 + ["expel"]
    assert conduct.out_of_turn.counted == "turn"


def test_seed_002() -> None:
    """One second chance a turn, then the match is lost; out of turn, late and gone lose at once."""
    conduct = SEED_002
    assert costs(conduct.illegal, 2) == ["retry", "forfeit"]
    assert conduct.illegal.counted == "turn"
    assert conduct.ladder(Offence.MALFORMED) is conduct.illegal
    for offence in set(Offence) - {Offence.ILLEGAL, Offence.MALFORMED}:
        assert costs(conduct.ladder(offence), 1) == ["forfeit"]


# -- reading -------------------------------------------------------------------------------------


def test_read() -> None:
    """What is written differs from the conduct it is like, and the rest is as there."""
    conduct = read(
        """
        name = "mild"
        like = "seed-001"
        idle = 5
        illegal = {steps = ["retry 2", "random"], counted = "row"}
        gone.steps = ["skip 2", "expel"]
        """,
        "mild.toml",
    )
    assert conduct.name == "mild"
    assert conduct.idle == 5
    assert conduct.illegal == ladder("retry 2", "random", counted="row")
    assert conduct.gone == ladder("skip 2", "expel")
    assert (conduct.late, conduct.malformed) == (SEED_001.late, SEED_001.malformed)


def test_read_is_like_the_usual_one() -> None:
    """A conduct that is only named is the usual one under another name."""
    assert read('name = "x"', "x.toml") == msgspec.structs.replace(COURSE, name="x", alone="end")


@pytest.mark.parametrize("word", ["end", "play_on"])
@pytest.mark.parametrize("like", ["course", "standard"])
def test_an_organiser_says_whether_one_alone_plays_on(word: str, like: str) -> None:
    """The word of the file counts, whatever the other conduct says."""
    assert read(f'name = "x"\nlike = "{like}"\nalone = "{word}"', "x.toml").alone == word


def test_one_alone_ends_or_plays_on() -> None:
    """There is no third way."""
    with pytest.raises(BadInput, match=r"x\.toml: alone"):
        read('name = "x"\nalone = "draw"', "x.toml")


@pytest.mark.parametrize("offence", list(Offence))
def test_every_ladder_can_be_written(offence: Offence) -> None:
    """Each offence has a key of its own."""
    conduct = read(f'name = "x"\n{offence.value}.steps = ["skip 2", "void"]', "x.toml")
    assert conduct.ladder(offence) == ladder("skip 2", "void")
    written = {field.name for field in msgspec.structs.fields(Conduct)} - {"name", "idle"}
    assert offence.value in written


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "name"),
        ("name = 7", "x.toml: name:"),
        ('name = "x"\nrandom = 3', "random"),
        ('name = "x"\nlike = "seed-999"', "x.toml: like:"),
        ('name = "x"\nlike = 3', "x.toml: like:"),
        ('name = "x"\nidle = "long"', "x.toml: idle:"),
        ('name = "x"\nidle = 0', "idle"),
        ('name = "x"\nidle = 101', "idle"),
        ('name = "x"\nidle = 1979-05-27', "x.toml: idle:"),
        ('name = "x"\nlate = "expel"', "x.toml: late:"),
        ('name = "x"\nlate.counted = "row"', "x.toml: late:"),
        ('name = "x"\nlate.step = ["expel"]', "x.toml: late:"),
        ('name = "x"\nlate.steps = "expel"', "x.toml: late.steps:"),
        ('name = "x"\nlate.steps = [1]', "x.toml: late.steps[0]:"),
        ('name = "x"\nlate.steps = []', "x.toml: late.steps:"),
        ('name = "x"\nlate.steps = ["jump"]', "x.toml: late.steps:"),
        ('name = "x"\nlate.steps = ["skip 0", "expel"]', "x.toml: late.steps:"),
        ('name = "x"\nlate.steps = ["skip many"]', "x.toml: late.steps:"),
        ('name = "x"\nlate.steps = ["void", "expel"]', "x.toml: late.steps:"),
        ('name = "x"\nlate = {steps = ["expel"], counted = "day"}', "x.toml: late.counted:"),
        ('name = "x"\nlate.steps = ["retry"]', "late:"),
        ('name = "x"\nmalformed.steps = ["retry"]', "malformed:"),
        ('name = "x"\ngone.steps = ["retry", "expel"]', "gone:"),
        ("name = ", "not TOML"),
        ('name = "x"\nname = "y"', "not TOML"),
        ("\x00", "not TOML"),
    ],
)
def test_mistakes_name_the_key(text: str, key: str) -> None:
    """Every kind of mistake is BadInput, which names the file and the key."""
    with pytest.raises(BadInput) as caught:
        read(text, "x.toml")
    assert str(caught.value).startswith("x.toml: ")
    assert key in str(caught.value)


def test_a_file_too_deep_to_read() -> None:
    """TOML that is nested too deeply is BadInput like any other nonsense."""
    with pytest.raises(BadInput, match=r"^x\.toml: "):
        read("name = " + "[" * 100_000, "x.toml")


@given(st.text(max_size=60))
def test_any_text_is_read_or_bad_input(text: str) -> None:
    """Nothing but BadInput comes of a text that is no conduct."""
    try:
        assert isinstance(read(text, "x.toml"), Conduct)
    except BadInput as error:
        complaint = str(error)
    else:
        return
    assert complaint.startswith("x.toml: ")


@given(
    st.dictionaries(
        st.sampled_from([offence.value for offence in Offence]),
        st.tuples(
            st.lists(
                st.sampled_from(
                    ["retry", "retry 2", "skip", "skip 2", "default", "random", "expel", "void", "no"]
                ),
                max_size=3,
            ),
            st.sampled_from(["turn", "row", "match"]),
        ),
    )
)
def test_what_is_read_never_runs_for_ever(ladders: dict[str, tuple[list[str], str]]) -> None:
    """A conduct that is read has no ladder that asks again for ever; anything else is BadInput."""
    lines = [
        f"{name} = {{steps = {steps!r}, counted = '{counted}'}}" for name, (steps, counted) in ladders.items()
    ]
    try:
        conduct = read("\n".join(['name = "x"', *lines]), "x.toml")
    except BadInput:
        return
    for offence in Offence:
        assert conduct.ladder(offence).last is not Sanction.RETRY
