"""A ledger against a dictionary, whatever is asked of it and in whatever order."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import Struct

from touchline.core.errors import UnknownName
from touchline.tournament.ledger import Claim, Conflict, open_ledger
from touchline.tournament.pairing import Pairing
from tournament.ledger.ledgers import NOW, SPEC, done, game, record_of
from tournament.ledger.places import fresh

LEASE = 10.0
MOST = 5
PICKS = st.lists(st.integers(0, 20), max_size=MOST)


class Row(Struct):
    """What the model knows of a game."""

    pairing: Pairing
    fence: int = 0
    until: float | None = None
    moves: str | None = None
    voided: str | None = None

    def due(self, now: float) -> bool:
        return self.moves is None and (self.until is None or self.until <= now)

    def holds(self, claim: Claim) -> bool:
        return self.moves is None and self.fence == claim.fence


class AgainstADictionary(RuleBasedStateMachine):
    def __init__(self, server: str | None) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.where = self.stack.enter_context(fresh(server))
        self.ledger = open_ledger(self.where, durable=False)
        self.ledger.create(SPEC)
        self.model: dict[str, Row] = {}
        self.claims: list[Claim] = []
        self.now = NOW
        self.paused: str | None = None
        self.acts: list[tuple[str, str]] = []

    def teardown(self) -> None:
        self.ledger.close()
        self.stack.close()

    def in_order(self) -> list[Row]:
        return sorted(
            self.model.values(), key=lambda row: (row.pairing.round, row.pairing.table, row.pairing.attempt)
        )

    @initialize()
    def begin(self) -> None:
        self.schedule([(number, 0) for number in range(6)])

    @rule(numbers=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 1)), max_size=6))
    def schedule(self, numbers: list[tuple[int, int]]) -> None:
        wanted = [game(*number) for number in numbers]
        new = {one.id: Row(one) for one in wanted if one.id not in self.model}
        assert self.ledger.schedule(wanted) == len(new)
        self.model |= new

    @rule(worker=st.sampled_from("wx"), most=st.integers(0, 4))
    def claim(self, worker: str, most: int) -> None:
        due = [] if self.paused is not None else [row for row in self.in_order() if row.due(self.now)][:most]
        for row in due:
            row.fence, row.until = row.fence + 1, self.now + LEASE
        expected = [Claim(row.pairing, row.fence) for row in due]
        assert self.ledger.claim(worker, most, LEASE, self.now) == expected
        self.claims += expected

    @rule(seconds=st.sampled_from([1.0, 9.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    def picked(self, picks: list[int]) -> list[Claim]:
        """Claims of any age, the latest first: that is where most happens."""
        return [self.claims[-1 - pick % len(self.claims)] for pick in picks if self.claims]

    @rule(picks=PICKS)
    def renew(self, picks: list[int]) -> None:
        some = self.picked(picks)
        ours = dict.fromkeys(claim.id for claim in some if self.model[claim.id].holds(claim))
        assert self.ledger.renew(some, LEASE, self.now) == [*ours]
        for id_ in ours:
            self.model[id_].until = self.now + LEASE

    @rule()
    def take_over(self) -> None:
        self.ledger.take_over()
        for row in self.model.values():
            if row.moves is None and row.until is not None:
                row.fence, row.until = row.fence + 1, None

    @rule(picks=PICKS, moves=st.lists(st.sampled_from("ab"), min_size=MOST, max_size=MOST))
    def finish(self, picks: list[int], moves: list[str]) -> None:
        some = [*zip(self.picked(picks), moves, strict=False)]
        counted: dict[str, None] = {}
        for claim, played in some:
            row = self.model[claim.id]
            if row.holds(claim):
                row.moves, row.until = played, None
            if row.fence == claim.fence and row.moves == played:
                counted[claim.id] = None
            elif row.moves not in (None, played):
                self.acts.append(("conflict", claim.id))
        assert self.ledger.finish([done(*one) for one in some], self.now) == [*counted]

    @precondition(lambda self: self.claims)
    @rule(pick=st.integers(0, 20), why=st.text(max_size=3).filter(lambda text: "\0" not in text))
    def void(self, pick: int, why: str) -> None:
        (claim,) = self.picked([pick])
        row = self.model[claim.id]
        if row.moves is None:
            with pytest.raises(Conflict):
                self.ledger.void(claim.id, why, self.now)
            return
        assert self.ledger.void(claim.id, why, self.now) is (row.voided is None)
        if row.voided is None:
            row.voided = why
            self.acts.append(("void", claim.id))

    @rule(act=st.sampled_from(["pause", "go on", "eject"]))
    def note(self, act: str) -> None:
        self.ledger.note(act, "ann", act, self.now)
        self.acts.append((act, "ann"))
        self.paused = {"pause": "pause", "go on": None}.get(act, self.paused)

    @rule()
    def open_again(self) -> None:
        self.ledger.close()
        self.ledger = open_ledger(self.where, durable=False)

    @invariant()
    def finished_games_agree(self) -> None:
        rows = [row for row in self.in_order() if row.moves is not None]
        results = [*self.ledger.results()]
        assert [(one.played.pairing, one.digest, one.voided) for one in results] == [
            (row.pairing, done(Claim(row.pairing, 1), row.moves or "").digest, row.voided) for row in rows
        ]
        for row in rows[-1:]:
            assert self.ledger.record(row.pairing.id) == record_of(row.pairing, row.moves or "")

    @invariant()
    def unfinished_games_agree(self) -> None:
        rows = [row for row in self.in_order() if row.moves is None]
        assert [*self.ledger.unfinished()] == [row.pairing for row in rows]
        for row in rows[-1:]:
            with pytest.raises(UnknownName):
                self.ledger.record(row.pairing.id)
        counts = self.ledger.counts(self.now)
        assert counts.due == sum(row.due(self.now) for row in rows)
        assert (counts.claimed, counts.done) == (len(rows) - counts.due, len(self.model) - len(rows))
        assert counts.voided == sum(row.voided is not None for row in self.model.values())
        assert sum(counts.verdicts.values()) == counts.done - counts.voided

    @invariant()
    def the_log_agrees(self) -> None:
        assert [(act.act, act.about) for act in self.ledger.log()] == self.acts
        assert self.ledger.paused() == self.paused


def against_a_dictionary(server: str | None, examples: int, steps: int) -> None:
    class Machine(AgainstADictionary):
        def __init__(self) -> None:
            super().__init__(server)

    limits = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip
    run_state_machine_as_test(Machine, settings=limits)


def test_a_few_steps(server: str | None) -> None:
    against_a_dictionary(server, examples=2 if server else 12, steps=25)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_steps(server: str | None) -> None:
    against_a_dictionary(server, examples=60 if server else 300, steps=50)
