"""Points of a match at which a dialect may be sent anything, and what must be true of what it makes of it."""

from __future__ import annotations

import contextlib
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core import messages, registry
from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Event, Faulted, encode
from touchline.core.messages import MOST_INBOUND, Act, FromPlayer, Garbled
from touchline.core.rules import IllegalMove
from touchline.dialects.base import Exchange, Refusal
from touchline.dialects.shared.misread import MOST_REASON
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.testing.mutants import NAMES, Spoken, spoken
from work import Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game, State
    from touchline.dialects.base import Dialect

_OURS: dict[str, list[tuple[Game, int]]] = {
    "hexapawn": [(Hexapawn(rows=4, cols=4), 2), (Hexapawn(rows=8, cols=8), 2)],
    "fish": [(Fish(rows=4, cols=4), 3), (Fish(rows=5, cols=5), 2)],
    "labyrinth": [(Labyrinth(rows=3, cols=5), 2), (Labyrinth(), 3)],
}
"""Of each of our games a small board and a larger one, and the number of seats."""


def boards(game: str) -> list[tuple[Game, int]]:
    """Return two boards of a game; of a game from another package, the default with fewest and most seats."""
    if game in _OURS:
        return _OURS[game]
    other = registry.game(game)
    return [(other, min(other.seats)), (other, max(other.seats))]


MOST_STEPS = 2 * MOST_INBOUND
"""Steps that hearing one frame may take: two for each byte of the longest."""
_event = msgspec.json.Decoder(Event).decode


class Setting(NamedTuple):
    """A dialect at one of its games."""

    dialect: str
    table: str

    def __str__(self) -> str:
        return f"{self.dialect}-{self.table}"


SETTINGS = [
    Setting(name, table)
    for name in registry.dialects()
    for table in registry.dialect(name).games or registry.names("games")
]


@cache
def valid(setting: Setting) -> Spoken:
    """What is said in several matches of a setting."""
    dialect, table = setting
    said = [spoken(dialect, *board, seed=seed) for seed, board in enumerate(boards(table) * 2)]
    return Spoken(*(tuple(dict.fromkeys(sum(frames, ()))) for frames in zip(*said, strict=True)))


# -- moments --------------------------------------------------------------------------------------


class First:
    """Makes the first legal move."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]


class Moment:
    """A dialect with this said to it last; it is said again once it has been answered."""

    def __init__(self, dialect: Dialect, state: State, say: Callable[[], Exchange] | None = None) -> None:
        self.dialect, self.state = dialect, state
        self._say = say

    def again(self) -> None:
        """Bring it about again."""
        if self._say is not None and not self.dialect.owes:
            self._say()


def moments(setting: Setting, board: int = 0) -> dict[str, Moment]:
    """By name, everything that can have been said last to the first seat."""
    module = registry.dialect(setting.dialect)
    game, seats = boards(setting.table)[board]
    start = game.start(seats, Random(1))
    later, turn = _later(start, 40 if setting.table == "fish" else 3)
    begin = messages.Begin(0, NAMES[:seats], start.view(0))
    said: dict[str, tuple[State, list[messages.ToPlayer]]] = {
        "nothing": (start, []),
        "begin": (start, [begin]),
        "first turn": (start, [begin, messages.YourTurn(0, start.view(0), 1_000_000)]),
        "turn": (later, [begin, messages.YourTurn(turn, later.view(0), None)]),
        "rejected": (start, [begin, messages.Rejected(0, "no")]),
        "late": (start, [begin, messages.Skipped(0, "late", Offence.LATE)]),
        "onward": (later, [begin, messages.Onward(turn, later.view(0))]),
        "expelled": (start, [begin, messages.Expelled("late", Offence.LATE)]),
        "over": (start, [begin, messages.Over(start.view(0), "void", None, "why")]),
    }
    found = {name: _moment(module, game, *said[name]) for name in said}
    answered = _moment(module, game, start, [begin])
    _answer_all(answered.dialect, module.face(First()))
    found["answered"] = Moment(answered.dialect, start)
    if module.proposes:
        proposing = module(game)
        found["proposal"] = Moment(proposing, start, proposing.propose)
    return found


def _later(state: State, moves: int) -> tuple[State, int]:
    """So many random moves later, or as many as there are before the last, when the first seat is to move."""
    rng, last, turn = Random(2), (state, 0), 0
    while state.to_move is not None and turn <= moves:
        if state.to_move == 0:
            last = state, turn
        state, turn = state.play(rng.choice(state.legal_moves())), turn + 1
    return last


def _moment(module: Any, game: Game, state: State, said: list[messages.ToPlayer]) -> Moment:
    """Everything but the last is answered as it should be."""
    dialect, face = module(game), module.face(First())
    for message in said[:-1]:
        _answer_all(dialect, face, dialect.say(message))
    return Moment(dialect, state, (lambda: dialect.say(said[-1])) if said else None)


def _answer_all(dialect: Dialect, face: Any, exchange: Exchange | None = None) -> None:
    frames = [*exchange.frames] if exchange is not None else []
    while frames:
        for answer in face.hear(frames.pop(0)):
            frames += dialect.hear(answer).frames


# -- what must be true ----------------------------------------------------------------------------


class Tally:
    """What came of all the mutants that were heard."""

    def __init__(self) -> None:
        self.heard: dict[str, int] = {}
        self.most_steps, self.culprit = 0, b""

    def count(self, name: str, times: int = 1) -> None:
        self.heard[name] = self.heard.get(name, 0) + times

    def took(self, steps: int, frame: bytes) -> None:
        if steps > self.most_steps:
            self.most_steps, self.culprit = steps, frame


def hear(moment: Moment, frame: bytes, tally: Tally, *, counted: bool = True) -> None:
    """Hear the frame: in few steps, without an exception, and with a result that can be used and recorded.

    Counting the steps takes longer than hearing the frame.
    """
    moment.again()
    if counted:
        with Steps(MOST_STEPS) as work:
            exchange = moment.dialect.hear(frame)
        tally.took(work.count, frame)
    else:
        exchange = moment.dialect.hear(frame)
    assert type(exchange) is Exchange
    for said in exchange.said:
        tally.count(type(said).__name__)
        check(said, moment.state)
    if not exchange.said:
        tally.count("nothing")


def check(said: FromPlayer, state: State) -> None:
    """It is one of the things that a player can say, and can be judged and recorded."""
    assert isinstance(said, FromPlayer)
    if isinstance(said, Garbled):
        assert said.why.isprintable()
        assert 0 < len(said.why) <= MOST_REASON
        return
    if isinstance(said, Act):
        with contextlib.suppress(IllegalMove):
            state.check(said.move)
    line = encode(Faulted(0, 0, Offence.ILLEGAL, "", Sanction.RETRY, said))
    assert encode(_event(line)) == line
    assert b"\n" not in line


def sign_up(kind: type[Dialect], frame: bytes, tally: Tally) -> None:
    """Sign up with the frame, in few steps: under a name that can be shown, or with a refusal of one line."""
    name, why = "", None
    with Steps(MOST_STEPS) as work:
        try:
            name = kind.read_sign_up(frame).name
        except Refusal as error:
            why = str(error)
    tally.took(work.count, frame)
    tally.count("signed up" if why is None else "refused")
    if why is None:
        assert type(name) is str
        assert 1 <= len(name) <= 32
        name.encode()
    else:
        assert why.isprintable()
        assert 0 < len(why) <= 300
