"""The records in files and folders that are named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions, TouchlineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.records.replay import Replay


def read_records(words: Sequence[str]) -> Iterator[tuple[str, Replay | TouchlineError]]:
    """Yield the name of each record with the record, or with why it cannot be read.

    A word is a file of one or more records, a folder of such files (`*.jsonl`), or `-` for standard input.
    """
    for word in words:
        for file in _files(word):
            yield from _in_file(file)


def _files(word: str) -> list[Path | None]:
    if word == "-":
        return [None]
    path = Path(word)
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.jsonl"))
    if not found:
        raise BadOptions(f"there is no record in the folder {word}: records are called *.jsonl")
    return [*found]


def _in_file(path: Path | None) -> Iterator[tuple[str, Replay | TouchlineError]]:
    from touchline.records.replay import Replay, read_file, split_records
    from touchline.records.side_file import read_secret, side_file

    name = "standard input" if path is None else str(path)
    try:
        data = sys.stdin.buffer.read() if path is None else read_file(path)
        secret = None if path is None else read_secret(side_file(path))
    except TouchlineError as error:
        yield name, error
        return
    parts = split_records(data)
    for number, part in enumerate(parts, 1):
        where = name if len(parts) == 1 else f"{name}, match {number}"
        try:
            yield where, Replay(part, where, secret if number == len(parts) else None)
        except TouchlineError as error:
            yield where, error
