"""A dialogue with a referee: what happened goes in, and all it said is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Conduct, Ladder, Offence, ladder
from touchline.core.events import Event, Faulted, encode
from touchline.core.happenings import Broken, Dismiss, Effect, Failed, Happening, Heard, Lapsed, Note, Tell
from touchline.core.messages import Act, FromPlayer, Garbled, Ready, ToPlayer
from touchline.drivers.match import agreed, announced, opened, referee_for
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Refused, Result
    from touchline.core.rules import Game, Seat, State

LIMITS = Limits(set_up=1000, clock=Clock(per_move=100))
"""A thousand microseconds to sit down and a hundred for a move: small numbers are easy to read."""
HEXAPAWN = Hexapawn(rows=4, cols=4)
FISH = Fish(rows=4, cols=4)
MAZE = Labyrinth(rows=5, cols=5)


def conduct(base: Conduct = COURSE, **ladders: Ladder | int) -> Conduct:
    """A conduct that differs from another one in these ladders."""
    return msgspec.structs.replace(base, name="custom", **ladders)


def every(*steps: str, counted: Any = "match", idle: int = 3) -> Conduct:
    """The same ladder for everything a seat that is there can do wrong."""
    rungs = ladder(*steps, counted=counted)
    return conduct(illegal=rungs, late=rungs, out_of_turn=rungs, malformed=rungs, idle=idle)


def absentees(*steps: str, counted: Any = "match", idle: int = 3) -> Conduct:
    """The same ladder for every way of not being there."""
    rungs = ladder(*steps, counted=counted)
    return conduct(gone=rungs, flood=rungs, not_reading=rungs, refused=rungs, idle=idle)


def always(word: str) -> Conduct:
    """Whatever a seat does wrong costs this."""
    ladders: dict[str, Any] = {offence.value: ladder(word) for offence in Offence}
    return msgspec.structs.replace(COURSE, name="custom", **ladders)


class Dialogue:
    """A match of which the test is the outside world. `fresh` is what the last happening led to."""

    def __init__(
        self,
        game: Game,
        seats: int = 2,
        *,
        under: Conduct = COURSE,
        limits: Limits = LIMITS,
        talks: Sequence[Seat] | None = None,
        turn_cap: int = 200,
        seed: int = 7,
        refused: Sequence[Refused] = (),
        proposals: Sequence[Any] = (),
        takeback: bool = False,
    ) -> None:
        names = [f"player {seat}" for seat in range(seats)]
        self.game = game
        terms: dict[str, Any] = {"conduct": under, "limits": limits, "turn_cap": turn_cap}
        before: dict[str, Any] = {"refused": tuple(refused), "proposals": tuple(proposals)}
        before["takeback"] = takeback
        self.spec = agreed(game, names, seed=seed, **terms, **before)
        self.talks = tuple(range(seats) if talks is None else talks)
        start = opened(self.spec)
        self.referee = referee_for(self.spec, start, self.talks)
        self.events: list[Event] = [announced(self.spec, start, self.talks)]
        self.effects: list[Effect] = []
        self.fresh: list[Effect] = []
        self._keep(self.referee.begin(self.spec.refused))

    def _keep(self, effects: list[Effect]) -> list[Effect]:
        self.fresh = effects
        self.effects += effects
        self.events += [effect.event for effect in effects if isinstance(effect, Note)]
        return effects

    # -- what goes in --------------------------------------------------------------------------

    def take(self, happening: Happening) -> list[Effect]:
        return self._keep(self.referee.take(happening))

    def hear(self, seat: Seat, said: FromPlayer, took: int = 0) -> list[Effect]:
        return self.take(Heard(seat, said, took))

    def seated(self, *curious: Seat, guided: Sequence[Seat] = ()) -> Dialogue:
        """Everybody takes a seat; these want to be told what happens, those where to go next."""
        for seat in self.talks:
            if seat not in self.referee.expelled:
                self.hear(seat, Ready(seat in curious, seat in guided))
        return self

    def move(self, which: int = 0, took: int = 0) -> list[Effect]:
        """Whoever is to move makes a legal move."""
        seat = self.on_turn
        return self.hear(seat, Act(self.state.legal_moves()[which]), took)

    def moves(self, count: int) -> Dialogue:
        for _ in range(count):
            self.move()
        return self

    def garble(self, seat: Seat, took: int = 0) -> list[Effect]:
        return self.hear(seat, Garbled("noise"), took)

    def cheat(self, seat: Seat, turn: int | None = None, took: int = 0) -> list[Effect]:
        """A seat makes a move that no rule allows."""
        return self.hear(seat, Act(self.wrong(), turn), took)

    def lapse(self, seat: Seat, *, starved: bool = False) -> list[Effect]:
        return self.take(Lapsed(seat, starved))

    def fail(self, seat: Seat, offence: Offence = Offence.GONE, why: str = "it hung up") -> list[Effect]:
        return self.take(Failed(seat, offence, why))

    def breaks(self, why: str = "the roof fell in") -> list[Effect]:
        return self.take(Broken(why))

    def play_out(self) -> Result:
        """Everybody who is asked moves, until the match is over."""
        while self.referee.result is None:
            self.move()
        return self.referee.result

    # -- what comes out ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.referee.state

    @property
    def on_turn(self) -> Seat:
        seat = self.state.to_move
        assert seat is not None
        return seat

    @property
    def result(self) -> Result:
        assert self.referee.result is not None
        return self.referee.result

    def wrong(self) -> Any:
        """A move of the game that is not legal now."""
        legal = set(self.state.legal_moves())
        return next(move for move in self.game.all_moves() if move not in legal)

    def told(self, seat: Seat) -> list[ToPlayer]:
        """What a seat was told by the last happening."""
        return [effect.message for effect in self.fresh if isinstance(effect, Tell) and effect.seat == seat]

    def words(self, seat: Seat) -> list[str]:
        """The kinds of what a seat was told by the last happening."""
        return [type(message).__name__ for message in self.told(seat)]

    def all_words(self, seat: Seat) -> list[str]:
        """The kinds of all that a seat was told."""
        tells = [effect for effect in self.effects if isinstance(effect, Tell) and effect.seat == seat]
        return [type(effect.message).__name__ for effect in tells]

    def noted(self) -> list[Event]:
        """The events of the last happening."""
        return [effect.event for effect in self.fresh if isinstance(effect, Note)]

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.noted()]

    def dismissed(self) -> list[Seat]:
        """Whom the last happening let go."""
        return [effect.seat for effect in self.fresh if isinstance(effect, Dismiss)]

    def verdicts(self) -> list[tuple[Seat, str, str]]:
        """Every fault: whose, which, and what it cost."""
        return [(fault.seat, fault.offence.value, fault.sanction.value) for fault in self.referee.faults]

    def record(self) -> bytes:
        return b"".join(encode(event) + b"\n" for event in self.events)

    def verify(self) -> None:
        """The record of this match, which is over, proves itself."""
        Replay(self.record(), "x").verify()


def fault(dialogue: Dialogue) -> Faulted:
    """The last fault."""
    return [event for event in dialogue.events if isinstance(event, Faulted)][-1]
