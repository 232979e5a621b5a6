"""The full screen of a spectator: a live match or a record, step by step in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message

from touchline.draw.words import legend
from touchline.terminal.board import Lights
from touchline.terminal.palette import FAINT
from touchline.terminal.view import MatchView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.timer import Timer

    from touchline.core.events import Event
    from touchline.core.rules import Game, State
    from touchline.records.match_log import Entry, MatchLog

PACES = (0.1, 0.25, 0.5, 1.0, 2.0)
"""Seconds between two moves that are shown by themselves."""
KEYS = """\
→ ←        one step forwards, one back
Home End   the first position, the last
PgDn PgUp  ten steps forwards, ten back
Space      go on by itself; again: stop
+ -        faster, slower
q          leave"""


class StepView(MatchView):
    """The positions of a match, one at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "back", priority=True),
        Binding("right,enter", "step(1)", "forwards", priority=True),
        Binding("pageup", "step(-10)", show=False, priority=True),
        Binding("pagedown", "step(10)", show=False, priority=True),
        Binding("home", "step(-1_000_000)", show=False, priority=True),
        Binding("end", "step(1_000_000)", show=False, priority=True),
        Binding("space", "run", "go on / stop"),
        Binding("plus,equals_sign", "pace(-1)", "faster", key_display="+"),
        Binding("minus", "pace(1)", "slower", key_display="-"),
        Binding("escape", "leave", show=False),
    ]

    class Happened(Message):
        """An event of a live match."""

        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class Over(Message):
        """The live match is over."""

    def __init__(self, game: Game, log: MatchLog, *, live: bool = False, at: int = 0) -> None:
        super().__init__(game, log)
        self._live = self._watching = live  # who watches does not see the moves before the board does
        self._going, self._pace = live, 2
        self.at = at
        """The number of the entry that is shown."""
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        super().on_mount()
        self._timer = self.set_interval(PACES[self._pace], self._go_on)

    def on_step_view_happened(self, message: Happened) -> None:
        if self.history.follow(message.event) is not None:
            self.draw()

    def on_step_view_over(self) -> None:
        self._live = False
        self.draw()

    def _go_on(self) -> None:
        if self._going and self.at + 1 < len(self.history.entries):
            self.at += 1
            self.draw()

    # -- what is shown ------------------------------------------------------------------------

    def shown(self) -> tuple[State | None, Lights]:
        if not self.history.entries:
            return None, Lights()
        entry = self.history.entries[self.at]
        return entry.state, Lights(marked=entry.keys, flash=True)

    def entries(self) -> Sequence[Entry]:
        return self.history.entries[: self.at + 1] if self._watching else self.history.entries

    def entry_at(self) -> int | None:
        return self.at

    def status(self) -> Text:
        if not self.history.entries:
            return Text(self.printed or "the players are being started ...", FAINT)
        entry, last = self.history.entries[self.at], len(self.history.entries) - 1
        text = Text(
            f"{'fault: ' if entry.fault else ''}{entry.text}\n", "bold #ff9d8f" if entry.fault else "bold"
        )
        more = ", the match goes on" if self._live else ""
        going = "going on by itself" if self._going else "← → step, Space goes on by itself"
        return text.append(f"{self.at} of {last}{more} · turn {entry.turn} · {going}", FAINT)

    def help_text(self) -> str:
        state, _ = self.shown()
        marks = [] if state is None else [f"{mark:<10} {meaning}" for mark, meaning in legend(state.sketch())]
        return f"{KEYS}\n\nThe spots of the move are bright.\n\n" + "\n".join(marks)

    # -- keys ---------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        self._going = False
        self.at = max(0, min(len(self.history.entries) - 1, self.at + by))
        self.draw()

    def action_run(self) -> None:
        self._going = not self._going
        self.draw()

    def action_pace(self, by: int) -> None:
        self._pace = max(0, min(len(PACES) - 1, self._pace + by))
        self._going = True
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(PACES[self._pace], self._go_on)
        self.draw()
