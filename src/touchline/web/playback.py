"""Play back a record: its positions as lines, as pictures, as a film, as a chart of values.

Rule of this file: workers run it, on records that were made here or have been verified; in a finished match
nothing is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from touchline.core import events
from touchline.core.errors import BadOptions
from touchline.draw.card import Told, card, thumbnail, thumbnail_svg
from touchline.draw.film import Cast, Frame, Kind, film
from touchline.draw.raster import Painter, encoded, on_paper
from touchline.draw.sheet import sheet_of
from touchline.draw.svg import Pen, picture, svg
from touchline.records.positions import changed_spots, keys_of, marks_of
from touchline.records.replay import Replay
from touchline.records.scores import scores_of
from touchline.records.sentences import cut_names
from touchline.web import schema
from touchline.web.levels import for_people
from touchline.web.live.progress import Progress
from touchline.web.sentences import Teller, terms_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.core.events import Event
    from touchline.core.sketch import Sketch
    from touchline.draw.svg import Theme

_encode = msgspec.json.Encoder().encode


class Playback:
    """A record that can be stepped through."""

    def __init__(self, data: bytes) -> None:
        self.replay = Replay(data, "the record")
        begun = self.replay.begun
        self._sheet = sheet_of(type(self.replay.game))
        self._teller = Teller(begun.names, begun.limits)

    def _steps(self) -> Iterator[tuple[int, Event, Progress]]:
        """Yield every event, with the progress of the match after it."""
        begun = self.replay.begun
        progress = Progress(self.replay.opening(), cut_names(begun.names), begun.limits)
        for n, event in enumerate(self.replay.events):
            if isinstance(event, events.Moved):
                event = replace(event, move=self.replay.move_of(event.move))
            progress.follow(event)
            yield n, event, progress

    def positions(self, record: schema.RecordSummary) -> bytes:
        """Return the response of `/positions`: a line for every event."""
        begun = self.replay.begun
        terms = terms_summary(self.replay.game, begun.conduct, begun.limits, begun.turn_cap)
        lines = [_encode(schema.RecordHead(record, terms, self._opening().backdrop))]
        shown: Sketch | None = None
        for n, event, progress in self._steps():
            sketch = progress.state.sketch()
            whole, spots = changed_spots(shown, sketch)
            line = self._teller.tell(n, event, progress.before)
            if isinstance(event, events.Moved) and progress.before is not None and shown is not None:
                line = replace(line, keys=keys_of(progress.before, shown, event.move))
            lines.append(
                _encode(
                    schema.RecordPosition(
                        n=n, whole=whole, spots=spots, notes=sketch.notes, event=line, turn=progress.turn,
                        to_move=progress.to_move, scores=scores_of(progress.state), clocks=progress.clocks(),
                    )
                )
            )  # fmt: skip
            shown = sketch
        return b"\n".join(lines) + b"\n"

    def _opening(self) -> Sketch:
        """Return the first position as a drawing."""
        return self.replay.opening().sketch()

    def _until(self, n: int | None, turn: int | None) -> Progress:
        """Return the progress after event `n`, or before the move of a turn; without either, at the end."""
        found: Progress | None = None
        for number, event, progress in self._steps():
            found = progress
            if number == n or (n is None and turn is not None and self._before(progress, turn)):
                return progress
            del event
        if found is None or n is not None or turn is not None:
            raise BadOptions("the record has no such position")
        return found

    @staticmethod
    def _before(progress: Progress, turn: int) -> bool:
        return progress.turn == turn and not progress.arriving

    def _shown(self, progress: Progress) -> Sketch:
        """Return the position as a drawing, with the last move."""
        sketch, move = progress.state.sketch(), progress.last
        if progress.before is None or move is None:
            return sketch
        return replace(sketch, marked=marks_of(progress.before, move.move))

    def svg(self, theme: Theme, n: int | None, turn: int | None, *, bare: bool = False) -> str:
        """Return a position as SVG; a bare one is small and has no caption."""
        progress = self._until(n, turn)
        said = f"{self._title()}, turn {progress.turn}: {', '.join(progress.names)}"
        if bare:
            return thumbnail_svg(progress.state.sketch(), self._sheet, theme, said)
        return svg(picture(self._shown(progress), self._sheet, (said,)), theme, said)

    def png(self, theme: Theme, n: int | None, turn: int | None) -> bytes:
        """Return a position as PNG, twice as large as the SVG."""
        drawn = picture(self._shown(self._until(n, turn)), self._sheet)
        image = Painter(self._sheet, theme, 2 * drawn.scale).board(drawn.scene)
        paper = Pen(self._sheet, theme).value("var(--paper)", self._sheet.root)
        return encoded(on_paper(image, paper), "PNG")

    def thumbnail(self, theme: Theme) -> bytes:
        """Return the last position as a small picture."""
        return thumbnail(self._until(None, None).state.sketch(), self._sheet, theme)

    def film(self, theme: Theme, seconds: float, kind: Kind) -> bytes:
        """Return the game as an animated picture."""
        frames: list[Frame] = []
        last: Any = None
        winners: tuple[int, ...] = ()
        for _, _, progress in self._steps():
            ended = progress.result is not None
            if progress.state is last and not ended:
                continue
            said = f"turn {progress.turn}" if progress.result is None else progress.result.headline
            frame = Frame(self._shown(progress), scores_of(progress.state), said)
            if progress.state is last:
                frames[-1] = frame  # the end changes nothing on the board
            else:
                frames.append(frame)
            last = progress.state
            winners = progress.result.winners if progress.result is not None else ()
        names = cut_names(self.replay.begun.names)
        return film(frames, self._sheet, Cast(names, winners), theme, seconds, kind)

    def card(self, theme: Theme) -> bytes:
        """Return the card of the game, to be shown with a link to it."""
        progress = self._until(None, None)
        result, names = progress.result, cut_names(self.replay.begun.names)
        told = Told(
            f"{self._title()}, {progress.turn} turns",
            " – ".join(names) if result is None else result.headline,
            "" if result is None else result.why,
            names, scores_of(progress.state), () if result is None else result.winners,
        )  # fmt: skip
        return card(self._shown(progress), self._sheet, told, theme)

    def _title(self) -> str:
        return for_people(type(self.replay.game)).title

    def analysis(self, started: Callable[[], None] = lambda: None) -> schema.RecordAnalysis:
        """Review the record with the strongest house player, which sees everything."""
        from touchline.web.reviews import record_analysis

        return record_analysis(self.replay, started)
