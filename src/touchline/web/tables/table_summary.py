"""What everybody may know about a table: its summary, and the job that draws it.

Rule of this file: it shows the view of spectators and nothing else, since it is sent to anybody who asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from touchline.records.scores import scores_of
from touchline.web import schema
from touchline.web.sentences import clock_terms
from touchline.web.workers.table_jobs import CardText, DrawPosition

if TYPE_CHECKING:
    from touchline.web.tables.table import PageTable


def summary_of(table: PageTable) -> schema.TableSummary:
    """Return the public description of a table."""
    feed = table.watchers.feed
    # A match of programs that nobody watches is not followed: it would cost as much as its referee.
    shown = table.result is None and (
        table.watching or any(chair.kind in ("me", "open") for chair in table.chairs)
    )
    now = feed.caught_up() if shown and feed is not None else None
    return schema.TableSummary(
        id=table.id, game=table.game.name, options=msgspec.to_builtins(table.game), state=table.state,
        seats=tuple(chair.describe() for chair in table.chairs), conduct=table.conduct.name,
        clock=clock_terms(table.limits.clock), pace=table.pace, turn=table.turn,
        to_move=None if now is None else now.to_move,
        scores=None if now is None else scores_of(now.state.view(None)),
        watching=table.watching, made=table.made, began=table.began, ended=table.ended,
        result=table.result, record=table.record, recorded=table.recorded,
        takeback=table.takeback, rematch=table.rematch,
    )  # fmt: skip


def drawing_of(table: PageTable, theme: schema.Theme, kind: schema.TablePicture = "svg") -> DrawPosition:
    """Return the job that draws the position as spectators see it; before the match, an opening one."""
    position, feed = None, table.watchers.feed
    if feed is not None:
        position = msgspec.json.encode(feed.caught_up().state.view(None).position())
    return DrawPosition(
        game=table.game.name, options=msgspec.to_builtins(table.game), seats=len(table.chairs),
        position=position, theme=theme, kind=kind, card=_card_of(table) if kind == "card" else None,
    )  # fmt: skip


def _card_of(table: PageTable) -> CardText:
    """Return what the card of a table says."""
    seen = table.describe()
    names = tuple(chair.name or "a free seat" for chair in table.chairs)
    if seen.result is not None:
        result = seen.result
        return CardText(
            headline=result.headline, why=result.why, names=names, scores=result.scores,
            winners=result.winners,
        )  # fmt: skip
    why = "Take a seat!" if table.state == "open" else f"Turn {seen.turn}. Watch it live."
    return CardText(headline=" – ".join(names), why=why, names=names, scores=seen.scores)
