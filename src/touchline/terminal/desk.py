"""People and spectators at the full screen: the match runs in a thread, the screen in the main thread.

Laws of this file: when the screen is left, the terminal is as before and the record is closed; an exception
of the match is raised in the main thread.
"""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from touchline.records.match_log import MatchLog
from touchline.terminal.person import Question, ScreenPerson
from touchline.terminal.play_view import PlayView
from touchline.terminal.step_view import StepView

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Event
    from touchline.core.rules import Game
    from touchline.matches.result import MatchResult

LEAVING = "leaving: waiting for the players to stop; Ctrl-C again leaves at once"


class ScreenDesk:
    """The desk of a match at the full screen; without people it is watched."""

    def __init__(
        self, game: Game, people: int, advise: Callable[[Any], str], rules: Callable[[], str]
    ) -> None:
        log = MatchLog(game)
        self.view: PlayView | StepView = (
            PlayView(game, log, people, advise, rules) if people else StepView(game, log, live=True)
        )
        self._left = threading.Event()
        self._result: MatchResult | None = None
        self._error: BaseException | None = None

    def person(self) -> ScreenPerson:
        """Return a new person at this desk."""
        return ScreenPerson(self)

    # -- called from the thread of the match --------------------------------------------------

    def see(self, event: Event) -> None:
        """Follow the match. KeyboardInterrupt once the screen was left, which ends the match."""
        if self._left.is_set():
            raise KeyboardInterrupt
        self.view.post_message(self.view.Happened(event))

    def ask(self, question: Question) -> None:
        assert isinstance(self.view, PlayView)
        self.view.post_message(PlayView.Asked(question))

    def withdraw(self, question: Question) -> None:
        assert isinstance(self.view, PlayView)
        self.view.post_message(PlayView.Withdrawn())

    def gone(self) -> bool:
        return self._left.is_set()

    def _play(self, play: Callable[[], MatchResult]) -> None:
        try:
            self._result = play()
        except BaseException as error:
            self._error = error
            self.view.call_later(self.view.exit)
        else:
            self.view.post_message(self.view.Over())

    # -- called from the main thread ----------------------------------------------------------

    def run(self, play: Callable[[], MatchResult]) -> MatchResult:
        """Play the match in a thread, and show it until the person leaves the screen."""
        thread = threading.Thread(target=self._play, args=(play,), name="touchline-match", daemon=True)
        self.view.call_later(thread.start)
        before = signal.signal(signal.SIGTERM, lambda number, frame: self.view.exit())
        try:
            self.view.run()
        finally:
            signal.signal(signal.SIGTERM, before)
            self._left.set()
            self._await(thread)
        self.view.check()
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise KeyboardInterrupt
        return self._result

    def _await(self, thread: threading.Thread) -> None:
        """Wait for the match to end, so that its record is closed and its programs are stopped."""
        if not thread.ident:
            return
        thread.join(0.5)
        if thread.is_alive():
            sys.stderr.write(f"{LEAVING}\n")
        while thread.is_alive():
            thread.join(0.2)
