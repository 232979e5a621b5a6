"""`check_dialect`: does a dialect keep the contract of `touchline/dialects/base.py`?

It signs a player up, plays whole matches between the dialect and its own face in each game that the dialect
speaks, and sends mutated and random frames at every point of a match. It knows no dialect by name.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.bots.random import Random as RandomBot
from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.core.messages import Act, Begin, Expelled, FromPlayer, Garbled, Over, Ready, YourTurn
from touchline.core.registry import CONDUCTS
from touchline.dialects.base import UNREADABLE, Dialect, Exchange, Face, Refusal, SignUp, Word
from touchline.drivers.match import agreed
from touchline.testing.game_check import CheckFailed
from touchline.testing.in_memory_match import Dialogue
from touchline.testing.mutants import Mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game
    from touchline.drivers.match import MatchSpec

NAME = "anna"
"""A name that every dialect must allow."""
NAMES = (NAME, "bert", "carla", "dora", "emil", "fred")
TURN_CAP = 300
"""Turns after which a match is broken off."""
MUTANTS = 200
"""Mutated frames at each point of a match."""
NOISE = (b"", b" ", b"\x00", b"\xff\xfe", b"null", b"[", b"[" * 5000, b'"' + b"a" * 5000, b"9" * 5000, b"f(")


def check_dialect(
    dialect: str | type[Dialect], *, seed: int = 0, report: Callable[[str], None] | None = None
) -> None:
    """Raise CheckFailed unless a dialect keeps the contract. `report` is told each law that holds.

    >>> check_dialect("native")
    """
    kind = registry.dialect(dialect) if isinstance(dialect, str) else dialect
    passed = report or (lambda law: None)
    _check_declaration(kind)
    passed("declares its name, games, framing, conduct, words and face")
    sign_ups = _check_sign_up(kind)
    passed("reads the sign-up of its own face, and refuses everything else with Refusal")
    for name in kind.games or registry.names("games"):
        game = _game(kind, name)
        match = _Match(kind, game, seed)
        match.check()
        passed(f"{name}: plays a whole match with its own face, which hears the last word")
        _check_hear(kind, game, [*match.answers, *sign_ups], seed)
        passed(f"{name}: hears anything at any point of a match without an exception")
        _check_fast_lane(kind, game)
        _check_expulsion(kind, game)
        passed(f"{name}: expels a player, and awaits nothing after that")


def _demand(true: object, law: str, *found: object) -> None:
    if not true:
        raise CheckFailed(": ".join([law, *map(repr, found)]))


# -- declaration ----------------------------------------------------------------------------------


def _check_declaration(kind: type[Dialect]) -> None:
    _demand(issubclass(kind, Dialect), "a dialect is a subclass of Dialect", kind)
    for name in ("name", "words", "face"):
        _demand(hasattr(kind, name), f"{kind.__name__} has no attribute `{name}`; see dialects/base.py")
    _demand(kind.name and kind.name == kind.name.lower(), "`name` is in lower case", kind.name)
    _demand("_" not in kind.name, "`name` has hyphens, not underscores", kind.name)
    for game in kind.games:
        _demand(game in registry.names("games"), "`games` names games that are installed", game)
    _demand(kind.framing in ("lines", "values"), '`framing` is "lines" or "values"', kind.framing)
    _demand(kind.conduct in CONDUCTS, f"`conduct` is one of {', '.join(CONDUCTS)}", kind.conduct)
    _demand(kind.per_move > 0, "`per_move` is a positive number of microseconds", kind.per_move)
    _demand(issubclass(kind.face, Face), "`face` is a subclass of Face", kind.face)
    for word, meaning in kind.words.items():
        _demand(meaning and meaning.isprintable(), "each of `words` has a printable meaning", word)
    abstract = sorted({*kind.__abstractmethods__, *kind.face.__abstractmethods__})
    _demand(not abstract, "a dialect and its face implement every abstract method; missing", *abstract)


def _game(kind: type[Dialect], name: str) -> Game:
    """Return a game that the dialect has words for."""
    game = registry.game(name)
    try:
        kind(game)
    except TouchlineError as error:
        raise CheckFailed(f"{kind.__name__}({name}) raises for the default board: {error}") from error
    return game


# -- sign-up --------------------------------------------------------------------------------------


def _check_sign_up(kind: type[Dialect]) -> list[bytes]:
    frames = kind.face(None).sign_up(NAME, "a-key", "a-token" if kind.resumable else None)
    _demand(len(frames) == 1 and type(frames[0]) is bytes, "Face.sign_up() returns one frame", frames)
    said = kind.read_sign_up(frames[0])
    _demand(isinstance(said, SignUp), "read_sign_up() returns a SignUp", said)
    _demand(said.name == NAME, "read_sign_up() reads the name that the face signs up with", said.name)
    key, token = "a-key" if kind.has_keys else None, "a-token" if kind.resumable else None
    _demand(said.key == key, "a sign-up has the key if `has_keys` is true, else none", said.key)
    _demand(said.token == token, "a sign-up has the token if `resumable` is true, else none", said.token)
    for noise in NOISE:
        _check_refused(kind, noise)
    for mutant, _ in zip(Mutants(tuple(frames), kind.name), range(MUTANTS), strict=False):
        _check_refused(kind, mutant)
    _check_frames(kind.welcome(NAME, "a-token"), "welcome()")
    _check_frames(kind.refuse("too late"), "refuse()")
    _check_words_of_sign_up(kind)
    return frames


def _check_refused(kind: type[Dialect], frame: bytes) -> None:
    """A frame is a sign-up, or is refused in one line."""
    try:
        name = kind.read_sign_up(frame).name
    except Refusal as refusal:
        _demand(str(refusal) and str(refusal).isprintable(), "a Refusal is one printable line", str(refusal))
    except Exception as error:
        raise CheckFailed(
            f"read_sign_up() raises Refusal and nothing else: {error!r}: {frame[:80]!r}"
        ) from error
    else:
        _demand(type(name) is str, "a name is a text", name, frame[:80])
        if kind.own_name_rule:
            _demand(name, "a dialect with a rule for names of its own allows no empty name", frame[:80])


def _check_words_of_sign_up(kind: type[Dialect]) -> None:
    """The face tells a welcome from a refusal, where the dialect has words for both."""
    welcome, refusal = kind.welcome(NAME, "a-token"), kind.refuse("too late")
    face = kind.face(None)
    _demand(not kind.resumable or welcome, "a resumable dialect has a welcome, with the token")
    if face.welcomes:
        _demand(welcome and refusal, "if a face `welcomes`, the dialect has a welcome and a refusal")
        _demand(face.classify(welcome[0]) is Word.WELCOME, "Face.classify() knows a welcome", welcome[0])
        _demand(face.classify(refusal[-1]) is Word.REFUSAL, "Face.classify() knows a refusal", refusal[-1])
        _demand("too late" in face.reason(refusal[-1]), "Face.reason() reads why", refusal[-1])
    for frame in welcome:
        face.hear(frame)
    if kind.resumable:
        _demand(face.token == "a-token", "a face keeps the token of its welcome", face.token)
    _demand(not face.over, "a welcome is not the last word")


def _check_frames(frames: Sequence[bytes], where: str) -> None:
    for frame in frames:
        _demand(type(frame) is bytes, f"{where} returns frames of bytes", frame)
        _demand(b"\n" not in frame, f"{where}: a frame has no line break", frame)


# -- a match --------------------------------------------------------------------------------------


class _Match:
    """A match of random bots, between the dialect and its own face."""

    def __init__(self, kind: type[Dialect], game: Game, seed: int) -> None:
        self._kind, self._seed = kind, seed
        seats = min(game.seats)
        conduct = CONDUCTS[kind.conduct]
        self.spec: MatchSpec = agreed(game, NAMES[:seats], seed=seed, turn_cap=TURN_CAP, conduct=conduct)
        self._faces = [
            kind.face(RandomBot(Random(f"{seed} {seat}")), rng=Random(seed)) for seat in range(seats)
        ]
        self._dialects = [_Checked(kind(game)) for _ in range(seats)]
        self.answers: list[bytes] = []
        self._last: list[bytes | None] = [None] * seats

    def check(self) -> None:
        where = f"{self._kind.name} in {self.spec.game.name}"
        spec = self._proposed()
        dialects: list[Any] = [*self._dialects]
        result = Dialogue(spec, dialects, self._answer).run()
        _demand(result.verdict == "finished" or result.turns >= TURN_CAP, f"{where}: a match ends", result)
        _demand(not result.faults, f"{where}: the face's answers are legal and in order", result.faults[:3])
        for face, last in zip(self._faces, self._last, strict=True):
            if last is not None and result.verdict == "finished":
                _demand(face.over, f"{where}: the face knows the last word (`over`)", last[:80])
            if last is not None and face.welcomes and result.verdict == "finished":
                _demand(
                    face.classify(last) is Word.LAST, f"{where}: classify() knows the last word", last[:80]
                )

    def _proposed(self) -> MatchSpec:
        """Ask for proposals, where the dialect has words for that."""
        if not self._kind.proposes:
            _demand(
                not self._dialects[0].propose().frames, "propose() has no frames unless `proposes` is true"
            )
            return self.spec
        for seat, dialect in enumerate(self._dialects):
            frames = dialect.propose().frames
            _demand(frames, "propose() asks, if `proposes` is true")
            said = [
                thing
                for frame in frames
                for answer in self._answer(seat, frame)
                for thing in dialect.hear(answer).said
            ]
            _demand(said == [Ready()], "a readable proposal is heard as Ready()", said)
        return replace(self.spec, proposals=tuple(dialect.proposal for dialect in self._dialects))

    def _answer(self, seat: int, frame: bytes) -> list[bytes]:
        self._last[seat] = frame
        try:
            answers = self._faces[seat].hear(frame)
        except Exception as error:
            raise CheckFailed(f"Face.hear() raises {error!r} at {frame[:80]!r}") from error
        _check_frames(answers, "Face.hear()")
        self.answers += answers
        return answers


class _Checked:
    """A dialect whose exchanges are checked."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    @property
    def proposal(self) -> Any:
        return self._dialect.proposal

    def propose(self) -> Exchange:
        return self._dialect.propose()

    def say(self, message: ToPlayer) -> Exchange:
        exchange = self._dialect.say(message)
        _check_exchange(exchange, f"say({type(message).__name__})")
        return exchange

    def hear(self, frame: bytes) -> Exchange:
        exchange = self._dialect.hear(frame)
        _check_exchange(exchange, "hear()")
        return exchange


def _check_exchange(exchange: object, where: str) -> None:
    if not isinstance(exchange, Exchange):
        raise CheckFailed(f"{where} returns an Exchange, not {exchange!r}")
    _check_frames(exchange.frames, where)
    for said in exchange.said:
        _demand(isinstance(said, FromPlayer), f"{where} says messages of a player", said)
        if isinstance(said, Garbled):
            _demand(said.why and said.why.isprintable(), f"{where}: Garbled says why, in one line", said.why)


# -- anything that a player can send --------------------------------------------------------------


def _points(game: Game) -> Iterable[tuple[str, list[ToPlayer]]]:
    """What the referee can have said before a frame arrives, by name."""
    seats = min(game.seats)
    view = game.start(seats, Random(1)).view(0)
    begin = Begin(0, NAMES[:seats], view)
    yield "before the match", []
    yield "after Begin", [begin]
    yield "after YourTurn", [begin, YourTurn(0, view, 1_000_000)]
    yield "after Expelled", [begin, Expelled("late")]
    yield "after Over", [begin, Over(view, "void", None, "why")]


def _check_hear(kind: type[Dialect], game: Game, valid: Sequence[bytes], seed: int) -> None:
    mutants = Mutants(tuple(dict.fromkeys(valid)) or (b"null",), f"{kind.name} {seed}")
    for where, said in _points(game):
        frames = [*NOISE, *dict.fromkeys(valid[:50]), *(next(mutants) for _ in range(MUTANTS))]
        dialect = kind(game)
        for message in said:
            _check_exchange(dialect.say(message), f"say({type(message).__name__})")
        for frame in frames:
            try:
                exchange = dialect.hear(frame, 1000)
            except Exception as error:
                law = "nothing that a player sends raises past hear()"
                raise CheckFailed(f"{law}: {error!r} at {frame[:80]!r}, {where}") from error
            _check_exchange(exchange, f"hear(), {where}")
            if said and not dialect.owes and isinstance(said[-1], YourTurn):
                _check_exchange(dialect.say(said[-1]), "say(YourTurn) once more")


def _check_fast_lane(kind: type[Dialect], game: Game) -> None:
    """The fast lane says and hears what `say()` and `hear()` do."""
    dialect = kind(game)
    lane = dialect.fast
    if lane is None:
        return
    view = game.start(min(game.seats), Random(1)).view(0)
    begin, turn = Begin(0, NAMES[: min(game.seats)], view), YourTurn(0, view, 1_000_000)
    face = kind.face(RandomBot(Random(1)))
    for frame in dialect.say(begin).frames:
        face.hear(frame)
    asked = lane.ask(0, view, 1_000_000)
    _demand([asked] == [*dialect.say(turn).frames], "fast.ask() returns the frame of say(YourTurn)", asked)
    (answer,) = face.hear(asked)
    fast, heard = lane.decode_answer(answer), dialect.hear(answer).said
    _demand(
        [*heard] == [Act(fast.move, fast.turn)], "fast.decode_answer() decodes what hear() decodes", answer
    )
    for noise in NOISE:
        with suppress(*UNREADABLE):
            lane.decode_answer(noise)


def _check_expulsion(kind: type[Dialect], game: Game) -> None:
    """An expelled player owes nothing, and a face that is told so knows that it is over."""
    dialect, face = kind(game), kind.face(RandomBot(Random(1)))
    for message in dict(_points(game))["after YourTurn"]:
        dialect.say(message)
    frames = dialect.say(Expelled("late")).frames
    _demand(not dialect.owes, "an expelled player owes no answer")
    for frame in frames:
        face.hear(frame)
    _demand(face.over or not frames, "the face knows that it is expelled (`over`)", [*frames])
