"""Players whose every frame is written down, in each way that a player can come to a table."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.bots.euclid import Euclid
from touchline.bots.fish_course import FishCourse
from touchline.bots.minimax import Minimax
from touchline.core import registry
from touchline.core.messages import Resigned

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = {
    "fish": registry.game("fish", {"rows": 4, "cols": 4}),
    "hexapawn": registry.game("hexapawn", {"rows": 4, "cols": 3}),
    "labyrinth": registry.game("labyrinth", {"rows": 7, "cols": 7}),
}


class Weak:
    """Makes the last legal move, which in Labyrinth is to pass."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[-1]


class Rogue:
    """Breaks the rules when it is first asked."""

    def choose(self, view: Any, turn: int) -> Any:
        move = view.legal_moves()[0]
        match type(move).__name__:
            case "Place":
                return msgspec.structs.replace(move, at=(99, 99))
            case "Step":
                return msgspec.structs.replace(move, target=(0, 0))
        return msgspec.structs.replace(move, index=1)


class Resigns:
    """Gives up when it is first asked."""

    def choose(self, view: Any, turn: int) -> Any:
        raise Resigned("enough")


def strong(game: str) -> Any:
    """A player that beats a weak one."""
    if game == "fish":
        return FishCourse(depth=2)
    return Minimax(depth=4) if game == "hexapawn" else Euclid()


def minds(game: str) -> dict[str, Callable[[], Any]]:
    """Who can sit at a table, by a word."""
    return {"strong": lambda: strong(game), "weak": Weak, "rogue": Rogue, "resigns": Resigns}


def game_of(dialect: str) -> str:
    games: tuple[str, ...] = registry.dialect(dialect).games
    return games[0] if games else "hexapawn"


class Noting:
    """A face that notes every frame it hears."""

    def __init__(self, dialect: str, mind: str, note: Callable[[bytes], object]) -> None:
        self._face = registry.dialect(dialect).face(minds(game_of(dialect))[mind](), rng=Random(0))
        self._note = note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._face, name)

    def hear(self, frame: bytes) -> list[bytes]:
        self._note(frame)
        answers: list[bytes] = self._face.hear(frame)
        return answers


def noting_to(path: str) -> Callable[[bytes], object]:
    file = open(path, "ab", buffering=0)  # noqa: SIM115 - as long as the process lives
    return lambda frame: file.write(frame + b"\n")


def as_program(dialect: str, mind: str, path: str) -> None:
    """Speak a dialect on stdin and stdout, with a loop of its own."""
    face = Noting(dialect, mind, noting_to(path))
    for line in sys.stdin.buffer:
        for answer in face.hear(line.rstrip(b"\n")):
            sys.stdout.buffer.write(answer + b"\n")
            sys.stdout.buffer.flush()
        if face.over and dialect == "seed-001":
            return  # its line stays open for a while, to refuse what it asks


CLASS_FILE = """\
import sys
sys.path.insert(0, {tests!r})
from last_words.players import minds, noting_to
from touchline.core import registry

FACE = registry.dialect({dialect!r}).face
hear, note = FACE.hear, noting_to({path!r})


def noted(self, frame):
    note(frame)
    return hear(self, frame)


FACE.hear = noted


class Player:
    def __init__(self):
        self.choose = minds({game!r})[{mind!r}]().choose

    def choose(self, view, turn):
        raise AssertionError("the one of the instance is called")
"""


def class_file(folder: Path, dialect: str, mind: str, path: str) -> Path:
    """A file with a player in it that `touchline.players.python_file` runs."""
    file = folder / f"{mind}_{Path(path).stem}.py"
    tests = str(Path(__file__).parents[1])
    file.write_text(
        CLASS_FILE.format(tests=tests, dialect=dialect, path=path, game=game_of(dialect), mind=mind)
    )
    return file


if __name__ == "__main__":
    as_program(*sys.argv[1:])
