"""Dialogs over the board: a page of text, a question with yes and no, and handing over the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.app import ComposeResult

STYLE = """
ModalScreen { align: center middle; background: #000000 60%; }
.card { width: 76; max-width: 96%; height: auto; max-height: 90%; background: #222a33;
        border: round #6f86c9; padding: 0 1; scrollbar-size: 1 1; }
HandOver { background: #15191e; }
"""


class Page(ModalScreen[None]):
    """A page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark", "dismiss", "back"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading, self._body = title, text

    def compose(self) -> ComposeResult:
        card = VerticalScroll(Static(self._body, markup=False), classes="card")
        card.border_title, card.border_subtitle = self._heading, "Esc closes"
        yield card


class Confirm(ModalScreen[bool]):
    """A question that is answered with yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes"),
        Binding("n,escape", "answer(False)", "no"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        card = VerticalScroll(Static(f"{self._question}\n\ny: yes    n: no", markup=False), classes="card")
        yield card

    def action_answer(self, sure: bool) -> None:
        self.dismiss(sure)


class HandOver(ModalScreen[None]):
    """A dark screen, while the keyboard is handed over to another person."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", "here I am")]

    def __init__(self, who: str) -> None:
        super().__init__()
        self._who = who

    def compose(self) -> ComposeResult:
        text = f"{self._who} is next.\n\nHand over the keyboard, then press Enter."
        yield VerticalScroll(Static(text, markup=False), classes="card")
