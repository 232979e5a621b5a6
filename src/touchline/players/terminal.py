"""A person at a plain prompt, who sees a drawing of the board and types moves. It works over a pipe.

A move is the sequence of its spots on the drawing, a square as `row,column`: `1,2 2,2` in Hexapawn,
`90 LEFT 0 3,4` in Labyrinth. The first words are enough if only one move begins with them;
otherwise the continuations are listed.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from msgspec.structs import replace

from touchline.core.messages import Resigned
from touchline.draw.words import glyph, legend, side, spelled, tokens, typed, word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.core.sketch import Key, Sketch

MOST_LISTED = 40
"""The most continuations in a list: about a screen of text."""
COMMANDS = {
    "?": "explain this, and list the legal moves; `? 0,1` lists those that begin so",
    "u MOVE": "look at the position after a move, without playing it",
    "board": "draw the board again",
    "rules": "the rules of the game",
    "hint": "ask the house for a move",
    "resign": "give up; you are asked whether you mean it",
}


class Told(Protocol):
    """What a prompt needs to know of an entry in the log of a match."""

    @property
    def text(self) -> str: ...
    @property
    def keys(self) -> tuple[Key, ...]: ...


class Log(Protocol):
    """What a prompt needs to know of a match: `records/match_log.py`."""

    @property
    def names(self) -> Sequence[str]: ...
    def since(self, seat: Seat) -> Sequence[Told]: ...
    def ending(self, you: Seat | None) -> str: ...


class Terminal:
    """A player that asks `ask` for a line of text, and shows a drawing with `show`.

    `advise` returns a hint for a view as text; without it there are no hints. `ask_within` asks for a line
    within some seconds, and raises TimeoutError after them. `log` knows what the others did. `hand_over` is
    called with the seat and its colour before a person sees what only that seat may see. One person of a
    terminal says farewell; who is not `alone` there is not called "you" at the end.
    """

    game: ClassVar[str | None] = None

    def __init__(
        self,
        ask: Callable[[str], str],
        show: Callable[[Sketch], None],
        tell: Callable[[str], None],
        advise: Callable[[Any], str] | None = None,
        *,
        ask_within: Callable[[str, float], str] | None = None,
        log: Log | None = None,
        rules: Callable[[], str] | None = None,
        hand_over: Callable[[Seat, str], None] | None = None,
        farewell: bool = True,
        alone: bool = True,
        now: Callable[[], float] = monotonic,
    ):
        self._ask, self._show, self._tell, self._advise = ask, show, tell, advise
        self._ask_within, self._log, self._rules, self._hand_over = ask_within, log, rules, hand_over
        self._farewell, self._alone = farewell, alone
        self._now = now
        self._deadline: float | None = None
        self._greeted = False

    # -- the match ----------------------------------------------------------------------------

    def allow(self, budget: Micros | None) -> None:
        """Start the clock of the next move."""
        self._deadline = None if budget is None else self._now() + budget / 1e6

    def choose(self, view: Any, turn: int = 0) -> Any:
        """Return the move that the person types; raise Resigned on `resign` and at EOF.

        Return None when the time is up: the referee measured it, too, and says that this is late.
        """
        try:
            return self._choose(view)
        except TimeoutError:
            self._tell("\nyour time is up")
            return None
        except EOFError:
            raise Resigned("hung up") from None

    def told(self, seat: Seat, result: Result) -> None:
        """Say how the match ended."""
        if self._log is not None and self._farewell:
            self._tell(self._log.ending(seat if self._alone else None))

    def _choose(self, view: Any) -> Any:
        sketch = view.sketch()
        if self._hand_over is not None:
            self._hand_over(view.to_move, side(sketch, view.to_move))
        self._introduce(view, sketch)
        moves = typed(view)
        self._tell(f"{len(moves)} legal moves; type one such as `{_example(moves)}`, or `?` for help")
        while True:
            line = " ".join(self._line("your move: ").split())
            if not self._command(line, view, moves):
                fitting = _fitting(line, moves)
                if len(fitting) == 1 and _whole(line, fitting[0]):
                    return moves[fitting[0]]
                self._tell(_choices(line, moves))

    # -- what is said -------------------------------------------------------------------------

    def _introduce(self, view: Any, sketch: Sketch) -> None:
        """Say who is who, the first time; what the others did; and draw the board with their moves marked."""
        if not self._greeted:
            self._greeted = True
            self._tell(self._who_is_who(view.to_move, sketch))
        news = [] if self._log is None else self._log.since(view.to_move)
        for entry in news:
            self._tell(entry.text)
        last = [entry.keys for entry in news if entry.keys]
        self._show(replace(sketch, marked=tuple(key for keys in last for key in keys)))

    def _who_is_who(self, you: Seat, sketch: Sketch) -> str:
        names = () if self._log is None else self._log.names
        said = [f"you are {_coloured(sketch, you)}"]
        said += [f"{name} is {_coloured(sketch, seat)}" for seat, name in enumerate(names) if seat != you]
        return ", ".join(said)

    def _help(self, view: Any, moves: dict[str, Any]) -> str:
        sketch = view.sketch()
        marks = [f"  {mark:<8} {meaning}" for mark, meaning in legend(sketch)]
        commands = [f"  {name:<8} {does}" for name, does in self._commands().items()]
        return "\n".join(
            [
                "Type a move as its spots, a square as row,column: "
                f"`{_example(moves)}` or `{_example(moves).replace(',', ' ')}`.",
                "The beginning is enough if only one move begins so.",
                "commands:",
                *commands,
                "the drawing:",
                *marks,
                f"  {'[ ]':<8} the last moves of the others",
                f"your {len(moves)} legal moves:",
                *_grouped(moves, sketch),
            ]
        )

    def _commands(self) -> dict[str, str]:
        missing = {name for name, one in (("hint", self._advise), ("rules", self._rules)) if one is None}
        return {name: does for name, does in COMMANDS.items() if name not in missing}

    # -- commands -----------------------------------------------------------------------------

    def _command(self, line: str, view: Any, moves: dict[str, Any]) -> bool:
        """Carry out a command, and return True; False if the line is none."""
        first, _, rest = line.partition(" ")
        if first == "?" and rest:
            fitting = {text: moves[text] for text in _fitting(rest, moves)}
            self._tell("\n".join(_grouped(fitting, view.sketch())) or _choices(rest, moves))
        elif line in ("?", "", "help"):
            self._tell(self._help(view, moves))
        elif line == "resign":
            self._resign()
        elif line == "board":
            self._show(view.sketch())
        elif line == "hint" and self._advise is not None:
            self._hint(view)
        elif line == "rules" and self._rules is not None:
            self._tell(self._rules())
        elif first == "u" and rest:
            self._look(rest, view, moves)
        else:
            return False
        return True

    def _resign(self) -> None:
        try:
            sure = self._line("Do you resign? Type `yes` to give up: ")
        except EOFError:
            sure = "yes"
        if sure.strip().lower() in ("y", "yes"):
            raise Resigned("resigned")
        self._tell("you play on")

    def _hint(self, view: Any) -> None:
        assert self._advise is not None
        began = self._now()
        self._tell("asking the house; the first hint of a session may take some seconds ...")
        self._tell(self._advise(view))
        if self._deadline is not None:
            self._tell(f"the hint cost {self._now() - began:.1f} s of your time")

    def _look(self, line: str, view: Any, moves: dict[str, Any]) -> None:
        fitting = _fitting(line, moves)
        if len(fitting) != 1:
            self._tell(_choices(line, moves))
            return
        self._tell(f"the position after {fitting[0]}, which is not played:")
        keys = dict(zip(moves, view.sketch().moves, strict=True))[fitting[0]]
        self._show(replace(view.play(moves[fitting[0]]).sketch(), marked=keys))

    def _line(self, prompt: str) -> str:
        """Ask for a line. TimeoutError once the time is up."""
        if self._deadline is None:
            return self._ask(prompt)
        left = self._deadline - self._now()
        if left <= 0:
            raise TimeoutError
        prompt = f"({left:.0f} s left) {prompt}"
        line = self._ask(prompt) if self._ask_within is None else self._ask_within(prompt, left)
        if self._now() > self._deadline:
            raise TimeoutError
        return line


def _coloured(sketch: Sketch, seat: Seat) -> str:
    mark = glyph(sketch, seat)
    return f"{side(sketch, seat)} ({mark})" if mark else side(sketch, seat)


def _example(moves: dict[str, Any]) -> str:
    return next(iter(moves), "")


def _fitting(line: str, moves: dict[str, Any]) -> list[str]:
    """Return the moves that begin with this line."""
    if line in moves:
        return [line]
    said = tokens(line)
    return [text for text in moves if tokens(text)[: len(said)] == said] if said else []


def _whole(line: str, text: str) -> bool:
    """Return whether a line ends with a whole word of this move: `0` is no word of `0,1 1,1`."""
    ends, count = {0}, 0
    for part in text.split():
        count += len(tokens(part))
        ends.add(count)
    return len(tokens(line)) in ends


def _grouped(moves: dict[str, Any], sketch: Sketch) -> list[str]:
    """Return all of these moves, those that differ in the last spot only in one line."""
    groups: dict[tuple[Key, ...], list[str]] = {}
    for keys in sketch.moves:
        if " ".join(map(word, keys)) in moves:
            groups.setdefault(keys[:-1], []).append(word(keys[-1]))
    return [f"  {spelled(first)}{' → ' if first else ''}{'  '.join(last)}" for first, last in groups.items()]


def _choices(line: str, moves: dict[str, Any]) -> str:
    """Return the continuations of an ambiguous line as text."""
    rest = _fitting(line, moves)
    if not rest:
        return f"no legal move begins with {line!r}; `?` lists them"
    done = len(line.split())
    next_words = sorted({" ".join(text.split()[: done + 1]) for text in rest})
    more = f" ... and {len(next_words) - MOST_LISTED} more" if len(next_words) > MOST_LISTED else ""
    return "which one? " + "  ".join(next_words[:MOST_LISTED]) + more
