"""The jobs of worker processes. A job is sent as bytes, and its method `done` does the work.

Rule of this file: a job holds plain data only, positions as JSON and records as bytes; states and players are
never sent, and received data is only ever decoded, not executed.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.core.events import Moved
from touchline.core.rules import check_seats
from touchline.core.sketch import Key
from touchline.draw.words import narrated
from touchline.drivers.match import agreed, opened
from touchline.records.recorder import SEALED
from touchline.web import schema
from touchline.web.workers.cup_jobs import LookAtCup, PageOfCup, RecordOfCup, ReportOnCup, TabulateCup

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.bots.base import HouseBot
    from touchline.core.rules import Game, State
    from touchline.records.replay import Replay

MOST_SPOTS, MOST_MOVES = 1000, 6000
"""A larger board is refused: a browser could not show it."""

pack = msgspec.msgpack.Encoder().encode


class JobStarted(Struct, frozen=True, tag="started"):
    """The worker starts the job: everything is imported and decoded, and the timeout runs."""


class JobCompiling(Struct, frozen=True, tag="compiling"):
    """The worker compiles kernels of a house player, so that the job has to wait; sent for each kernel."""

    seconds: float = 0.0
    """The seconds that it will probably take."""


class JobProgress(Struct, frozen=True, tag="progress"):
    """A long job has come so far."""

    done: int
    of: int


class JobDone(Struct, frozen=True, tag="done"):
    """The result of a job, encoded."""

    what: bytes


class JobRefused(Struct, frozen=True, tag="wrong"):
    """The job failed: `kind` is the class of a TouchlineError, or empty for any other exception."""

    kind: str
    text: str


JobAnswer: TypeAlias = JobStarted | JobCompiling | JobProgress | JobDone | JobRefused


class ListGames(Struct, frozen=True, tag="offers"):
    """Make the catalogue of games. It takes a moment, since all games and house players are imported."""

    def done(self, started: Callable[[], None]) -> schema.Catalogue:
        from touchline.web.catalogue import catalogue

        started()
        return catalogue()


class Demonstrate(Struct, frozen=True, tag="demonstrate"):
    """Play a short match between house players, and draw it as JSON."""

    game: str

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.demonstration import demonstration

        started()
        return msgspec.json.encode(demonstration(self.game))


class HousePlayer(Struct, frozen=True, kw_only=True):
    """A house player that was found for a seat."""

    player: str
    options: dict[str, Any]
    name: str
    """The name at the table: that of the level's character, or the player's own word."""
    level: schema.LevelName | None = None


class CheckedTable(Struct, frozen=True):
    """A table that can be made: the options of the game in full, and the house players in their order."""

    options: dict[str, Any]
    players: tuple[HousePlayer, ...]


class ListTutorial(Struct, frozen=True, tag="tutorial"):
    """Make the tutorial of a game, as JSON; or the drawing after a move of one step."""

    game: str
    step: int | None = None
    move: int | None = None

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.tutorials import tutorial_after, tutorial_of

        started()
        if self.step is not None and self.move is not None:
            return msgspec.json.encode(tutorial_after(self.game, self.step, self.move))
        return msgspec.json.encode(tutorial_of(self.game))


class CheckTable(Struct, frozen=True, tag="check"):
    """Check that a table can be made, and find the players of its levels."""

    game: str
    options: dict[str, Any]
    seats: int
    players: tuple[schema.SeatForHouse, ...]

    def done(self, started: Callable[[], None]) -> CheckedTable:
        game = registry.game(self.game, self.options)
        started()
        check_seats(game, self.seats, BadOptions)
        sketch = opened(agreed(game, [""] * self.seats, 0)).sketch()
        if len(sketch.spots) > MOST_SPOTS or len(sketch.moves) > MOST_MOVES:
            raise BadOptions(f"{game.name}: this board is too large for the page")
        players = tuple(self._player(seat) for seat in self.players)
        return CheckedTable(msgspec.to_builtins(game), players)

    def _player(self, seat: schema.SeatForHouse) -> HousePlayer:
        """Return the house player that a seat asks for. BadOptions if it plays another game."""
        from touchline.web.levels import level_of

        if seat.level is not None:
            offer = level_of(self.game, seat.level)
            player, options, name = offer.player, offer.options, offer.name
        else:
            player, options = seat.player or "", seat.options
            name = factory.label(player, options)
            factory.check_numbers(player, options)
        factory.check(player, self.game, options)
        return HousePlayer(player=player, options=options, name=name, level=seat.level)


class CardText(Struct, frozen=True, kw_only=True):
    """What the card of a table says."""

    headline: str
    why: str
    names: tuple[str, ...]
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()


class DrawPosition(Struct, frozen=True, kw_only=True, tag="position"):
    """Draw a position of a table: as SVG, small, or as a card; without one, an opening position."""

    game: str
    options: dict[str, Any]
    seats: int
    position: bytes | None
    theme: schema.Theme
    kind: schema.TablePicture = "svg"
    card: CardText | None = None

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.draw.card import Told, card, thumbnail
        from touchline.draw.sheet import sheet_of
        from touchline.draw.svg import picture, svg
        from touchline.web.levels import for_people

        started()
        game = registry.game(self.game, self.options)
        if self.position is None:
            state = opened(agreed(game, [""] * self.seats, 0)).view(None)
        else:
            state = game.restore(msgspec.json.decode(self.position, type=game.Position))
        sketch, sheet, title = state.sketch(), sheet_of(type(game)), for_people(type(game)).title
        if self.kind == "thumbnail":
            return thumbnail(sketch, sheet, self.theme)
        if self.kind == "card" and self.card is not None:
            text = self.card
            told = Told(title, text.headline, text.why, text.names, text.scores, text.winners)
            return card(sketch, sheet, told, self.theme)
        return svg(picture(sketch, sheet), self.theme, title).encode()


class AskPlayer(Struct, frozen=True, kw_only=True):
    """Base of the jobs that ask a house player about a position, as its seat sees it."""

    game: str
    options: dict[str, Any]
    position: bytes
    player: str
    player_options: dict[str, Any]
    seed: str
    turn: int

    @property
    def kind(self) -> bytes:
        """What such jobs have in common: the game, and the player with its options."""
        return pack((self.game, self.options, self.player, self.player_options))

    @property
    def declared(self) -> float:
        """The seconds that the player is told to think; 0 if it is not told."""
        seconds = self.player_options.get("seconds", 0.0)
        return float(seconds) if isinstance(seconds, int | float) else 0.0

    def view(self) -> tuple[Game, State]:
        game = registry.game(self.game, self.options)
        return game, game.restore(msgspec.json.decode(self.position, type=game.Position))

    def bot(self, game: Game | str) -> HouseBot:
        """Return the bot, cached if it is deterministic, else seeded for this turn.

        Given a `Game` it is prepared to play it, which can take seconds; a name is enough for advice.
        """
        factory.check_numbers(self.player, self.player_options)
        if factory.kind(self.player).chance:
            return factory.make(self.player, game, f"{self.seed} {self.turn}", self.player_options)
        rules = b"" if isinstance(game, str) else msgspec.json.encode(self.options)
        return _cached(self.player, tuple(self.player_options.items()), self.game, rules)


@lru_cache(maxsize=64)
def _cached(player: str, options: tuple[tuple[str, Any], ...], name: str, rules: bytes) -> HouseBot:
    """Make a deterministic bot once; `rules` has the game's options, empty to skip the preparation."""
    game = registry.game(name, msgspec.json.decode(rules)) if rules else name
    return factory.make(player, game, "", dict(options))


class Choose(AskPlayer, frozen=True, kw_only=True, tag="choose"):
    """Choose a move; the result is JSON."""

    def done(self, started: Callable[[], None]) -> bytes:
        game, view = self.view()
        bot = self.bot(game)
        started()
        return msgspec.json.encode(bot.choose(view, self.turn))


class Advised(Struct, frozen=True, kw_only=True):
    """The advice of a house player."""

    player: str
    choice: int
    keys: tuple[Key, ...]
    move: bytes
    text: str
    says: str
    values: tuple[float, ...]


class Advise(AskPlayer, frozen=True, kw_only=True, tag="advise"):
    """Ask a house player for advice and, if it can tell, for reasons; without a name, the strongest."""

    def done(self, started: Callable[[], None]) -> Advised:
        player = self.player or factory.strongest(self.game)
        asked = self if self.player else replace(self, player=player, player_options={})
        _, view = self.view()
        bot = asked.bot(self.game)
        started()
        thought = bot.think(view)
        move = thought.line[0]
        choice = list(view.legal_moves()).index(move)
        return Advised(
            player=factory.label(asked.player, asked.player_options),
            choice=choice,
            keys=view.sketch().moves[choice],
            move=msgspec.json.encode(move),
            text=narrated(view, move)[1],
            says=thought.says,
            values=thought.values,
        )


class VerifyRecord(Struct, frozen=True, tag="verify"):
    """Verify a record by playing it again. BadInput if the replay differs, or an upload has huge options.

    Of a match that did not end, and hides nothing, every move is checked against the rules instead.
    """

    data: bytes
    made: int
    source: schema.Source = "dropped"

    def done(self, started: Callable[[], None]) -> schema.RecordSummary:
        from touchline.records.replay import Replay
        from touchline.web.record_shelf import MOST_OPTIONS, described, too_many_options

        started()
        replay = Replay(self.data, "the record")
        if self.source == "dropped" and too_many_options(replay.begun):
            raise BadInput(f"the options of the game have more than {MOST_OPTIONS} bytes", "the record")
        if replay.ended is None:
            return self._checked(replay)
        replay.verify()
        return described(replay.events, self.data, self.made, self.source, None)

    def _checked(self, replay: Replay) -> schema.RecordSummary:
        """Return the summary of a record that breaks off, if it can be shown as far as it goes."""
        from touchline.web.playback import Playback
        from touchline.web.record_shelf import described

        if len(replay.begun.names) not in replay.game.seats:
            raise BadInput("it has not as many names as the game has seats", "the record")
        turns = [event.turn for event, _ in replay.states() if isinstance(event, Moved)]
        if turns != sorted({*turns}) or min(turns, default=0) < 0:
            raise BadInput("its turns are not in order", "the record")
        try:
            record = described(replay.events, self.data, self.made, self.source, None)
            Playback(self.data).positions(record)
        except TouchlineError:
            raise
        except Exception as error:  # a record that proves nothing can fail in any way
            raise BadInput(f"it cannot be shown: {type(error).__name__}", "the record") from None
        return record


class ListPositions(Struct, frozen=True, tag="positions"):
    """List every event of a record, with the drawing after it, as lines of JSON."""

    data: bytes
    record: schema.RecordSummary

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).positions(self.record)


class DrawRecord(Struct, frozen=True, tag="draw"):
    """Draw a position of a record as SVG or PNG, or the card of the record."""

    data: bytes
    theme: schema.Theme
    n: int | None = None
    turn: int | None = None
    bare: bool = False
    """Small, and without a caption."""
    kind: schema.RecordPicture = "svg"

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.playback import Playback

        started()
        playback = Playback(self.data)
        if self.kind == "png":
            return playback.png(self.theme, self.n, self.turn)
        if self.kind == "thumbnail":
            return playback.thumbnail(self.theme)
        if self.kind == "card":
            return playback.card(self.theme)
        return playback.svg(self.theme, self.n, self.turn, bare=self.bare).encode()


class AnimateRecord(Struct, frozen=True, tag="animate"):
    """Draw a record as an animated GIF or WebP."""

    data: bytes
    theme: schema.Theme
    seconds: float
    kind: schema.FilmKind = "GIF"

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).film(self.theme, self.seconds, self.kind)


class AnalyseRecord(Struct, frozen=True, tag="analyse"):
    """Evaluate the positions of a record with the strongest house player."""

    data: bytes

    def done(self, started: Callable[[], None]) -> schema.RecordAnalysis:
        from touchline.web.playback import Playback

        return Playback(self.data).analysis(started)


Job: TypeAlias = (
    ListGames | ListTutorial | Demonstrate | CheckTable | DrawPosition | Choose | Advise
    | VerifyRecord | ListPositions | DrawRecord | AnimateRecord | AnalyseRecord
    | LookAtCup | TabulateCup | ReportOnCup | PageOfCup | RecordOfCup
)  # fmt: skip
unpack_job = msgspec.msgpack.Decoder(Job).decode
unpack_answer = msgspec.msgpack.Decoder(JobAnswer).decode


def record_id(data: bytes) -> str:
    """Return the id of a record, a hash of its bytes without the seal: a restart does not change it."""
    body, _, last = data.removesuffix(b"\n").rpartition(b"\n")
    return sha256(body + b"\n" if last.startswith(SEALED) else data).hexdigest()[:16]
