"""What the referee costs: beside the bare rules, beside other frameworks, and with programs at the table.

Hexapawn 5 x 5 in this process, 8 x 8 between programs. Programs and referee are pinned to one core, for
players of a turn-based match never think at the same time, and waking another core costs more than the turn.
A match has two players, so its bare ping-pong has the same two; with one alone nothing leaves the caches.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import chess
import chess.engine
from measure import Claim, in_rounds, measures, report

from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Moved
from touchline.dialects.native import Native
from touchline.drivers.match import agreed, play_now
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.matches.fixture import fixture
from touchline.matches.many import RecordFiles, play_fixture
from touchline.players.process import Program
from touchline.records.recording import Recording
from touchline.records.side_file import SeatSecret, Secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from rows import Measure

HERE = Path(__file__).parent
PAWN = [sys.executable, str(HERE / "players" / "pawn.py")]
UCI = [sys.executable, str(HERE / "players" / "uci.py")]
GAME = Hexapawn()
LARGE = Hexapawn(rows=8, cols=8)
"""For programs: a match of some length, for each begins with greetings."""
LONG = Limits(clock=Clock(micros(60)))
ALL_CORES = os.sched_getaffinity(0)
RECORDS = 10_000
PLAYED = "matches played and recorded"
VERIFIED = "records verified on all cores"
MATCHES = 5
"""Matches between programs in a round."""
PROGRAMS = "programs, turns of a match"
PING_PONG = "bare ping-pong, turns of a match"


class Drawing:
    """A bot that draws a legal move."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed).random

    def choose(self, view: Any, turn: int = 0) -> Any:
        moves = view.legal_moves()
        return moves[int(self._draw() * len(moves))]


def bare() -> Callable[[], int]:
    draw, rng = Random(1).random, Random(1)

    def play() -> int:
        state, turns = GAME.start(2, rng), 0
        while state.to_move is not None:
            moves = state.legal_moves()
            state = state.play(moves[int(draw() * len(moves))])
            turns += 1
        return turns

    return play


def refereed() -> Callable[[], int]:
    bots, spec = [Drawing(1), Drawing(2)], agreed(GAME, ["a", "b"], seed=3)
    return lambda: play_now(spec, bots).turns


def recorded(folder: Path, *, shared: bool) -> Callable[[], int]:
    """Turns of matches that are recorded with digest and side file: in one file, or one file for each.

    A shared file is written over after 20,000 matches, when it has some 60 MB.
    """
    bots, spec = [Drawing(1), Drawing(2)], agreed(GAME, ["a", "b"], seed=3)
    seats = tuple(SeatSecret(word="random", seed=f"{spec.seed} {seat}") for seat in range(2))
    secret = Secret(origin="play", seed=spec.seed, nonce=spec.nonce, seats=seats, folder=str(folder))
    path = folder / f"shared-{shared}.jsonl"
    recording, matches = Recording(path, overwrite=True, many=shared), 0

    def play() -> int:
        nonlocal recording, matches
        matches += 1
        if not shared or matches % 20_000 == 0:
            recording.close()
            recording = Recording(path, overwrite=True, many=shared)
        result = play_now(spec, bots, recording.open(secret))
        recording.end()
        recording.check()
        return result.turns

    return play


def played_and_verified(folder: Path) -> dict[str, float]:
    """Matches a second: played and recorded to one file, and verified on all cores."""
    path = folder / "verified.jsonl"
    start = time.perf_counter()
    play_fixture(fixture(GAME, ["random", "random"]), RECORDS, None, files=RecordFiles(path, overwrite=True))
    played = time.perf_counter() - start
    start = time.perf_counter()
    code = "import sys; from pathlib import Path; from touchline.records.verify_many import *\n"
    code += "print(sum(one.found.follows for one in verify_files([Path(sys.argv[1])], Worker())))"
    cores = partial(os.sched_setaffinity, 0, ALL_CORES)
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, check=True, preexec_fn=cores
    )
    verified = time.perf_counter() - start
    assert int(done.stdout) == RECORDS
    return {PLAYED: RECORDS / played, VERIFIED: RECORDS / verified}


def petting_zoo() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    env, rng = connect_four_v3.env(), Random(1)

    def play() -> int:
        env.reset(seed=1)
        turns = 0
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            env.step(rng.choice([move for move, can in enumerate(observation["action_mask"]) if can]))
            turns += 1
        return turns

    return play


def kaggle() -> Callable[[], int]:
    import kaggle_environments

    def play() -> int:
        env = kaggle_environments.make("connectx", debug=False)
        return len(env.run(["random", "random"])) - 1

    return play


def rl_environment() -> Callable[[], int]:
    from open_spiel.python import rl_environment

    env, rng = rl_environment.Environment("breakthrough", rows=5, columns=5), Random(1)

    def play() -> int:
        step, turns = env.reset(), 0
        while not step.last():
            legal = step.observations["legal_actions"][step.observations["current_player"]]
            step = env.step([rng.choice(legal)])
            turns += 1
        return turns

    return play


def match_of_programs() -> float:
    """Turns a second of a match between two programs, from its first move to its last.

    Programs leave after a match. Starting them and parting with them takes longer than all its turns.
    """
    programs, moved = [Program(PAWN), Program(PAWN)], list[float]()

    def see(event: Any) -> None:
        if type(event) is Moved:
            moved.append(time.perf_counter())

    try:
        result = play_local(agreed(LARGE, ["a", "b"], seed=1, limits=LONG), programs, [see])
    finally:
        for program in programs:
            program.stop()
    assert not result.faults, result.faults
    return (len(moved) - 1) / (moved[-1] - moved[0])


def questions() -> list[tuple[int, bytes]]:
    """Who is asked what in a whole match between two pawns, turn by turn."""
    native, programs = Native(LARGE), [Program(PAWN), Program(PAWN)]
    state, asked = LARGE.start(2, Random(0)), list[tuple[int, bytes]]()

    def see(event: Any) -> None:
        nonlocal state
        if isinstance(event, Moved):
            asked.append((event.seat, native.ask(event.turn, state, micros(60)) + b"\n"))
            state = state.play(event.move)

    try:
        play_local(agreed(LARGE, ["a", "b"], seed=1, limits=LONG), programs, [see])
    finally:
        for program in programs:
            program.stop()
    return asked


def ping_pong(seats: int, asked: list[tuple[int, bytes]]) -> float:
    """The same bytes to the same players, just started too: nothing is judged, nothing timed."""
    players = [
        subprocess.Popen(PAWN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in range(seats)
    ]
    with ExitStack() as stack:
        pipes = []
        for seat, player in enumerate(players):
            stack.enter_context(player)
            stack.callback(player.kill)
            assert player.stdin is not None
            assert player.stdout is not None
            pipes.append((player.stdin.fileno(), player.stdout.fileno()))
            os.write(pipes[seat][0], b'{"type":"begin","seat":%d}\n' % seat)
            os.read(pipes[seat][1], 65_536)
        turns = [(frame, *pipes[seat]) for seat, frame in asked if seat < seats]
        start = time.perf_counter()
        for frame, into, out in turns:
            os.write(into, frame)
            os.read(out, 65_536)
        return len(turns) / (time.perf_counter() - start)


def over_pipes() -> dict[str, Measure]:
    """What is played in processes that are started for each match."""
    asked = questions()
    plays: dict[str, Callable[[], float]] = {
        PROGRAMS: match_of_programs,
        PING_PONG: partial(ping_pong, 2, asked),
        "(the same with one player alone)": partial(ping_pong, 1, asked),
    }
    return {name: partial(matches, name, play) for name, play in plays.items()}


def matches(name: str, play: Callable[[], float]) -> dict[str, float]:
    return {name: median(play() for _ in range(MATCHES))}


def chess_engine(engine: chess.engine.SimpleEngine) -> Callable[[], int]:
    """python-chess playing a trivial engine against itself."""
    limit = chess.engine.Limit(nodes=1)

    def play() -> int:
        board = chess.Board()
        for _ in range(20):
            move: Any = engine.play(board, limit).move
            board.push(move)
        return 20

    return play


CLAIMS = [
    Claim("time of a refereed turn : of a bare one", "refereed", "bare rules", 1.5, cost=True),
    Claim("time of a recorded turn : of a bare one", "recorded, one file", "bare rules", 3, cost=True),
    Claim("the same, a file for each match", "recorded, a file each", "bare rules", None, cost=True),
    Claim("records verified : matches played and recorded", VERIFIED, PLAYED, 0.9),
    Claim("turns/s : PettingZoo connect_four_v3", "refereed", "PettingZoo connect_four_v3", 20),
    Claim("turns/s : kaggle-environments connectx", "refereed", "kaggle-environments connectx", 400),
    Claim("turns/s : OpenSpiel rl_environment", "refereed", "OpenSpiel rl_environment", 3),
    Claim("turns/s of programs : bare ping-pong with the same players", PROGRAMS, PING_PONG, 0.42),
    Claim("turns/s of programs : python-chess engine", PROGRAMS, "python-chess engine", 8),
]


def memory_slope(folder: Path, games: int = 100_000) -> tuple[float, int]:
    """Bytes a game by which the peak grows over so many games, and how many more files are open after."""
    play = recorded(folder, shared=True)
    for _ in range(games // 10):
        play()
    gc.collect()
    before, files = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, len(os.listdir("/proc/self/fd"))
    for _ in range(games):
        play()
    gc.collect()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / games
    return grown, len(os.listdir("/proc/self/fd")) - files


def main() -> int:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if "--memory" in sys.argv:
        with TemporaryDirectory() as folder:
            slope, files = memory_slope(Path(folder))
        print(f"memory grows by {slope:.1f} bytes a game over 100,000 games; {files} more files open")
        return 0 if slope < 1024 and files == 0 else 1
    engine, temporary = chess.engine.SimpleEngine.popen_uci(UCI), TemporaryDirectory()
    place = Path(temporary.name)
    try:
        contenders = {
            "bare rules": bare(),
            "refereed": refereed(),
            "recorded, one file": recorded(place, shared=True),
            "recorded, a file each": recorded(place, shared=False),
            "PettingZoo connect_four_v3": petting_zoo(),
            "kaggle-environments connectx": kaggle(),
            "OpenSpiel rl_environment": rl_environment(),
            "python-chess engine": chess_engine(engine),
        }
        kept: dict[str, Measure] = {VERIFIED: partial(played_and_verified, place)}
        return report(in_rounds({**measures(contenders), **kept, **over_pipes()}), CLAIMS)
    finally:
        engine.quit()
        temporary.cleanup()


if __name__ == "__main__":
    sys.exit(main())
