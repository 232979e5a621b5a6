"""`check_game`: check that a game keeps the contract of `core/rules.py`.

It plays random games from fixed seeds, with every number of seats and with seats removed on the way, and
checks the laws below in the states it reaches. It knows no game by name.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import BadInput
from touchline.core.rules import IllegalMove, Narrated, Outcome, Skippable
from touchline.draw.rules_page import rules_page
from touchline.draw.sheet import COMMON, Sheet, sheet_of
from touchline.draw.svg import picture, svg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.core.rules import Game, State

TURNS = 100_000
"""Turns after which a game counts as endless."""
CLOSE_LOOKS = 12
"""States of each random game in which every law is checked; the others get the cheap checks only."""
SAMPLE = 100
"""Legal moves to play, and illegal moves to pass to `check()`, in a state that is checked closely."""


class CheckFailed(AssertionError):
    """The game breaks a law of the contract; the message names the law and the place."""


def check_game(
    game: Game, *, plays: int = 2, seed: int = 0, report: Callable[[str], None] | None = None
) -> None:
    """Raise CheckFailed unless the game keeps the contract; call `report` with each law that it keeps.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> check_game(Hexapawn(rows=3, cols=3))
    """
    told = report or (lambda _: None)
    _check_declaration(game)
    told("declares what it is, and refuses tables of the wrong size")
    if _check_rules_file(game):
        told("its rules file claims nothing that the rules deny")
    sheet = _check_sheet(game)
    unsure: set[int | None] = set()
    for seats in game.seats:
        _check_seeds(game, seats, seed)
        for play in range(plays):
            rng = Random(f"{seed} {seats} {play}")
            unsure |= _check_play(game, sheet, seats, rng, removals=False)
            unsure |= _check_play(game, sheet, seats, rng, removals=True)
    _demand(bool(unsure) == game.hidden, "`hidden` says whether a view hides anything", game.hidden)
    told("reproduces from a seed")
    for law in (
        "legal_moves() and check() agree, also on moves from elsewhere and on nonsense",
        "no state is ever changed",
        "a seat sees only its view, and can play from it",
        "a game without a seat goes on, and never waits for it",
        "there is an outcome at the end and only there",
        "states, moves and views survive JSON, and states copying",
        "every state can be drawn, and every symbol it names is in the sheet",
    ):
        told(law)


def _demand(true: bool, law: str, *where: object) -> None:
    if not true:
        raise CheckFailed(": ".join([law, *map(repr, where)]))


def _check_declaration(game: Game) -> None:
    _demand(isinstance(game, msgspec.Struct), "a game is a msgspec struct")
    _demand(bool(type(game).__doc__), "a game's docstring says in a line what it is")
    _demand(bool(game.name) and game.name == game.name.lower(), "a name is in lower case", game.name)
    _demand(len(game.seats) > 0 and game.seats[0] >= 1, "a game has at least one seat", game.seats)
    for count in (game.seats[0] - 1, game.seats[-1] + 1):
        try:
            game.start(count, Random(0))
        except ValueError:
            continue
        raise CheckFailed(f"start() raises ValueError for {count} seats")
    moves = list(game.all_moves())
    _demand(len(set(moves)) == len(moves), "all_moves() names each move once")
    _demand(moves == list(game.all_moves()), "all_moves() has a fixed order")


def _check_rules_file(game: Game) -> bool:
    """Read the rules for people, whose examples are held against the rules; return whether there are any."""
    try:
        return rules_page(type(game)) is not None
    except BadInput as error:
        raise CheckFailed(f"the rules file fits the rules: {error}") from None


def _check_sheet(game: Game) -> Sheet:
    """Read the sheet of the game; one that is not there is the common one."""
    try:
        sheet = sheet_of(type(game))
    except BadInput as error:
        raise CheckFailed(f"the sheet is as games/README.md says: {error}") from None
    if sheet.name != COMMON:
        _demand(sheet.name == game.name, "the root of a sheet has the class of its game", sheet.name)
    return sheet


def _check_art(state: State, sheet: Sheet) -> None:
    """Every symbol that a sketch names is in the sheet, every tone in its style; and it can be drawn."""
    sketch = state.sketch()
    arts = [*sketch.backdrop.ornaments, *(art for spot in sketch.spots for art in (*spot.art, *spot.over))]
    named = {art.symbol for art in arts if not art.text}
    named |= {piece.symbol for spot in sketch.spots for piece in spot.pieces if piece.symbol}
    missing = sorted(name for name in named if sheet.id_of(name) is None)
    _demand(not missing, "every symbol that a sketch names is in the sheet", *missing)
    worn = {tone for panel in sketch.backdrop.panels for tone in panel.tone.split()}
    worn |= {art.symbol for art in arts if art.text}
    unknown = sorted(worn - {rule.name for rule in sheet.rules} - {"tray"})
    _demand(not unknown, "every tone of a panel or a text is in the style of the sheet", *unknown)
    try:
        svg(picture(sketch, sheet), "dark")
    except BadInput as error:
        raise CheckFailed(f"a sketch can be drawn with the sheet: {error}") from None


def _check_seeds(game: Game, seats: int, seed: int) -> None:
    one, two = (_random_game(game, seats, Random(seed)) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        _demand(first == second, "the same seed gives the same game", first.position(), second.position())


def _random_game(game: Game, seats: int, rng: Random) -> Iterator[State]:
    state = game.start(seats, rng)
    yield state
    for _ in range(CLOSE_LOOKS):
        if state.to_move is None:
            return
        state = state.play(rng.choice(state.legal_moves()))
        yield state


def _check_play(game: Game, sheet: Sheet, seats: int, rng: Random, *, removals: bool) -> set[int | None]:
    """Play one game to its end and check states on the way; return the seats that saw only a part."""
    everything = list(game.all_moves())
    state = game.start(seats, rng)
    removed: set[int] = set()
    unsure: set[int | None] = set()
    look = 1
    for turn in range(TURNS):
        closely = turn == look or state.to_move is None
        if closely:
            look += 1 + look // 2
            unsure |= _check_state(game, state, seats, removed, everything, rng)
            _check_art(state, sheet)
        if state.to_move is None:
            return unsure
        if removals and len(removed) < seats and rng.random() < 0.1:
            seat = rng.choice([seat for seat in range(seats) if seat not in removed])
            removed.add(seat)
            state = state.without(seat)
        elif removals and rng.random() < 0.1 and isinstance(state, Skippable):
            state = state.skip()
        else:
            state = state.play(rng.choice(state.legal_moves()))
    raise CheckFailed(f"a game ends; this one went on for {TURNS} turns")


def _check_state(
    game: Game, state: State, seats: int, removed: set[int], everything: list[Any], rng: Random
) -> set[int | None]:
    before = msgspec.json.encode(state.position())
    _check_end(state, seats, removed)
    _check_moves(state, everything, rng)
    unsure = _check_views(game, state, seats, rng)
    for seat in range(seats):
        if seat not in removed and state.to_move is not None:
            _check_end(state.without(seat), seats, removed | {seat})
    _check_json(game, state, rng)
    _check_sketch(state)
    _check_words(state, rng)
    _demand(before == msgspec.json.encode(state.position()), "no state is ever changed", before)
    hash(state)
    _demand(deepcopy(state) == state, "a copy of a state equals it", before)
    return unsure


def _check_end(state: State, seats: int, removed: set[int]) -> None:
    where = state.position()
    outcome = state.outcome()
    _demand(state.to_move not in removed, "a removed seat is never to move", where)
    _demand((outcome is None) == (state.to_move is not None), "an outcome at the end and only there", where)
    _demand(bool(state.legal_moves()) == (outcome is None), "moves until the end and no longer", where)
    passed = state.passed_over
    _demand(not {state.to_move, *removed} & set(passed), "only a present seat is passed over", where)
    if outcome is None:
        return
    _demand(isinstance(outcome, Outcome), "outcome() is an Outcome", outcome)
    _demand(len(outcome.ranks) == len(outcome.scores) == seats, "a rank and a score per seat", outcome)
    first = tuple(seat for seat, rank in enumerate(outcome.ranks) if rank == 1)
    _demand(outcome.winners == first, "the winners are the seats of rank 1", outcome)
    _demand(not removed & set(outcome.winners), "a removed seat does not win", outcome, removed)
    unranked = {seat for seat, rank in enumerate(outcome.ranks) if rank is None}
    _demand(unranked == removed, "the removed seats, and no others, have no rank", outcome, removed)
    _demand(bool(outcome.reason), "an outcome says why", outcome)


NONSENSE: tuple[Any, ...] = (None, 0, -1, "", "pass", (), (0, 0), {}, [], 1.5, object(), b"\0")


def _check_moves(state: State, everything: list[Any], rng: Random) -> None:
    moves = list(state.legal_moves())
    legal = set(moves)
    _demand(len(legal) == len(moves), "legal_moves() names each move once", state.position())
    _demand(moves == list(state.legal_moves()), "legal_moves() has a fixed order", state.position())
    _demand(legal <= set(everything), "all_moves() has every legal move", legal - set(everything))
    for move in _some(moves, rng):
        _demand(_refusal(state, move) is None, "check() accepts a legal move", move, _refusal(state, move))
        _demand(state.play(move) == state.play(move), "play() is a function", move)
    strangers = _some(everything, rng)
    for move in (*(move for move in strangers if move not in legal), *NONSENSE):
        _demand(
            bool(_refusal(state, move)),
            "check() refuses every other move and says why",
            move,
            state.position(),
        )


def _some(moves: list[Any], rng: Random) -> list[Any]:
    return rng.sample(moves, min(len(moves), SAMPLE))


def _refusal(state: State, move: Any) -> str | None:
    try:
        state.check(move)
    except IllegalMove as reason:
        return str(reason)
    except Exception as error:
        raise CheckFailed(f"check() raises IllegalMove and nothing else: {move!r}: {error!r}") from error
    return None


def _check_views(game: Game, state: State, seats: int, rng: Random) -> set[int | None]:
    unsure: set[int | None] = set()
    for seat in (*range(seats), None):
        view = state.view(seat)
        if not game.hidden or state.to_move is None:
            _demand(view == state, "nothing is hidden", seat, view.position())
            continue
        imagined = view.imagine(rng)
        _demand(imagined.view(seat) == view, "imagine() gives a state with the same view", seat)
        _demand(view.view(seat) == view, "the view of a view is that view", seat)
        if seat == state.to_move:
            same = list(view.legal_moves()) == list(state.legal_moves())
            _demand(same, "a seat knows its own legal moves", seat, view.position())
        if imagined != state:
            unsure.add(seat)
    return unsure


def _check_json(game: Game, state: State, rng: Random) -> None:
    views = [state] if not game.hidden else [state, state.view(0), state.view(None)]
    for view in views:
        data = msgspec.json.encode(view.position())
        again = msgspec.json.decode(data, type=game.Position)
        _demand(again == view.position(), "a position survives JSON", data)
        _demand(game.restore(again) == view, "restore() gives back the state", data)
    for move in _some(list(state.legal_moves()), rng):
        data = msgspec.json.encode(move)
        _demand(msgspec.json.decode(data, type=game.Move) == move, "a move survives JSON", data)


def _check_words(state: State, rng: Random) -> None:
    """A move in words is two lines, and a spectator can be told it."""
    seen, moves = state.view(None), state.legal_moves()
    if not isinstance(state, Narrated) or not isinstance(seen, Narrated) or not moves:
        return
    move = rng.choice(moves)
    said: Any = state.narrate(move)
    lines = [part for part in said if isinstance(part, str) and part.isprintable() and part]
    good = isinstance(said, tuple) and len(said) == len(lines) == 2
    _demand(good, "a move in words is what was done and what to do, a line each", said)
    _demand(seen.narrate(move) == said, "a move in words says what a spectator may know", said)


def _check_sketch(state: State) -> None:
    sketch = state.sketch()
    keys = [spot.key for spot in sketch.spots]
    _demand(len(set(keys)) == len(keys), "every spot of a sketch has a key of its own", keys)
    _demand(len(sketch.moves) == len(state.legal_moves()), "a sketch shows every legal move", sketch.moves)
    _demand(
        {key for move in sketch.moves for key in move} <= set(keys),
        "moves touch spots of the sketch",
        sketch.moves,
    )
    _demand(
        len(set(sketch.moves)) == len(sketch.moves),
        "no two moves touch the same spots in the same order",
        sketch.moves,
    )
