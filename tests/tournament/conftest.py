"""Tests of tournaments run over the same ledgers as those of the ledger."""

from tournament.ledger.conftest import postgres

__all__ = ["postgres"]
