"""A match in any dialects, played in memory without I/O or time, with a log of every frame.

Players are functions of what they are sent, so the same match gives the same log every time.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from touchline.core.happenings import Dismiss, Failed, Heard, Lapsed, Note, Tell
from touchline.core.messages import Expelled, Over
from touchline.drivers.match import opened, referee_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.core.events import Event, Result
    from touchline.core.happenings import Effect
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, Exchange
    from touchline.drivers.match import MatchSpec

Reply: TypeAlias = "bytes | Lapsed | Failed"
Answer: TypeAlias = "Callable[[Seat, bytes], Iterable[Reply]]"
"""A player: given its seat and a frame, it returns frames to send, a time-out, or a failure."""


class Dialogue:
    """One match. After `run()`, `lines` has every frame as text and `events` the referee's events."""

    def __init__(self, spec: MatchSpec, dialects: Sequence[Dialect], answer: Answer) -> None:
        self._names, self._dialects, self._answer = spec.names, dialects, answer
        self._spec = spec
        self.referee = referee_for(spec, opened(spec), range(len(spec.names)))
        self.lines: list[str] = []
        self.events: list[Event] = []
        self._sent: deque[tuple[Seat, bytes]] = deque()
        self._happened: deque[Heard | Lapsed | Failed] = deque()
        self._closed: set[Seat] = set()

    def run(self) -> Result:
        """Play the match to its end and return the result."""
        self._do(self.referee.begin(self._spec.refused))
        while self._happened or self._sent or self.referee.result is None:
            if self._happened:
                self._do(self.referee.take(self._happened.popleft()))
            elif self._sent:
                self._reply(*self._sent.popleft())
            else:
                seat = min(self.referee.awaited)
                self.lines.append(f"{self._names[seat]} says nothing, and its time is up")
                self._do(self.referee.take(Lapsed(seat)))
        return self.referee.result

    def _reply(self, seat: Seat, frame: bytes) -> None:
        for reply in self._answer(seat, frame):
            if isinstance(reply, bytes):
                self.lines.append(f"{self._names[seat]} -> referee: {reply.decode(errors='replace')}")
                self._exchanged(seat, self._dialects[seat].hear(reply))
            else:
                how = "lets its time run out" if isinstance(reply, Lapsed) else "is gone"
                self.lines.append(f"{self._names[seat]} {how}")
                self._happened.append(reply)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self.events.append(effect.event)
            elif isinstance(effect, Tell):
                self._exchanged(effect.seat, self._dialects[effect.seat].say(effect.message))
                if isinstance(effect.message, Expelled | Over):
                    self._closed.add(effect.seat)
            elif isinstance(effect, Dismiss):
                self.lines.append(f"referee parts with {self._names[effect.seat]}")

    def _exchanged(self, seat: Seat, exchange: Exchange) -> None:
        for frame in exchange.frames:
            self.lines.append(f"referee -> {self._names[seat]}: {frame.decode()}")
            self._sent.append((seat, frame))
        for said in exchange.said:
            self._happened.append(Heard(seat, said))
