"""Fixtures of the tests of players."""

from __future__ import annotations

import secrets

import pytest


@pytest.fixture
def mark() -> str:
    """Text by which the processes of this test are found again."""
    return secrets.token_hex(8)
