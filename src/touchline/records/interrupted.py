"""A match that was interrupted, read from its record and its side file, to be resumed or declared void.

Law of this file: an interrupted match is resumed only if its record follows from the rules as far as it came.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.core.happenings import Broken
from touchline.drivers.match import Watchers, announced, opened, referee_for
from touchline.drivers.past import Past
from touchline.players.by_name import PERSON, without_dialect
from touchline.records.replay import MOST_LINE, Replay
from touchline.records.rerun import happenings
from touchline.records.side_file import read_secret, side_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.core.events import Event, Result
    from touchline.drivers.match import MatchSpec
    from touchline.records.recording import Recording
    from touchline.records.side_file import Secret


def has_begun(path: Path) -> bool:
    """Return whether a record has a whole line; before that, no player was told anything."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.readline(MOST_LINE).endswith(b"\n")
    return False


class Interrupted:
    """A match that was interrupted: its record as far as it came, and its side file."""

    def __init__(self, path: Path) -> None:
        """Read the record and its side file. BadInput if the match cannot be resumed from them."""
        self.path = path
        if not has_begun(path):
            raise BadInput("the match was killed before it began: play it again, with --force", str(path))
        self.replay = Replay.read(path)
        if self.replay.seal is not None and not side_file(path).exists():
            raise BadInput("the match ended, and its record is whole: there is nothing to resume", str(path))
        secret = read_secret(side_file(path))
        if secret is None:
            raise BadInput(
                f"its side file {side_file(path).name} is missing, so the match cannot be resumed", str(path)
            )
        if len(secret.seats) != len(self.replay.begun.names):
            raise BadInput("it is the side file of another match", str(side_file(path)))
        self.secret: Secret = secret
        self.replay.verify()

    def check_owner(self) -> None:
        """Raise BadInput unless the side file is our own: it may name commands, which are started again."""
        side = side_file(self.path)
        found = side.stat()
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise BadInput(
                "a side file names programs to start, so it must be yours, and nobody else may read it: "
                f"if you wrote it, chmod 600 {side.name}",
                str(side),
            )

    def tidied_up(self) -> bool:
        """Remove the side file if the record is whole: only that was left to do. Return whether it is."""
        if self.replay.seal is None:
            return False
        side_file(self.path).unlink(missing_ok=True)
        return True

    @property
    def spec(self) -> MatchSpec:
        return self.replay.spec()

    @property
    def past(self) -> Past:
        """The past, which every player hears but a person at the terminal, who remembers it."""
        words = [without_dialect(seat.word or "") for seat in self.secret.seats]
        kept = frozenset(seat for seat, word in enumerate(words) if word == PERSON)
        return Past(tuple(happenings(self.replay)), kept)

    def observers(self, recording: Recording) -> list[Callable[[Event], None]]:
        """Return the observer that continues the record; it passes over the events that are written."""
        return recording.resume(self.replay.written, len(self.replay.events))


def void(found: Interrupted, observers: Sequence[Callable[[Event], None]], why: str) -> Result:
    """End an interrupted match as void, for this reason, and return the result."""
    state, talks, watchers = opened(found.spec), found.replay.begun.talks, Watchers(observers)
    referee = referee_for(found.spec, state, talks)
    watchers.see(announced(found.spec, state, talks))
    watchers.see_all(referee.begin(found.spec.refused))
    for happening in (*found.past.happenings, Broken(why)):
        watchers.see_all(referee.take(happening))
    assert referee.result is not None
    return referee.result
