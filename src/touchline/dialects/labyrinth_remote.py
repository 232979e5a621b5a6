"""Labyrinth, remote (seed 004): sign-up, proposals of boards, and a projection of the game with each request.

"The players will make a `Signup(String name)` API call to the referee during this time": a client connects
and sends `["Signup", [name]]`; there is no reply. Then it is called:

    ["ProposeBoard", [rows, columns]]             Tile[][], at least that large
    ["setup", [GameProjection, goal]]             "void"
    ["TakeTurn", [GameProjection]]                {"slide": SlideAndInsert, "destination": Position}, or null
    ["ReturnHome", [home]]                        "void"
    ["EndOfGame", [GameStatus, PlayerResult]]     "void"

The types are the note's own. `rotations` counts clockwise quarter turns, any natural number of them. In
`previousSlide`, which is null before the first slide, it is the fewest that turn the spare into the tile as
it lies now; a tile may look the same after more. The dialect sees the spare before each slide because it asks
for updates, for which the note has no word. `players` are those who remain, the receiver among them, in turn
order.

`ReturnHome` is called once, by the move that reaches the goal; from then on `hasReachedGoal` is true and
`goal` stays what it was. Where the match has several goals, the note has no word for the next one: it is in
the next projection. A match that ends in no way that a GameStatus names, because it does not count or was
forfeited, ends without `EndOfGame`: the connection is closed.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from touchline.core import messages
from touchline.core.clock import Micros, micros
from touchline.core.errors import BadInput
from touchline.core.messages import MOST_INBOUND, Ready
from touchline.dialects.base import SILENCE, UNREADABLE, Exchange, Face, Refusal, SignUp, plain
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.notation.labyrinth import Index, standing
from touchline.dialects.shared.calls import READY, Calls, Chooser, answering, call, encode, heard, moving
from touchline.dialects.shared.labyrinth import LabyrinthFace, seen, sought
from touchline.games.boards.maze import (
    CONNECTORS,
    DEGREES,
    DRAWN,
    EAST,
    MOST,
    NORTH,
    SOUTH,
    WEST,
    Direction,
    Maze,
    Tile,
    Treasure,
    maze_of,
    turned,
)
from touchline.games.labyrinth import (
    GEMS,
    PASS,
    ROUNDS,
    BoardProposal,
    Labyrinth,
    LabyrinthState,
    Pass,
    Seeker,
    Slide,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Cell, Game, Outcome, Seat
    from touchline.games.boards.maze import Degree, Push

STATUSES = {
    "came home": "TREASURE_RETURNED",
    "everybody passed": "ALL_SKIPPED",
    f"{ROUNDS} rounds are over": "ROUND_LIMIT_REACHED",
}
"""A GameStatus for each end of a game that some player is left to hear of."""
WAYS: dict[Direction, int] = {"UP": NORTH, "DOWN": SOUTH, "LEFT": WEST, "RIGHT": EAST}

Place: TypeAlias = tuple[Index, Index]


MOST_A_TILE = 1 << 10
"""The size limit in bytes of a tile in a proposal, which may be written with indents and blanks."""


class NoteTile(Struct):
    """A tile by the note's types: any pathways, any gems. Not every tile can lie on a board."""

    pathways: list[Direction]
    gems: list[str]

    def treasure(self) -> Treasure | None:
        """Return its two gems; None if it has more or fewer."""
        return (self.gems[0], self.gems[1]) if len(self.gems) == 2 else None

    def drawn(self) -> str | None:
        """Return its connector; None if there is no tile with these ways."""
        ways = 0
        for direction in self.pathways:
            ways |= WAYS[direction]
        return DRAWN.get(ways)


class SlideAndInsert(Struct):
    direction: Direction
    index: Index
    rotations: Annotated[int, Meta(ge=0)]


class Plan(Struct):
    """The answer to `TakeTurn`."""

    slide: SlideAndInsert
    destination: Place


_plan = msgspec.json.Decoder(Plan | None).decode
_tiles = msgspec.json.Decoder(list[list[NoteTile]]).decode
_sign_up = msgspec.json.Decoder(
    tuple[Literal["Signup"], tuple[Annotated[str, Meta(pattern=r"^[a-zA-Z0-9]{1,20}\Z")]]]
).decode


def _degree(rotations: int) -> Degree:
    """Return a number of clockwise quarter turns as degrees counter-clockwise."""
    return DEGREES[-rotations % 4]


def _rotations(before: Maze, after: Maze, push: Push) -> int:
    """Return the least number of clockwise quarter turns of the spare before a push."""
    inserted = after.ways(after.grid.tracks[push].entry)
    return next((count for count in range(4) if turned(before.spare, _degree(count)) == inserted), 0)


def _move(frame: bytes) -> Slide | Pass:
    plan = _plan(frame)
    if plan is None:
        return PASS
    slide = plan.slide
    return Slide(slide.index, slide.direction, _degree(slide.rotations), plan.destination)


def _tile(ways: int, gems: Treasure) -> dict[str, Any]:
    return {"pathways": [direction for direction, way in WAYS.items() if ways & way], "gems": gems}


def _board(tiles: list[list[NoteTile]]) -> BoardProposal | None:
    """Return a proposal; None if it has more rows than any board, or a tile that can lie on none."""
    if len(tiles) > MOST:
        return None
    rows, treasures = list[str](), list[tuple[Treasure, ...]]()
    for row in tiles:
        letters = [letter for tile in row if (letter := tile.drawn())]
        pairs = [pair for tile in row if (pair := tile.treasure())]
        if not len(letters) == len(pairs) == len(row):
            return None
        rows.append("".join(letters))
        treasures.append(tuple(pairs))
    return BoardProposal(tuple(rows), tuple(treasures))


class _Public(Struct):
    avatar: Place
    home: Place


class _Self(_Public, rename="camel"):
    goal: Place
    has_reached_goal: bool


class _Projection(Struct, rename={"tile_grid": "tileGrid", "own": "self", "previous": "previousSlide"}):
    tile_grid: list[list[NoteTile]]
    spare: NoteTile
    own: _Self
    players: list[_Public]
    previous: SlideAndInsert | None


class ByChoice(Chooser):
    """A bot as the note's player: it sees what the projections show."""

    def ProposeBoard(self, rows: Any, columns: Any) -> Any:  # noqa: N802 - the note's name
        """Return a random board; without a random generator an empty one, which is never chosen."""
        rows, columns = shaped((rows, columns), tuple[int, int], "ProposeBoard")
        if self._rng is None or not (1 <= rows <= MOST and 1 <= columns <= MOST):
            return []
        ways = self._rng.choices(list(CONNECTORS.values()), k=rows * columns)
        gems = self._rng.sample(list(combinations_with_replacement(GEMS, 2)), rows * columns)
        tiles = [_tile(*each) for each in zip(ways, gems, strict=True)]
        return [tiles[start : start + columns] for start in range(0, len(tiles), columns)]

    def setup(self, projection: Any, goal: Any) -> None:
        """Each request repeats all of this."""

    def TakeTurn(self, projection: Any) -> Any:  # noqa: N802
        move = self._choose(_view(shaped(projection, _Projection, "GameProjection")))
        if isinstance(move, Pass):
            return None
        rotations = -(move.degree // 90) % 4
        slide = {"direction": move.direction, "index": move.index, "rotations": rotations}
        return {"slide": slide, "destination": move.to}

    def ReturnHome(self, home: Any) -> None:  # noqa: N802
        """The next projection says so too."""

    def EndOfGame(self, status: Any, result: Any) -> None:  # noqa: N802
        """A bot ignores the result."""


def _view(told: _Projection) -> LabyrinthState:
    """Read a projection; the receiver is known by its home, and by its avatar if two share a home."""
    own, last = told.own, told.previous
    homes = [seat for seat, player in enumerate(told.players) if player.home == own.home]
    if not homes:
        raise BadInput("no player has the home of self", "GameProjection.players")
    seat = next((seat for seat in homes if told.players[seat].avatar == own.avatar), homes[0])
    homeward = own.has_reached_goal
    return seen(
        _maze(told),
        [(player.home, player.avatar) for player in told.players],
        seat,
        Seeker(own.home, own.home if homeward else own.goal, int(homeward), homeward),
        None if last is None else (last.index, last.direction),
    )


def _maze(told: _Projection) -> Maze:
    board, spare, gems = _board(told.tile_grid), told.spare.drawn(), told.spare.treasure()
    try:
        if board is None or spare is None or gems is None:
            raise ValueError("there is no tile with such pathways or gems, or too many rows")
        return maze_of(board.connectors, board.treasures, Tile(spare, gems))
    except ValueError as error:
        raise BadInput(str(error), "GameProjection.tileGrid") from None


class LabyrinthRemoteFace(LabyrinthFace):
    """A player with the methods `ProposeBoard`, `setup`, `TakeTurn`, `ReturnHome` and `EndOfGame`."""

    asked: ClassVar[str] = "TakeTurn"
    void: ClassVar[Mapping[str, int]] = {"setup": 2, "ReturnHome": 1, "EndOfGame": 2}
    asks: ClassVar[Mapping[str, int]] = {"ProposeBoard": 2, "TakeTurn": 1}
    last: ClassVar[frozenset[str]] = frozenset({"EndOfGame"})
    by_choice: ClassVar[type[Chooser]] = ByChoice

    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        return [encode(["Signup", [name]])]


class LabyrinthRemote(Calls):
    """One connection that speaks seed 004."""

    name: ClassVar[str] = "seed-004"
    games: ClassVar[tuple[str, ...]] = ("labyrinth",)
    conduct: ClassVar[str] = "seed-004"
    per_move: ClassVar[Micros] = micros(4)
    words: ClassVar[dict[str, str]] = {
        "Signup": "you sign up under this name, when you have connected; there is no reply",
        "ProposeBoard": "propose a board of at least these rows and columns; answer its tiles, row by row",
        "setup": 'a match begins: what you see of it, and your goal; answer "void"',
        "TakeTurn": 'move; answer {"slide":SlideAndInsert,"destination":[row,column]}, or null to pass',
        "ReturnHome": 'you have reached your goal; go back to this place; answer "void"',
        "EndOfGame": 'the match is over: how it ended, and whether you have won; answer "void"',
    }
    own_name_rule: ClassVar[bool] = True
    unique_names: ClassVar[bool] = True
    proposes: ClassVar[bool] = True
    face: ClassVar[type[Face]] = LabyrinthRemoteFace

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert isinstance(game, Labyrinth), "there are words for no other game"
        self._game = game
        self.longest = max(MOST_INBOUND, MOST_A_TILE * game.rows * game.cols)
        self._seat: Seat | None = None
        self._goal: Cell | None = None
        self._maze: Maze | None = None
        self._rotations = 0

    def propose(self) -> Exchange:
        """Ask for a board; `proposal` is None if the answer does not suit the game."""
        return self.make(call("ProposeBoard", [self._game.rows, self._game.cols], self._proposed))

    def _proposed(self, frame: bytes) -> FromPlayer:
        board = _board(_tiles(frame))
        self.proposal = board if board is not None and self._game.suits(board) else None
        return READY

    def say(self, message: ToPlayer) -> Exchange:
        match message:
            case messages.Begin(seat, _, view):
                self._seat = seat
                told = [self._projection(view), self._goal]
                return self.make(call("setup", told, answering(Ready(updates=True, guided=True))))
            case messages.Update(_, view):
                self._see(view)
            case messages.YourTurn(turn, view):
                return self.make(call("TakeTurn", [self._projection(view)], moving(turn, _move), turn))
            case messages.Onward(_, view):
                own = view.seekers[self._seat]
                if not own.homeward:
                    return Exchange((), [READY])
                return self.make(call("ReturnHome", [own.home], answering(READY)))
            case messages.Over(view, _, outcome):
                return self._end(view, outcome)
            case messages.Expelled():
                self.forget()
        return SILENCE

    def _see(self, view: LabyrinthState) -> None:
        """Keep what a later projection must tell and its view does not show."""
        assert self._seat is not None, "a match begins before it goes on"
        self._goal = sought(view, self._seat, self._goal)
        if self._maze is not None and view.last is not None and view.maze != self._maze:
            self._rotations = _rotations(self._maze, view.maze, view.last)
        self._maze = view.maze

    def _projection(self, view: LabyrinthState) -> dict[str, Any]:
        self._see(view)
        assert self._seat is not None
        maze, cols = view.maze, view.maze.grid.cols
        tiles = [_tile(maze.ways(cell), gems) for cell, gems in enumerate(maze.treasures)]
        players = [
            {"avatar": standing(view, seat), "home": seeker.home} for seat, seeker in enumerate(view.seekers)
        ]
        own = view.seekers[self._seat]
        return {
            "tileGrid": [tiles[start : start + cols] for start in range(0, len(tiles), cols)],
            "spare": _tile(maze.spare, maze.spare_treasure),
            "self": players[self._seat] | {"goal": self._goal, "hasReachedGoal": bool(own.homeward)},
            "players": [player for player in players if player["avatar"] is not None],
            "previousSlide": self._previous(view.last),
        }

    def _previous(self, last: Push | None) -> dict[str, Any] | None:
        if last is None:
            return None
        index, direction = last
        return {"direction": direction, "index": index, "rotations": self._rotations}

    def _end(self, view: LabyrinthState, outcome: Outcome | None) -> Exchange:
        status = STATUSES.get(view.ended or "")
        self.withdraw()
        if self._seat is None or status is None or outcome is None:
            self.forget()
            return SILENCE
        result = "WINNER" if self._seat in outcome.winners else "LOSER"
        return self.make(call("EndOfGame", [status, result], heard))

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        try:
            _, (name,) = _sign_up(frame)
        except UNREADABLE as error:
            raise Refusal(f'["Signup",[name]] was expected: {plain(str(error))}') from None
        return SignUp(name)


DIALECT = LabyrinthRemote
