"""Resume a match from its record, after the process that played it was killed.

Laws of this file: the record must follow from the rules as far as it came; the players are made again and
told their past; a match that cannot be resumed is void with the reason, and nobody has lost it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.core.errors import BadOptions, TouchlineError
from touchline.drivers.lineup import Lineup, sandbox_for
from touchline.matches.result import MatchResult
from touchline.players.by_name import player
from touchline.records.interrupted import Interrupted, void
from touchline.records.side_file import side_file
from touchline.sandbox.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event, Result
    from touchline.records.recording import Recording
    from touchline.sandbox.launch import Sandbox


def resume(
    path: Path,
    recording: Recording,
    observers: Sequence[Callable[[Event], None]] = (),
    make: Callable[..., Any] = player,
) -> MatchResult:
    """Resume the match that `touchline play` recorded in a file, and return its result."""
    found = Interrupted(path)
    words = [seat.word for seat in found.secret.seats]
    if found.secret.origin != "play":
        raise BadOptions(f"{path} was recorded by `touchline serve`: start that again with the same --record")
    found.check_owner()
    if found.replay.ended is not None and found.tidied_up():
        whole = _result(found, found.replay.ended.result, {}, recording)
        return replace(whole, record=path, digest=found.replay.digest)
    if found.replay.ended is not None:
        recording.resume(found.replay.written, len(found.replay.events))
        recording.seal()
        return _result(found, found.replay.ended.result, {}, recording)
    folder = Path(found.secret.folder)
    lineup = Lineup(
        [word or "" for word in words],
        [seat.seed for seat in found.secret.seats],
        lambda word, game, seed, **caged: make(word, game, seed, folder, **caged),
        sandbox=_sandbox(found, [word for word in words if word], folder),
    )
    seen = [*observers, *found.observers(recording)]
    try:
        if None in words:
            raise BadOptions("a player was an object of the program that played the match")
        lineup.fill(found.spec)
        result = lineup.play(found.spec, seen, found.past)
    except (TouchlineError, OSError) as error:
        result = void(found, seen, f"the match cannot be resumed: {error}")
    finally:
        recording.end()
        lineup.clear(found.spec)
    return _result(found, result, lineup.notes, recording)


def _sandbox(found: Interrupted, words: Sequence[str], folder: Path) -> Sandbox:
    """Return the sandbox that the record says the programs were in. BadOptions if it does not work here."""
    tiers = found.spec.isolation
    tier = next((tier for tier in tiers if tier), "none") if isinstance(tiers, tuple) else "none"
    own = (found.path, side_file(found.path))
    limits = found.secret.program or DEFAULT
    return sandbox_for(words, tier, limits, ponder=found.spec.ponders, hidden=own, folder=folder)


def _result(found: Interrupted, result: Result, notes: dict[int, str], recording: Recording) -> MatchResult:
    whole = recording.digest is not None
    return MatchResult(
        game=found.replay.game, players=found.replay.begun.names, seed=found.secret.seed, result=result,
        stderr=notes, record=found.path if whole else None, digest=recording.digest,
    )  # fmt: skip
