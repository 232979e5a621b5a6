"""Generate the transcripts, tests/transcripts/<dialect>/<scene>.txt, and the parts of docs made from them.

These parts are the table of words in docs/rulings.md and the match on each page of docs/dialects.
"""

from __future__ import annotations

import json
import re
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.bots.euclid import Euclid
from touchline.bots.fish_course import FishCourse
from touchline.bots.riemann import Riemann
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import PASS, BoardProposal, Labyrinth, Pass
from touchline.testing.transcript import DIALECTS, GONE, HONEST, LATE, Scene, Slip, transcript, words_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "transcripts"
PAGE = ROOT / "docs" / "rulings.md"
BEGINS, ENDS = "<!-- words: written by scripts/transcripts -->\n", "<!-- end of words -->\n"
PAGES = [
    *sorted((ROOT / "docs" / "dialects").glob("seed-*.md")),
    ROOT / "docs" / "tutorials" / "native-protocol.md",
]
"""The pages with transcripts."""
MATCH = re.compile(
    r"<!-- match: tests/transcripts/([^\s,]+)(?:, last (\d+) lines)? -->\n.*?<!-- end of match -->\n",
    re.DOTALL,
)
"""A transcript on a page, with the name of its file, or the end of one."""

ADA, BOB = 0, 1
TEN = 10
"""Messages out of turn in one turn until a seat is expelled."""


class First:
    """Make the first legal move."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]


class Passing:
    """Never move in a labyrinth."""

    def choose(self, view: Any, turn: int) -> Pass:
        return PASS


def call(name: str, *arguments: Any) -> bytes:
    return text([name, arguments])


def text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def each(word: str, does: bytes | Any, times: int) -> list[Slip]:
    """Do the same at each of the first `times` occurrences of a message."""
    return [Slip(word, (does,), time) for time in range(1, times + 1)]


# -- fish ---------------------------------------------------------------------------------------

TWO = Fish(rows=3, cols=3, fish=1)
"""For two seats: eight penguins on nine tiles; ada makes the only move."""
THREE = Fish(rows=2, cols=5, fish=1)
"""For three seats: nine penguins on ten tiles; ada cannot move, and bob makes the only move."""


def fish(
    dialect: str,
    shows: str,
    slips: Mapping[int, Sequence[Slip]] | None = None,
    *,
    seats: int = 2,
    from_the_last: str | None = None,
) -> Scene:
    return Scene(
        shows=shows,
        dialect=dialect,
        game=TWO if seats == 2 else THREE,
        players=lambda: [FishCourse(0) for _ in range(seats)],
        slips=slips or {},
        from_the_last=from_the_last,
    )


def seed_000() -> dict[str, Scene]:
    def scene(shows: str, *bad: Slip, seat: int = BOB, **how: Any) -> Scene:
        return fish("seed-000", shows, {seat: bad}, **how)

    here = text({"x": 0, "y": 0})
    theirs = text({"from": {"x": 1, "y": 0}, "to": {"x": 2, "y": 2}})
    return {
        "normal": scene("a match from the first call to the last"),
        "illegal": scene("ada moves a penguin of bob's", Slip("get-movement", (theirs,)), seat=ADA),
        "malformed": scene(
            "bob answers with the course's [row,column]", Slip("get-placement", (b"[2,1]",), 4)
        ),
        "late": scene("bob does not answer in time", Slip("get-placement", (LATE,), 4)),
        "out-of-turn": scene(
            "bob answers one call eleven times: nine times too often is let pass, ten times is not",
            Slip("get-placement", (HONEST, *[here] * TEN)),
        ),
        "crash": scene(
            "bob hangs up; what it is told then reaches nobody", Slip("get-placement", (GONE,), 2)
        ),
        "kick": scene(
            "bob places on a penguin of ada's and is kicked, and the others play on",
            Slip("get-placement", (here,), 2),
            seats=3,
        ),
        "end": scene(
            "the last turn: bob has won, and that it does not answer `finalize` as it should changes nothing",
            Slip("finalize", (b'"thanks"',)),
            seats=3,
            from_the_last="get-movement",
        ),
    }


def seed_001() -> dict[str, Scene]:
    def scene(shows: str, *bad: Slip, **how: Any) -> Scene:
        return fish("seed-001", shows, {BOB: bad}, **how)

    here, there = call("placePenguin", [0, 0]), call("placePenguin", [2, 2])
    garbled = call("placePenguin", 2, 2)
    thrice = [Slip("notifyTurn", (garbled,)), *each("rejectMove", garbled, 2)]
    return {
        "normal": scene("a match from the first state to the last"),
        "illegal": scene(
            "three invalid requests in one turn cost it; bob places its penguin later",
            Slip("notifyTurn", (here,)),
            *each("rejectMove", here, 2),
        ),
        "malformed": scene("the third request in a row that cannot be read is a ban", *thrice),
        "late": scene(
            "bob takes too long three times in a row: two turns are skipped, then it is banned",
            *each("notifyTurn", LATE, 3),
        ),
        "out-of-turn": scene(
            "nine requests out of turn are rejected, the tenth is a ban, and what bob asks then is rejected",
            Slip("notifyTurn", (HONEST, *[there] * TEN)),
            Slip("notifyBanned", (there,)),
        ),
        "crash": scene("bob hangs up; what it is told then reaches nobody", Slip("notifyTurn", (GONE,), 2)),
        "kick": scene("bob sends what cannot be read, is banned, and the others play on", *thrice, seats=3),
        "end": scene(
            "the last penguin is placed: ada has no move, bob has one, and has won",
            seats=3,
            from_the_last="placePenguin",
        ),
    }


def fish_course() -> dict[str, Scene]:
    def scene(shows: str, *bad: Slip, seat: int = BOB, **how: Any) -> Scene:
        return fish("fish-course", shows, {seat: bad}, **how)

    return {
        "normal": scene("a match by itself, which is a tournament of one"),
        "illegal": scene("ada moves a penguin of bob's", Slip("take-turn", (b"[[0,1],[2,2]]",)), seat=ADA),
        "malformed": scene("bob answers with words", Slip("setup", (b'"top left"',), 4)),
        "late": scene("bob does not answer in time", Slip("setup", (LATE,), 4)),
        "out-of-turn": scene(
            "bob answers one call eleven times: nine times too often is let pass, ten times is not",
            Slip("setup", (HONEST, *[b"[2,2]"] * TEN)),
        ),
        "crash": scene("bob hangs up", Slip("setup", (GONE,), 2)),
        "kick": scene(
            "bob places on a penguin of ada's and is kicked, and the others play on",
            Slip("setup", (b"[0,0]",), 2),
            seats=3,
        ),
        "end": scene(
            "the last turn: bob has won, and that it does not answer `end` as it should changes nothing",
            Slip("end", (b'"thanks"',)),
            seats=3,
            from_the_last="take-turn",
        ),
    }


# -- hexapawn -----------------------------------------------------------------------------------


def hexapawn(
    dialect: str,
    shows: str,
    slips: Mapping[int, Sequence[Slip]] | None = None,
    *,
    game: Hexapawn | None = None,
    from_the_last: str | None = None,
) -> Scene:
    return Scene(
        shows=shows,
        dialect=dialect,
        game=game or Hexapawn(rows=3, cols=3),
        players=lambda: [First(), First()],
        slips=slips or {},
        from_the_last=from_the_last,
    )


def seed_002() -> dict[str, Scene]:
    def scene(shows: str, slips: Mapping[int, Sequence[Slip]] | None = None, **how: Any) -> Scene:
        return hexapawn("seed-002", shows, slips, **how)

    two_steps = b"move(f(1 1) t(3 1))"
    back = b"move(f(3 1) t(3 2))"
    return {
        "normal": scene("a game from the first request to the last word"),
        "illegal": scene(
            "one illegal move a turn is forgiven, ada's and bob's; bob's second in its turn loses the game",
            {ADA: [Slip("request", (two_steps,))], BOB: each("request", back, 2)},
        ),
        "malformed": scene(
            "what is no move is an illegal one: a board, and a line that is no term",
            {BOB: [Slip("request", (b"board(row(p1))",)), Slip("request", (b"move(f(3 1), t(2 1))",), 2)]},
        ),
        "late": scene("bob does not answer in time", {BOB: [Slip("request", (LATE,))]}),
        "out-of-turn": scene(
            "ada sends two moves at once, and the second is not in its turn",
            {ADA: [Slip("request", (HONEST, b"move(f(1 2) t(2 2))"))]},
        ),
        "crash": scene("bob hangs up, and has lost", {BOB: [Slip("request", (GONE,))]}),
        "end": scene("the last move of a game, and who has won", from_the_last="request"),
        "no-move": scene(
            "on two rows of one column ada has lost before it is asked", game=Hexapawn(rows=2, cols=1)
        ),
    }


# -- labyrinth ----------------------------------------------------------------------------------

GEMS = list(combinations_with_replacement(("ruby", "beryl", "zircon", "garnet", "jasper", "spinel"), 2))
WAYS = {"UP": "│└┘├┴┤┼", "DOWN": "│┐┌┬├┤┼", "LEFT": "─┐┘┬┴┤┼", "RIGHT": "─└┌┬├┴┼"}


def board(*rows: str) -> BoardProposal:
    """Return a board with the shortest names of gems."""
    cols = len(rows[0])
    gems = [tuple(GEMS[row * cols : (row + 1) * cols]) for row in range(len(rows))]
    return BoardProposal(rows, tuple(gems))


SMALL, SMALL_SEED = board("│┌─┴", "┘││┴"), 253
WIDE, WIDE_SEED = board("┤┴┌┐┘┌", "┴└┘┬┤┘"), 112


def labyrinth(
    dialect: str, shows: str, *bad: Slip, seats: int = 2, passing: bool = False, **how: Any
) -> Scene:
    """Return a scene in which bob misbehaves. In seed 004 ada proposes the board; elsewhere it is given."""
    maze, seed = (SMALL, SMALL_SEED) if seats == 2 else (WIDE, WIDE_SEED)
    seekers: list[Any] = [Riemann(), Euclid(), Riemann()]
    proposed = [Slip("ProposeBoard", (tiles(maze),))] if dialect == "seed-004" else []
    return Scene(
        shows=shows,
        dialect=dialect,
        game=Labyrinth(rows=2, cols=len(maze.connectors[0])),
        players=lambda: [Passing() for _ in range(seats)] if passing else seekers[:seats],
        slips={ADA: proposed, BOB: bad},
        seed=seed,
        proposals=(maze,),
        **how,
    )


def tiles(maze: BoardProposal) -> bytes:
    """Return a board in the notation of seed 004."""
    rows = zip(maze.connectors, maze.treasures, strict=True)
    return text(
        [
            [
                {"pathways": [way for way, drawn in WAYS.items() if tile in drawn], "gems": gems}
                for tile, gems in zip(*row, strict=True)
            ]
            for row in rows
        ]
    )


def of_labyrinth(
    dialect: str, ask: str, last: str, *, illegal: bytes, malformed: bytes, passes: bytes
) -> dict[str, Scene]:
    def scene(shows: str, *bad: Slip, **how: Any) -> Scene:
        return labyrinth(dialect, shows, *bad, **how)

    return {
        "normal": scene("a game from the first call to the last: both reach their goals, and ada comes home"),
        "illegal": scene("bob pushes a row that cannot be pushed", Slip(ask, (illegal,))),
        "malformed": scene("bob turns the spare by something that is no turn", Slip(ask, (malformed,))),
        "late": scene("bob does not answer in time", Slip(ask, (LATE,))),
        "out-of-turn": scene(
            "bob answers one call eleven times: nine times too often is let pass, ten times is not",
            Slip(ask, (HONEST, *[passes] * TEN)),
        ),
        "crash": scene("bob hangs up", Slip(ask, (GONE,))),
        "kick": scene(
            "bob pushes a row that cannot be pushed and is kicked, and the others play on",
            Slip(ask, (illegal,)),
            seats=3,
        ),
        "end": scene(
            f"all pass, and two win; that bob does not answer `{last}` as it should changes nothing",
            Slip(last, (b'"thanks"',)),
            seats=3,
            passing=True,
            from_the_last=ask,
        ),
    }


def labyrinths() -> dict[str, dict[str, Scene]]:
    def imove(index: int, rotation: int) -> bytes:
        slide = {"type": "SlideRowLeft", "index": index}
        return text({"slide": slide, "rotation": rotation, "destination": [1, 1]})

    def plan(index: int, rotations: int) -> bytes:
        slide = {"direction": "LEFT", "index": index, "rotations": rotations}
        return text({"slide": slide, "destination": [1, 1]})

    def choice(index: int, degree: int) -> bytes:
        return text([index, "LEFT", degree, {"row#": 1, "column#": 1}])

    return {
        "seed-003": of_labyrinth(
            "seed-003",
            "RequestMove",
            "NotifyGameOver",
            illegal=imove(1, 0),
            malformed=imove(0, 45),
            passes=b"null",
        ),
        "seed-004": of_labyrinth(
            "seed-004",
            "TakeTurn",
            "EndOfGame",
            illegal=plan(1, 0),
            malformed=plan(0, -1),
            passes=b"null",
        ),
        "labyrinth-course": of_labyrinth(
            "labyrinth-course",
            "take-turn",
            "win",
            illegal=choice(1, 0),
            malformed=choice(0, 45),
            passes=b'"PASS"',
        ),
    }


# -- native -------------------------------------------------------------------------------------


def native() -> dict[str, Scene]:
    def scene(shows: str, slips: Mapping[int, Sequence[Slip]] | None = None, **how: Any) -> Scene:
        return hexapawn("native", shows, slips, **how)

    def act(turn: int, origin: list[int], target: list[int]) -> bytes:
        return text({"type": "act", "turn": turn, "move": {"from": origin, "to": target}})

    tea = text({"type": "resign", "why": "late for tea"})
    curious = Slip("begin", (text({"type": "ready", "updates": True}),))
    taken = text({"type": "act", "turn": 4, "move": {"type": "place", "at": [0, 0]}})
    return {
        "normal": scene(
            "a match of two programs, of which bob wants to be told everything", {BOB: [curious]}
        ),
        "illegal": scene("bob moves sideways", {BOB: [Slip("your_turn", (act(1, [2, 0], [2, 1]),))]}),
        "malformed": scene(
            "bob sends a line that is no JSON", {BOB: [Slip("your_turn", (b"good morning",))]}
        ),
        "late": scene("bob does not answer in time", {BOB: [Slip("your_turn", (LATE,))]}),
        "out-of-turn": scene(
            "ada answers twice, and the old answer is ignored; bob answers ten times before it is asked",
            {
                ADA: [Slip("your_turn", (HONEST, HONEST))],
                BOB: [Slip("your_turn", (HONEST, *[act(3, [2, 1], [1, 1])] * TEN))],
            },
        ),
        "crash": scene(
            "bob hangs up; what it is told then reaches nobody", {BOB: [Slip("your_turn", (GONE,))]}
        ),
        "kick": fish(
            "native",
            "bob places on a penguin of ada's and is expelled, which cyd is told; the others play on",
            {BOB: [Slip("your_turn", (taken,), 2)], 2: [curious]},
            seats=3,
        ),
        "end": scene("the last move of a game, and who has won", from_the_last="your_turn"),
        "resign": scene("bob gives up", {BOB: [Slip("your_turn", (tea,))]}),
    }


# -- a mixed table ------------------------------------------------------------------------------


def mixed() -> dict[str, Scene]:
    """Three dialects at one table."""
    return {
        "kick": Scene(
            shows="at a mixed table the course's conduct holds: bob's first invalid request is its last",
            dialect=("seed-000", "seed-001", "fish-course"),
            game=THREE,
            players=lambda: [FishCourse(0) for _ in range(3)],
            slips={BOB: [Slip("notifyTurn", (call("placePenguin", [0, 0]),), 2)]},
        )
    }


# -- all of it ----------------------------------------------------------------------------------


def scenes() -> dict[str, dict[str, Scene]]:
    """Return every scene by its dialect (or "mixed") and name."""
    every = {
        "mixed": mixed(),
        "seed-000": seed_000(),
        "seed-001": seed_001(),
        "seed-002": seed_002(),
        "fish-course": fish_course(),
        "native": native(),
        **labyrinths(),
    }
    return {table: every[table] for table in (*DIALECTS, "mixed")}


def written() -> dict[str, str]:
    """Return every transcript by the name of its file."""
    return {
        f"{table}/{name}.txt": transcript(scene)
        for table, its_scenes in scenes().items()
        for name, scene in its_scenes.items()
    }


def page(before: str) -> str:
    """Return the page of rulings with a new table of words."""
    table = re.compile(f"{re.escape(BEGINS)}.*?{re.escape(ENDS)}", re.DOTALL)
    found = table.findall(before)
    if len(found) != 1:
        raise SystemExit("docs/rulings.md has no place for the table of words")
    return before.replace(found[0], f"{BEGINS}\n{words_table()}\n{ENDS}")


def match_page(before: str, transcripts: Mapping[str, str]) -> str:
    """Return a page with its matches replaced by these transcripts."""

    def block(found: re.Match[str]) -> str:
        name, last = found[1], found[2]
        if name not in transcripts:
            raise SystemExit(f"a page names tests/transcripts/{name}; there is no such file")
        lines = transcripts[name].splitlines(keepends=True)
        shown = "".join(lines[-int(last) :] if last else lines)
        marker = found[0].partition("\n")[0]
        return f"{marker}\n\n```text\n{shown}```\n\n<!-- end of match -->\n"

    return MATCH.sub(block, before)


if __name__ == "__main__":
    for stale in set(FOLDER.glob("*/*.txt")):
        stale.unlink()
    texts = written()
    for name, lines in texts.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(lines)
        print(f"wrote tests/transcripts/{name}")
    PAGE.write_text(page(PAGE.read_text()))
    print("wrote the table of words in docs/rulings.md")
    for path in PAGES:
        path.write_text(match_page(path.read_text(), texts))
        print(f"wrote the match in {path.relative_to(ROOT)}")
