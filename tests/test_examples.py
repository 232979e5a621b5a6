"""The examples: each is short, and is built, seated and played as `examples/README.md` says."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from cli.commands import result
from touchline.bots.random import Random as RandomBot
from touchline.cli._players import command_of
from touchline.core import registry
from touchline.core.clock import Limits
from touchline.core.messages import Act, Ready
from touchline.core.registry import CONDUCTS
from touchline.dialects.labyrinth_remote import LabyrinthRemote, LabyrinthRemoteFace
from touchline.dialects.native import Native
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.players.process import Program
from touchline.players.wasm import problem
from touchline.testing.in_memory_match import Dialogue

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Result
    from touchline.core.rules import Game, State
    from touchline.dialects.base import Dialect
    from touchline.drivers.match import MatchSpec

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGE = EXAMPLES / "README.md"
FILES = sorted(
    path for path in EXAMPLES.glob("*/*") if path.suffix != ".toml" and path.parent.name != "grading"
)
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE.read_text(), re.DOTALL)
COMMANDS = [shlex.split(line.removeprefix("$ ")) for block in BLOCKS for line in block.splitlines()]
COMPILERS = ("javac", "rustc", "gcc", "clang")
SOURCES = [path for path in FILES if path.suffix != ".wasm"]
WASI = Path("/usr/include/wasm32-wasi")
"""Where Debian's wasi-libc is."""


class Example(NamedTuple):
    """A bot as the page has it."""

    build: list[str] | None
    """The command that compiles it, if it must be."""
    game: str
    player: str
    others: list[str]
    options: list[str]

    @property
    def tools(self) -> list[str]:
        """What must be on the machine."""
        command = self.player.removeprefix("process:").split()[0]
        ours = command.endswith(".py") or command.startswith(("build/", "wasm:"))
        return [*(self.build or [])[:1], *([] if ours else [command])]

    def __str__(self) -> str:
        (file,) = re.findall(r"[\w.]+$", self.build[-1] if self.build else self.player)
        return str(file)


def _examples() -> list[Example]:
    """A command that compiles is followed by the one that plays what it has made."""
    found, build = [], None
    for words in COMMANDS:
        if words[0] in COMPILERS:
            build = words
        elif words[:2] == ["touchline", "play"]:
            end = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
            found.append(Example(build, words[2], words[3], words[4:end], words[end:]))
            build = None
    return found


PLAYED = _examples()
BOTS = [example for example in PLAYED if not example.player.startswith("seed-")]
SEEDS = [path for path in FILES if path.parent.name == "seeds"]
OPTIONS = {
    "hexapawn": (["--rows", "3", "--cols", "3"], ["--rows", "8", "--cols", "2"]),
    "fish": (["--rows", "7", "--cols", "3", "--holes", "5"], ["--rules", "commercial"]),
    "labyrinth": (["--rows", "7", "--cols", "9"],),
}
"""Other boards than the usual one."""
each_bot = pytest.mark.parametrize("bot", BOTS, ids=str)
each_seed = pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)


def test_the_page_has_every_example() -> None:
    """A file that the page does not mention would not be played."""
    assert sorted(str(bot) for bot in BOTS) == sorted(path.name for path in FILES if path not in SEEDS)
    words = {example.player for example in PLAYED if example not in BOTS}
    assert words == {f"seed-{path.stem[-3:]}+examples/seeds/{path.name}" for path in SEEDS}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_an_example_is_short(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) < 80
    assert max(map(len, lines)) <= 110


# -- bots ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Example], str]:
    """The word that seats a bot; what must be compiled is compiled once, when it is first asked for."""
    folder = tmp_path_factory.mktemp("build")
    built: set[str] = set()

    def here(word: str) -> str:
        return re.sub(r"\bbuild\b", str(folder), word)

    def word(bot: Example) -> str:
        missing = [tool for tool in bot.tools if shutil.which(tool) is None]
        if "wasm" in str(bot.build or bot.player):
            missing += [] if problem() is None else ["wasmtime"]
            missing += ["wasi-libc"] if bot.build and not WASI.exists() else []
        if missing:
            pytest.skip(f"{bot} needs {' and '.join(missing)}, not on this machine")
        if bot.build and str(bot) not in built:
            done = subprocess.run(
                [here(part) for part in bot.build], cwd=ROOT, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr) == (0, "")
            built.add(str(bot))
        return here(bot.player)

    return word


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's paths begin there."""
    monkeypatch.chdir(ROOT)


def played(*words: str, seed: int) -> None:
    """One match, in which nobody does anything wrong."""
    said = result("play", *words, "--seed", str(seed), "--strict")
    assert (said["result"]["verdict"], said["result"]["faults"]) == ("finished", [])


@pytest.mark.parametrize("bot", PLAYED, ids=str)
def test_it_plays_as_the_page_says(bot: Example, seated: Callable[[Example], str]) -> None:
    """And against itself, at all seats."""
    word = seated(bot)
    played(bot.game, word, *bot.others, *bot.options, seed=1)
    played(bot.game, *[word] * (1 + len(bot.others)), seed=2)


@pytest.mark.slow
@each_bot
def test_a_bot_plays_many_games(bot: Example, seated: Callable[[Example], str]) -> None:
    """At either seat, on the usual board and on others."""
    word = seated(bot)
    for options in (["--games", "4"], *OPTIONS[bot.game]):
        said = result("play", bot.game, word, "random", "--games", "2", *options, "--seed", "3", "--strict")
        assert (said["void"], [player["faulty"] for player in said["players"]]) == (0, [0, 0])


def test_fish_in_c_plays_at_any_table(seated: Callable[[Example], str]) -> None:
    """Up to four seats, more than one of them its own, and boards of any shape and up to the largest."""
    (bot,) = (bot for bot in BOTS if str(bot) == "fish.c")
    word = seated(bot)
    played("fish", word, "random", word, "random", seed=1)
    played("fish", "random", word, "--rows", "50", "--cols", "50", seed=2)
    played("fish", word, "random", "--rows", "1", "--cols", "20", seed=3)
    played("fish", "random", word, "--board", "[[1,2,3,0,5],[1],[2,2,2],[0,0,4,4]]", seed=4)


def test_the_module_is_built_from_its_source(tmp_path: Path) -> None:
    """With the compiler that the page names, it has the same bytes."""
    (bot,) = (bot for bot in BOTS if str(bot) == "hexapawn.c")
    assert bot.build is not None
    if shutil.which("clang") is None or not WASI.exists():
        pytest.skip("there is no clang for WebAssembly on this machine")
    if (
        "14.0.6"
        not in subprocess.run(["clang", "--version"], capture_output=True, text=True, check=True).stdout
    ):
        pytest.skip("this is not the clang of Debian 12")
    made = tmp_path / "hexapawn.wasm"
    subprocess.run([str(made) if word.startswith("build/") else word for word in bot.build], check=True)
    assert made.read_bytes() == (EXAMPLES / "wasm" / "hexapawn.wasm").read_bytes()


class Talk:
    """A bot that is spoken to by hand, in a way that is good JSON but not ours."""

    def __init__(self, word: str, game: Game) -> None:
        self.game = game
        self.process = subprocess.Popen(
            command_of(word), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, **fields: Any) -> None:
        """The fields in reverse, with blanks, among fields that it does not know and must not look into."""
        trap = {"type": "over", "seat": 7, "turn": 99, "position": None, "board": [[]], "text": '"]}\\'}
        odd = {"x": trap, **dict(reversed(fields.items())), "y": [trap, None, -1.5e3, True, {}, []]}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(odd, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return Native(self.game).hear(self.process.stdout.readline()).said[0]

    def begin(self, seat: int, state: State) -> None:
        self.say(type="weather", rain=True)  # before anything that it knows
        names = ['"seat":1,"type":"over"}', "\\", "ж\u2028"]
        begin = {"protocol": 1, "game": self.game.name, "options": msgspec.to_builtins(self.game)}
        position = msgspec.to_builtins(state.position())
        self.say(type="begin", **begin, seat=seat, names=names, position=position)
        assert self.hear() == Ready()

    def move(self, turn: int, state: State) -> None:
        self.say(type="accepted", turn=turn)
        position = msgspec.to_builtins(state.position())
        position = dict(reversed(position.items()))
        self.say(type="your_turn", turn=turn, milliseconds=None, position=position)
        said = self.hear()
        assert isinstance(said, Act)
        assert said.turn == turn
        state.check(said.move)


def walked(game: Game, seats: int, seat: int, moves: int) -> State:
    """A position after some moves in which it is this seat's turn."""
    rng, state = Random(moves), game.start(seats, Random(1))
    while moves > 0 or state.to_move != seat:
        state, moves = state.play(rng.choice(state.legal_moves())), moves - 1
    return state


TABLES: dict[str, tuple[Game, int]] = {
    "hexapawn": (Hexapawn(rows=6, cols=6), 2),
    "fish": (Fish(rows=6, cols=4, holes=2), 3),
    "labyrinth": (Labyrinth(), 3),
}


@each_bot
@pytest.mark.parametrize("last_word", ["over", "expelled", ""])
def test_a_bot_minds_nothing_that_it_does_not_know(
    bot: Example, last_word: str, seated: Callable[[Example], str]
) -> None:
    """Nor the order of fields. It moves from the position it is given, and ends at the last word or at once
    when its input does."""
    game, seats = TABLES[bot.game]
    seat = 0 if last_word == "over" else 1
    with Talk(seated(bot), game) as talk:
        talk.begin(seat, game.start(seats, Random(1)))
        for turn, moves in ((0, 0), (4711, 4), ((1 << 53) - 1, 10), (3, 1)):
            talk.move(turn, walked(game, seats, seat, moves))
        if seats > 2:
            talk.move(5, walked(game, seats, seat, 12).without(2))
        if last_word:
            talk.say(type=last_word, verdict="finished", outcome=None, reason="a test", position=None)
        else:
            assert talk.process.stdin is not None
            talk.process.stdin.close()
            talk.process.stdin = None
        assert talk.process.wait(10) == 0
        assert talk.process.stdout is not None
        assert talk.process.stdout.read() == b""


# -- the seeds' interfaces ----------------------------------------------------------------------------

BOARDS: dict[str, tuple[tuple[Game, int], ...]] = {
    "fish": ((Fish(), 2), (Fish(rows=6, cols=4, holes=3), 3), (Fish(), 4), (Fish(rows=1, cols=20), 2)),
    "hexapawn": ((Hexapawn(), 2), (Hexapawn(rows=3, cols=3), 2), (Hexapawn(rows=8, cols=2), 2)),
    "labyrinth": ((Labyrinth(), 2), (Labyrinth(rows=7, cols=9), 4), (Labyrinth(goals=3), 3)),
}


def dialect_of(path: Path) -> type[Dialect]:
    return registry.dialect(f"seed-{path.stem[-3:]}")


def player_of(path: Path) -> Any:
    """A new player: `fish_000.py` has a class `Fish000`."""
    return runpy.run_path(str(path))[path.stem.replace("_", "").capitalize()]()


def terms(path: Path, game: Game, seats: int, seed: int, limits: Limits | None = None) -> MatchSpec:
    conduct = CONDUCTS[dialect_of(path).conduct]
    names = [f"player{seat}" for seat in range(seats)]
    return agreed(game, names, seed, conduct=conduct, limits=limits or Limits())


def talked(path: Path, spec: MatchSpec, players: list[Any]) -> Result:
    """A match in this process, in which everybody hears the last word."""
    module = dialect_of(path)
    faces = [module.face(player) for player in players]
    dialects = [module(spec.game) for _ in faces]
    ended = Dialogue(spec, dialects, lambda seat, frame: faces[seat].hear(frame)).run()
    assert (ended.verdict, ended.faults, ended.expelled) == ("finished", (), ())
    assert all(face.over for face in faces)
    return ended


@each_seed
def test_a_seeds_player_plays(path: Path) -> None:
    """At every seat of a table, without a fault."""
    for game, seats in BOARDS[path.stem.split("_")[0]]:
        for seed in range(4):
            talked(path, terms(path, game, seats, seed), [player_of(path) for _ in range(seats)])


@each_seed
def test_a_seeds_player_plays_among_others(path: Path) -> None:
    """At any one seat, against moves at random."""
    for game, seats in BOARDS[path.stem.split("_")[0]]:
        for seat in range(seats):
            players: list[Any] = [RandomBot(Random(other)) for other in range(seats)]
            players[seat] = player_of(path)
            talked(path, terms(path, game, seats, seat), players)


@each_seed
def test_a_seeds_player_plays_as_a_program(path: Path) -> None:
    """A match of programs goes exactly as the same match in this process."""
    module, (game, seats) = dialect_of(path), BOARDS[path.stem.split("_")[0]][0]
    spec = terms(path, game, seats, seed=5)
    command = [sys.executable, "-m", "touchline.players.python_file", str(path), f"seed-{path.stem[-3:]}"]
    programs = [Program(command) for _ in range(seats)]
    try:
        ended = play_local(spec, programs, dialects={seat: module(game) for seat in range(seats)})
    finally:
        for program in programs:
            program.hang_up()
        for program in programs:
            program.stop(2)
    assert [program.notes.text() for program in programs] == [""] * seats
    assert (ended.verdict, ended.faults) == ("finished", ())
    assert ended == talked(path, spec, [player_of(path) for _ in range(seats)])


def test_seekers_get_home() -> None:
    """The players of Labyrinth do not just pass: there is a treasure, and somebody brings it home."""
    for path in SEEDS:
        if path.stem.startswith("labyrinth"):
            ended = talked(path, terms(path, Labyrinth(), 2, 2), [player_of(path) for _ in range(2)])
            assert ended.reason == "came home"


def test_the_board_that_labyrinth_004_proposes() -> None:
    """It is suitable, and can be played on; if that is too much to ask, none is proposed."""
    (path,) = (path for path in SEEDS if path.stem == "labyrinth_004")
    for rows, cols, suits in ((7, 7, True), (5, 11, True), (7, 8, False), (8, 7, False), (50, 50, False)):
        game = Labyrinth(rows=rows, cols=cols)
        reader, face = LabyrinthRemote(game), LabyrinthRemoteFace(player_of(path))
        (asked,) = reader.propose().frames
        (answer,) = face.hear(asked)
        assert reader.hear(answer).said == [Ready()]
        assert (reader.proposal is not None) == suits
        if suits:
            spec = terms(path, game, 2, seed=1)
            spec = msgspec.structs.replace(spec, proposals=(reader.proposal, None))
            assert talked(path, spec, [player_of(path) for _ in range(2)]).reason == "came home"
