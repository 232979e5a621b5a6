"""The nine steps of `check_player`, each a situation that a player is put into by the referee's messages.

Law of this file: a step judges what it is for and nothing else, so that one mistake fails few of them.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from touchline.bots.random import Random as RandomBot
from touchline.core.clock import Clock, Limits, micros
from touchline.core.messages import Act, Begin, Over, Ready, Rejected, Update, YourTurn
from touchline.core.registry import CONDUCTS
from touchline.core.rules import IllegalMove
from touchline.drivers.event_loop import play
from touchline.drivers.match import agreed
from touchline.players.remote import Remote
from touchline.testing.session import QUIET, STARTING, Unmet

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from touchline.core.events import Result
    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect
    from touchline.testing.entrance import Entrance
    from touchline.testing.session import Session

TURN_CAP = 400
"""Turns of a whole match at most: a player that wanders through a labyrinth has shown enough by then."""
MOST_TURNS = 8
"""Turns of its own in which a player is told positions that it did not bring about."""
SEED = 11


class Check:
    """What a step needs: a game, a dialect, and a player."""

    def __init__(self, entrance: Entrance, dialect: type[Dialect], game: Game, seconds: float) -> None:
        self.entrance, self.dialect, self.game, self.seconds = entrance, dialect, game, seconds
        self.start: State = game.start(game.seats[0], Random(1))
        self.title = ""

    def session(self, more: str = "") -> AbstractAsyncContextManager[Session]:
        return self.entrance.session(self.title + more)

    # -- what a referee does, by hand ---------------------------------------------------------

    async def seat(self, session: Session) -> Ready:
        """Begin a match, with the player at seat 0."""
        session.say(self.begin(session.name))
        said = await session.hear("answer that says it is ready")
        if not isinstance(said, Ready):
            raise Unmet("a match began, and it did not answer that it is ready but something else")
        return said

    def begin(self, name: str = "you") -> Begin:
        names = (name, *(f"other{seat}" for seat in range(1, self.game.seats[0])))
        return Begin(0, names, self.start.view(0))

    async def ask(self, session: Session, state: State, turn: int) -> Act:
        """Ask for a move."""
        session.say(YourTurn(turn, state.view(0), micros(self.seconds)))
        said = await session.hear("move")
        if not isinstance(said, Act):
            raise Unmet("a move was asked for, and it said something else")
        return said

    async def propose(self, session: Session) -> Any:
        """Ask for a board, in a dialect that has a word for that, and return it if it suits the game."""
        dialect = session.dialect
        if not dialect.proposes:
            return None
        session.exchange(dialect.propose())
        await session.hear("board")
        return dialect.proposal


# -- the steps ----------------------------------------------------------------------------------


async def takes_its_seat(check: Check) -> None:
    async with check.session() as session:
        await check.propose(session)
        await check.seat(session)
        await session.settle("answer")
        await asyncio.sleep(QUIET)
        if session.connection.ended is not None:
            raise Unmet(f"it {session.connection.ended} when it had taken its seat")


async def answers_with_a_legal_move(check: Check) -> None:
    async with check.session() as session:
        await check.seat(session)
        _check_legal(check.start, await check.ask(session, check.start, 0))


async def takes_the_turns_number(check: Check) -> None:
    async with check.session() as session:
        await check.seat(session)
        said = await check.ask(session, check.start, 4711)
        if said.turn != 4711:
            raise Unmet(f"the answer has turn {said.turn}, and 4711 was asked")


async def answers_again(check: Check) -> None:
    async with check.session() as session:
        await check.seat(session)
        await check.ask(session, check.start, 3)
        session.say(Rejected(3, "this is a check: answer once more"))
        await check.ask(session, check.start, 3)


async def moves_from_the_position(check: Check) -> None:
    """The referee makes another move than the player's own, as it may when an answer is late."""
    rng, state, turn = Random(SEED), check.start, 0
    async with check.session() as session:
        ready, asked = await check.seat(session), 0
        while state.to_move is not None and asked < MOST_TURNS:
            answer = None
            if state.to_move == 0:
                answer, asked = await check.ask(session, state, turn), asked + 1
                _check_legal(state, answer)
            following = _other_than(state, answer.move if answer else None, rng)
            if following is None:
                return
            state, turn = following, turn + 1
            if ready.updates:
                session.say(Update(turn, state.view(0)))


async def speaks_only_when_asked(check: Check) -> None:
    async with check.session() as session:
        ready = await check.seat(session)
        await session.be_silent()
        said = await check.ask(session, check.start, 0)
        following = _other_than(check.start, said.move, Random(SEED))
        if ready.updates and following is not None:
            session.say(Update(1, following.view(0)))
        await session.be_silent()


async def ignores_what_it_does_not_know(check: Check) -> None:
    async with check.session() as session:
        await check.seat(session)
        for frame in (b'{"type":"weather","rain":true}', b'{"type":"accepted","turn":0,"mood":"good"}'):
            session.connection.send(frame)
        await check.ask(session, check.start, 0)


async def leaves(check: Check) -> None:
    async with check.session() as session:
        await check.seat(session)
        state = _ended(check.game, check.start)
        session.say(Over(state.view(0), "finished", state.outcome(), "the game is over"))
        await session.settle("answer to the last call")
        if not await session.has_ended():
            raise Unmet(f"it did not end within {check.seconds:g} s after the last word, when we had hung up")


async def plays(check: Check) -> None:
    for own in sorted({0, check.game.seats[0] - 1}):
        async with check.session(f", seat {own}") as session:
            result = await _match(check, session, own)
        fault = next((fault for fault in result.faults if fault.seat == own), None)
        if fault is not None:
            offence = fault.offence.value.replace("_", " ")
            raise Unmet(f"as seat {own}, in turn {fault.turn}: {offence}: {fault.reason}")
        if own in result.resigned:
            raise Unmet(f"as seat {own} it resigned in turn {result.turns}")


async def _match(check: Check, session: Session, own: Seat) -> Result:
    proposal = await check.propose(session)
    seats = range(check.game.seats[0])
    spec = agreed(
        check.game,
        [session.name if seat == own else f"other{seat}" for seat in seats],
        seed=SEED,
        conduct=CONDUCTS[session.dialect.conduct],
        limits=Limits(set_up=micros(max(check.seconds, STARTING)), clock=Clock(micros(check.seconds))),
        turn_cap=TURN_CAP,
        proposals=() if proposal is None else tuple(proposal if seat == own else None for seat in seats),
    )
    remote = Remote(session.hand_over(), session.dialect)
    players = [remote if seat == own else RandomBot(Random(seat)) for seat in seats]
    return await play(spec, players)


# -- positions ----------------------------------------------------------------------------------


def _check_legal(state: State, said: Act) -> None:
    try:
        state.check(said.move)
    except IllegalMove as error:
        raise Unmet(f"an illegal move: {error}") from None


def _other_than(state: State, move: Any, rng: Random) -> State | None:
    """A state that follows by another move, and in which the game goes on."""
    moves = list(state.legal_moves())
    rng.shuffle(moves)
    for other in moves:
        following = state.play(other)
        if other != move and following.to_move is not None and getattr(following, "reached", None) is None:
            return following
    return None


def _ended(game: Game, start: State) -> State:
    """A game that is over: because everybody passed, where that ends it, or after random moves."""
    passed: Any = start
    for _ in range(game.seats[0] if hasattr(start, "skip") else 0):
        passed = passed.skip()
    if passed.to_move is None:
        over: State = passed
        return over
    state, rng = start, Random(SEED)
    while state.to_move is not None:
        state = state.play(rng.choice(state.legal_moves()))
    return state
