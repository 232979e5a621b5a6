"""Tests of tournaments run over the same ledgers as those of the store."""

from store.conftest import postgres

__all__ = ["postgres"]
