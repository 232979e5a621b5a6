"""What workers do: each job is a value that goes to a process as bytes, and knows how it is done.

Law of this file: a job holds nothing but what is written down, positions as JSON and records as bytes, so no
state and no player ever travels, and nothing that arrives is trusted to be more than data.
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
from touchline.core.errors import BadOptions
from touchline.core.rules import check_seats
from touchline.core.sketch import Key
from touchline.drivers.match import agreed, opened
from touchline.web import schema
from touchline.web.workers.cup_jobs import LookAtCup, PageOfCup, RecordOfCup, ReportOnCup, TabulateCup

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.bots.base import HouseBot
    from touchline.core.rules import Game, State

MOST_SPOTS, MOST_MOVES = 1000, 6000
"""A board with more is not one for a page."""

pack = msgspec.msgpack.Encoder().encode


class Started(Struct, frozen=True, tag="started"):
    """The worker begins to think: everything is imported and read."""


class Done(Struct, frozen=True, tag="done"):
    what: bytes


class Wrong(Struct, frozen=True, tag="wrong"):
    """What the job was given is wrong; without a kind it is our fault."""

    kind: str
    text: str


Answer: TypeAlias = Started | Done | Wrong


class Offers(Struct, frozen=True, tag="offers"):
    """What can be played here. To look at all players takes its time: some bring a compiler along."""

    def done(self, started: Callable[[], None]) -> schema.Games:
        from touchline.web.catalogue import catalogue

        started()
        return catalogue()


class Check(Struct, frozen=True, tag="check"):
    """Whether a table can be made: the game with its options, so many seats, these house players."""

    game: str
    options: dict[str, Any]
    seats: int
    players: tuple[tuple[str, dict[str, Any]], ...]

    def done(self, started: Callable[[], None]) -> dict[str, Any]:
        game = registry.game(self.game, self.options)
        started()
        check_seats(game, self.seats, BadOptions)
        sketch = opened(agreed(game, [""] * self.seats, 0)).sketch()
        if len(sketch.spots) > MOST_SPOTS or len(sketch.moves) > MOST_MOVES:
            raise BadOptions(f"{game.name}: this board is too large for the page")
        for player, options in self.players:
            factory.check_numbers(player, options)
            factory.make(player, game.name, "", options)
        written: dict[str, Any] = msgspec.to_builtins(game)
        return written


class Asked(Struct, frozen=True, kw_only=True):
    """A position as a seat sees it, and who is asked."""

    game: str
    options: dict[str, Any]
    position: bytes
    player: str
    player_options: dict[str, Any]
    seed: str
    turn: int

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


class Choose(Asked, frozen=True, kw_only=True, tag="choose"):
    """A house player's move, as JSON."""

    def done(self, started: Callable[[], None]) -> bytes:
        game, view = self.view()
        bot = self.bot(game)
        started()
        return msgspec.json.encode(bot.choose(view, self.turn))


class Advised(Struct, frozen=True, kw_only=True):
    """What a house player would do, and which one it is."""

    player: str
    choice: int
    keys: tuple[Key, ...]
    move: bytes
    says: str
    values: tuple[float, ...]


class Advise(Asked, frozen=True, kw_only=True, tag="advise"):
    """What a house player would do and, if it can tell, why; nobody in particular is the strongest."""

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
            says=thought.says,
            values=thought.values,
        )


class Verify(Struct, frozen=True, tag="verify"):
    """Play a record again. BadInput if it does not say what happened."""

    data: bytes
    made: int
    source: schema.Source = "dropped"

    def done(self, started: Callable[[], None]) -> schema.Record:
        from touchline.records.replay import Replay
        from touchline.web.record_shelf import described

        started()
        replay = Replay(self.data, "the record")
        replay.verify()
        return described(replay.events, self.data, self.made, self.source, None)


class Positions(Struct, frozen=True, tag="positions"):
    """Every event of a record with the drawing after it, as lines of JSON."""

    data: bytes
    record: schema.Record

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).positions(self.record)


class Draw(Struct, frozen=True, tag="draw"):
    """A position of a record as SVG."""

    data: bytes
    theme: str
    n: int | None = None
    turn: int | None = None
    bare: bool = False
    """Without a line that says what it shows."""

    def done(self, started: Callable[[], None]) -> str:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).svg(self.theme, self.n, self.turn, bare=self.bare)


class Animate(Struct, frozen=True, tag="animate"):
    """A record as an animated GIF."""

    data: bytes
    theme: str
    seconds: float

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).gif(self.theme, self.seconds)


class Analyse(Struct, frozen=True, tag="analyse"):
    """What the strongest house player makes of a record."""

    data: bytes

    def done(self, started: Callable[[], None]) -> schema.AnalysisSeen:
        from touchline.web.playback import Playback

        started()
        return Playback(self.data).analysis()


Job: TypeAlias = (
    Offers | Check | Choose | Advise | Verify | Positions | Draw | Animate | Analyse
    | LookAtCup | TabulateCup | ReportOnCup | PageOfCup | RecordOfCup
)  # fmt: skip
unpack_job = msgspec.msgpack.Decoder(Job).decode
unpack_answer = msgspec.msgpack.Decoder(Answer).decode


def record_id(data: bytes) -> str:
    """What a record is called: made from its bytes, so the same record has the same id everywhere."""
    return sha256(data).hexdigest()[:16]
