"""Drive one player by hand: tell it messages in its dialect, and wait for its answers.

For tools that put questions of their choice to a player, without a match around it. Laws of this file: it
decides nothing; an answer is what the player said, that the player has failed, or None at a deadline.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.happenings import Failed, Lapsed
from touchline.core.messages import Act, Begin, FromPlayer, Onward, Ready, YourTurn
from touchline.dialects import DEFAULT
from touchline.drivers.match import left
from touchline.drivers.pipes import Pipes, micros_now
from touchline.players.in_dialect import InDialect
from touchline.players.process import Program

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.dialects.base import Dialect, Exchange
    from touchline.drivers.match import Bot

Said: TypeAlias = FromPlayer | Failed


class OnePlayer(ABC):
    """A player at one seat. `talks` says whether it is greeted and told the end, or only asked to move."""

    talks = True
    in_process = False
    """Whether it runs in this process, so that nothing can interrupt it at a deadline."""

    @abstractmethod
    def tell(self, message: ToPlayer) -> None:
        """Send a message."""

    @abstractmethod
    def answer(self, within: Micros | None = None) -> Said | None:
        """Wait for the next message of the player; None if there is none within this many microseconds."""

    @abstractmethod
    def propose(self, within: Micros | None = None) -> None:
        """Ask for a proposal, if that is a word of the dialect; the answer is read and dropped."""

    def notes(self) -> str:
        """Return the stderr output of a program, once it has been closed."""
        return ""

    @abstractmethod
    def close(self, grace: float = 0) -> None:
        """Dismiss the player; a program has `grace` seconds to exit by itself."""


def one_player(player: Bot | InDialect | Program, game: Game, seat: Seat, spoken: str | None) -> OnePlayer:
    """Return a player that can be driven by hand; a program speaks the dialect `spoken`, or the default."""
    if isinstance(player, Program):
        return _Started(player, registry.dialect(spoken or DEFAULT)(game), game, seat)
    return _InProcess(player, seat) if isinstance(player, InDialect) else _Bot(player, seat)


class _Bot(OnePlayer):
    """A bot in this process, which is called when it is asked for a move. It cannot be interrupted."""

    talks = False
    in_process = True

    def __init__(self, bot: Bot, seat: Seat) -> None:
        self._bot, self._seat = bot, seat
        self._said: Said | None = None

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, YourTurn):
            try:
                self._said = Act(self._bot.choose(message.view, message.turn), message.turn)
            except Exception as error:
                happened = left(self._seat, error)
                self._said = happened if isinstance(happened, Failed) else happened.said
        elif isinstance(message, Begin | Onward):
            self._said = Ready()

    def answer(self, within: Micros | None = None) -> Said | None:
        said, self._said = self._said, None
        return said

    def propose(self, within: Micros | None = None) -> None:
        """Do nothing: a bot has no proposals."""

    def close(self, grace: float = 0) -> None:
        """Do nothing: it learns nothing from a match that it did not play."""


class _InProcess(OnePlayer):
    """A class with the methods of a dialect's note, in this process; it answers before `tell` returns."""

    in_process = True

    def __init__(self, player: InDialect, seat: Seat) -> None:
        self._face, self._dialect, self._seat = player.face, player.dialect, seat
        self._said: deque[Said] = deque()
        self._failed: Failed | None = None

    def tell(self, message: ToPlayer) -> None:
        self._exchange(self._dialect.say(message))

    def propose(self, within: Micros | None = None) -> None:
        if self._dialect.proposes:
            self._exchange(self._dialect.propose())
            self._said.clear()

    def _exchange(self, exchange: Exchange) -> None:
        frames = deque(exchange.frames)
        self._said += exchange.said
        while frames and self._failed is None:
            try:
                answers = self._face.hear(frames.popleft())
            except Exception as error:
                why = f"raised {type(error).__name__}: {error}"
                self._failed = Failed(self._seat, Offence.GONE, why)
                return
            for answer in answers:
                heard = self._dialect.hear(answer)
                frames += heard.frames
                self._said += heard.said

    def answer(self, within: Micros | None = None) -> Said | None:
        return self._said.popleft() if self._said else self._failed

    def close(self, grace: float = 0) -> None:
        """Do nothing: it was told its last word."""


class _Started(OnePlayer):
    """A program that has been started, over its pipes."""

    def __init__(self, program: Program, dialect: Dialect, game: Game, seat: Seat) -> None:
        self._program, self._dialect, self._seat = program, dialect, seat
        self._pipes = Pipes({seat: program}, game, {seat: dialect})
        self._said: deque[Said] = deque()
        self._failed: Failed | None = None

    def tell(self, message: ToPlayer) -> None:
        self._pipes.tell(self._seat, message)

    def propose(self, within: Micros | None = None) -> None:
        if self._dialect.proposes:
            self._pipes.propose(self._seat)
            self.answer(within)

    def answer(self, within: Micros | None = None) -> Said | None:
        if not self._said and self._failed is None:
            until = None if within is None else micros_now() + within
            arrived = [arrival.what for arrival in self._pipes.wait(until)]
            self._said += [what for what in arrived if not isinstance(what, Lapsed)]  # there is no fuel limit
        if not self._said:
            return self._failed
        said = self._said.popleft()
        if isinstance(said, Failed):
            self._failed = said
        return said

    def notes(self) -> str:
        return self._program.notes.text()

    def close(self, grace: float = 0) -> None:
        if grace > 0:
            self._pipes.close(self._seat, at_once=False)
            self._pipes.see_off()
        self._program.stop(grace)
