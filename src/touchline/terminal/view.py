"""The screen that playing, watching and stepping share: a board, the players, a legend, the moves, a line.

Law of this file: what players wrote is shown as plain text, never as markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from touchline.core.errors import TouchlineError
from touchline.core.printable import printable
from touchline.terminal import palette
from touchline.terminal.board import Board, Lights
from touchline.terminal.dialogs import STYLE, Page
from touchline.terminal.panels import legend_text, moves_text, players_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from touchline.core.rules import Game, Seat, State
    from touchline.core.sketch import Sketch
    from touchline.records.match_log import Entry, MatchLog

SIDE, BROAD_SIDE, BROAD = 26, 38, 104
"""Columns of the panels, so that a board of Labyrinth fits beside them into 80; more on a broad screen."""
MOST_PRINTED = 200
"""Characters of a line that something printed while the screen was shown."""
FLASH = 1.5
"""Seconds for which a new move is bright."""


class ScreenFailed(TouchlineError):
    """The full screen failed, which is no fault of a player."""

    exit_code: ClassVar[int] = 1


class MatchView(App[None]):
    """A board with panels. Subclasses say what is shown."""

    TITLE = "touchline"
    ENABLE_COMMAND_PALETTE = False
    CSS = (
        f"""
    Screen {{ background: #15191e; color: #e8ecf0; }}
    #title {{ height: 1; background: #27313c; color: #e8ecf0; text-style: bold; padding: 0 1; }}
    #middle {{ height: 1fr; }}
    #stage {{ width: 1fr; align: center middle; scrollbar-size: 1 1; }}
    #stage, #legend, #moves {{ scrollbar-color: #4a5a6b; scrollbar-color-hover: #6f86c9;
        scrollbar-color-active: #6f86c9; scrollbar-background: #15191e; scrollbar-background-hover: #15191e;
        scrollbar-background-active: #15191e; scrollbar-corner-color: #15191e; }}
    #side {{ width: {SIDE}; border-left: solid #3a4653; padding: 0 0 0 1; }}
    #players {{ height: auto; }}
    .heading {{ height: 1; color: #8d99a6; text-style: underline; }}
    #legend {{ height: auto; max-height: 40%; scrollbar-size: 1 1; }}
    #moves {{ height: 1fr; min-height: 2; scrollbar-size: 1 1; }}
    #status {{ height: 3; background: #1d232a; padding: 0 1; }}
    """
        + STYLE
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "explain", "help", key_display="?"),
        Binding("q", "leave", "leave"),
        Binding("ctrl+c", "break_off", "leave", show=False, priority=True),
        Binding("ctrl+q", "break_off", "leave", show=False, priority=True),
    ]

    def __init__(self, game: Game, log: MatchLog) -> None:
        super().__init__()
        self.game, self.history = game, log
        palette.wear(type(game))
        self.board = Board()
        self.you: Sequence[Seat] = ()
        """The seats of people at this screen."""
        self._sketched: tuple[State, Sketch] | None = None
        self.failure: Exception | None = None
        """The exception of the screen itself, if it failed."""
        self.printed = ""
        """The last line that something printed."""

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with ScrollableContainer(id="stage", can_focus=False):
                yield self.board
            with Vertical(id="side"):
                yield Static(id="players", markup=False)
                yield Static("Legend", classes="heading")
                with VerticalScroll(id="legend", can_focus=False):
                    yield Static(id="marks", markup=False)
                yield Static("Moves", classes="heading")
                with VerticalScroll(id="moves", can_focus=False):
                    yield Static(id="list", markup=False)
        yield Static(id="status", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.begin_capture_print(self)
        self.draw()

    def _handle_exception(self, error: Exception) -> None:
        self.failure = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close the screen without Textual's traceback: whoever runs it says what failed in one line."""
        self._close_messages_no_wait()

    def check(self) -> None:
        """Raise ScreenFailed if the screen itself failed."""
        if self.failure is not None:
            why = printable(f"{type(self.failure).__name__}: {self.failure}")
            raise ScreenFailed(f"the full screen failed ({why}); use --plain")

    def on_print(self, event: events.Print) -> None:
        """Keep what is printed while the screen is shown, such as what a bot says, on the status line."""
        said: str | bytes = event.text  # click writes bytes
        text = said.decode(errors="replace") if isinstance(said, bytes) else said
        lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
        if lines:
            self.printed = printable(lines[-1])[:MOST_PRINTED]
            self.draw()

    def on_resize(self) -> None:
        side = self.screen_stack[0].query_one("#side")
        side.styles.width = self._side()
        self.call_after_refresh(self.draw)

    # -- what subclasses say ------------------------------------------------------------------

    def shown(self) -> tuple[State | None, Lights]:
        """Return the state that is shown, and what is pointed out."""
        raise NotImplementedError

    def status(self) -> Text:
        """Return the lines below the board."""
        raise NotImplementedError

    def help_text(self) -> str:
        """Return the explanation of the keys."""
        raise NotImplementedError

    def clocks(self) -> dict[Seat, str]:
        """Return the time that seats have left, where it is shown."""
        return {}

    def entries(self) -> Sequence[Entry]:
        """Return what the list of moves shows."""
        return self.history.entries

    def entry_at(self) -> int | None:
        """Return the number of the entry that is pointed out in the list; None for the last."""
        return None

    def action_leave(self) -> None:
        """Leave the screen."""
        self.exit()

    def action_break_off(self) -> None:
        """Leave the screen at once."""
        self.exit()

    # -- drawing ------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw everything anew."""
        if not self.screen_stack:
            return  # the screen is being left
        state, lights = self.shown()
        self.board.show(None if state is None else self._sketch_of(state), lights)
        self._text("#title", Text(self._title(), no_wrap=True, overflow="ellipsis"))
        self._text("#status", self.status())
        if self.history.table is None or not self.history.entries:
            return
        table, entries = self.history.table, self.entries()
        seen = entries[-1].state if state is None else state
        self._text(
            "#players",
            players_text(table, seen, self._sketch_of(seen), self.you, self.clocks(), self._side() - 2),
        )
        self._text("#marks", legend_text(self._sketch_of(seen)))
        at = self.entry_at()
        self._text("#list", moves_text(table, entries, at))
        moves = self.screen_stack[0].query_one("#moves", VerticalScroll)
        scroll = moves.scroll_end if at is None or at == len(entries) - 1 else moves.scroll_home
        self.call_after_refresh(scroll, animate=False)

    def _sketch_of(self, state: State) -> Sketch:
        """Return the sketch of a state; that of the last one is kept, since listing moves takes time."""
        if self._sketched is None or self._sketched[0] is not state:
            self._sketched = state, state.sketch()
        return self._sketched[1]

    def _side(self) -> int:
        return BROAD_SIDE if self.size.width >= BROAD else SIDE

    def _title(self) -> str:
        return (
            f"touchline · {self.game.name} · {' – '.join(self.history.names)}"
            if self.history.names
            else "touchline"
        )

    def _text(self, name: str, text: Text) -> None:
        self.screen_stack[0].query_one(name, Static).update(text)

    def action_explain(self) -> None:
        """Show the help."""
        self.push_screen(Page("Help", self.help_text()))
