"""`check_player`: does a program keep its side of the native dialect?

Each step starts the program anew and puts it through one situation, with all that was sent and received kept.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.random import Random as RandomBot
from touchline.clock import Clock, Limits, micros
from touchline.conduct import COURSE
from touchline.dialects.native import Native
from touchline.local import Pipes, keep
from touchline.match import Watchers, agreed, opened, referee_for
from touchline.messages import Act, Begin, Over, Ready, YourTurn
from touchline.players.process import Program
from touchline.referee import Failed
from touchline.rules import IllegalMove
from touchline.timekeeper import Timekeeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from touchline.events import Event
    from touchline.messages import ToPlayer
    from touchline.rules import Game, Seat, State


class Step(NamedTuple):
    """A step of the check: what it asks, and how it went."""

    number: int
    what: str
    failure: str | None
    talk: list[str]
    """What was sent (>) and what came back (<), the last of it."""
    stderr: str


class Unmet(Exception):
    """The program did not do what this step asks of it."""


class _Session:
    """One run of the program, spoken to by hand."""

    def __init__(self, command: Sequence[str], game: Game, seconds: float) -> None:
        self.game, self.seconds = game, seconds
        self.program = Program(command)
        self.pipes = Pipes({0: self.program}, game)
        self.talk: list[str] = []
        self._dialect = Native(game)

    def say(self, message: ToPlayer) -> None:
        self.talk += [f"> {_cut(frame.decode())}" for frame in self._dialect.say(message).frames]
        self.pipes.tell(0, message)

    def hear(self, what: str) -> Ready | Act:
        """The next message, which must be one."""
        arrivals = self.pipes.wait(self.pipes.now() + micros(self.seconds))
        if not arrivals:
            raise Unmet(f"no {what} within {self.seconds:g} s")
        said = arrivals[0].what
        self.talk.append(f"< {_cut(str(said))}")
        if isinstance(said, Failed):
            raise Unmet(f"no {what}: the program {said.why}")
        if not isinstance(said, Ready | Act):
            raise Unmet(f"no {what}: {said.why}")
        if len(arrivals) > 1:
            raise Unmet("more than one message for one question")
        return said

    def seat(self, state: State) -> None:
        self.say(Begin(0, ("you",) * 2, state.view(0)))
        if not isinstance(self.hear("ready"), Ready):
            raise Unmet("`begin` is answered by `ready`, not by a move")

    def move(self, turn: int, state: State) -> State:
        seat = state.to_move
        self.say(YourTurn(turn, state.view(seat), micros(self.seconds)))
        said = self.hear("act")
        if not isinstance(said, Act):
            raise Unmet("`your_turn` is answered by `act`")
        if said.turn != turn:
            raise Unmet(f"the answer has turn {said.turn}, and {turn} was asked")
        state.check(said.move)
        return state.play(said.move)


def _cut(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[:most]} ..."


def _sits_down(session: _Session) -> None:
    """says `ready` when a match begins"""
    session.seat(_start(session.game))


def _moves(session: _Session) -> None:
    """answers `your_turn` with a legal move and the turn's number"""
    state = _start(session.game)
    session.seat(state)
    session.move(0, state)


def _any_number(session: _Session) -> None:
    """takes the turn's number from the question, whatever it is"""
    state = _start(session.game)
    session.seat(state)
    session.move(4711, state)


def _asked_again(session: _Session) -> None:
    """answers again when the same turn is asked again"""
    state = _start(session.game)
    session.seat(state)
    session.move(3, state)
    session.move(3, state)


def _stateless(session: _Session) -> None:
    """moves from the position it is given, not from one it remembers"""
    game, state = session.game, _start(session.game)
    session.seat(state)
    rng = Random(5)
    for turn in range(6):
        other = _after(game, rng.randrange(1, 9), rng)
        if other.to_move not in (0, None):  # it was told that it sits at seat 0
            other = other.play(rng.choice(other.legal_moves()))
        if other.to_move == 0:
            session.move(turn, other)


def _says_little(session: _Session) -> None:
    """says nothing that it was not asked for"""
    state = _start(session.game)
    session.seat(state)
    session.move(0, state)
    arrivals = session.pipes.wait(session.pipes.now() + micros(0.2))
    if arrivals:
        raise Unmet(f"it said something without being asked: {arrivals[0].what}")


def _unknown_words(session: _Session) -> None:
    """does not mind words and fields that it does not know"""
    state = _start(session.game)
    session.seat(state)
    for line in (b'{"type":"weather","rain":true}\n', b'{"type":"accepted","turn":0,"mood":"good"}\n'):
        session.talk.append("> " + line.decode().strip())
        session.program.write(line)
    session.move(0, state)


def _leaves(session: _Session) -> None:
    """ends by itself after the last word"""
    state = _start(session.game)
    session.seat(state)
    session.say(Over(state.view(0), "finished", None, "a check"))
    session.program.hang_up()
    if "exited" not in session.program.ending(session.seconds):
        raise Unmet("it did not end when the match was over and its input closed")


def _whole_match(session: _Session) -> None:
    """plays a whole match against a random player without a fault"""
    for own in (0, session.game.seats[0] - 1):
        _match(session, own)
        session.program = Program(session.program.command)
    session.program.stop()


def _match(session: _Session, own: Seat) -> None:
    game = session.game
    seats = game.seats[0]
    limits = Limits(set_up=micros(session.seconds), clock=Clock(micros(session.seconds)))
    spec = agreed(game, [f"seat {seat}" for seat in range(seats)], seed=11, conduct=COURSE, limits=limits)
    state = opened(spec)
    bots = {seat: RandomBot(Random(seat)) for seat in range(seats) if seat != own}
    pipes = Pipes({own: session.program}, game)

    def note(event: Event) -> None:
        session.talk.append(f"  {_cut(str(event))}")

    referee = referee_for(spec, state, [own])
    result = keep(Timekeeper(referee, pipes, Watchers([note]), bots), pipes)
    session.program.stop(0.5)
    if result.faults:
        fault = result.faults[0]
        raise Unmet(f"as seat {own}, at turn {fault.turn}: {fault.offence.value}: {fault.reason}")


STEPS: tuple[Callable[[_Session], None], ...] = (
    _sits_down,
    _moves,
    _any_number,
    _asked_again,
    _stateless,
    _says_little,
    _unknown_words,
    _leaves,
    _whole_match,
)


def _start(game: Game) -> State:
    return game.start(game.seats[0], Random(1))


def _after(game: Game, moves: int, rng: Random) -> State:
    state = _start(game)
    for _ in range(moves):
        if state.to_move is None:
            break
        state = state.play(rng.choice(state.legal_moves()))
    return state


def check_player(command: Sequence[str], game: Game, seconds: float = 5) -> Iterator[Step]:
    """Put a program through every step; each is told as soon as it is done."""
    for number, step in enumerate(STEPS, 1):
        session, failure = _Session(command, game, seconds), None
        try:
            step(session)
        except Unmet as error:
            failure = str(error)
        except IllegalMove as error:
            failure = f"an illegal move: {error}"
        finally:
            session.program.stop()
        what = (step.__doc__ or "").strip()
        yield Step(number, what, failure, session.talk[-12:], session.program.notes.text())
