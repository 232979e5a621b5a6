"""What the browser tests need: Chromium, a server, and windows."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from playwright.sync_api import sync_playwright

from browser.serving import serving
from browser.windows import Open, Window, window
from touchline.cli._library_checks import chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from browser.serving import Served

ROOT = Path(__file__).parents[2]


def missing(what: str) -> NoReturn:
    """Skip a test that cannot be run here; where it must be, fail."""
    if os.environ.get("TOUCHLINE_NEED_BROWSER") == "1":
        pytest.fail(what)
    pytest.skip(what)


def _path() -> str:
    found = chromium()
    if found is None:
        missing("there is no Chromium: apt-get install chromium-headless-shell, or run scripts/test as root")
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. It ends with this package: while it runs no test can have an event loop of its own."""
    # Root has no sandbox, and the shared memory of a container is small.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    path = _path()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=arguments)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that has found out what can be played, so that no test waits; it has no old tables."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        server = stack.enter_context(serving())
        server.get("/api/games")
        yield server


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where pictures of the page are kept, for people to look at."""
    folder = Path(os.environ.get("TOUCHLINE_SHOTS") or ROOT / ".artefacts" / "browser")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _visitors(browser: Browser, served: Served, shots: Path) -> Iterator[Open]:
    with ExitStack() as windows:

        def opened(**looks: Any) -> Window:
            return windows.enter_context(window(browser, served, shots, **looks))

        yield opened


@pytest.fixture
def visit(browser: Browser, served: Served, shots: Path) -> Iterator[Open]:
    """Opens windows, each of another visitor; all are looked through at the end."""
    with _visitors(browser, served, shots) as opened:
        yield opened


@pytest.fixture(scope="module")
def visit_once(browser: Browser, served: Served, shots: Path) -> Iterator[Open]:
    """The same for all tests of a file, which look at one game from several sides."""
    with _visitors(browser, served, shots) as opened:
        yield opened


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, which scripts/_browser fetched."""
    found = sorted((ROOT / ".cache").glob("axe-core-*.min.js"))
    if not found:
        missing("there is no axe-core: run scripts/_browser")
    return found[-1].read_text()
