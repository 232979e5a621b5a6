"""Play one match between any players, here or on an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.drivers.match import TURN_CAP
from touchline.matches.fixture import fixture, hidden_files
from touchline.records.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game
    from touchline.matches.fixture import AnyPlayer
    from touchline.matches.result import MatchResult
    from touchline.records.recording import Observer


def play(
    game: Game | str,
    players: Sequence[AnyPlayer],
    *,
    seed: int | None = None,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    overwrite: bool = False,
    observers: Sequence[Observer] = (),
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
    isolation: str = "auto",
    ponder: bool = True,
) -> MatchResult:
    """Play a match and return its result.

    A player is a house player by name with options ("mcts:seconds=0.5"), a Python file ("mybot.py", or
    "mybot.py:Name"), a program ("process:./mybot"), a WebAssembly module ("wasm:bot.wasm"), or a bot: an
    object or a class with `choose(view, turn)`. Files and programs run in processes of their own; a bot runs
    here and is trusted.

    `seconds` is the time for a move, `limits` all times; without them the terms are those of the command
    line, 10 seconds a move. `conduct` says what an offence costs. `record` is a file to write the record to;
    one that is there is kept, unless `overwrite` is set. If the record cannot be written, NotRecorded is
    raised after the match; it has the result in its attribute `match`.

    Programs run in the best cage that works here, or with `isolation="A"` (or "B", "C", "none") in that one;
    with `ponder=False` they are frozen in the turns of others.

    >>> import touchline
    >>> class First:
    ...     def choose(self, view, turn):
    ...         return view.legal_moves()[0]
    >>> match = touchline.play("fish", ["random", First], seed=2)
    >>> match.players, match.winners, match.scores
    (('random', 'First'), ('random',), (31, 13))
    >>> print(match)
    random (seat 0) won with 31: nobody can move
    First (seat 1) lost with 13, rank 2
    """
    match = fixture(
        game, players, conduct=conduct, seconds=seconds, limits=limits, names=names, turn_cap=turn_cap,
        isolation=isolation, ponder=ponder, hidden=hidden_files(record),
    )  # fmt: skip
    recording = Recording(record, overwrite=overwrite)
    played = match.play(seed, observers, recording)
    recording.check(played)
    return played


async def play_async(
    game: Game | str,
    players: Sequence[AnyPlayer],
    *,
    seed: int | None = None,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    overwrite: bool = False,
    observers: Sequence[Observer] = (),
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
    isolation: str = "auto",
    ponder: bool = True,
) -> MatchResult:
    """Play a match as `play` does, on the running event loop: bots think in threads, and nothing blocks.

    >>> import asyncio, touchline
    >>> async def both():
    ...     return await asyncio.gather(
    ...         touchline.play_async("hexapawn", ["random", "random"], seed=1),
    ...         touchline.play_async("fish", ["random", "greedy"], seed=1),
    ...     )
    >>> [match.verdict for match in asyncio.run(both())]
    ['finished', 'finished']
    """
    match = fixture(
        game, players, conduct=conduct, seconds=seconds, limits=limits, names=names, turn_cap=turn_cap,
        isolation=isolation, ponder=ponder, hidden=hidden_files(record),
    )  # fmt: skip
    recording = Recording(record, overwrite=overwrite)
    played = await match.play_async(seed, observers, recording)
    recording.check(played)
    return played
