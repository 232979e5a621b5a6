"""Transcripts of matches, for people to read and for tests to compare, and the table of words.

A scene is a match of bots in which a player deviates from honest play when it gets a certain message. Law of
this file: a transcript depends on its scene alone, and no frame in it is shortened.
"""

from __future__ import annotations

import enum
import re
from collections import Counter, deque
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import events, messages, registry
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Offence
from touchline.core.happenings import Failed, Lapsed, Note
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import agreed
from touchline.testing.in_memory_match import Dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from touchline.core.events import Event, Result
    from touchline.core.happenings import Effect
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect
    from touchline.drivers.match import MatchSpec
    from touchline.testing.in_memory_match import Reply

DIALECTS = (
    "seed-000", "seed-001", "seed-002", "seed-003", "seed-004", "fish-course", "labyrinth-course", "native",
)  # fmt: skip
"""Our dialects, in the order of the documentation."""

_first_word = re.compile(rb'(?:\["|\{"type":")?([A-Za-z_-]+)').match


def word_of(frame: bytes) -> str:
    """Return the name of the referee's message in a frame of any dialect.

    >>> word_of(b'["get-move",[]]'), word_of(b'{"type":"begin"}'), word_of(b"request(board:board)")
    ('get-move', 'begin', 'request')
    """
    found = _first_word(frame)
    return found[1].decode() if found else ""


# -- scenes -------------------------------------------------------------------------------------


class Deed(enum.Enum):
    """What a player can do besides sending a given frame."""

    HONEST = "what an honest player would send"
    LATE = "nothing, until its time is up"
    GONE = "it hangs up"


HONEST, LATE, GONE = Deed
Deeds: TypeAlias = "tuple[bytes | Deed, ...]"


class Slip(NamedTuple):
    """What a seat does when it gets the message `word` for the `time`-th time, counted from 1."""

    word: str
    does: Deeds
    time: int = 1


class Scene(NamedTuple):
    """A match and the deviations in it."""

    shows: str
    dialect: str | tuple[str, ...]
    """One dialect for each seat, or one for all."""
    game: Game
    players: Callable[[], Sequence[Any]]
    """Make a bot for each seat."""
    slips: Mapping[Seat, Sequence[Slip]] = {}
    seed: int = 1
    proposals: tuple[Any, ...] = ()
    """The boards that the seats propose, if the dialect does not ask for them."""
    from_the_last: str | None = None
    """Omit all lines before the last occurrence of this message."""


NAMES = ("ada", "bob", "cyd")


def transcript(scene: Scene) -> str:
    """Play a scene and return its transcript."""
    table = _PlayedScene(scene)
    lines = table.played()
    return "\n".join([*_header(scene, table.spec), "", *lines]) + "\n"


def _header(scene: Scene, spec: MatchSpec) -> Iterator[str]:
    yield f"shows    {scene.shows}"
    yield f"dialect  {scene.dialect if isinstance(scene.dialect, str) else ', '.join(scene.dialect)}"
    yield f"conduct  {spec.conduct.name}"
    per_move = spec.limits.clock.per_move
    assert per_move is not None
    yield f"time     {per_move // 1_000_000} s a move"
    yield f"game     {spec.game.name} {_options(spec.game)}"
    yield f"seats    {', '.join(spec.names)}"


def _options(game: Game) -> str:
    """Return the options that differ from the game's defaults, as JSON."""
    usual = msgspec.to_builtins(type(game)())
    options = msgspec.to_builtins(game).items()
    return msgspec.json.encode({name: value for name, value in options if value != usual[name]}).decode()


class _PlayedScene:
    """The match of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        players = scene.players()
        spoken = [scene.dialect] * len(players) if isinstance(scene.dialect, str) else scene.dialect
        kinds = [registry.dialect(name) for name in spoken]
        self._names = NAMES[: len(players)]
        self._faces = [kind.face(player) for kind, player in zip(kinds, players, strict=True)]
        self._dialects: list[Dialect] = [kind(scene.game) for kind in kinds]
        self._told: list[Counter[str]] = [Counter() for _ in players]
        self._lines: list[str] = [*self._signing_up()]
        only = kinds[0] if len({*spoken}) == 1 else None
        clock = Clock() if only is None else Clock(per_move=only.per_move)
        self.spec = agreed(
            scene.game,
            self._names,
            seed=scene.seed,
            conduct=COURSE if only is None else CONDUCTS[only.conduct],
            limits=Limits(clock=clock),
            proposals=self._proposals(),
        )

    def played(self) -> list[str]:
        dialogue = _Annotated(self.spec, self._dialects, self._answer)
        dialogue.lines = self._lines
        result = dialogue.run()
        lines, word = dialogue.lines, self._scene.from_the_last
        if word is not None:
            last = max(at for at, line in enumerate(lines) if _word_in(line) == word)
            lines = [f"({last} lines of what went before are left out)", *lines[last:]]
        return [*lines, "", *_ended(result, self._names)]

    def _signing_up(self) -> Iterator[str]:
        """Show the sign-up, unless a welcome follows: a program that the referee starts gets none."""
        for name, face, dialect in zip(self._names, self._faces, self._dialects, strict=True):
            for frame in face.sign_up(name) if not dialect.welcome(name, "") else ():
                assert dialect.read_sign_up(frame).name == name
                yield f"{name} -> referee: {frame.decode()}"

    def _proposals(self) -> tuple[Any, ...]:
        """Return the proposals of all seats: asked for where the dialect can, else the scene's."""
        proposals = []
        for seat, dialect in enumerate(self._dialects):
            if not dialect.proposes:
                return self._scene.proposals
            (frame,) = dialect.propose().frames
            self._lines.append(f"referee -> {self._names[seat]}: {frame.decode()}")
            (reply,) = self._answer(seat, frame)
            assert isinstance(reply, bytes)
            self._lines.append(f"{self._names[seat]} -> referee: {reply.decode()}")
            dialect.hear(reply)
            proposals.append(dialect.proposal)
        return tuple(proposals)

    def _answer(self, seat: Seat, frame: bytes) -> Iterable[Reply]:
        word = word_of(frame)
        self._told[seat][word] += 1
        honest: list[bytes] = self._faces[seat].hear(frame)
        for slip in self._scene.slips.get(seat, ()):
            if slip.word == word and slip.time == self._told[seat][word]:
                return [reply for deed in slip.does for reply in _done(deed, seat, honest)]
        return honest


def _word_in(line: str) -> str:
    return word_of(line.partition(": ")[2].encode())


def _done(deed: bytes | Deed, seat: Seat, honest: list[bytes]) -> Sequence[Reply]:
    match deed:
        case Deed.HONEST:
            return honest
        case Deed.LATE:
            return [Lapsed(seat)]
        case Deed.GONE:
            return [Failed(seat, Offence.GONE, "hung up")]
        case frame:
            return [frame]


class _Annotated(Dialogue):
    """A dialogue with the referee's notes on faults, skips and resignations."""

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self.lines += [f"   * {note}" for note in _noted(effect.event, self._names)]
            super()._do([effect])


def _noted(event: Event, names: Sequence[str]) -> Iterator[str]:
    match event:
        case events.Faulted(_, seat, offence, reason, sanction):
            yield f"{names[seat]}, {offence.value.replace('_', ' ')}: {reason}; {sanction.value}"
        case events.PassedOver(_, seats):
            yield f"no move for {', '.join(names[seat] for seat in seats)}"
        case events.Ignored(_, seat):
            yield f"{names[seat]} answers an old question, which is ignored"
        case events.Resigned(_, seat, why):
            yield f"{names[seat]} resigns: {why}"


def _ended(result: Result, names: Sequence[str]) -> Iterator[str]:
    yield f"verdict  {result.verdict}: {result.reason}"
    winners = result.outcome.winners if result.outcome is not None else ()
    for label, seats in (("won", winners), ("expelled", result.expelled), ("resigned", result.resigned)):
        if seats:
            yield f"{label:<8} {', '.join(names[seat] for seat in seats)}"


# -- the table of words -------------------------------------------------------------------------

SILENCE = "–"


class _Sample(NamedTuple):
    """A game and four of its states."""

    game: Game
    start: State
    soon: State
    """After one turn; in labyrinth a turn that reached a goal."""
    later: State
    """In fish, a state after all penguins are placed."""
    ended: State


def _sample(name: str) -> _Sample:
    if name == "labyrinth":
        return _sample_of_labyrinth()
    options: dict[str, Any] = {"fish": 1} if name == "fish" else {}
    game = registry.game(name, {"rows": 3, "cols": 3, **options})
    states = [game.start(2, Random(0))]
    while states[-1].to_move is not None:
        states.append(states[-1].play(states[-1].legal_moves()[0]))
    return _Sample(game, states[0], states[1], states[-2], states[-1])


def _sample_of_labyrinth() -> _Sample:
    game, seed = registry.game("labyrinth", {"rows": 3, "cols": 5}), 0
    while True:
        start: Any = game.start(2, Random(seed))
        for move in start.legal_moves():
            soon = start.play(move)
            if soon.reached == 0:
                ended = start.skip().skip()
                return _Sample(game, start, soon, soon, ended)
        seed += 1


class _Listener:
    """A dialect with a player that answers every call with `"void"`."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def hears(self, message: ToPlayer) -> str:
        """Return the names of all frames that a message leads to."""
        frames, words = deque(self._dialect.say(message).frames), []
        while frames:
            words.append(f"`{word_of(frames.popleft())}`")
            if self._dialect.owes:
                frames += self._dialect.hear(b'"void"').frames
        return ", ".join(words) or SILENCE


def _rows(sample: _Sample) -> dict[str, list[list[ToPlayer]]]:
    """Return for each row of the table the message sequences that end in the row's message."""
    _, start, soon, later, ended = sample
    turn = messages.YourTurn(0, start.view(0), None)
    refused = messages.Rejected(0, "no")
    over = messages.Over(ended.view(0), "finished", ended.outcome(), "")
    return {
        "Begin": [[]],
        "YourTurn": [[turn], [messages.YourTurn(8, later.view(0), None)]],
        "Accepted": [[messages.Accepted(0)]],
        "Rejected": [[refused]],
        "YourTurn once more": [[turn, refused, turn]],
        "Update": [[messages.Update(1, soon.view(0))], [messages.Update(8, later.view(0))]],
        "Onward": [[messages.Onward(1, soon.view(0))]],
        "Skipped, without a move": [[messages.Skipped(0, "no move is possible")]],
        "Skipped, for being late": [[messages.Skipped(0, "late", Offence.LATE)]],
        "Skipped, for a move": [[messages.Skipped(0, "no", Offence.ILLEGAL)]],
        "Expelled": [[messages.Expelled("late", Offence.LATE)]],
        "Over": [[messages.Update(8, later.view(0)), over], [over]],
        "Over, and does not count": [[messages.Over(start.view(0), "void", None, "")]],
    }


def words() -> dict[str, dict[str, str]]:
    """Return what each dialect says for each message of the referee, by message and dialect."""
    table: dict[str, dict[str, str]] = {}
    for name in DIALECTS:
        kind = registry.dialect(name)
        sample = _sample(kind.games[0] if kind.games else "hexapawn")
        begin = messages.Begin(0, NAMES[:2], sample.start.view(0))
        for row, ways in _rows(sample).items():
            cells = dict.fromkeys(_last(kind(sample.game), [begin, *way]) for way in ways)
            table.setdefault(row, {})[name] = " or ".join(cells)
    return table


def _last(dialect: Dialect, way: Iterable[ToPlayer]) -> str:
    listener = _Listener(dialect)
    return [listener.hears(message) for message in way][-1]


def words_table() -> str:
    """Return `words()` as a Markdown table."""
    rows = [["the referee says", *DIALECTS], ["---"] * (1 + len(DIALECTS))]
    rows += [[word, *cells.values()] for word, cells in words().items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
