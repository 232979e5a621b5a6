"""The jobs of worker processes about records: verify, show, draw and analyse one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import Moved
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.records.replay import Replay


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
