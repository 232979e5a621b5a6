"""What an offence costs: for each kind of offence a ladder of sanctions, as data.

Law of this file: every ladder comes to an end. One that could run for ever is refused when it is
built, so a match in which everybody misbehaves for ever still ends.

The five notes that this system grew from each had a discipline of its own. They are the constants
at the end, with the sentence each rests on; an organiser writes another in TOML.
"""

from __future__ import annotations

import enum
import tomllib
from typing import Any, Literal

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput


class Offence(enum.Enum):
    """What a player can do wrong. A frame that cannot be read is malformed; an answer that breaks the
    rules is illegal; anything sent when nothing was asked is out of turn."""

    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    LATE = "late"
    OUT_OF_TURN = "out_of_turn"
    GONE = "gone"
    """Crashed, exited, or hung up."""
    FLOOD = "flood"
    """Sent more than anybody may."""
    NOT_READING = "not_reading"
    """Does not take what it is sent."""
    REFUSED = "refused"
    """Never got as far as sitting down: the program did not start, or did not say hello."""


class Sanction(enum.Enum):
    """What the referee can do about it."""

    RETRY = "retry"
    """Refuse it and say why; the seat may try again while its turn lasts."""
    SKIP = "skip"
    """Take the turn away."""
    DEFAULT = "default"
    """Play the game's default move in its place."""
    RANDOM = "random"
    """Play a legal move in its place, drawn from the match's seed."""
    EXPEL = "expel"
    """Remove the seat by the game's own rule; the others play on."""
    FORFEIT = "forfeit"
    """End the match: this seat has lost it."""
    VOID = "void"
    """End the match: it does not count."""


FINAL = frozenset({Sanction.EXPEL, Sanction.FORFEIT, Sanction.VOID})
PLAYING = frozenset({Sanction.DEFAULT, Sanction.RANDOM})
"""These bring the game forward, so they may go on for as long as the game does."""

MOST_RETRIES = 100


class Step(Struct, frozen=True):
    """A rung of a ladder, and how many offences it serves for."""

    sanction: Sanction
    times: int = 1


class Ladder(Struct, frozen=True):
    """The first offence meets the first step, and so on; the last step serves for all that follow."""

    steps: tuple[Step, ...]
    counted: Literal["turn", "row", "match"] = "match"
    """What is counted: offences in one turn, in turns of the seat's that follow each other, or all."""

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a ladder has at least one step")
        if any(not 1 <= step.times <= MOST_RETRIES for step in self.steps):
            raise ValueError(f"a step serves for 1 to {MOST_RETRIES} offences")
        if any(step.sanction in FINAL for step in self.steps[:-1]):
            raise ValueError("nothing comes after expel, forfeit or void")

    @property
    def last(self) -> Sanction:
        return self.steps[-1].sanction

    def sanction(self, count: int) -> Sanction:
        """What the `count`-th offence costs, counted from 1."""
        for step in self.steps:
            if count <= step.times:
                return step.sanction
            count -= step.times
        return self.last


def ladder(*steps: str, counted: Literal["turn", "row", "match"] = "match") -> Ladder:
    """A ladder from words.

    >>> ladder("retry 2", "expel").sanction(3)
    <Sanction.EXPEL: 'expel'>
    """
    return Ladder(tuple(map(_step, steps)), counted)


def _step(text: str) -> Step:
    word, _, times = text.strip().partition(" ")
    try:
        return Step(Sanction(word), int(times) if times else 1)
    except ValueError:
        known = ", ".join(sanction.value for sanction in Sanction)
        raise ValueError(f"{text!r} is not a sanction ({known}), perhaps with a count: 'retry 2'") from None


class Conduct(Struct, frozen=True, kw_only=True):
    """What every offence costs in a match."""

    name: str
    illegal: Ladder
    late: Ladder
    gone: Ladder
    out_of_turn: Ladder
    malformed: Ladder | None = None
    """None: it counts as illegal, on the same ladder and by the same count."""
    flood: Ladder = ladder("expel")
    not_reading: Ladder = ladder("expel")
    refused: Ladder = ladder("expel")
    idle: int = 3
    """The so-manieth turn in a row that is taken away from a seat expels it."""

    def __post_init__(self) -> None:
        if not 1 <= self.idle <= MOST_RETRIES:
            raise ValueError(f"idle is 1 to {MOST_RETRIES} turns")
        for offence in Offence:
            rungs = self.ladder(offence)
            if rungs.last is Sanction.RETRY:
                raise ValueError(f"{offence.value}: asking again for ever never ends; add a last step")
            if offence in ABSENT and any(step.sanction is Sanction.RETRY for step in rungs.steps):
                raise ValueError(f"{offence.value}: there is nobody to ask again")

    def ladder(self, offence: Offence) -> Ladder:
        """The ladder for an offence."""
        if offence is Offence.MALFORMED and self.malformed is None:
            return self.illegal
        rungs: Ladder = getattr(self, offence.value)
        return rungs

    def counted_as(self, offence: Offence) -> Offence:
        """Which offences are counted together."""
        return Offence.ILLEGAL if offence is Offence.MALFORMED and self.malformed is None else offence


ABSENT = frozenset({Offence.GONE, Offence.FLOOD, Offence.NOT_READING, Offence.REFUSED})
"""After these nobody answers at the seat any more."""


class _Rungs(Struct, forbid_unknown_fields=True):
    """A ladder as it is written in TOML."""

    steps: list[str]
    counted: Literal["turn", "row", "match"] = "match"


class _Written(Struct, forbid_unknown_fields=True, kw_only=True):
    """A conduct as it is written in TOML: the ladders that differ from another conduct's."""

    name: str
    like: str = "course"
    idle: int | None = None
    illegal: _Rungs | None = None
    late: _Rungs | None = None
    gone: _Rungs | None = None
    out_of_turn: _Rungs | None = None
    malformed: _Rungs | None = None
    flood: _Rungs | None = None
    not_reading: _Rungs | None = None
    refused: _Rungs | None = None


def read(text: str, where: str) -> Conduct:
    """The conduct that an organiser wrote in TOML; BadInput says what is wrong and at which key.

    >>> read('name = "mild"\\nillegal.steps = ["retry 2", "random"]', "mild.toml").illegal.last
    <Sanction.RANDOM: 'random'>
    """
    try:
        written = msgspec.convert(tomllib.loads(text), _Written)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"not TOML: {error}", where) from None
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        raise BadInput(what, f"{where}: {path.rstrip('`')}" if path else where) from None
    if written.like not in CONDUCTS:
        known = ", ".join(CONDUCTS)
        raise BadInput(f"no conduct is called {written.like!r}; there are: {known}", f"{where}: like")
    changes: dict[str, Any] = {"name": written.name}
    if written.idle is not None:
        changes["idle"] = written.idle
    for offence in Offence:
        rungs: _Rungs | None = getattr(written, offence.value)
        if rungs is not None:
            try:
                changes[offence.value] = ladder(*rungs.steps, counted=rungs.counted)
            except ValueError as error:
                raise BadInput(str(error), f"{where}: {offence.value}.steps") from None
    try:
        return msgspec.structs.replace(CONDUCTS[written.like], **changes)
    except ValueError as error:
        raise BadInput(str(error), where) from None


COURSE = Conduct(
    name="course",
    illegal=ladder("expel"),
    late=ladder("expel"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
"""The courses': illegal, malformed, late, crashed or gone is expelled at once, and the rest play on."""

SEED_000 = msgspec.structs.replace(COURSE, name="seed-000")
"""Fish by calls. "During the Placement phase and beyond, a Player may perform a move which violate
the rules of Fish. The Referee will call `terminate` once on this player, and then remove this
Player's penguins from the `Game`."."""

SEED_001 = Conduct(
    name="seed-001",
    illegal=ladder("retry 2", "skip", counted="turn"),
    malformed=ladder("retry 2", "expel", counted="row"),
    late=ladder("skip 2", "expel", counted="row"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
"""Fish by push. "If the move is invalid, then the referee will not execute the move on the
GameState, and will invoke `rejectMove(reason)`"; a turn is skipped "because they took too long";
"if a player is behaving nefariously, the referee can ban them from the game"."""

SEED_002 = Conduct(
    name="seed-002",
    illegal=ladder("retry", "forfeit", counted="turn"),
    late=ladder("forfeit"),
    gone=ladder("forfeit"),
    out_of_turn=ladder("forfeit"),
    flood=ladder("forfeit"),
    not_reading=ladder("forfeit"),
    refused=ladder("forfeit"),
)
"""Hexapawn by ports. "When a player submits an illegal move, a new `request` is sent to the same
player. If the players responds with another illegal move, the game is ended in favor of the
opponent. When a player submits a move while it is not their turn, the game is ended in favor of the
opponent."."""

SEED_003 = msgspec.structs.replace(COURSE, name="seed-003")
"""Labyrinth by tasks. "The player must respond within the given timeout of milliseconds, otherwise
the referee will kick the player out"; "if the player's move is not valid according to the referee's
rules, the referee will kick the player out"."""

SEED_004 = msgspec.structs.replace(COURSE, name="seed-004")
"""Labyrinth remote. "The game will proceed according to the process we outlined in
player-protocol.md", where a wrong or malformed call gets the player kicked."""

CONDUCTS = {conduct.name: conduct for conduct in (COURSE, SEED_000, SEED_001, SEED_002, SEED_003, SEED_004)}
"""The conducts that are there by name."""
