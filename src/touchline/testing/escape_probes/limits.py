"""Probes of the limits: memory, processes, files, processor time; and of outliving the match.

Each takes a little more than the limit, never all there is, and holds it: a sandbox may kill the program a
moment later.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import shutil
import signal
import socket
import struct
import tempfile
import threading
import time

from .probe import Blocked, World, blocked_unless, probe

CHUNK = 1 << 20
MORE = 20
"""How many processes or descriptors beyond the limit are tried."""
EMPTY_FILES = 30_000
NO_RESERVE = 0x4000  # MAP_NORESERVE
LEFT_BEHIND = 30
"""Seconds after which a process that was left behind ends by itself."""


def _hold(world: World, what: str) -> str:
    """Keep what was taken until the sandbox kills this program, or for so long that it never will."""
    deadline = time.monotonic() + world.hold
    while time.monotonic() < deadline:
        time.sleep(0.02)
    return what


def _take(size: int, flags: int) -> list[mmap.mmap]:
    """Map memory and write to every page of it."""
    taken = []
    for _ in range(size // CHUNK):
        one = mmap.mmap(-1, CHUNK, flags=flags | mmap.MAP_ANONYMOUS)
        one.write(b"x" * CHUNK)
        taken.append(one)
    return taken


def _memory(world: World, flags: int) -> str:
    try:
        taken = _take(world.memory * 3 // 2, flags)
    except (MemoryError, OSError) as error:
        raise Blocked(f"memory ends: {error}") from None
    return _hold(world, f"wrote to {len(taken) * CHUNK} bytes of memory")


@probe("limit", "take more private memory than allowed", alone=True)
def memory_private(world: World) -> str:
    return _memory(world, mmap.MAP_PRIVATE)


@probe("limit", "take more shared memory than allowed", alone=True)
def memory_shared(world: World) -> str:
    return _memory(world, mmap.MAP_SHARED)


@probe("limit", "take more memory than allowed in several processes", alone=True)
def memory_children(world: World) -> str:
    told, tell = os.pipe()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            with contextlib.suppress(MemoryError, OSError):
                kept = _take(world.memory // 2, mmap.MAP_PRIVATE)
                os.write(tell, b"x")
                _hold(world, str(len(kept)))
            os._exit(0)
        children.append(child)
    os.close(tell)
    took = sum(len(os.read(told, 1)) for _ in children)
    for child in children:
        os.waitpid(child, 0)
    blocked_unless(took == len(children), f"{took} of {len(children)} children got their memory")
    return f"{took} children took {world.memory // 2} bytes each"


@probe("limit", "keep more memory than allowed in files without a name", alone=True)
def memory_files(world: World) -> str:
    kept = []
    for _ in range(world.memory * 3 // 2 // CHUNK // 2):
        kept.append(os.memfd_create("probe"))
        os.write(kept[-1], b"x" * 2 * CHUNK)
        if len(kept) == world.open_files - 8:
            break
    return _hold(world, f"{len(kept)} files of {2 * CHUNK} bytes")


@probe("limit", "make the kernel use more memory than allowed for page tables", alone=True)
def memory_page_tables(world: World) -> str:
    """Reading one byte in each 2 MB of an empty mapping takes no memory but a page of 4 KB for its table."""
    count, span = world.memory * 3 // 2 >> 12, 2 << 20
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
    try:
        with mmap.mmap(-1, count * span, flags=flags, prot=mmap.PROT_READ) as empty:
            touched = sum(empty[at] for at in range(0, count * span, span))
            return _hold(world, f"{count} page tables of 4096 bytes ({touched})")
    except (MemoryError, OSError) as error:
        raise Blocked(f"memory ends: {error}") from None


@probe("limit", "keep more memory than allowed in the buffers of sockets", alone=True)
def memory_sockets(world: World) -> str:
    told, tell = os.pipe()
    children = []
    for _ in range(world.processes // 2):
        child = os.fork()
        if child == 0:
            os.write(tell, struct.pack("=Q", _fill_sockets(world.open_files // 2 - 8)))
            _hold(world, "")
            os._exit(0)
        children.append(child)
    os.close(tell)
    kept = sum(struct.unpack("=Q", os.read(told, 8).ljust(8, b"\0"))[0] for _ in children)
    for child in children:
        os.waitpid(child, 0)
    blocked_unless(kept > world.memory, f"the buffers hold {kept} bytes")
    return f"the buffers hold {kept} bytes"


def _fill_sockets(count: int) -> int:
    """Fill the buffers of pairs of sockets; return the bytes in them."""
    kept, pairs = 0, []
    with contextlib.suppress(OSError):
        for _ in range(count):
            pairs.append(socket.socketpair())
            for end in pairs[-1]:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        kept += end.send(b"x" * 65_536)
    for end in (end for pair in pairs for end in pair):
        end.detach()  # stays open until this process ends
    return kept


@probe("limit", "make the kernel keep more empty files than allowed", alone=True)
def empty_files(world: World) -> str:
    """A file without content takes about 1 KB of the kernel's memory."""
    folder = tempfile.mkdtemp()
    try:
        for number in range(EMPTY_FILES):
            os.close(os.open(f"{folder}/{number}", os.O_CREAT))
        return _hold(world, f"{EMPTY_FILES} files")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@probe("limit", "write a file that is larger than allowed", alone=True)
def large_file(world: World) -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = f"{os.environ.get('TMPDIR', '/tmp')}/probe-large-{os.getpid()}"
    try:
        with open(path, "wb", buffering=0) as file:
            wanted = world.file_size + 2 * CHUNK
            while wanted > 0:
                wanted -= file.write(b"x" * CHUNK)
        return _hold(world, f"wrote {world.file_size + 2 * CHUNK} bytes")
    finally:
        os.unlink(path)


@probe("limit", "fill the disk with many files", alone=True)
def many_files(world: World) -> str:
    paths: list[str] = []
    written = 0
    try:
        while written <= world.scratch * 3 // 2:
            paths.append(f"{os.environ.get('TMPDIR', '/tmp')}/probe-{os.getpid()}-{len(paths)}")
            with open(paths[-1], "wb", buffering=0) as file:
                blocked_unless(file.write(b"x" * CHUNK) == CHUNK, f"full after {written} bytes")
            written += CHUNK
        return _hold(world, f"{len(paths)} files with {written} bytes")
    finally:
        for path in paths:
            with contextlib.suppress(OSError):
                os.unlink(path)


@probe("limit", "start more processes than allowed", alone=True)
def fork_storm(world: World) -> str:
    wait, go_on = os.pipe()
    children: list[int] = []
    try:
        for _ in range(world.processes + MORE):
            child = os.fork()
            if child == 0:
                os.close(go_on)
                os.read(wait, 1)
                os._exit(0)
            children.append(child)
        return _hold(world, f"{len(children)} children")
    finally:
        os.close(go_on)
        for child in children:
            os.waitpid(child, 0)


@probe("limit", "start more threads than allowed", alone=True)
def thread_storm(world: World) -> str:
    threading.stack_size(64 << 10)
    end, threads = threading.Event(), []
    try:
        for _ in range(world.processes + MORE):
            threads.append(threading.Thread(target=end.wait, args=(LEFT_BEHIND,)))
            threads[-1].start()
        return _hold(world, f"{len(threads)} threads")
    except RuntimeError as error:
        raise Blocked(str(error)) from None
    finally:
        end.set()


@probe("limit", "open more files than allowed")
def open_files(world: World) -> str:
    for _ in range(world.open_files + MORE):
        os.open(os.devnull, os.O_RDONLY)
    return f"opened {world.open_files + MORE} files"


@probe("limit", "raise the own limits")
def raise_limits(world: World) -> str:
    wanted = {
        resource.RLIMIT_NOFILE: world.open_files, resource.RLIMIT_FSIZE: world.file_size,
        resource.RLIMIT_CPU: world.cpu, resource.RLIMIT_CORE: 0,
    }  # fmt: skip
    for kind, limit in wanted.items():
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit + MORE, limit + MORE))
            return f"raised limit {kind} above {limit}"
    raise Blocked("no limit can be raised")


@probe("limit", "use more processor time than allowed", alone=True)
def processor_time(world: World) -> str:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while time.process_time() < world.cpu + 2:
        pass
    return f"used {world.cpu + 2} s"


def _left_behind() -> None:
    """Become a process of its own session that ignores polite signals, and stay for a while."""
    os.setsid()
    if os.fork():
        os._exit(0)
    for polite in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(polite, signal.SIG_IGN)
    time.sleep(LEFT_BEHIND)
    os._exit(0)


@probe("process", "outlive the match; the stage looks for what is left", alone=True)
def outlive(world: World) -> str:
    if os.fork() == 0:
        _left_behind()
    os.wait()
    return "left a process behind"


@probe("process", "kill all its keepers, and outlive the match", alone=True)
def outlive_keepers(world: World) -> str:
    if os.fork() == 0:
        _left_behind()
    os.wait()
    keeper = os.getppid()
    for pid in {keeper, 1} - {0, world.referee}:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return f"tried to kill process {keeper}"
