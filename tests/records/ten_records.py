"""Ten records of real matches: all games, programs, dialects, faults, skips, proposals, a void match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.commands import rogue
from referee.dialogue import every
from touchline.core.conduct import Offence
from touchline.core.events import Refused
from touchline.core.happenings import Broken, Happening, Heard, Lapsed, Note, Restarted, TookBack
from touchline.core.messages import Act, Garbled, Ready, Resigned
from touchline.drivers.match import agreed, announced, opened, referee_for
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.matches.fixture import fixture
from touchline.records.recorder import RecordWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game
    from touchline.records.signing import SigningKey

HEXAPAWN = Hexapawn(rows=4, cols=4)
FISH = Fish(rows=4, cols=4)
MAZE = Labyrinth(rows=5, cols=5)


class Weary:
    """Plays the first legal move, and after some turns what it was told to do."""

    def __init__(self, turns: int, then: Callable[[Any], Any]) -> None:
        self._left, self._then = turns, then

    def choose(self, view: Any, turn: int) -> Any:
        self._left -= 1
        return self._then(view) if self._left < 0 else view.legal_moves()[0]


def resign(view: Any) -> Any:
    raise Resigned("tired")


def nothing(view: Any) -> Any:
    return None


def played(
    game: Game, players: Sequence[Any], signer: SigningKey | None = None, *, seed: int = 5, **terms: Any
) -> bytes:
    """The record of a match."""
    lines: list[bytes] = []
    fixture(game, players, **terms).play(seed, [RecordWriter(lines.append, signer).see])
    return b"".join(lines)


def dialogue(game: Game, happenings: Sequence[Happening], conduct: Conduct) -> bytes:
    """The record of a match in which this happens at the start; then the first legal moves are made."""
    refused = (Refused(2, Offence.REFUSED, "no such program"),)
    terms: dict[str, Any] = {"conduct": conduct, "dialects": ("native",) * 3, "takeback": True}
    spec = agreed(game, ["ann", "bob", "cy"], 5, refused=refused, **terms)
    lines: list[bytes] = []
    writer = RecordWriter(lines.append, prompt=True)
    state = opened(spec)
    referee = referee_for(spec, state, (0, 1, 2))
    writer.see(announced(spec, state, (0, 1, 2)))
    effects = referee.begin(refused)
    for happening in happenings:
        effects += referee.take(happening)
    while referee.result is None and referee.turn < 9:
        (seat,) = referee.awaited
        effects += referee.take(Heard(seat, Act(referee.state.legal_moves()[0]), 70, 7, ('{"type":"act"}',)))
    effects += referee.take(TookBack(0, referee.last_turn_of(0) or 0))
    effects += referee.take(Broken("the machine is on fire"))
    for effect in effects:
        if isinstance(effect, Note):
            writer.see(effect.event)
    return b"".join(lines)


def ten_records(signer: SigningKey) -> dict[str, bytes]:
    """Return ten records by name; four of them are signed."""
    ready = '{"type":"ready"}'
    happenings: list[Happening] = [
        Heard(1, Ready(), 3, 0, (ready,)), Heard(0, Ready(updates=True), 4, 0, (ready,)), Restarted(),
        Heard(0, Garbled("not JSON"), 5, 0, ("{",)), Lapsed(0), Lapsed(0),
        Heard(0, Act(None, 0), 9, 0, ("null",)),
    ]  # fmt: skip
    return {
        "bots": played(HEXAPAWN, ["random", "greedy"], signer),
        "three": played(FISH, ["random", "greedy", "random"], seed=0),
        "hidden": played(MAZE, ["euclid", "random"], signer, turn_cap=12),
        "programs": played(HEXAPAWN, [rogue("liar"), rogue("honest")], conduct="seed-001"),
        "dialects": played(FISH, ["fish-course+random", "seed-001+random"], signer),
        "proposals": played(MAZE, ["seed-003+euclid", "seed-004+riemann"]),
        "resigned": played(HEXAPAWN, [Weary(2, resign), "random"], signer),
        "skips": played(FISH, ["random", Weary(3, nothing)], conduct=every("skip 2", "random", "expel")),
        "expelled": played(FISH, ["random", Weary(2, lambda view: 1 // 0), "random"]),
        "void": dialogue(FISH, happenings, every("retry 1", "skip 2", "expel")),
    }
