"""The digest of a cup: what changes it, and what must not."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Fault, Result, encode
from touchline.core.rules import Outcome
from touchline.tournament.ledger import Claim, cup_digest, open_ledger
from touchline.tournament.ledger.shared import rows
from touchline.tournament.pairing import Played
from tournament.ledger.ledgers import NOW, SPEC, done, finished, game, games

if TYPE_CHECKING:
    from touchline.tournament.ledger import Finished, Ledger


def result(**changes: Any) -> bytes:
    fault = replace(Fault(0, 5, Offence.ILLEGAL, "so", Sanction.RETRY), **changes)
    return encode(Result(verdict="finished", outcome=None, reason="", turns=1, faults=(fault,)))


CLAIM = Claim(game(4), 1)
PLAYED = finished(CLAIM).played


@pytest.mark.parametrize(
    "other",
    [
        {"worker": "x"},
        {"seconds": 9.0},
        {"oversubscribed": True},
        {"at": 0.0},
        {"played": replace(PLAYED, reason="other words")},
        {"result": done(CLAIM, seconds=9).result},
    ],
)
def test_who_when_and_where_do_not_matter(other: dict[str, Any]) -> None:
    assert finished(CLAIM, **other) != finished(CLAIM)
    assert cup_digest(SPEC, [finished(CLAIM, **other)]) == cup_digest(SPEC, [finished(CLAIM)])


def test_everything_else_does() -> None:
    variants = [
        finished(CLAIM),
        finished(CLAIM, digest="other moves"),
        finished(CLAIM, voided=""),
        *(
            finished(CLAIM, played=replace(PLAYED, **change))
            for change in (
                {"pairing": game(5)},
                {"pairing": game(4, attempt=1)},
                {"pairing": replace(game(4), board=9)},
                {"pairing": replace(game(4), entrants=("böb", "ann"))},
                {"verdict": "forfeited"},
                {"winners": ()},
                {"ranks": (1, 1)},
                {"ranks": (None, 1)},
                {"scores": (4, 3)},
                {"expelled": (1,)},
            )
        ),
        *(
            finished(CLAIM, result=result(**change))
            for change in (
                {},
                {"seat": 1},
                {"turn": 6},
                {"offence": Offence.LATE},
                {"sanction": Sanction.SKIP},
            )
        ),
    ]
    digests = [cup_digest(SPEC, [one]) for one in variants]
    digests += [
        cup_digest(SPEC + b" ", [finished(CLAIM)]),
        cup_digest(SPEC, [finished(CLAIM), finished(CLAIM, digest="x")]),
    ]
    digests += [cup_digest(SPEC, [])]
    assert len({*digests}) == len(digests)


def test_the_digest_does_not_change_from_version_to_version() -> None:
    """A cup may be verified years later. Worked out by hand from what digest.py says it covers."""
    lines = (
        '["touchline cup 1","' + hashlib.sha256(b"{}").hexdigest() + '"]\n'
        '["r0000-t0001",["ann","b"],7,"forfeited",[0],[1,null],[3,0],[1],[[1,2,"late","expel"]],"abc",false]\n'
    )
    pairing = replace(game(1), entrants=("ann", "b"), board=7)
    outcome = Outcome((0,), (1, None), (3, 0), "")
    fault = Fault(1, 2, Offence.LATE, "3.2 s", Sanction.EXPEL)
    one = finished(
        CLAIM,
        played=Played(pairing, "forfeited", (0,), (1, None), (3, 0), (1,), "late"),
        result=encode(Result(verdict="forfeited", outcome=outcome, reason="", turns=2, faults=(fault,))),
        digest="abc",
    )
    assert cup_digest(b"{}", [one]) == hashlib.sha256(lines.encode()).hexdigest()


def test_the_digest_is_of_one_moment(where: str, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is worked out others go on."""
    monkeypatch.setattr("touchline.tournament.ledger.shared.sql.PAGE", 3)
    ledger.schedule(games(30))
    claims = ledger.claim("w", 30, 60, NOW)
    ledger.finish([done(claim) for claim in claims[::2]], NOW)
    before = ledger.digest()
    with open_ledger(where) as other:
        undisturbed, left = rows.finished, [done(claim) for claim in claims[1::2]]

        def disturbed(row: rows.GameRow) -> Finished:
            other.finish(left, NOW)
            left.clear()
            return undisturbed(row)

        monkeypatch.setattr(rows, "finished", disturbed)
        assert ledger.digest() == before
        assert ledger.digest() != before


def test_the_order_in_which_games_are_finished_does_not_matter(ledger: Ledger, tmp_path: Any) -> None:
    ledger.create(SPEC)
    ledger.schedule(games(30))
    claims = ledger.claim("w", 30, 60, NOW)
    ledger.finish([done(claim) for claim in claims], NOW)
    with open_ledger(str(tmp_path / "other.db")) as other:
        other.create(SPEC)
        for part in (games(30)[20:], games(30)):
            other.schedule(part)
        other.claim("nobody", 5, 1, NOW)
        shuffled = other.claim("x", 30, 60, NOW + 2)
        Random(1).shuffle(shuffled)
        for claim in shuffled:
            assert other.digest() != ledger.digest()
            other.finish([done(claim, worker="x", seconds=3)], NOW + 5)
        assert other.digest() == ledger.digest()
        assert other.digest() == cup_digest(SPEC, other.results())
        other.void(game(3).id, "why", NOW)
        assert other.digest() != ledger.digest()
