"""`touchline check player`: honest players pass in every dialect, each mistake fails the steps it should."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment
from cli.shell import Shell
from players import planted
from players.planted import Here, Player
from players.survivors import MARK, gone, marked, until
from touchline.core import registry
from touchline.players.address import ServerAddress
from touchline.testing import virtual_time
from touchline.testing.player_check import run_player_check
from touchline.testing.player_check_steps import PlayerCheck, leaves
from touchline.testing.player_session import StepFailed
from touchline.testing.player_source import Address, Programs
from touchline.testing.transcript import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.testing.player_check import StepResult

ROOT = Path(__file__).parent.parent.parent
SEEDS = ROOT / "examples" / "seeds"
FIRST = str(ROOT / "examples" / "bots" / "first.py")
EXAMPLES = {
    "seed-000": str(SEEDS / "fish_000.py"),
    "seed-001": str(SEEDS / "fish_001.py"),
    "seed-002": str(SEEDS / "hexapawn_002.py"),
    "seed-003": str(SEEDS / "labyrinth_003.py"),
    "seed-004": str(SEEDS / "labyrinth_004.py"),
    "fish-course": FIRST,
    "labyrinth-course": FIRST,
    "native": FIRST,
}
SKIPPED = {dialect: {3, 7} for dialect in DIALECTS} | {
    "native": set(),
    "seed-001": {3, 4, 7},
    "seed-002": {1, 3, 7},
}
"""The steps that a dialect has no words for, for programs."""
OPTIONS = {"fish": {"rows": 4, "cols": 4, "fish": 1}, "labyrinth": {"rows": 3, "cols": 5}}
"""Small boards."""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def checked(dialect: str, make: Callable[[], Player]) -> list[StepResult]:
    """PlayerCheck players of this process, in virtual time."""
    module = registry.dialect(dialect)
    name = next(iter(module.games), "hexapawn")
    game = registry.game(name, OPTIONS.get(name))
    return virtual_time.run(Here(make, module, game, 5.0).check())


def failed(steps: list[StepResult]) -> set[int]:
    return {step.number for step in steps if step.failure is not None}


def skipped(steps: list[StepResult]) -> set[int]:
    return {step.number for step in steps if step.skipped is not None}


# -- honest players -----------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_honest_player_passes(dialect: str) -> None:
    """All nine steps are there in every dialect; some it has no words for."""
    steps = checked(dialect, lambda: Player(registry.dialect(dialect)))
    assert [step.number for step in steps] == [*range(1, 10)]
    assert failed(steps) == set(), [step for step in steps if step.failure]
    assert skipped(steps) == SKIPPED[dialect]


def programs(shell: Shell, dialect: str) -> None:
    steps = shell.result("check", "player", "--dialect", dialect, EXAMPLES[dialect])
    assert {step["number"] for step in steps if step["skipped"]} == SKIPPED[dialect]


def test_a_program_passes(shell: Shell) -> None:
    programs(shell, "seed-003")


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_example_of_every_dialect_passes(dialect: str, shell: Shell) -> None:
    programs(shell, dialect)


def clients(shell: Shell, scheme: str, dialect: str) -> None:
    """PlayerCheck `touchline join` as the client, which is started for every step."""
    client = [*TOUCHLINE, "join", f"{scheme}://{{host}}:{{port}}/{dialect}", "--name", "ann"]
    words = ["--dialect", dialect, "--listen", f"{scheme}://127.0.0.1:0", "--", *client, EXAMPLES[dialect]]
    done = shell.touchline("check", "player", *words)
    assert (done.returncode, "FAILED" in done.stdout) == (0, False), done.stdout
    assert done.stdout.startswith(" 1. signs up and takes its seat when a match begins: ok\n")
    assert "step 9, seat 1: waiting for a player at " in done.stderr


@pytest.mark.slow
def test_a_client_passes(shell: Shell) -> None:
    clients(shell, "tcp", "seed-004")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "dialect"), [("ws", "seed-001"), ("ws", "native"), *(("tcp", name) for name in DIALECTS)]
)
def test_clients_of_every_dialect_pass(scheme: str, dialect: str, shell: Shell) -> None:
    clients(shell, scheme, dialect)


# -- planted mistakes ---------------------------------------------------------------------------

ASKED = {2, 3, 4, 5, 6, 7, 9}
"""The steps in which a move is asked for."""
WITHOUT_LAST_CALL = {"seed-001", "seed-002", "native"}
MISTAKES: list[tuple[type[Player], str, set[int]]] = [
    *((planted.Illegal, dialect, {2, 5, 9}) for dialect in DIALECTS),
    *((planted.Silent, dialect, ASKED - SKIPPED[dialect]) for dialect in DIALECTS),
    *((planted.Unreadable, dialect, ASKED - SKIPPED[dialect]) for dialect in DIALECTS),
    *((planted.Talkative, dialect, {6}) for dialect in DIALECTS),
    *((planted.Once, dialect, {4}) for dialect in DIALECTS if dialect not in ("seed-001", "seed-003")),
    *(
        (planted.Rude, dialect, {8})
        for dialect in DIALECTS
        if dialect not in ("seed-001", "seed-002", "native")
    ),
    (planted.Thankful, "seed-000", {8}),
    (planted.Thankful, "seed-004", {8}),
    (planted.Counting, "native", {3, 9}),
    (planted.Picky, "native", {7}),
    (planted.Boardless, "seed-004", {1, 9}),
]


@pytest.mark.parametrize(("kind", "dialect", "steps"), MISTAKES)
def test_a_mistake_fails_the_steps_that_it_should(kind: type[Player], dialect: str, steps: set[int]) -> None:
    taken = checked(dialect, lambda: kind(registry.dialect(dialect)))
    assert failed(taken) == steps, [(step.number, step.failure, step.talk) for step in taken if step.failure]


@pytest.mark.parametrize("dialect", ["native", "seed-002"])
def test_who_remembers_the_position_is_found_out(dialect: str) -> None:
    """It plays whole matches well, as nobody ever moves in its place there."""
    module = registry.dialect(dialect)
    assert failed(checked(dialect, lambda: Player(module, planted.Remembering()))) == {5}


def test_what_was_said_is_shown_as_it_was() -> None:
    """The last frames in both directions, cut, and nothing that a terminal would obey."""
    step = checked("seed-002", lambda: planted.Unreadable(registry.dialect("seed-002")))[1]
    assert step.talk[0].startswith("> request(board:board(row(p1 p1 p1 p1 p1) ")
    assert step.talk[1] == "< ?"
    assert step.failure is not None
    assert step.failure.startswith("no move: ")


def test_a_program_that_stays_is_found_out(tmp_path: Path) -> None:
    """After the last word, when its input is closed, it has no reason to."""
    bot = tmp_path / "stays.py"
    bot.write_text(
        "import atexit, time\natexit.register(time.sleep, 60)\n"
        "class Stays:\n    def choose(self, view, turn):\n        return view.legal_moves()[0]\n"
    )
    module, game = registry.dialect("native"), registry.game("hexapawn")
    programs = Programs([sys.executable, "-m", "touchline.players.python_file", str(bot)], module, game, 0.3)

    async def step() -> None:
        await leaves(PlayerCheck(programs, module, game, 0.3))

    with pytest.raises(StepFailed, match="did not exit"):
        asyncio.run(step())


# -- addresses ----------------------------------------------------------------------------------


def listening(dialect: str, connect: float, command: list[str]) -> list[StepResult]:
    module = registry.dialect(dialect)
    game = registry.game(module.games[0])

    async def check() -> list[StepResult]:
        place = ServerAddress("tcp", "127.0.0.1", 0, dialect)
        async with Address(place, module, game, 5.0, connect, command).open() as address:
            return await run_player_check(address, module, game, 5.0)

    return asyncio.run(check())


def test_where_nobody_connects_the_rest_is_not_waited_for() -> None:
    steps = listening("seed-003", 0.01, [])
    assert steps[0].failure == "no player connected within 0.01 s"
    assert (failed(steps), skipped(steps)) == ({1}, {*range(2, 10)})


def test_a_client_that_ends_before_it_connects_is_not_waited_for() -> None:
    """What it wrote to stderr says why."""
    steps = listening("seed-003", 60, ["sh", "-c", "echo no route >&2; exit 3"])
    assert steps[0].failure == "the program exited with 3: no route; it had not signed up"
    assert steps[0].stderr == "no route\n"
    assert failed(steps) == {*range(1, 10)} - SKIPPED["seed-003"]


def test_a_sign_up_that_is_refused() -> None:
    client = "import socket, sys; s = socket.create_connection(sys.argv[1:]); s.send(b'42 '); s.recv(9)"
    steps = listening("seed-004", 60, [sys.executable, "-c", client, "{host}", "{port}"])
    assert failed(steps) == {*range(1, 10)} - {3, 7}
    assert steps[0].failure is not None
    assert steps[0].failure.startswith('its sign-up is refused: ["Signup",[name]] was expected')
    assert steps[0].talk == ["< 42"]


# -- the command --------------------------------------------------------------------------------


def test_a_failure_shows_what_was_said(shell: Shell) -> None:
    """Exit code 4; and the numbers of the steps stay the same. A cause that comes again is not repeated."""
    # After its answer it may be killed at once.
    code = "read line; echo oops >&2; echo '\"hello\"'; read line"
    done = shell.touchline("check", "player", "--all", "--dialect", "seed-000", "--", "sh", "-c", code)
    assert done.returncode == 4
    assert " 1. takes its seat when a match begins: FAILED\n" in done.stdout
    assert '      > ["initialize",[[[' in done.stdout
    assert '      < "hello"\n' in done.stdout
    assert done.stdout.count("    it wrote to stderr:\noops\n") == 1
    assert " 2. answers a question with a legal move: FAILED\n    as in step 1\n" in done.stdout
    assert " 3. takes the turn's number from the question: not in this dialect: " in done.stdout
    assert done.stdout.endswith("\n0 of 7 steps passed\n")


def test_it_stops_at_the_first_cause(shell: Shell, tmp_path: Path) -> None:
    """The cause is told once, in few lines, with how to run the rest; no later step is run."""
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, view, turn):\n        return 1 // 0\n")
    done = shell.touchline("check", "player", str(bot))
    assert done.returncode == 4
    assert done.stdout.splitlines() == [
        " 1. takes its seat when a match begins: ok",
        " 2. answers a question with a legal move: FAILED",
        "    no move: it exited with 1: bot.py, line 3, in choose: ZeroDivisionError: "
        "integer division or modulo by zero",
        "1 of 9 steps passed; stopped here: --all runs the other 7",
    ]
    steps = json.loads(shell.touchline("check", "player", "--json", str(bot)).stdout)
    assert [step["skipped"] for step in steps] == [None, None, *["not run: an earlier step failed"] * 7]


def test_a_late_program_is_asked_once(shell: Shell) -> None:
    """The limit is named, and what the program was doing; there is no second timeout."""
    code = 'read line; echo \'{"type":"ready"}\'; while true; do :; done'
    done = shell.touchline("check", "player", "--seconds", "0.3", "--", "sh", "-c", code)
    assert re.search(
        r"\n    no move within 0\.3 s; it .* \(0\.\d s of processor time\).*\n1 of 9 steps passed",
        done.stdout,
    )


def test_bad_words_get_one_line(shell: Shell) -> None:
    check = ("check", "player")
    assert "no dialect is called 'klingon'" in shell.refused(*check, "--dialect", "klingon", FIRST)
    assert "no game is called 'chess'" in shell.refused(*check, "--game", "chess", FIRST)
    said = shell.refused(*check, "--dialect", "seed-000", "--game", "hexapawn", FIRST)
    assert said == "Error: seed-000 is spoken in fish, not in hexapawn\n"
    assert "there is no file 'nobody.py'" in shell.refused(*check, "nobody.py")
    assert "there is no player to check" in shell.refused(*check)
    assert "is not an address" in shell.refused(*check, "--listen", "udp://here")
    url = "tcp://127.0.0.1:0/seed-000"
    assert "remove one of them" in shell.refused(*check, "--dialect", "seed-001", "--listen", url)


@pytest.mark.parametrize("words", [("--listen", "tcp://127.0.0.1:0"), ("--dialect", "seed-002")])
def test_an_interrupted_check_leaves_no_process(words: tuple[str, ...], tmp_path: Path) -> None:
    """Neither while a client is waited for, nor while a program is asked for a move."""
    mark = f"check {tmp_path}"
    with subprocess.Popen(
        [*TOUCHLINE, "check", "player", *words, "--isolation", "none", "--", "sleep", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(**{MARK: mark}),
        text=True,
    ) as check:
        assert check.stdout is not None
        assert any("1" in line for line in check.stdout), "it has begun"
        assert until(lambda: "sleep" in marked(mark), 60)
        check.send_signal(signal.SIGINT)
        said, _ = check.communicate(timeout=60)
    assert (check.returncode, "Traceback" in said) == (130, False)
    assert gone(mark) == []
