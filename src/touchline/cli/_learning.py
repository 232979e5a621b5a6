"""Progress of a learning bot's training: count its results, and draw the learning curve while it plays."""

from __future__ import annotations

from bisect import bisect_right
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from touchline.bots.base import LearningBot
    from touchline.core.events import Result
    from touchline.core.rules import Seat

PICTURES = 12
"""Redraws of the chart per second, at most."""
LINES = 10
"""Progress lines in all where no chart can be drawn."""
HIGH = 8
"""Height of the chart in lines of text."""


class School:
    """The results of a training so far; games are numbered from 1."""

    def __init__(self, seats: tuple[Seat, ...], total: int) -> None:
        self.seats, self.total = seats, total
        """The seats that the learner takes in turn, and the number of games."""
        self.games = self.won = self.void = self.resigned = 0
        self.losses: list[int] = []

    def seat(self, game: int) -> Seat:
        return self.seats[(game - 1) % len(self.seats)]

    def count(self, result: Result) -> None:
        self.games += 1
        seat = self.seat(self.games)
        if result.outcome is None:
            self.void += 1
        elif seat in result.outcome.winners:
            self.won += 1
        else:
            self.losses.append(self.games)
            self.resigned += seat in result.resigned

    def last_loss(self, seat: Seat) -> int:
        """Return the last game that was lost on this seat; 0 if there is none."""
        return next((game for game in reversed(self.losses) if self.seat(game) == seat), 0)

    def lost_by(self, game: float) -> int:
        return bisect_right(self.losses, game)


class Show:
    """A live chart on stderr; a few progress lines if stderr is not a terminal."""

    def __init__(self, school: School, pupil: LearningBot, screen: Console) -> None:
        self._school, self._pupil, self._screen = school, pupil, screen
        self._live: Any = None
        self._next = 0.0

    def __enter__(self) -> Show:
        if self._screen.is_terminal and "utf" in self._screen.encoding.lower():
            from rich.live import Live

            self._live = Live(console=self._screen, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.update(self._picture(), refresh=True)
            self._live.stop()

    def update(self) -> None:
        school = self._school
        if self._live is None:
            if school.games % max(1, school.total // LINES) == 0:
                self._screen.print(so_far(school, self._pupil), markup=False)
        elif (now := monotonic()) >= self._next:
            self._next = now + 1 / PICTURES
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Any:
        from rich.text import Text

        from touchline.cli._braille import curve

        school = self._school
        top, wide = max(len(school.losses), 1), max(20, min(72, self._screen.width - 12))
        shown = max(1, 2 * wide * school.games // school.total)
        values = [school.lost_by(column * school.total / (2 * wide - 1)) for column in range(shown)]
        margin = len(str(top))
        drawn = Text()
        for row, line in enumerate(curve(values, top, wide, HIGH)):
            label = str(top) if row == 0 else "0" if row == HIGH - 1 else ""
            drawn.append(f"{label:>{margin}} ", "dim").append("│", "dim").append(line, "bold red").append(
                "\n"
            )
        drawn.append(f"{'':{margin}} └{'─' * wide}\n", "dim")
        drawn.append(
            f"{'':{margin}}  {'lost, by game':<{wide - len(str(school.total))}}{school.total}\n", "dim"
        )
        return drawn.append(so_far(school, self._pupil))


def so_far(school: School, pupil: LearningBot) -> str:
    last = f", the last at game {school.losses[-1]}" if school.losses else ""
    return f"{school.games} games, {len(school.losses)} lost{last}{known(pupil.learnt())}"


def known(learnt: dict[str, int]) -> str:
    return "".join(f", {count} {what}" for what, count in learnt.items())
