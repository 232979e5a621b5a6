"""The Labyrinth course's server and clients: one game over TCP, from a state that is given.

"The players are handed to the referee in REVERSE order of sign-up": the last to come moves first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from touchline.client.connect import Away, Incoming, connected
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.errors import BadInput
from touchline.coursework.courses.signup import signed_up
from touchline.coursework.harness.actors import MOST_TURNS, Actor, Misbehaved, actors
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
    """Labyrinth, from a state that is given."""

    name, Move, Position, Proposal = Labyrinth.name, Labyrinth.Move, Labyrinth.Position, None

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
    """Referee one game from the RefereeState; the names of the winners, and of those who misbehaved."""
    (written,) = arguments(data, ["RefereeState2"])
    referee_state(written, "RefereeState2")  # what is wrong with it is said before anybody waits
    guests = await signed_up(
        port, Labyrinth(), "labyrinth-course",
        least=LEAST, most=MOST, seconds=sign_up, name_seconds=name, listening=listening,
    )  # fmt: skip
    guests = guests[::-1]
    if len(guests) < LEAST:
        for guest in guests:
            guest.connection.close()
        return [], []
    live = referee_state(written, "RefereeState2", len(guests))
    if len(guests) > len(live.avatars):
        raise BadInput(f"{len(guests)} players for {len(live.avatars)} places", "RefereeState2.plmt")
    remotes = [Remote(guest.connection, guest.dialect, goodbye=call) for guest in guests]
    limits = Limits(set_up=micros(call), goodbye=micros(call), clock=Clock(micros(call)))
    spec = MatchSpec(
        game=Given(live), names=tuple(guest.name for guest in guests),
        conduct=COURSE, limits=limits, turn_cap=MOST_TURNS, seed=0,
    )  # fmt: skip
    result = await event_loop.play(spec, remotes)
    # "A winner that fails win() is dropped and not replaced": for the course it has misbehaved.
    kicked = {*result.expelled, *(seat for seat, remote in enumerate(remotes) if remote.fell_out)}
    winners = set(result.outcome.winners) - kicked if result.outcome else set()
    return _names(guests, winners), _names(guests, kicked)


def _names(guests: list[Any], seats: set[int]) -> list[str]:
    return sorted(guests[seat].name for seat in seats)


class _Mind:
    """What a player by its spec chooses."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self._actor.take_turn(view)


class _Acting(ByChoice):
    """A player by its spec behind the course's protocol; where it should loop for ever, it raises."""

    def __init__(self, actor: Actor) -> None:
        super().__init__(_Mind(actor))
        self._actor = actor

    def setup(self, state: Any, goal: Any) -> None:
        self._actor.set_up()
        super().setup(state, goal)

    def win(self, won: Any) -> None:
        self._actor.win()


async def xclients(
    port: int, data: bytes, host: str = "127.0.0.1", *, pause: float = BETWEEN_CLIENTS, retry: float = 60.0
) -> None:
    """Start the clients of a BadPlayerSpec2 one after the other, and have them play.

    Who comes when the server takes nobody more stays outside. Away if none of them got in.
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
    loops_for_ever = False
    async for frame in visit.frames():
        if not loops_for_ever:
            try:
                for answer in face.hear(frame):
                    connection.send(answer)
            except Misbehaved:
                loops_for_ever = True  # it stays connected, and is silent
    connection.close()
