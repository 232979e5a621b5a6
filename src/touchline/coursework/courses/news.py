"""What a course's server or clients tell while they run: one struct per event, and its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from touchline.core.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_QUOTED = 60
"""The most characters of a refused first message that are quoted."""
MOST_SHOWN = 300
"""The most characters of a frame that are shown."""

Event: TypeAlias = Literal[
    "listening", "signed_up", "refused", "left", "sent_away", "mended", "too_few", "game", "expelled",
    "failed", "won", "nobody_won", "lost", "frame", "waiting", "connected", "unreachable",
]  # fmt: skip


class News(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event. `player` counts sign-ups from 1, because names may repeat."""

    event: Event
    name: str | None = None
    player: int | None = None
    where: str | None = None
    """The address of a player, or at which the server listens."""
    game: int | None = None
    """The number of a game of a tournament, from 1."""
    turn: int | None = None
    why: str | None = None
    text: str | None = None
    """A frame as it was sent or received, cut to MOST_SHOWN characters."""


Tell: TypeAlias = "Callable[[News], None]"


def quiet(news: News) -> None:
    """Tell nobody."""


def shown(frame: bytes, most: int = MOST_SHOWN) -> str:
    """Return a frame as one printable line of limited length.

    >>> shown(b'["end",[true]]'), shown(b"x" * 400, most=4)
    ('["end",[true]]', 'xxxx... (400 bytes)')
    """
    text = frame[: 4 * most].decode(errors="replace")
    short = printable(text[:most])[: 2 * most]
    return short if len(text) <= most and len(frame) <= 4 * most else f"{short}... ({len(frame):,} bytes)"


def who(news: News) -> str:
    """Return how a player is called in a sentence.

    >>> who(News(event="won", name="ann", player=2)), who(News(event="refused", where="127.0.0.1:5000"))
    ('ann (player 2)', '127.0.0.1:5000')
    """
    if news.name is None:
        return news.where or "somebody"
    return news.name if news.player is None else f"{news.name} (player {news.player})"


def sentence(news: News) -> str:
    """Return an event as one printable line.

    >>> sentence(News(event="expelled", name="ann", player=1, game=2, turn=7, why="late: no answer in time"))
    'ann (player 1) was expelled from game 2 at turn 7: late: no answer in time'
    """
    return printable(_SENTENCES[news.event](news))


def _expelled(news: News) -> str:
    game = "the game" if news.game is None else f"game {news.game}"
    turn = "" if news.turn is None else f" at turn {news.turn}"
    return f"{who(news)} was expelled from {game}{turn}: {news.why}"


_SENTENCES: dict[Event, Callable[[News], str]] = {
    "listening": lambda news: f"waiting for players at {news.where}",
    "signed_up": lambda news: f"{who(news)} signed up from {news.where}",
    "refused": lambda news: f"{who(news)} was refused: {news.why}",
    "left": lambda news: f"{who(news)} left before the first game",
    "sent_away": lambda news: f"{who(news)} was sent away: {news.why}",
    "mended": lambda news: f"mended the messages of {who(news)}: {news.why}",
    "too_few": lambda news: f"{news.why}",
    "game": lambda news: f"game {news.game or 1}: {news.why}",
    "expelled": _expelled,
    "failed": lambda news: f"{who(news)} failed: {news.why}",
    "won": lambda news: f"{who(news)} won",
    "nobody_won": lambda news: "nobody won",
    "lost": lambda news: f"{who(news)} lost",
    "frame": lambda news: f"{who(news)} {news.text}",
    "waiting": lambda news: f"{news.why}",
    "connected": lambda news: f"{who(news)} is connected, and waits for {news.why}",
    "unreachable": lambda news: f"{who(news)} could not connect: {news.why}",
}
