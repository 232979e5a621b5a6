"""The nine steps of `check_player`. Each puts a player into one situation with the referee's messages.

Law of this file: a step judges one thing only, so that one mistake of a player fails few steps.
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
from touchline.records.sentences import move_text
from touchline.testing.player_session import QUIET, STARTING, StepFailed

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from touchline.core.events import Result
    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect
    from touchline.testing.player_session import Session
    from touchline.testing.player_source import PlayerSource

TURN_CAP = 400
"""Turn cap of a whole match, because a weak player may wander through a labyrinth for very long."""
MOST_TURNS = 8
"""The player's turns in the step that plays other moves than the player's own."""
SEED = 11


class PlayerCheck:
    """What all steps need: a game, a dialect, and a source of players."""

    def __init__(self, source: PlayerSource, dialect: type[Dialect], game: Game, seconds: float) -> None:
        self.source, self.dialect, self.game, self.seconds = source, dialect, game, seconds
        self.start: State = game.start(game.seats[0], Random(1))
        self.title = ""

    def session(self, more: str = "") -> AbstractAsyncContextManager[Session]:
        """Open a session with a new player."""
        return self.source.session(self.title + more)

    # -- what a referee does, step by step ----------------------------------------------------

    async def seat(self, session: Session) -> Ready:
        """Begin a match, with the player at seat 0."""
        session.say(self.begin(session.name))
        said = await session.hear("answer that says it is ready")
        if not isinstance(said, Ready):
            raise StepFailed("it answered the beginning of a match with something else than that it is ready")
        return said

    def begin(self, name: str = "you") -> Begin:
        names = (name, *(f"other{seat}" for seat in range(1, self.game.seats[0])))
        return Begin(0, names, self.start.view(0))

    async def ask(self, session: Session, state: State, turn: int) -> Act:
        """Ask for a move."""
        session.say(YourTurn(turn, state.view(0), micros(self.seconds)))
        said = await session.hear("move")
        if not isinstance(said, Act):
            raise StepFailed("it was asked for a move and sent something else")
        return said

    async def propose(self, session: Session) -> Any:
        """Ask for a board where the dialect can, and return the proposal if it suits the game."""
        dialect = session.dialect
        if not dialect.proposes:
            return None
        session.exchange(dialect.propose())
        await session.hear("board")
        return dialect.proposal


# -- the steps ----------------------------------------------------------------------------------


async def takes_its_seat(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.propose(session)
        await check.seat(session)
        await session.settle("answer")
        await asyncio.sleep(QUIET)
        if session.connection.ended is not None:
            raise StepFailed(f"it {session.connection.ended} after it had taken its seat")


async def answers_with_a_legal_move(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.seat(session)
        _check_legal(check.start, await check.ask(session, check.start, 0))


async def takes_the_turns_number(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.seat(session)
        said = await check.ask(session, check.start, 4711)
        if said.turn != 4711:
            raise StepFailed(f"it answered turn 4711 with turn {said.turn}; copy the turn of the question")


async def answers_again(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.seat(session)
        await check.ask(session, check.start, 3)
        session.say(Rejected(3, "this is a check: answer once more"))
        await check.ask(session, check.start, 3)


async def moves_from_the_position(check: PlayerCheck) -> None:
    """Play another move than the player's own, as a referee may when an answer is late."""
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


async def speaks_only_when_asked(check: PlayerCheck) -> None:
    async with check.session() as session:
        ready = await check.seat(session)
        await session.be_silent()
        said = await check.ask(session, check.start, 0)
        following = _other_than(check.start, said.move, Random(SEED))
        if ready.updates and following is not None:
            session.say(Update(1, following.view(0)))
        await session.be_silent()


async def ignores_what_it_does_not_know(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.seat(session)
        for frame in (b'{"type":"weather","rain":true}', b'{"type":"accepted","turn":0,"mood":"good"}'):
            session.connection.send(frame)
        await check.ask(session, check.start, 0)


async def leaves(check: PlayerCheck) -> None:
    async with check.session() as session:
        await check.seat(session)
        state = _ended(check.game, check.start)
        session.say(Over(state.view(0), "finished", state.outcome(), "the game is over"))
        await session.settle("answer to the last call")
        if not await session.has_ended():
            raise StepFailed(
                f"it did not exit within {check.seconds:g} s of its last message and the closed connection"
            )


async def plays(check: PlayerCheck) -> None:
    for own in sorted({0, check.game.seats[0] - 1}):
        async with check.session(f", seat {own}") as session:
            result = await _match(check, session, own)
        fault = next((fault for fault in result.faults if fault.seat == own), None)
        if fault is not None:
            offence = fault.offence.value.replace("_", " ")
            raise StepFailed(f"as seat {own}, in turn {fault.turn}: {offence}: {fault.reason}")
        if own in result.resigned:
            raise StepFailed(f"as seat {own} it resigned in turn {result.turns}")


async def _match(check: PlayerCheck, session: Session, own: Seat) -> Result:
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
        raise StepFailed(f"an illegal move, {move_text(said.move)}: {error}") from None


def _other_than(state: State, move: Any, rng: Random) -> State | None:
    """Return the state after another legal move, if the game goes on in it; None if there is no such move."""
    moves = list(state.legal_moves())
    rng.shuffle(moves)
    for other in moves:
        following = state.play(other)
        if other != move and following.to_move is not None and getattr(following, "reached", None) is None:
            return following
    return None


def _ended(game: Game, start: State) -> State:
    """Return a finished game: after a round of passes where that ends the game, else after random moves."""
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
