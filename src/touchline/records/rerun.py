"""Rerun a record: feed its happenings to a new referee, and yield what the referee does about each.

Law of this file: a rerun does not depart from its record in silence. The first event that the referee notes
otherwise than the record has it is BadInput.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import encode
from touchline.core.happenings import Note
from touchline.drivers.match import opened, referee_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.happenings import Effect, Happening
    from touchline.core.rules import State
    from touchline.drivers.match import MatchSpec
    from touchline.records.replay import Replay


def rerun(replay: Replay) -> Iterator[tuple[Happening | None, list[Effect]]]:
    """Yield each happening of a match with the referee's effects; the first is None, the beginning.

    A record that was cut off ends a rerun early. Its last effects may then hold events that the record has
    no line for.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> replay = touchline.play("hexapawn", ["random", "greedy"], seed=1, record=path).replay()
    >>> (first, asked), (second, _), *_ = rerun(replay)
    >>> first, asked[0].seat, second.seat
    (None, 0, 0)
    """
    spec = replay.spec()
    referee = referee_for(spec, first_state(spec, replay), replay.begun.talks)
    done = 1  # line 1 is the event `begun`, which the driver announces
    happening: Happening | None = None
    effects = referee.begin(spec.refused)
    while True:
        done = _compared(replay, effects, done)
        yield happening, effects
        if done >= len(replay.events):
            return
        happening = replay.happening_of(replay.events[done])
        if happening is None:
            raise BadInput("no input can have caused this event", f"{replay.where}, line {done + 1}")
        effects = referee.take(happening)
        if not any(isinstance(effect, Note) for effect in effects):
            raise BadInput("replayed, this line is nothing", f"{replay.where}, line {done + 1}")


def happenings(replay: Replay) -> list[Happening]:
    """Return what happened in a match, in order: the input that made the referee note its events."""
    return [happening for happening, _ in rerun(replay) if happening is not None]


def first_state(spec: MatchSpec, replay: Replay) -> State:
    """Return the first state of a recorded match. BadInput if the terms in line 1 do not fit the game."""
    try:
        return opened(spec)
    except TouchlineError as error:
        raise BadInput(str(error), f"{replay.where}, line 1") from None


def _compared(replay: Replay, effects: list[Effect], done: int) -> int:
    """Compare the events that were noted with the lines from `done` on; return the next line to read."""
    for effect in effects:
        if isinstance(effect, Note) and done < len(replay.events):
            if encode(effect.event) != encode(replay.events[done]):
                again = encode(effect.event).decode()
                raise BadInput(f"replayed, this line is {again}", f"{replay.where}, line {done + 1}")
            done += 1
    return done
