"""The full screen of people who play: spots are picked with the arrow keys or the mouse, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message

from touchline.core import events
from touchline.core.fold import after
from touchline.draw.words import legend, side, spelled
from touchline.terminal.board import Board, Lights
from touchline.terminal.choice import Choice, Direction, nearest, neighbour
from touchline.terminal.dialogs import Confirm, HandOver
from touchline.terminal.palette import FAINT
from touchline.terminal.view import FLASH, MatchView

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat, State
    from touchline.core.sketch import Key
    from touchline.records.match_log import MatchLog
    from touchline.terminal.person import Question

TICK = 0.25
"""Seconds between two drawings of a running clock."""
MANY = 2
"""Spots after which the move under the cursor is looked at by itself: a push changes where one can walk."""
FEW = 9
"""Words that are listed with the digits that pick them; more of them are picked on the board."""
KEYS = """\
← ↑ ↓ →    move the cursor over the spots that are lit ‹ ›
Enter      pick the spot; a move is one or more spots in a row
1 … 9      pick a spot that has a word instead of a square
mouse      click a lit spot to pick it
Esc        take the last pick back
u          look: show what the move under the cursor would do; u goes back
h          ask the house for a hint
r          resign; you are asked whether you mean it
q          leave; a match that is recorded can be resumed"""


class PlayView(MatchView):
    """The board of a match in which one or more people play at this terminal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go('up')", show=False, priority=True),
        Binding("down", "go('down')", show=False, priority=True),
        Binding("left", "go('left')", show=False, priority=True),
        Binding("right", "go('right')", show=False, priority=True),
        Binding("enter,space", "pick", "pick"),
        Binding("escape", "take_back", "back"),
        Binding("u", "look", "look"),
        Binding("h", "hint", "hint"),
        Binding("r", "resign", "resign"),
        *(Binding(f"{digit}", f"word({digit})", show=False) for digit in range(1, 10)),
    ]

    class Happened(Message):
        """An event of the match."""

        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class Asked(Message):
        """A person must move."""

        def __init__(self, question: Question) -> None:
            super().__init__()
            self.question = question

    class Withdrawn(Message):
        """The time for a move is up."""

    class Over(Message):
        """The match is over, and its players are gone."""

    def __init__(
        self, game: Game, log: MatchLog, people: int, advise: Callable[[Any], str], rules: Callable[[], str]
    ) -> None:
        super().__init__(game, log)
        self._people, self._advise, self._rules = people, advise, rules
        self._secret = game.hidden and people > 1
        self.question: Question | None = None
        self.choice: Choice | None = None
        self.cursor: Key | None = None
        self.looking = False
        self.over = False
        self.note = ""
        """A hint, or what the last key did."""
        self._mine: State | None = None
        """The match as the person who was asked last sees it; None if that is secret."""
        self._seen_ahead: tuple[Question, int, State] | None = None
        self._last_seat: Seat | None = None
        self._marked: tuple[Key, ...] = ()
        self._flash = False

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(TICK, self._tick)

    def _tick(self) -> None:
        if self.question is not None and self.question.deadline is not None:
            self.draw()

    # -- the match ----------------------------------------------------------------------------

    def on_play_view_happened(self, message: Happened) -> None:
        event = message.event
        if self._mine is not None and not isinstance(event, events.Begun):
            try:
                self._mine = after(self._mine, event)
            except Exception:  # a view need not be able to follow; then the spectator's is shown
                self._mine = None
        entry = self.history.follow(event)
        if entry is not None and entry.keys:
            mine = entry.seat in self.you
            self._marked = entry.keys if mine or not self._flash else (*self._marked, *entry.keys)
            self._flash = not mine
            self.set_timer(FLASH, self._dim)
        self.draw()

    def _dim(self) -> None:
        self._flash = False
        self.draw()

    def on_play_view_asked(self, message: Asked) -> None:
        question = message.question
        seat = question.view.to_move
        handed = self._secret and seat != self._last_seat
        self._last_seat = seat
        if seat not in self.you:
            self.you = (*self.you, seat)
        if handed:
            self._mine = None
            self.draw()
            self.push_screen(
                HandOver(f"{self._who(seat)} ({side(question.sketch, seat)})"), lambda _: self._open(question)
            )
        else:
            self._open(question)

    def _open(self, question: Question) -> None:
        """Show a question, with what the others did since this seat moved last pointed out."""
        self.question, self.choice, self.looking, self.note = question, Choice(question.sketch), False, ""
        self._mine = question.view
        news = self.history.since(question.view.to_move)
        self._marked = tuple(key for entry in news for key in entry.keys)
        self.draw()
        self._settle()

    def on_play_view_withdrawn(self) -> None:
        self._close("your time is up")

    def on_play_view_over(self) -> None:
        self.over = True
        self._close("")

    def _close(self, note: str) -> None:
        self.question = self.choice = None
        self.looking, self.note = False, note
        if self._secret:
            self._mine = None
        self.draw()

    # -- what is shown ------------------------------------------------------------------------

    def shown(self) -> tuple[State | None, Lights]:
        question, choice = self.question, self.choice
        if question is None or choice is None:
            state = self.history.state if self._mine is None else self._mine
            return state, Lights(marked=self._marked, flash=self._flash)
        if (ahead := self._ahead()) is not None:
            state = self._played(question, ahead)
            return state, Lights(
                marked=question.sketch.moves[ahead], flash=True, cursor=self.cursor, lit=choice.lit
            )
        lights = Lights(
            lit=choice.lit, picked=choice.picked, cursor=self.cursor, marked=self._marked, flash=self._flash
        )
        return question.view, lights

    def _played(self, question: Question, index: int) -> State:
        """Return the state after a legal move; the last one is kept, so that it is drawn only once."""
        if self._seen_ahead is None or self._seen_ahead[:2] != (question, index):
            self._seen_ahead = question, index, question.view.play(question.moves[index])
        return self._seen_ahead[2]

    def _ahead(self) -> int | None:
        """Return the number of the move that is looked at; None if none is."""
        if not self.looking or self.choice is None or self.cursor is None:
            return None
        return self.choice.with_spot(self.cursor)

    def status(self) -> Text:
        text = Text()
        if self.over:
            text.append(self.history.ending(self.you[0] if len(self.you) == 1 else None), "bold")
            return text.append("\nPress q to leave the screen.", FAINT)
        if self.note:
            text.append(f"{self.note}\n", "bold #f7e27c")
        if self.question is None or self.choice is None:
            text.append(self._waiting())
        else:
            self._ask(text, self.question, self.choice)
        if self.printed and self.question is None:
            text.append(f"\n{self.printed}", FAINT)
        return text

    def _waiting(self) -> str:
        state = self.history.state
        if state is None:
            return "the players are being started ..."
        return "" if state.to_move is None else f"{self._who(state.to_move)} is thinking ..."

    def _ask(self, text: Text, question: Question, choice: Choice) -> None:
        """Write what to do next: the last moves of the others, what is picked, and what may be picked."""
        news = [
            entry.text for entry in self.history.since(question.view.to_move) if entry.keys or entry.fault
        ]
        if news and not choice.picked and not self.note:
            text.append(f"{'; '.join(news[-3:])}\n", FAINT)
        seat = question.view.to_move
        turn = "Your turn" if self._people == 1 else f"{self._who(seat)}, your turn"
        left = question.left()
        if left is not None:
            turn += f", {max(0, left):.0f} s left"
        if self._ahead() is not None and self.cursor is not None:
            text.append(f"{turn}: this is what {spelled((*choice.picked, self.cursor))} would do. ", "bold")
            other = f"; or {_spots(len(choice.lit))}" if len(choice.lit) > 1 else ""
            text.append(f"Enter plays it; u goes back{other}.")
            return
        picked = f" {spelled(choice.picked)} → ?" if choice.picked else ""
        text.append(f"{turn}:{picked} ", "bold").append(_spots(len(choice.lit)))
        words = [key for key in choice.lit if isinstance(key, str)]
        if 0 < len(words) <= FEW:
            text.append("\n" + "   ".join(f"{number}: {name}" for number, name in enumerate(words, 1)))

    def _who(self, seat: Seat) -> str:
        return f"seat {seat}" if self.history.table is None else self.history.table.who(seat)

    def clocks(self) -> dict[Seat, str]:
        left = None if self.question is None else self.question.left()
        if self.question is None or left is None:
            return {}
        return {self.question.view.to_move: f"{max(0, left):.0f} s"}

    def help_text(self) -> str:
        state, _ = self.shown()
        marks = [] if state is None else [f"{mark:<10} {meaning}" for mark, meaning in legend(state.sketch())]
        colours = "‹ › green   a spot that you may pick\n[ ] yellow  the cursor\nblue        the last moves"
        return f"{KEYS}\n\n{colours}\n\n" + "\n".join(marks) + f"\n\nThe rules:\n{self._rules()}"

    # -- keys ---------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Put the cursor on the nearest spot that may be picked."""
        if self.choice is not None:
            self.cursor = nearest(self.board.drawn, self.choice.lit, self.cursor)
            self.draw()

    def action_go(self, towards: Direction) -> None:
        if self.choice is not None:
            found = neighbour(self.board.drawn, self.choice.lit, self.cursor, towards)
            self.cursor = found if found is not None else self.cursor
            self.draw()

    def action_pick(self) -> None:
        if self.cursor is not None:
            self.pick(self.cursor)

    def action_word(self, number: int) -> None:
        words = [] if self.choice is None else [key for key in self.choice.lit if isinstance(key, str)]
        if number <= len(words):
            self.pick(words[number - 1])

    def on_board_picked(self, message: Board.Picked) -> None:
        self.pick(message.key)

    def pick(self, key: Key) -> None:
        """Pick a spot; play the move if it is complete."""
        if self.question is None or self.choice is None:
            return
        self.note = ""
        if not self.choice.pick(key):
            self.note = "that spot cannot be picked now: the lit ones can"
            self.draw()
        elif (index := self.choice.index) is not None:
            question = self.question
            self._close("")
            question.play(index)
        else:
            self.cursor = key
            self.looking = len(self.choice.picked) >= MANY
            self._settle()

    def action_take_back(self) -> None:
        if self.over:
            self.exit()
        elif self.choice is not None and self.choice.picked:
            self.looking = False
            self.cursor = self.choice.picked[-1]
            self.choice.back()
        self.note = ""
        self.draw()

    def action_look(self) -> None:
        self.looking = not self.looking and self.choice is not None
        self.note = ""
        if self.looking and self._ahead() is None:
            self.note = "looking ahead: the last spot of a move shows what it does"
        self.draw()

    def action_resign(self) -> None:
        question = self.question
        if question is not None:
            self.push_screen(
                Confirm("Do you resign? The others play on; if only one is left, it has won."),
                lambda sure: self._resign(question) if sure else None,
            )

    def _resign(self, question: Question) -> None:
        self._close("you resigned")
        question.resign()

    def action_hint(self) -> None:
        """Ask the house in another thread, since the first hint may take some seconds."""
        question = self.question
        if question is not None:
            self.note = "asking the house; the first hint may take some seconds ..."
            self.draw()
            self.run_worker(lambda: self._hint(question), thread=True, exclusive=True, group="hint")

    def _hint(self, question: Question) -> None:
        before = question.left()
        said = self._advise(question.view).partition("\nexpected")[0]
        left = question.left()
        if before is not None and left is not None:
            said += f" (the hint cost {before - left:.1f} s of your time)"
        self.call_later(self._show_hint, question, said)

    def _show_hint(self, question: Question, said: str) -> None:
        if question is self.question:
            self.note = f"hint: {said}"
            self.draw()

    def action_leave(self) -> None:
        if self.over:
            self.exit()
            return
        self.push_screen(
            Confirm("Do you leave the match? A match with --record can be resumed."),
            lambda sure: self.exit() if sure else None,
        )


def _spots(lit: int) -> str:
    """Return what to do with this many lit spots."""
    return "pick the lit spot" if lit == 1 else f"pick one of {lit} lit spots"
