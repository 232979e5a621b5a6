"""What a probe is, the table of all probes, and what a probe is told about its targets."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable


class Blocked(Exception):
    """The probe did not get through. An OSError means the same."""


@dataclasses.dataclass(frozen=True)
class World:
    """The targets of the probes: processes, addresses, files and sockets that the stage has made."""

    token: str
    """A word that nobody can guess. Whoever reads it where it was hidden has got through."""
    opponent: int = 0
    opponent_address: int = 0
    """Where the opponent's memory holds the token."""
    opponent_folder: str = ""
    referee: int = 0
    referee_address: int = 0
    record: str = ""
    secret: str = ""
    """The side file of the record, which holds its seed."""
    home: str = ""
    outside: str = ""
    """A folder that every user may write to."""
    terminal: str = ""
    setuid_program: str = ""
    """A copy of `id` that belongs to root and has the setuid bit."""
    tcp: int = 0
    tcp6: int = 0
    udp: int = 0
    unix: str = ""
    abstract: str = ""
    memory: int = 64 << 20
    """The limit of memory in bytes, and below the other limits of the program."""
    processes: int = 32
    scratch: int = 8 << 20
    file_size: int = 4 << 20
    open_files: int = 64
    cpu: int = 1
    hold: float = 10.0
    """Seconds for which a probe holds what it took beyond a limit, before it has got through."""

    @property
    def key(self) -> int:
        """A number for System V objects, the same for both seats."""
        return int(self.token[:7], 16)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> World:
        return cls(**json.loads(text))


Run: TypeAlias = "Callable[[World], str]"


class Probe(NamedTuple):
    """One row of the table. `run` returns how it got through, or raises Blocked or OSError."""

    name: str
    tries: str
    threat: str
    run: Run
    alone: bool
    """Whether it needs a program of its own, because a sandbox may kill the program for it."""


PROBES: dict[str, Probe] = {}
NEEDS: dict[str, Probe] = {}
"""What honest programs do: it must succeed in every tier, else a probe is blocked for the wrong reason."""
ALL: dict[str, Probe] = {}
NEED = "need"


def probe(threat: str, tries: str, *, alone: bool = False) -> Callable[[Run], Run]:
    """Add a function to the table, under its name with hyphens."""

    def add(run: Run) -> Run:
        name = run.__name__.replace("_", "-")
        assert name not in ALL, name
        table = NEEDS if threat == NEED else PROBES
        ALL[name] = table[name] = Probe(name, tries, threat, run, alone)
        return run

    return add


def blocked_unless(reached: object, why: str) -> None:
    """Raise Blocked if the probe has not reached its target."""
    if not reached:
        raise Blocked(why)
