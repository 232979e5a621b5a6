"""The side file of a running match: its secret, and what is needed to resume it.

While a match runs, `match.jsonl.secret` lies beside `match.jsonl`, and only its owner can read it. It holds
the seed and the nonce, so that the record of a killed match can be verified as far as it came. It also holds
the players and the hashes of their tokens, so that the match can be resumed. It is removed when the record
is sealed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from touchline.core.errors import BadInput
from touchline.sandbox.limits import ProgramLimits

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".secret"
MOST_BYTES = 1 << 20
"""The largest side file that is read, 1 MiB."""


class SeatSecret(Struct, frozen=True, kw_only=True):
    """How the player of a seat comes back after a restart of the referee."""

    word: str | None = None
    """The player that is started again, as on the command line; None for one that comes back by itself."""
    seed: str | None = None
    """The seed of its random numbers."""
    token: str | None = None
    """The hash of the token that a remote player or a browser comes back with."""
    kind: str = ""
    """How the page lists the seat."""


class Secret(Struct, frozen=True, kw_only=True):
    """The content of a side file."""

    origin: Literal["play", "serve", "page", "course"]
    """The command that played the match, which is the one that can resume it; a course's server cannot."""
    seed: int
    nonce: str
    seats: tuple[SeatSecret, ...]
    folder: str = "."
    """Where the paths of programs start."""
    program: ProgramLimits | UnsetType = UNSET
    """What the programs may use, if it is not the default."""
    table: dict[str, Any] = {}
    """What else the server needs to set up the table again."""


def side_file(record: Path) -> Path:
    """Return the path of the side file of a record.

    >>> from pathlib import Path
    >>> side_file(Path("cups/match.jsonl")).name
    'match.jsonl.secret'
    """
    return record.with_name(record.name + SUFFIX)


def read_secret(path: Path) -> Secret | None:
    """Return the content of a side file; None if there is none. BadInput if it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", str(path)) from None
    if len(data) > MOST_BYTES:
        raise BadInput(f"a side file has at most {MOST_BYTES:,} bytes", str(path))
    try:
        return msgspec.json.decode(data, type=Secret)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not the side file of a record: {error}", str(path)) from None
