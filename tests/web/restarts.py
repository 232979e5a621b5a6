"""A site that is killed and started again, and people who come back.

A kill is a copy of the folder while the site runs: it has exactly the bytes that a killed process leaves. The
first site goes on in a folder that nobody looks at any more.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any

import aiohttp
import msgspec

from touchline.core.events import Moved
from touchline.core.happenings import Heard
from touchline.core.messages import Act
from touchline.drivers.match import opened, referee_for
from touchline.records.record_folder import RecordFolder
from touchline.records.replay import Replay
from touchline.web.workers import player_jobs
from web.sites import Live, live, site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Container, Mapping
    from pathlib import Path

    from web.sites import Visit


def written(move: Any) -> Any:
    """A move as a record has it."""
    return msgspec.json.decode(msgspec.json.encode(move))


def files_in(folder: Path, pattern: str = "*") -> list[str]:
    """The files that a pattern names, as a shell does: without the hidden ones."""
    return sorted(file.name for file in folder.glob(pattern) if not file.name.startswith("."))


def choice(turn: int, seat: int, moves: int) -> int:
    """The move of a person: the same whenever the same question is asked."""
    return Random(f"{turn} {seat}").randrange(moves)


@asynccontextmanager
async def recording(folder: Path, **options: Any) -> AsyncIterator[Visit]:
    async with site(files=RecordFolder(folder), **options) as visit:
        yield visit


@asynccontextmanager
async def restarted(visit: Visit, folder: Path, **options: Any) -> AsyncIterator[Visit]:
    """A site that goes on with what the first has written until now; the first is cut off from everybody."""
    copy = folder.with_name(f"{folder.name}-again")
    shutil.copytree(folder, copy)
    cut_off(visit)
    async with recording(copy, **options) as again:
        yield again


def cut_off(visit: Visit) -> None:
    """Close the door for programs, and hang up on them without a word."""
    visit.site._programs.close()
    for table in visit.site.tables.by_id.values():
        for chair in table.chairs:
            if chair.guest is not None:
                chair.guest.connection.close(at_once=True)


async def play_on(person: Live, seat: int, most: int = 1 << 30) -> None:
    """Answer questions as `choice` says, until the end or so many turns."""
    while most and person.screen.now.get("result") is None:
        asked = person.screen.asked
        if asked is not None and asked["turn"] > person.answered:
            person.answered, most = asked["turn"], most - 1
            index = choice(person.answered, seat, len(asked["legal"]))
            await person.ws.send_json({"type": "move", "turn": person.answered, "choice": index})
        elif await person.line() is None:
            return


async def stay(visit: Visit, table: str, token: str, seat: int) -> dict[str, Any]:
    """Play a seat to its end, with a new connection whenever one is lost; return the last state.

    It has no result if the server was killed after the end, when the table was no longer there.
    """
    now: dict[str, Any] = {}
    while now.get("result") is None:
        try:
            async with live(visit, table, token) as person:
                await play_on(person, seat)
                now = person.screen.now or now
                if person.ws.close_code == 4404:
                    return now
        except (aiohttp.ClientError, AssertionError, OSError):
            pass
        await asyncio.sleep(0.05)
    return now


def uninterrupted(
    replay: Replay, house: Mapping[int, tuple[str, dict[str, Any]]], programs: Container[int] = ()
) -> tuple[list[Any], Any]:
    """The moves and the outcome of the same match without a restart.

    People play as `choice` says, and programs their first legal move.
    """
    spec = replay.spec()
    state, moves = opened(spec), []
    referee = referee_for(spec, state)
    referee.begin()
    while referee.result is None:
        seat = referee.state.to_move
        assert seat is not None
        view = referee.state.view(seat)
        if seat in house:
            player, options = house[seat]
            job = player_jobs.Choose(
                game=spec.game.name, options=msgspec.to_builtins(spec.game),
                position=msgspec.json.encode(view.position()), player=player, player_options=options,
                seed=f"{spec.seed} {seat}", turn=referee.turn,
            )  # fmt: skip
            move = msgspec.json.decode(job.done(lambda: None), type=spec.game.Move)
        else:
            legal = view.legal_moves()
            move = legal[0 if seat in programs else choice(referee.turn, seat, len(legal))]
        moves.append(written(move))
        referee.take(Heard(seat, Act(move, referee.turn)))
    return moves, referee.result.outcome


def checked_record(
    path: Path, house: Mapping[int, tuple[str, dict[str, Any]]], programs: Container[int] = ()
) -> Replay:
    """The record of a match: whole, verified, and as it would be without the restart."""
    replay = Replay.read(path)
    replay.verify()
    assert replay.seal is not None
    assert not path.with_name(f"{path.name}.secret").exists()
    assert replay.ended is not None
    result = replay.ended.result
    assert (result.verdict, result.expelled) == ("finished", ())
    moves = [written(event.move) for event in replay.events if isinstance(event, Moved)]
    assert (moves, result.outcome) == uninterrupted(replay, house, programs)
    return replay
