"""The Labyrinth course's server and clients: one game over TCP from a given state.

"The players are handed to the referee in REVERSE order of sign-up": the last to sign up moves first.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from touchline.client.connect import Incoming, connected
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.errors import BadOptions
from touchline.core.rules import check_seats
from touchline.coursework.courses.clients import ClientOptions, Fate, Following, lenient, played
from touchline.coursework.courses.news import News
from touchline.coursework.courses.signup import USUAL, signed_up
from touchline.coursework.harness.actors import MOST_TURNS, Actor, Misbehaved, actors, server_state
from touchline.dialects.labyrinth_course import ByChoice, LabyrinthCourse
from touchline.dialects.notation.json_stream import arguments
from touchline.dialects.notation.labyrinth import (
    COLOURS,
    referee_state,
    write_board,
    write_cell,
    write_spare,
)
from touchline.drivers import event_loop
from touchline.drivers.match import agreed, opened
from touchline.games.labyrinth import Labyrinth, LabyrinthState
from touchline.players.address import ServerAddress
from touchline.players.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.coursework.courses.signup import ServerOptions, SignedUp
    from touchline.drivers.match import MatchSpec

LEAST, MOST = 2, 6
SIGN_UP_SECONDS, NAME_SECONDS, CALL_SECONDS = 20.0, 2.0, 4.0
BETWEEN_CLIENTS = 3.0


async def xserver(
    port: int,
    data: bytes,
    *,
    sign_up: float = SIGN_UP_SECONDS,
    name: float = NAME_SECONDS,
    call: float = CALL_SECONDS,
    listening: Callable[[int], None] = lambda port: None,
    options: ServerOptions = USUAL,
) -> tuple[list[str], list[str]]:
    """Referee one game from a RefereeState2; return the names of the winners and of the misbehaving.

    If more sign up than the state has places, the first to sign up play; if it has less than two, nobody
    does.
    """
    (written,) = arguments(data, ["RefereeState2"])
    places = len(referee_state(written, "RefereeState2").avatars)  # report a bad state before waiting
    players = await signed_up(
        port, Labyrinth(), LabyrinthCourse.name,
        least=LEAST, most=MOST, places=places, seconds=sign_up, name_seconds=name, listening=listening,
        options=options,
    )  # fmt: skip
    if not players:
        return [], []
    players.reverse()
    guests = [player.guest for player in players]
    spec = _spec(server_state(written, len(players)), [guest.name for guest in guests], call)
    remotes = [Remote(guest.connection, guest.dialect, goodbye=call) for guest in guests]
    result = await event_loop.play(spec, remotes, options.records.begin(spec))
    # "A winner that fails win() is dropped and not replaced": the course counts it as misbehaving.
    failed = {seat: remote.fell_out for seat, remote in enumerate(remotes) if remote.fell_out}
    winners = set(result.outcome.winners).difference(result.expelled, failed) if result.outcome else set()
    _tell(options, players, result, failed, winners)
    return _names(players, winners), _names(players, {*result.expelled, *failed})


def drawn_state(game: Labyrinth, players: int, seed: int) -> dict[str, Any]:
    """Return a RefereeState2 of a new game, drawn at random, to begin a server with.

    >>> state = drawn_state(Labyrinth(rows=5, cols=5), 2, seed=1)
    >>> [player["color"] for player in state["plmt"]], len(state["board"]["connectors"])
    (['purple', 'orange'], 5)
    """
    check_seats(game, players, BadOptions)
    live = opened(agreed(game, [""] * players, seed))
    assert isinstance(live, LabyrinthState)
    cells = live.maze.grid.cells
    seekers = zip(live.avatars, live.seekers, COLOURS, strict=False)
    return {
        "board": write_board(live.maze),
        "spare": write_spare(live.maze),
        "plmt": [
            {
                "current": write_cell(cells[avatar or 0]),
                "home": write_cell(seeker.home),
                "color": colour,
                "goto": write_cell(seeker.goal or seeker.home),
            }
            for avatar, seeker, colour in seekers
        ],
        "last": None,
        "goals": [write_cell(cell) for cell in live.pool or ()],
    }


def _spec(live: LabyrinthState, names: list[str], call: float) -> MatchSpec:
    grid = live.maze.grid
    game = Labyrinth(rows=grid.rows, cols=grid.cols, goals=len(live.pool or ()), given=live.position())
    limits = Limits(set_up=micros(call), goodbye=micros(call), clock=Clock(micros(call)))
    return agreed(
        game, names, 0, conduct=COURSE, limits=limits, turn_cap=MOST_TURNS,
        dialects=(LabyrinthCourse.name,) * len(names), isolation=(None,) * len(names),
    )  # fmt: skip


def _tell(
    options: ServerOptions,
    players: list[SignedUp],
    result: Result,
    failed: dict[Seat, str],
    winners: set[Seat],
) -> None:
    for fault in result.faults:
        if fault.seat in result.expelled:
            why = f"{fault.offence.value}: {fault.reason}"
            options.tell(players[fault.seat].news("expelled", turn=fault.turn, why=why))
    for seat, why in failed.items():
        options.tell(players[seat].news("failed", why=f"win: {why}"))
    if result.outcome is None:
        options.tell(News(event="game", why=f"void: {result.reason}"))
    else:
        options.tell(News(event="game", why=f"over after {result.turns} turns: {result.reason}"))
    for seat in sorted(winners, key=lambda seat: players[seat].number):
        options.tell(players[seat].news("won"))
    if not winners:
        options.tell(News(event="nobody_won"))


def _names(players: list[SignedUp], seats: set[Seat]) -> list[str]:
    return sorted(players[seat].guest.name for seat in seats)


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
    port: int,
    data: bytes,
    host: str = "127.0.0.1",
    *,
    pause: float = BETWEEN_CLIENTS,
    retry: float = 60.0,
    options: ClientOptions = ClientOptions(),  # noqa: B008, it is immutable
) -> list[Fate]:
    """Start the clients of a BadPlayerSpec2 one after the other, let them play, and say how each ended."""
    (spec,) = arguments(data, ["BadPlayerSpec2"])
    cast = actors(spec, "BadPlayerSpec2")
    listen = ServerAddress("tcp", host, port, LabyrinthCourse.name)

    def client(actor: Actor, seconds: float) -> tuple[Following, Coroutine[Any, Any, None]]:
        following = Following(actor.name, options, listen, seconds, first="setup", last="win")
        return following, _client(listen, actor, seconds, following)

    return await played([partial(client, actor) for actor in cast], pause, retry)


async def _client(listen: ServerAddress, actor: Actor, retry: float, following: Following) -> None:
    face = lenient(LabyrinthCourse.face, COLOURS, following)(_Acting(actor))
    connection = await connected(listen, "values", retry, following.waiting)
    following.connected()
    visit = Incoming(connection)
    try:
        for frame in face.sign_up(actor.name):
            connection.send(frame)
        async for frame in visit.frames():
            following.heard(frame)
            if following.misbehaved is None:
                try:
                    for answer in face.hear(frame):
                        connection.send(answer)
                except Misbehaved as error:
                    following.misbehaved = str(error)  # it stays connected and sends nothing more
    finally:
        connection.close()
