"""Every test of a ledger runs over SQLite and over a real PostgreSQL server.

The server is the one that TOUCHLINE_POSTGRES names, or one that is started here by scripts/postgres. If there
is none to be had those tests are skipped, unless TOUCHLINE_NEED_POSTGRES says that they must not be.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from touchline.tournament.ledger import open_ledger
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.tournament.ledger import Ledger

SCRIPT = Path(__file__).parents[3] / "scripts" / "postgres"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server."""
    if url := os.environ.get("TOUCHLINE_POSTGRES"):
        yield url
        return
    # It lives until its input ends, which is also when we are killed.
    with subprocess.Popen(
        [SCRIPT, "sh", "-c", 'echo "$TOUCHLINE_POSTGRES"; exec cat'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        assert server.stdout
        if url := server.stdout.readline().strip():
            yield url
            server.communicate()
            return
        _, why = server.communicate()
    if os.environ.get("TOUCHLINE_NEED_POSTGRES"):
        pytest.fail(f"no PostgreSQL server: {why}")
    pytest.skip(f"no PostgreSQL server: {why.strip()}")


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> str | None:
    """The server to run over; None for a file."""
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres")
    return url


@pytest.fixture
def where(server: str | None) -> Iterator[str]:
    """Where a ledger can be made."""
    with fresh(server) as place:
        yield place


@pytest.fixture
def ledger(where: str) -> Iterator[Ledger]:
    """An empty ledger."""
    with open_ledger(where, durable=False) as made:
        yield made
