"""The hashes of the entrants' files: a cup goes on with the players that it began with.

The log has an entry for each entrant that is a file or a program, when it first plays and when a change of it
was accepted. Only files that the player's word names are hashed: a Python file, a WebAssembly module, a
program named by its path, and arguments that are files. What those load in turn is not.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import time
from typing import TYPE_CHECKING

from touchline.players.by_name import WASM, is_program, without_dialect
from touchline.sandbox.tiers import WHAT, chosen
from touchline.tournament.ledger.base import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Ledger, LogEntry

FILES, CHANGED, ISOLATION = "files", "changed", "isolation"
"""Acts of the log: the hash of an entrant's files, an accepted change of it, the isolation of programs."""
MISSING = "missing"


def named_files(word: str, folder: Path) -> list[Path]:
    """Return the files that a player's word names; those of a command only if they exist.

    >>> from pathlib import Path
    >>> named_files("seed-000+mybot.py:Name", Path("bots"))
    [PosixPath('bots/mybot.py')]
    >>> named_files("wasm:bot.wasm", Path("bots"))
    [PosixPath('bots/bot.wasm')]
    >>> named_files("process:node no_such_file.js", Path()), named_files("minimax:depth=3", Path())
    ([], [])
    """
    if not is_program(word):
        return []
    word = without_dialect(word)
    if word.startswith(WASM):
        return [folder / word.removeprefix(WASM)]
    if not word.startswith("process:"):
        return [folder / word.partition(":")[0]]
    try:
        program, *given = shlex.split(word.removeprefix("process:"))
    except ValueError:  # no command at all: it does not start, and loses its games
        return []
    own = [folder / program] if os.sep in program else []
    return own + [file for one in given if (file := folder / one).is_file()]


def hash_of(files: Iterable[Path]) -> str:
    """Return one hash of the content of files, in order; a file that cannot be read counts as missing."""
    whole = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").hexdigest().encode())
        except OSError:
            whole.update(MISSING.encode())
        whole.update(b"\n")
    return whole.hexdigest()


def known_hashes(log: Iterable[LogEntry]) -> dict[str, str]:
    """Return the hash that stands for each entrant, by name."""
    return {entry.about: entry.why.split(" ")[0] for entry in log if entry.act in (FILES, CHANGED)}


def changed_entrants(log: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return the entrants whose files were changed during the cup, which the organiser accepted."""
    return tuple(dict.fromkeys(entry.about for entry in log if entry.act == CHANGED))


def note_isolation(ledger: Ledger, cup: Cup, asked: str) -> str:
    """Return the tier of isolation of the cup's programs; note it if it is another than before."""
    if not any(is_program(entrant.player) for entrant in cup.entrants):
        return asked
    tier = chosen(asked)
    if isolation_of(ledger.log()) != tier:
        ledger.note(ISOLATION, tier, f"programs run with {WHAT[tier]}", time.time())
    return tier


def isolation_of(log: Iterable[LogEntry]) -> str | None:
    """Return the tier of isolation that was noted last; None in a cup without programs."""
    return next((entry.about for entry in reversed([*log]) if entry.act == ISOLATION), None)


def check_files(ledger: Ledger, cup: Cup, folder: Path, *, accept: bool) -> None:
    """Compare the entrants' files with those in the log, and note the new ones.

    A `Conflict` names the first entrant that has changed, unless changes are accepted.
    """
    known = known_hashes(ledger.log())
    fresh: list[tuple[str, str, str]] = []
    for entrant in cup.entrants:
        files = named_files(entrant.player, folder)
        if not files and entrant.name not in known:
            continue
        found, before = hash_of(files), known.get(entrant.name)
        names = ", ".join(file.name for file in files)
        if before is None:
            fresh.append((FILES, entrant.name, f"{found} {names}"))
        elif found != before and accept:
            fresh.append((CHANGED, entrant.name, f"{found} {names}, was {before}: accepted"))
        elif found != before:
            raise Conflict(
                f"{entrant.name}: {names or entrant.player} has changed since the cup began: put the old "
                "content back, or go on with --accept-changes, which the log will say"
            )
    for act, name, why in fresh:
        ledger.note(act, name, why, time.time())
