"""Mutants at everything that decodes: both sides of every dialect, sign-ups and framings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from dialects.mutant_moments import SETTINGS, Setting, Tally, hear, moments, sign_up, valid
from mutant_siege.units import MOST_FAILURES, Outcome, Unit, error_line, minimised
from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.dialects.base import UNREADABLE
from touchline.testing.mutants import Mutants, pieces
from touchline.transports.shared.framing import FRAMINGS, Overflow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.transports.shared.framing import Framing

COUNTED = 16
"""Of so many messages, one is heard with its steps counted."""
TURNS_OF_A_FACE = 6
"""Messages that one player hears before the next begins."""
IN_A_STREAM = 8


class Stuck(Exception):
    """A player cannot move, which is its own affair."""


class Willing:
    """Makes the first legal move, if there is one."""

    def choose(self, view: Any, turn: int) -> Any:
        moves = view.legal_moves()
        if not moves:
            raise Stuck
        return moves[0]


def run(unit: Unit) -> Outcome:
    """Send a unit's mutants to the decoders of a setting."""
    setting, outcome = SETTINGS[unit.setting], Outcome("decoders")
    ways: list[tuple[int, Callable[[Setting, Unit, int, Outcome], None]]] = [
        (unit.messages * 11 // 16, _dialect),
        (unit.messages * 2 // 16, _sign_ups),
        (unit.messages * 2 // 16, _face),
        (unit.messages // 16, _framing),
    ]
    for count, way in ways:
        way(setting, unit, count, outcome)
    return outcome


def _attempt(
    outcome: Outcome, unit: Unit, what: str, frame: bytes, hears: Callable[[bytes], object], again: Any = None
) -> bool:
    """Hear a frame; note what is raised, with the shortest input that raises it. False: stop here."""
    outcome.messages += 1
    try:
        hears(frame)
    except Exception as error:
        kind, fresh = type(error), again or hears

        def fails(shorter: bytes) -> bool:
            try:
                fresh(shorter)
            except kind:
                return True
            except Exception:
                return False
            return False

        outcome.fail(unit, error_line(error), minimised(frame, fails), what)
    return len(outcome.failures) < MOST_FAILURES


def _dialect(setting: Setting, unit: Unit, count: int, outcome: Outcome) -> None:
    board = unit.number % 2
    every = moments(setting, board)
    asked = [name for name in every if "turn" in name]
    mutants, names = Mutants(valid(setting).answers, unit.random_seed), [*every]
    tally = Tally()
    for number in range(count):
        some = asked if number % 2 else names
        name, counted = some[number // 2 % len(some)], number % COUNTED == 0
        going = _attempt(
            outcome, unit, f"{setting} {name}", next(mutants),
            lambda frame, name=name, counted=counted: hear(  # type: ignore[misc]
                every[name], frame, tally, counted=counted
            ),
            lambda frame, name=name: hear(moments(setting, board)[name], frame, tally),
        )  # fmt: skip
        if not going:
            return


def _sign_ups(setting: Setting, unit: Unit, count: int, outcome: Outcome) -> None:
    kind, said, tally = registry.dialect(setting.dialect), valid(setting), Tally()
    mutants = Mutants([*said.sign_ups, *said.answers[:5]], f"{unit.random_seed} names")
    for _ in range(count):
        hears = lambda frame: sign_up(kind, frame, tally)  # noqa: E731 - it is needed once
        if not _attempt(outcome, unit, f"{setting} sign-up", next(mutants), hears):
            return


def _face(setting: Setting, unit: Unit, count: int, outcome: Outcome) -> None:
    module, calls = registry.dialect(setting.dialect), valid(setting).calls
    mutants, rng = Mutants(calls, f"{unit.random_seed} face"), Random(unit.random_seed)

    def sitting(heard: int) -> Any:
        face = module.face(Willing(), rng=Random(1))
        for frame in calls[:heard]:
            face.hear(frame)
        return face

    def hears(face: Any, frame: bytes) -> None:
        try:
            answers = face.hear(frame)
        except (TouchlineError, Stuck, *UNREADABLE):
            return
        assert all(type(answer) is bytes for answer in answers)

    for number in range(count):
        if number % TURNS_OF_A_FACE == 0:
            heard = number // TURNS_OF_A_FACE % 5
            face = sitting(heard)
        frame = next(mutants) if rng.random() < 0.9 else rng.choice(calls)
        going = _attempt(
            outcome, unit, f"{setting} face", frame,
            lambda frame, face=face: hears(face, frame),  # type: ignore[misc]
            lambda frame, heard=heard: hears(sitting(heard), frame),
        )  # fmt: skip
        if not going:
            return


def _framing(setting: Setting, unit: Unit, count: int, outcome: Outcome) -> None:
    rng = Random(f"{unit.random_seed} framing")
    mutants = Mutants(valid(setting).answers, f"{unit.random_seed} framing", 2000)

    def same_frames(stream: bytes, name: str, most: int, seed: int) -> None:
        whole, parts = _fed(FRAMINGS[name](most), [stream]), pieces(stream, Random(seed), 8)
        cut = _fed(FRAMINGS[name](most), parts)
        assert cut[1] == whole[1], "whether it is too much depends on how it is cut"
        assert cut[0][: len(whole[0])] == whole[0], "the frames depend on how they are cut"
        assert whole[1] or cut[0] == whole[0], "the frames depend on how they are cut"

    for _ in range(count // IN_A_STREAM):
        name, most, seed = rng.choice([*FRAMINGS]), rng.choice((40, 2000, 65_536)), rng.randrange(1 << 30)
        ends = rng.choices((b"", b" ", b"\n", b"\r\n"), k=IN_A_STREAM)
        stream = b"".join(next(mutants) + end for end in ends)
        outcome.messages += IN_A_STREAM - 1
        hears = lambda data, name=name, most=most, seed=seed: same_frames(data, name, most, seed)  # noqa: E731
        if not _attempt(outcome, unit, f"{setting} {name}", stream, hears):
            return


def _fed(cutter: Framing, parts: Iterable[bytes]) -> tuple[list[bytes], bool]:
    frames: list[bytes] = []
    for part in parts:
        try:
            frames += cutter.feed(part)
        except Overflow:
            return frames, True
    return frames, False
