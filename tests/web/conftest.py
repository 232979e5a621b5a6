"""Fixtures of the tests of the page."""

from __future__ import annotations

import pytest

from touchline.web.live import throttle


@pytest.fixture
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question about a cup looks at its ledger anew."""
    monkeypatch.setattr(throttle, "AGAIN", 0.0)
    monkeypatch.setattr(throttle, "REST", 0.0)
