"""Tables of Fish in any of its dialects: bots behind faces, seats that misbehave, and what was said."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

from touchline.bots.random import Random as RandomBot
from touchline.core import messages
from touchline.core.conduct import Conduct, Offence
from touchline.core.events import Moved
from touchline.core.messages import FromPlayer
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import MatchSpec, agreed
from touchline.games.fish import Fish, FishState, Place
from touchline.testing.in_memory_match import Dialogue
from work import at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, Exchange
    from touchline.testing.in_memory_match import Reply

MOST_STEPS = 20_000
"""Calls that hearing one frame may take."""

NINE = Fish(rows=3, cols=3, fish=1)
"""For two: they place eight penguins on nine tiles, red eats one fish, and that is it."""
EIGHT = Fish(rows=2, cols=4, fish=2)
"""For two: when all penguins stand nobody can move."""
FULL = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1]]
"""Where two who take the first free tile place their penguins on NINE."""

Odd: TypeAlias = "Callable[[Any], Iterable[Reply] | None]"
"""What a seat does that is not honest: None is what an honest player would do."""


class First:
    """Make the first legal move."""

    def choose(self, view: FishState, turn: int) -> Any:
        return view.legal_moves()[0]


def random_bots(seats: int, seed: int) -> list[RandomBot]:
    return [RandomBot(Random(seed + seat)) for seat in range(seats)]


def spec_of(game: Fish, seats: int, conduct: str | Conduct = "course", seed: int = 1) -> MatchSpec:
    names = [f"p{seat}" for seat in range(seats)]
    under = CONDUCTS[conduct] if isinstance(conduct, str) else conduct
    return agreed(game, names, seed=seed, conduct=under)


class Table:
    """A match that is played when this is made: `sent` is all that each seat was sent, in its own words."""

    def __init__(
        self,
        spec: MatchSpec,
        modules: type[Dialect] | list[type[Dialect]],
        players: Sequence[Any],
        odd: Mapping[Seat, Odd] | None = None,
    ) -> None:
        seats = range(len(spec.names))
        each = modules if isinstance(modules, list) else [modules for _ in seats]
        self.dialects: list[Dialect] = [module(spec.game) for module in each]
        self.faces = [module.face(player) for module, player in zip(each, players, strict=True)]
        self.sent: list[list[Any]] = [[] for _ in seats]
        self.all: list[tuple[Seat, Any]] = []
        self._odd = odd or {}
        self.dialogue = Dialogue(spec, self.dialects, self._answer)
        self.result: Result = self.dialogue.run()

    def _answer(self, seat: Seat, frame: bytes) -> Iterable[Reply]:
        said = json.loads(frame)
        assert len(frame.splitlines()) == 1
        self.sent[seat].append(said)
        self.all.append((seat, said))
        if seat in self._odd:
            replies = self._odd[seat](said)
            if replies is not None:
                return list(replies)
        return [*self.faces[seat].hear(frame)]

    @property
    def moves(self) -> list[Moved]:
        return [event for event in self.dialogue.events if isinstance(event, Moved)]

    def words(self, seat: Seat) -> list[str]:
        """The names of what a seat was sent."""
        return [said[0] for said in self.sent[seat]]


def when(word: str, *replies: Reply, count: int = 0) -> Odd:
    """Do this when the word comes for the time that `count` says, the first being 0; else be honest."""
    heard = [0]

    def odd(said: Any) -> Iterable[Reply] | None:
        if said[0] != word:
            return None
        heard[0] += 1
        return replies if heard[0] == count + 1 else None

    return odd


def always(word: str, *replies: Reply) -> Odd:
    """Do this whenever the word comes."""
    return lambda said: replies if said[0] == word else None


def player(color: str, *places: list[int], score: int = 0) -> dict[str, Any]:
    return {"color": color, "score": score, "places": [*places]}


def frames(exchange: Exchange) -> list[Any]:
    return [json.loads(frame) for frame in exchange.frames]


def stood(game: Fish = NINE, seats: int = 2) -> FishState:
    """All penguins stand, on the first tiles."""
    state = game.start(seats, Random(1))
    while state.placing:
        (move, *_) = state.legal_moves()
        assert isinstance(move, Place)
        state = state.play(move)
    return state


def ended(game: Fish = NINE, seats: int = 2) -> FishState:
    """Nobody can move any more."""
    state = stood(game, seats)
    while state.to_move is not None:
        state = state.play(state.legal_moves()[0])
    return state


def everything(view: FishState, turn: int = 3) -> list[messages.ToPlayer]:
    """Every message the referee knows, the last words last."""
    return [
        messages.Begin(0, ("a", "b"), view),
        messages.YourTurn(turn, view, 1_000_000),
        messages.YourTurn(turn + 1, stood(), None),
        messages.Accepted(turn),
        messages.Rejected(turn, "no"),
        messages.Rejected(turn, "no", Offence.OUT_OF_TURN),
        messages.Update(turn + 1, view),
        messages.Update(turn + 2, stood()),
        messages.Onward(turn, view),
        messages.Skipped(turn, "no move is possible"),
        messages.Skipped(turn, "slow", Offence.LATE),
        messages.Skipped(turn, "bad", Offence.ILLEGAL),
        messages.Expelled("late", Offence.LATE),
        messages.Expelled("resigned"),
        messages.Over(ended(), "finished", ended().outcome(), "nobody can move"),
        messages.Over(view, "void", None, "why"),
    ]


CORPUS = [
    b'"void"', b"false", b"null", b"[0,0]", b"[[0,0],[2,2]]", b'{"x":0,"y":0}',
    b'{"from":{"x":0,"y":0},"to":{"x":2,"y":2}}',
    b'["placePenguin",[[0,0]]]', b'["movePenguin",[[0,2],[2,2]]]', b'["movePenguin",[[0,2],[2,2],[1,1]]]',
    b"[1.0,0]", b"[true,0]", b"[-1,0]", b"[1e400,0]", b"[NaN,0]", b"[" + b"9" * 6000 + b",0]", b"[" * 50_000,
    b'{"x":' * 10_000, b'"\\ud800"', b'"\xff"', b'"' + b"a" * 70_000 + b'"', b"\x00", b"",
    b" " * 2040 + b"[0,0]",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A frame that is almost one that somebody could send."""
    frame = bytearray(draw(st.sampled_from(CORPUS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(frame)))
        frame[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(frame)


FRAMES = st.one_of(st.binary(max_size=200), st.sampled_from(CORPUS), mutated())


MOST_STEPS = 5_000
"""Steps that hearing one frame may take; the longest of the corpus takes some 700."""


def heard_all(dialect: Dialect, view: FishState, sent: Sequence[bytes]) -> None:
    """Hear these at every point of a match: it never raises, and takes few steps."""
    for message in (None, *everything(view)):
        if message is not None:
            dialect.say(message)
        for frame in sent:
            with at_most(MOST_STEPS):
                exchange = dialect.hear(frame)
            for said in exchange.said:
                assert isinstance(said, FromPlayer)
                assert not isinstance(said, messages.Garbled) or (said.why.isprintable() and said.why)
