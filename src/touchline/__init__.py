"""Touchline: the referee for turn-based games between players that nobody trusts.

Play a match. A player is a house player by name, a Python file, a program, or an object of yours with a
method `choose(view, turn)`:

    >>> import touchline
    >>> class Greedy:
    ...     def choose(self, view, turn):
    ...         return max(view.legal_moves(), key=lambda move: view.play(move).tally()[view.to_move])
    >>> match = touchline.play("fish", [Greedy(), "random"], seed=5)
    >>> match.winners, match.scores
    (('Greedy',), (28, 16))

`match.result` is the referee's verdict with every fault. With `record=PATH` the match is written to a file,
which `read_record` reads, steps through and verifies. `play_async` is the same for an event loop.

Play many, and hand the rows to a data frame (`pandas.DataFrame(matches.rows())`):

    >>> matches = touchline.play_many("hexapawn", ["random", "minimax:depth=2"], games=20, seed=1)
    >>> matches
    <Matches 20: random won 2, minimax:depth=2 won 18>
    >>> touchline.compare(matches).strengths[1].text  # the difference in Elo, with its 95 % interval
    '+382 [+146, +617]'

What there is to play, and with whom:

    >>> touchline.list_games()[:3], touchline.list_conducts()[:2]
    (['fish', 'hexapawn', 'labyrinth'], ['course', 'friendly'])
    >>> touchline.list_bots("labyrinth")
    ['euclid', 'greedy', 'mcts', 'minimax', 'minotaur', 'random', 'riemann']

States are immutable values: search them, draw them, write a game of your own.

    >>> from random import Random
    >>> state = touchline.Hexapawn(rows=3, cols=3).start(2, Random(0))
    >>> state.play(state.legal_moves()[0])
    <HexapawnState .11/1../222, seat 1 to move>

A match has a conduct, which says what an offence costs, and limits, which say how long a move may take:

    >>> strict = touchline.conduct("seed-002")
    >>> terms = touchline.Limits(clock=touchline.Clock(per_move=touchline.micros(0.5)))
    >>> touchline.play("hexapawn", ["random", "greedy"], seed=1, conduct=strict, limits=terms).faults
    ()
    >>> touchline.UNTIMED.clock.per_move is None  # limits for debugging: no player is ever late
    True

Plain types: `Seat` is the number of a place at the table, `Cell` is (row, column), and `Event` is whatever an
observer of a match is told.

    >>> touchline.Seat, touchline.Cell
    (<class 'int'>, tuple[int, int])
    >>> seen: list[touchline.Event] = []
    >>> match = touchline.play("hexapawn", ["random", "random"], seed=1, observers=[seen.append])
    >>> type(seen[0]).__name__, type(seen[-1]).__name__
    ('Begun', 'Ended')
    >>> touchline.__version__
    '0.1.0'

In a notebook states show themselves as pictures, results and records as tables. `touchline.testing` checks a
game, bot, dialect or player of your own. On the command line: `touchline --help`.

Nothing is imported before one of these names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from touchline.bots.base import Bot
    from touchline.core.clock import UNTIMED, Clock, Limits, micros
    from touchline.core.conduct import Conduct, Offence, Sanction
    from touchline.core.errors import BadInput, BadOptions, TouchlineError, UnknownName
    from touchline.core.events import Event, Fault, Result
    from touchline.core.rules import Cell, Game, IllegalMove, Outcome, Seat, Skippable, State
    from touchline.core.sketch import Piece, Sketch, Spot
    from touchline.games.fish import Fish
    from touchline.games.hexapawn import Hexapawn
    from touchline.games.labyrinth import Labyrinth
    from touchline.matches.catalogue import bot, conduct, game, list_bots, list_conducts, list_games
    from touchline.matches.many import Matches, play_many
    from touchline.matches.play import play, play_async
    from touchline.matches.result import MatchResult, read_record
    from touchline.records.recording import NotRecorded
    from touchline.records.replay import Replay
    from touchline.tournament.comparison import Comparison, Strength, compare

__version__ = "0.1.0"

_HOMES = {
    "core.clock": ("UNTIMED", "Clock", "Limits", "micros"),
    "core.conduct": ("Conduct", "Offence", "Sanction"),
    "core.errors": ("BadInput", "BadOptions", "TouchlineError", "UnknownName"),
    "core.events": ("Event", "Fault", "Result"),
    "core.rules": ("Cell", "Game", "IllegalMove", "Outcome", "Seat", "Skippable", "State"),
    "core.sketch": ("Piece", "Sketch", "Spot"),
    "bots.base": ("Bot",),
    "games.fish": ("Fish",),
    "games.hexapawn": ("Hexapawn",),
    "games.labyrinth": ("Labyrinth",),
    "matches.catalogue": ("bot", "conduct", "game", "list_bots", "list_conducts", "list_games"),
    "matches.many": ("Matches", "play_many"),
    "matches.play": ("play", "play_async"),
    "matches.result": ("MatchResult", "read_record"),
    "records.recording": ("NotRecorded",),
    "records.replay": ("Replay",),
    "tournament.comparison": ("Comparison", "Strength", "compare"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "UNTIMED", "BadInput", "BadOptions", "Bot", "Cell", "Clock", "Comparison", "Conduct", "Event",
    "Fault", "Fish", "Game", "Hexapawn", "IllegalMove", "Labyrinth", "Limits", "MatchResult", "Matches",
    "NotRecorded", "Offence", "Outcome", "Piece", "Replay", "Result", "Sanction", "Seat", "Sketch",
    "Skippable", "Spot", "State", "Strength", "TouchlineError", "UnknownName", "__version__", "bot",
    "compare", "conduct", "game", "list_bots", "list_conducts", "list_games", "micros", "play",
    "play_async", "play_many", "read_record",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'touchline' has no attribute {name!r}")
    return getattr(importlib.import_module(f"touchline.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
