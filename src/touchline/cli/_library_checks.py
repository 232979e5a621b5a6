"""Checks of optional libraries and programs, each in a process of its own, so that a crash is a finding."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial

from touchline.cli._diagnosis import Check, Finding, ok

SECONDS = 60
"""Timeout of one trial; compiling a kernel on a busy machine takes seconds."""
ABSENT = 3
"""Exit code of a trial whose library is not installed."""
TRIAL = """
import sys
try:
    import {modules}
except ModuleNotFoundError as error:
    if error.name.split(".")[0] in {names!r}:
        print(f"{{error.name}} is not installed")
        sys.exit({absent})
    raise
{code}
"""
# Name, use, modules, extra, and code that uses the library and prints its version.
LIBRARIES: tuple[tuple[str, str, str, str, str], ...] = (
    ("wasm", "WebAssembly players with a fuel clock", "wasmtime", "wasm", """
config = wasmtime.Config()
config.consume_fuel = True
store = wasmtime.Store(wasmtime.Engine(config))
store.set_fuel(1000)
module = wasmtime.Module(store.engine, '(module (func (export "f") (result i32) i32.const 42))')
assert wasmtime.Instance(store, module, []).exports(store)["f"](store) == 42
assert store.get_fuel() < 1000
from importlib.metadata import version
print("wasmtime", version("wasmtime"))"""),
    ("screen", "the full screen at the terminal", "textual", "tui", """
print("textual", textual.__version__)"""),
    ("uvloop", "a faster event loop", "uvloop", "speed", """
import asyncio
loop = uvloop.new_event_loop()
assert loop.run_until_complete(asyncio.sleep(0, 42)) == 42
loop.close()
print("uvloop", uvloop.__version__)"""),
    ("kernels", "compiled kernels of the house players", "numba", "engine", """
assert numba.njit("int64(int64)")(lambda x: x + 1)(41) == 42
print("numba", numba.__version__)"""),
    ("web", "the page, and players over WebSocket", "aiohttp, picows, PIL", "web", """
print("aiohttp", aiohttp.__version__)"""),
    ("dask", "tournaments on a cluster", "distributed", "cluster", """
print("distributed", distributed.__version__)"""),
    ("signatures", "signed records and cups", "cryptography", "sign", """
from touchline.records.signing import SigningKey
assert len(SigningKey.new().public) == 64
print("cryptography", cryptography.__version__)"""),
    ("plots", "pictures as PNG", "matplotlib", "plots", """
print("matplotlib", matplotlib.__version__)"""),
    ("ratings", "ratings for any number of seats", "openskill", "ratings", """
print("openskill", openskill.__version__)"""),
)  # fmt: skip
SERVER = "scripts/postgres COMMAND runs a command with a temporary server"
CONNECT = """
import os
url = os.environ.get("TOUCHLINE_POSTGRES")
if url:
    with psycopg.connect(url, connect_timeout=10) as connection:
        version = connection.info.server_version // 10000
    print("psycopg", psycopg.__version__ + ", PostgreSQL", version, "answers")
else:
    print("psycopg", psycopg.__version__ + "; TOUCHLINE_POSTGRES names no server to try")"""
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def trial(modules: str, code: str) -> tuple[int, str]:
    """Import modules and run code in another process; return its exit code and the last line it printed."""
    names = [name.strip() for name in modules.split(",")]
    source = TRIAL.format(modules=modules, names=names, absent=ABSENT, code=code)
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", source],
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1, f"it did not answer within {SECONDS} s"
    said = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return done.returncode, said[-1] if said else f"it ended with {done.returncode}"


def library(modules: str, extra: str, code: str) -> Finding:
    """Check a library by using it."""
    code_of_end, said = trial(modules, code)
    if code_of_end == 0:
        return ok(said)
    install = f"pip install 'touchline[{extra}]'"
    if code_of_end == ABSENT:
        return Finding("missing", said, install)
    return Finding("broken", said, f"pip install --force-reinstall 'touchline[{extra}]'")


def postgres() -> Finding:
    """Check the driver of PostgreSQL, and the server that TOUCHLINE_POSTGRES names."""
    found = library("psycopg", "postgres", CONNECT)
    if found.status == "broken" and os.environ.get("TOUCHLINE_POSTGRES"):
        return Finding("broken", found.detail, f"start the server that TOUCHLINE_POSTGRES names; {SERVER}")
    return found


def chromium() -> str | None:
    """Return the path of the browser that the tests of the page drive; None if there is none."""
    return os.environ.get("TOUCHLINE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)


def browser() -> Finding:
    """Check the browser that the tests of the page drive, by letting it load an empty page."""
    found = library("playwright", "browser", 'print("playwright")')
    if found.status != "ok":
        return found
    path = chromium()
    if path is None:
        return Finding("missing", "there is no Chromium", "apt install chromium-headless-shell")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
    try:
        done = subprocess.run(
            [path, *options, "about:blank"], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("broken", f"{path}: {error}", "apt install --reinstall chromium-headless-shell")
    if "<html>" not in done.stdout:
        why = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        return Finding("broken", f"{path}: {why}", "apt install --reinstall chromium-headless-shell")
    return ok(f"playwright, {path}")


def cache() -> Finding:
    """Check that compiled kernels can be cached, and say how large they are and where."""
    from touchline.bots.shared import kernel_cache

    place, size = kernel_cache.kernels_folder(), kernel_cache.size()
    detail = f"{size / 1e6:.1f} MB of compiled kernels in {place}"
    nearest = next(path for path in (place, *place.parents) if path.exists())
    if os.access(nearest, os.W_OK | os.X_OK):
        return ok(detail)
    detail += ", where this user may not write: they are compiled again and again"
    return Finding("broken", detail, "set TOUCHLINE_CACHE to a folder that you may write")


def library_checks() -> list[Check]:
    """Return the checks of all optional libraries and programs."""
    return [
        *(Check(name, use, partial(library, *how)) for name, use, *how in LIBRARIES),
        Check("cache", "compiling the house players only once", cache),
        Check("postgres", "the ledger of a tournament in PostgreSQL", postgres),
        Check("browser", "the tests of the page", browser),
    ]
