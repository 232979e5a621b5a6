"""The Labyrinth course's server and clients: one game over TCP from a given state.

"The players are handed to the referee in REVERSE order of sign-up": the last to sign up moves first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from touchline.client.connect import Away, Incoming, connected
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.coursework.courses.signup import signed_up
from touchline.coursework.harness.actors import MOST_TURNS, Actor, Misbehaved, actors, server_state
from touchline.dialects.labyrinth_course import ByChoice, LabyrinthCourse
from touchline.dialects.notation.json_stream import arguments
from touchline.dialects.notation.labyrinth import referee_state
from touchline.drivers import event_loop
from touchline.drivers.match import MatchSpec
from touchline.games.labyrinth import Labyrinth
from touchline.players.address import ServerAddress
from touchline.players.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from touchline.games.labyrinth import LabyrinthState

LEAST, MOST = 2, 6
SIGN_UP_SECONDS, NAME_SECONDS, CALL_SECONDS = 20.0, 2.0, 4.0
BETWEEN_CLIENTS = 3.0


class Given:
    """A game of Labyrinth that starts from a given state."""

    name, Move, Position, Proposal = Labyrinth.name, Labyrinth.Move, Labyrinth.Position, None
    seats, hidden = Labyrinth.seats, Labyrinth.hidden

    def __init__(self, state: LabyrinthState) -> None:
        self._state = state

    def start(self, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> LabyrinthState:
        return self._state


async def xserver(
    port: int,
    data: bytes,
    *,
    sign_up: float = SIGN_UP_SECONDS,
    name: float = NAME_SECONDS,
    call: float = CALL_SECONDS,
    listening: Callable[[int], None] = lambda port: None,
) -> tuple[list[str], list[str]]:
    """Referee one game from a RefereeState2; return the names of the winners and of the misbehaving."""
    (written,) = arguments(data, ["RefereeState2"])
    referee_state(written, "RefereeState2")  # report a bad state before waiting for players
    guests = await signed_up(
        port, Labyrinth(), "labyrinth-course",
        least=LEAST, most=MOST, seconds=sign_up, name_seconds=name, listening=listening,
    )  # fmt: skip
    if not guests:
        return [], []
    guests.reverse()
    live = server_state(written, len(guests))
    remotes = [Remote(guest.connection, guest.dialect, goodbye=call) for guest in guests]
    limits = Limits(set_up=micros(call), goodbye=micros(call), clock=Clock(micros(call)))
    spec = MatchSpec(
        game=Given(live), names=tuple(guest.name for guest in guests),
        conduct=COURSE, limits=limits, turn_cap=MOST_TURNS, seed=0,
    )  # fmt: skip
    result = await event_loop.play(spec, remotes)
    # "A winner that fails win() is dropped and not replaced": the course counts it as misbehaving.
    kicked = {*result.expelled, *(seat for seat, remote in enumerate(remotes) if remote.fell_out)}
    winners = set(result.outcome.winners) - kicked if result.outcome else set()
    return _names(guests, winners), _names(guests, kicked)


def _names(guests: list[Any], seats: set[int]) -> list[str]:
    return sorted(guests[seat].name for seat in seats)


class _Acting(ByChoice):
    """A player of a spec in the course's protocol; it raises Misbehaved where it should loop forever."""

    def __init__(self, actor: Actor) -> None:
        super().__init__(actor)
        self._actor = actor

    def setup(self, state: Any, goal: Any) -> None:
        self._actor.set_up()
        super().setup(state, goal)

    def win(self, won: Any) -> None:
        self._actor.win()


async def xclients(
    port: int, data: bytes, host: str = "127.0.0.1", *, pause: float = BETWEEN_CLIENTS, retry: float = 60.0
) -> None:
    """Start the clients of a BadPlayerSpec2 one after the other, and let them play.

    A client that the server no longer accepts is ignored. Raise Away if the server accepted none.
    """
    (spec,) = arguments(data, ["BadPlayerSpec2"])
    cast = actors(spec, "BadPlayerSpec2")
    listen = ServerAddress("tcp", host, port, "labyrinth-course")
    clients = []
    for number, actor in enumerate(cast):
        if number:
            await asyncio.sleep(pause)
        clients.append(asyncio.create_task(_client(listen, actor, retry)))
    ends = await asyncio.gather(*clients, return_exceptions=True)
    failures = [end for end in ends if end is not None]
    for failure in failures:
        if not isinstance(failure, Away) or len(failures) == len(ends):
            raise failure


async def _client(listen: ServerAddress, actor: Actor, retry: float) -> None:
    face = LabyrinthCourse.face(_Acting(actor))
    connection = await connected(listen, "values", retry)
    visit = Incoming(connection)
    for frame in face.sign_up(actor.name):
        connection.send(frame)
    looping = False
    async for frame in visit.frames():
        if not looping:
            try:
                for answer in face.hear(frame):
                    connection.send(answer)
            except Misbehaved:
                looping = True  # it stays connected and sends nothing more
    connection.close()
