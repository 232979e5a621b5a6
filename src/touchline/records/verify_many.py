"""Verify many records: files with one record or several, on all cores if that pays.

Law of this file: an unreadable record is a wrong one, and never stops the others.
"""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.records.module_rerun import Given
from touchline.records.recorder import SEALED, is_sealed
from touchline.records.replay import MOST_BYTES, Replay, read_file, split_records
from touchline.records.side_file import read_secret, side_file
from touchline.records.verification import Verification, unreadable, verify_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

PIECE = 512 << 10
"""Bytes of records that a worker process verifies at a time, 512 KiB: some 200 short games."""
PAYS_FROM = 4 << 20
"""Bytes of records from which worker processes pay, 4 MiB: they take a third of a second to start."""


class Piece(Struct, frozen=True, gc=False):
    """A part of a file that holds whole records."""

    path: str
    start: int
    end: int
    before: int = 0
    """The number of records before it in the file."""
    alone: bool = True
    """Whether the file has no other piece."""
    problem: str | None = None
    """Why the file cannot be read."""


class Checked(Struct, frozen=True):
    """A record that was verified, and where it is."""

    where: str
    found: Verification


class Worker(Struct, frozen=True):
    """What a worker process needs to verify pieces: the known digest and key, and modules to run again."""

    digest: str | None = None
    key: str | None = None
    modules: tuple[Given, ...] = ()

    def __call__(self, pieces: Sequence[Piece]) -> list[Checked]:
        return [checked for piece in pieces for checked in self.verify_piece(piece)]

    def verify_piece(self, piece: Piece) -> Iterator[Checked]:
        """Verify the records of a piece."""
        try:
            data = _read(piece)
        except BadInput as error:
            yield Checked(piece.path, unreadable(str(error)))
            return
        parts = split_records(data)
        for number, part in enumerate(parts, 1 + piece.before):
            alone = piece.alone and len(parts) == 1
            where = piece.path if alone else f"{piece.path}, record {number}"
            yield Checked(where, self.verify_part(part, where, Path(piece.path)))

    def verify_part(self, data: bytes, where: str, path: Path | None = None) -> Verification:
        """Verify a record, with the side file of its file if it is not sealed."""
        try:
            secret = None if path is None or is_sealed(data) else read_secret(side_file(path))
            replay = Replay(data, where, secret)
            return verify_record(replay, digest=self.digest, key=self.key, modules=self.modules)
        except TouchlineError as error:
            return unreadable(str(error))


def verify_files(
    paths: Sequence[Path],
    worker: Worker,
    progress: Callable[[int, int], None] = lambda done, of: None,
    *,
    cores: int | None = None,
) -> Iterator[Checked]:
    """Verify the records in these files, and yield them in their order.

    `progress` is called with the bytes done, and with all bytes.
    """
    pieces = [piece for path in paths for piece in cut(path)]
    batches, of = list(_batches(pieces)), sum(piece.end - piece.start for piece in pieces)
    done, cores = 0, cores or len(os.sched_getaffinity(0))
    results = _on_all_cores(worker, batches, cores) if of >= PAYS_FROM and cores > 1 else map(worker, batches)
    for batch, found in zip(batches, results, strict=True):
        done += sum(piece.end - piece.start for piece in batch)
        progress(done, of)
        yield from found


def verify_data(file: BinaryIO, where: str, worker: Worker) -> Iterator[Checked]:
    """Verify the records in a stream, such as standard input."""
    data = file.read(MOST_BYTES + 1)
    parts = split_records(data) if len(data) <= MOST_BYTES else [data]
    for number, part in enumerate(parts, 1):
        name = where if len(parts) == 1 else f"{where}, record {number}"
        yield Checked(name, worker.verify_part(part, name))


def cut(path: Path) -> list[Piece]:
    """Return the pieces of a file; a large one is cut after seals."""
    try:
        size = path.stat().st_size
        data = read_file(path) if size > 2 * PIECE else b""
    except OSError as error:
        return [Piece(str(path), 0, 0, problem=f"{path}: cannot be read: {error.strerror}")]
    except BadInput as error:
        return [Piece(str(path), 0, 0, problem=str(error))]
    if not data:
        return [Piece(str(path), 0, size)]
    pieces, start, before = list[Piece](), 0, 0
    while start < len(data):
        seal = data.find(b"\n" + SEALED, min(start + PIECE, len(data)))
        end = (data.find(b"\n", seal + 1) + 1 if seal >= 0 else 0) or len(data)
        pieces.append(Piece(str(path), start, end, before, (start, end) == (0, len(data))))
        before += data.count(b"\n" + SEALED, start, end)
        start = end
    return pieces


def _read(piece: Piece) -> bytes:
    if piece.problem is not None:
        raise BadInput(piece.problem)
    try:
        with open(piece.path, "rb") as file:
            file.seek(piece.start)
            return file.read(piece.end - piece.start)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", piece.path) from None


def _batches(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Gather small pieces into batches of some size."""
    batch, size = list[Piece](), 0
    for piece in pieces:
        batch.append(piece)
        size += piece.end - piece.start
        if size >= PIECE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _on_all_cores(worker: Worker, batches: list[list[Piece]], cores: int) -> Iterator[list[Checked]]:
    from touchline.drivers.worker_processes import kill_workers, worker_processes

    pool = worker_processes(min(cores, len(batches)), "touchline.records.verify_many")
    try:
        yield from pool.map(worker, batches)
    except BrokenExecutor:
        raise TouchlineError("a worker process died while it verified records; run it again") from None
    except BaseException:
        kill_workers(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
