"""A person at the full screen, as a player: asks the screen from the referee's thread, and waits."""

from __future__ import annotations

import queue
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from touchline.core.messages import Resigned

if TYPE_CHECKING:
    from touchline.core.clock import Micros

POLL = 0.2
"""Seconds between two looks whether the person has left."""


class Question:
    """A move that a person is asked for."""

    def __init__(self, view: Any, deadline: float | None) -> None:
        self.view, self.deadline = view, deadline
        self.sketch = view.sketch()
        self.moves = view.legal_moves()
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def play(self, index: int) -> None:
        """Answer with a legal move, by its number."""
        self._answers.put(self.moves[index])

    def resign(self) -> None:
        self._answers.put(Resigned("resigned"))

    def wait(self, seconds: float) -> Any:
        """Return the answer. queue.Empty after some seconds."""
        return self._answers.get(timeout=seconds)

    def left(self) -> float | None:
        """Return the seconds that are left; None without a limit."""
        return None if self.deadline is None else self.deadline - monotonic()


class Screen(Protocol):
    """What asks a person; its methods may be called from any thread."""

    def ask(self, question: Question) -> None:
        """Show a question."""

    def withdraw(self, question: Question) -> None:
        """Show that the time for a question is up."""

    def gone(self) -> bool:
        """Return whether the person has left the screen."""


class ScreenPerson:
    """A player who chooses moves at the full screen."""

    game: ClassVar[str | None] = None

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._deadline: float | None = None

    def allow(self, budget: Micros | None) -> None:
        """Start the clock of the next move."""
        self._deadline = None if budget is None else monotonic() + budget / 1e6

    def choose(self, view: Any, turn: int = 0) -> Any:
        """Return the move that the person chooses; raise Resigned, or KeyboardInterrupt if the person leaves.

        Return None when the time is up: the referee measured it, too, and says that this is late.
        """
        question = Question(view, self._deadline)
        self._screen.ask(question)
        while not self._screen.gone():
            left = question.left()
            if left is not None and left < 0:
                self._screen.withdraw(question)
                return None
            try:
                answer = question.wait(POLL if left is None else min(POLL, left + 0.01))
            except queue.Empty:
                continue
            if isinstance(answer, Resigned):
                raise answer
            return answer
        raise KeyboardInterrupt
