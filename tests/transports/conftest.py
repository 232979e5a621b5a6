"""Fixtures of the tests of transports."""

from __future__ import annotations

import pytest

from server import rooms


@pytest.fixture(params=["asyncio", "uvloop"])
def both_loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test on both event loops."""
    if request.param == "uvloop":
        monkeypatch.setattr(rooms, "LOOPS", [pytest.importorskip("uvloop").new_event_loop])
