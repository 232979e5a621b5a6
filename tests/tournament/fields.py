"""Names of entrants for tests of formats."""

from __future__ import annotations


def entrants(number: int) -> list[str]:
    return [f"e{index:02}" for index in range(number)]
