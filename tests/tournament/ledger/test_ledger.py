"""What a ledger promises, one promise at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from touchline.core.errors import BadInput, TouchlineError, UnknownName
from touchline.tournament.ledger import Claim, Conflict, Counts, LogEntry, cup_digest, open_ledger
from touchline.tournament.pairing import Pairing
from tournament.ledger.ledgers import NOW, SPEC, done, game, games, record_of

if TYPE_CHECKING:
    from touchline.tournament.ledger import Ledger


def claimed(ledger: Ledger, count: int = 1, worker: str = "w", now: float = NOW) -> list[Claim]:
    claims = ledger.claim(worker, count, 60, now)
    assert len(claims) == count
    return claims


def test_a_cup_is_set_once(ledger: Ledger) -> None:
    assert ledger.spec() is None
    ledger.create(SPEC)
    ledger.create(SPEC)
    with pytest.raises(Conflict, match="another cup"):
        ledger.create(SPEC + b" ")
    assert ledger.spec() == SPEC


def test_everything_is_there_when_it_is_opened_again(where: str) -> None:
    with open_ledger(where) as first:
        first.create(SPEC)
        first.schedule(games(3))
        first.finish([done(claimed(first)[0])], NOW)
        first.note("eject", "ann", "asleep", NOW)
        before = first.digest()
    with open_ledger(where) as second:
        assert second.spec() == SPEC
        assert [one.id for one in second.results()] == [game(0).id]
        assert second.digest() == before
        assert second.log() == [LogEntry(NOW, "eject", "ann", "asleep")]


def test_games_are_scheduled_once(ledger: Ledger) -> None:
    assert ledger.schedule(games(25)) == 25
    assert ledger.schedule(games(27)) == 2
    assert ledger.schedule([]) == 0
    assert ledger.schedule([game(3), game(3), game(3, attempt=1), game(3, attempt=1)]) == 1
    assert [*ledger.unfinished()] == sorted([*games(27), game(3, attempt=1)])


@pytest.mark.parametrize("change", [{"entrants": ("böb", "ann")}, {"board": 99}])
def test_a_game_of_the_same_id_is_the_same_game(ledger: Ledger, change: dict[str, object]) -> None:
    ledger.schedule([game(1)])
    with pytest.raises(Conflict, match="r0000-t0001 is ann against böb on board 0"):
        ledger.schedule([game(0), replace(game(1), **change)])
    with pytest.raises(Conflict):
        ledger.schedule([game(2), replace(game(2), **change)])
    assert [*ledger.unfinished()] == [game(1)], "none of them was entered"


def test_games_are_claimed_in_order(ledger: Ledger) -> None:
    ledger.schedule([Pairing(10_000, 0, ("a", "b"), 0), Pairing(9_999, 10_000, ("a", "b"), 0)])
    ledger.schedule([Pairing(9_999, 9_999, ("a", "b", "c"), 0, attempt) for attempt in (10, 9, 0)])
    order = [(c.pairing.round, c.pairing.table, c.pairing.attempt) for c in ledger.claim("w", 9, 60, NOW)]
    assert order == [
        (9_999, 9_999, 0),
        (9_999, 9_999, 9),
        (9_999, 9_999, 10),
        (9_999, 10_000, 0),
        (10_000, 0, 0),
    ]


def test_a_claimed_game_is_nobody_elses_until_the_lease_is_over(ledger: Ledger) -> None:
    ledger.schedule(games(3))
    (first,) = claimed(ledger)
    assert first == Claim(game(0), 1)
    assert [claim.id for claim in ledger.claim("x", 9, 60, NOW + 59)] == [game(1).id, game(2).id]
    assert ledger.claim("y", 9, 60, NOW + 59.9) == []
    assert ledger.claim("y", 9, 60, NOW + 60) == [Claim(game(0), 2)]
    assert ledger.claim("z", 0, 60, NOW + 999) == []
    assert ledger.claim("z", -1, 60, NOW + 999) == []


def test_a_claim_can_be_renewed_while_it_holds(ledger: Ledger) -> None:
    ledger.schedule(games(3))
    lost, kept, finished = claimed(ledger, 3)
    assert ledger.renew([kept, finished], 60, NOW + 50) == [kept.id, finished.id]
    assert ledger.claim("x", 9, 60, NOW + 70) == [Claim(lost.pairing, 2)]
    ledger.finish([done(finished)], NOW)
    assert ledger.renew([lost, kept, kept, finished, Claim(game(8), 1)], 60, NOW + 70) == [kept.id]


def test_a_lapsed_claim_holds_while_nobody_else_wants_the_game(ledger: Ledger) -> None:
    ledger.schedule(games(2))
    late, later = claimed(ledger, 2)
    assert ledger.finish([done(late)], NOW + 1000) == [late.id]
    assert ledger.renew([later], 60, NOW + 1000) == [later.id]
    assert ledger.claim("x", 9, 60, NOW + 1059) == []


def test_a_game_that_is_taken_over_is_free_and_its_claim_is_worth_nothing(ledger: Ledger) -> None:
    ledger.schedule(games(2))
    first, second = claimed(ledger, 2)
    ledger.finish([done(second)], NOW)
    ledger.take_over()
    assert ledger.finish([done(first)], NOW) == []
    (again,) = ledger.claim("x", 9, 60, NOW)
    assert again.id == first.id
    assert again.fence > first.fence
    assert ledger.finish([done(again), done(first)], NOW) == [again.id]


def test_a_result_comes_back_as_it_was_given(ledger: Ledger) -> None:
    ledger.schedule(games(1))
    given = done(claimed(ledger)[0], worker="\N{SNOWMAN}", seconds=1.25)
    assert ledger.finish([given], NOW + 7) == [given.id]
    (back,) = ledger.results()
    assert (back.played, back.result, back.digest) == (given.played, given.result, given.digest)
    assert (back.worker, back.seconds, back.oversubscribed) == ("\N{SNOWMAN}", 1.25, True)
    assert (back.at, back.voided) == (NOW + 7, None)
    assert ledger.record(given.id) == given.record == record_of(game(0))
    assert [*ledger.unfinished()] == []


def test_what_is_not_taken_changes_nothing(ledger: Ledger) -> None:
    ledger.schedule(games(4))
    stale, finished, good, other = claimed(ledger, 4)
    (fresh,) = ledger.claim("x", 1, 60, NOW + 60)
    ledger.finish([done(finished)], NOW)
    unknown = Claim(game(77), 1)
    changed = Claim(replace(other.pairing, board=5), other.fence)
    batch = [done(one) for one in (stale, unknown, changed, good)] + [done(finished, fence=2)]
    assert fresh.id == stale.id
    assert ledger.finish(batch, NOW) == [good.id]
    assert [one.id for one in ledger.results()] == [finished.id, good.id]
    for missing in (stale.id, unknown.id, other.id):
        with pytest.raises(UnknownName):
            ledger.record(missing)
    assert ledger.log() == [], "none of this contradicts what is there"


def test_the_good_claim_counts_whatever_comes_before_it_in_a_batch(ledger: Ledger) -> None:
    ledger.schedule(games(1))
    (stale,) = claimed(ledger)
    (good,) = ledger.claim("x", 1, 60, NOW + 60)
    assert ledger.finish([done(stale, "a"), done(good, "b"), done(stale, "b")], NOW) == [good.id]
    assert ledger.record(good.id) == record_of(game(0), "b")


def test_asking_again_is_no_harm(ledger: Ledger) -> None:
    """As after a connection that was lost while it committed."""
    ledger.schedule(games(2))
    first, second = claimed(ledger, 2)
    assert ledger.finish([done(first)], NOW) == [first.id]
    assert ledger.finish([done(first), done(second)], NOW + 1) == [first.id, second.id]
    assert [one.at for one in ledger.results()] == [NOW, NOW + 1]


def test_the_first_result_stays_and_another_one_is_logged(ledger: Ledger) -> None:
    ledger.schedule(games(1))
    (claim,) = claimed(ledger)
    ledger.finish([done(claim, "a")], NOW)
    assert ledger.finish([done(claim, "b", worker="x")], NOW + 1) == []
    assert ledger.record(claim.id) == record_of(game(0), "a")
    (act,) = ledger.log()
    assert (act.at, act.act, act.about) == (NOW + 1, "conflict", claim.id)
    assert "x sent a different result" in act.why


def test_a_result_that_is_none_is_refused_before_anything_is_written(ledger: Ledger) -> None:
    ledger.schedule(games(2))
    good, bad = claimed(ledger, 2)
    with pytest.raises(BadInput, match=f"the result of {bad.id} is malformed"):
        ledger.finish([done(good), replace(done(bad), result=b'{"verdict":"won"}')], NOW)
    assert [*ledger.results()] == []


def test_void_keeps_what_was_played(ledger: Ledger) -> None:
    ledger.schedule(games(2))
    (claim,) = claimed(ledger)
    ledger.finish([done(claim)], NOW)
    assert ledger.void(claim.id, "the clock was wrong", NOW + 1)
    assert not ledger.void(claim.id, "again", NOW + 2)
    (one,) = ledger.results()
    assert one.voided == "the clock was wrong"
    assert one.played == done(claim).played
    assert ledger.record(claim.id) == record_of(game(0))
    assert ledger.log() == [LogEntry(NOW + 1, "void", claim.id, "the clock was wrong")]
    with pytest.raises(Conflict, match="not finished"):
        ledger.void(game(1).id, "why not", NOW)
    with pytest.raises(UnknownName, match="r0007-t0007"):
        ledger.void(game(77).id, "why not", NOW)
    assert ledger.schedule([game(0, attempt=1)]) == 1
    assert ledger.claim("w", 1, 60, NOW) == [Claim(game(0, attempt=1), 1)]


def test_while_paused_nothing_is_claimed_but_games_can_finish(ledger: Ledger) -> None:
    ledger.schedule(games(2))
    (claim,) = claimed(ledger)
    assert ledger.paused() is None
    ledger.note("pause", "", "lunch", NOW)
    ledger.note("eject", "ann", "asleep", NOW)
    assert ledger.paused() == "lunch"
    assert ledger.claim("x", 9, 60, NOW) == []
    assert ledger.finish([done(claim)], NOW) == [claim.id]
    ledger.note("go on", "", "lunch is over", NOW + 1)
    assert ledger.paused() is None
    assert len(ledger.claim("x", 9, 60, NOW)) == 1
    assert [act.act for act in ledger.log()] == ["pause", "eject", "go on"]


def test_words_that_a_database_cannot_hold_are_made_plain(ledger: Ledger) -> None:
    ledger.schedule(games(1))
    (claim,) = ledger.claim("w\0\ud800", 1, 60, NOW)
    ledger.finish([done(claim, worker="w\0\ud800")], NOW)
    ledger.void(claim.id, "\udc80", NOW)
    ledger.note("eject", "\0", "\ud800", NOW)
    (one,) = ledger.results()
    assert (one.worker, one.voided) == ("w??", "?")
    assert ledger.log()[-1] == LogEntry(NOW, "eject", "?", "?")


def test_counts(ledger: Ledger) -> None:
    nothing = {"finished": 0, "forfeited": 0, "void": 0}
    assert ledger.counts(NOW) == Counts(due=0, claimed=0, done=0, voided=0, verdicts=nothing)
    ledger.schedule(games(10))
    first, second, third, fourth, *_ = claimed(ledger, 6)
    forfeited, void = done(second), done(third)
    forfeited = replace(forfeited, played=replace(forfeited.played, verdict="forfeited"))
    void = replace(void, played=replace(void.played, verdict="void"))
    ledger.finish([done(first), forfeited, void, done(fourth)], NOW)
    ledger.void(fourth.id, "why", NOW)
    verdicts = {"finished": 1, "forfeited": 1, "void": 1}
    assert ledger.counts(NOW) == Counts(due=4, claimed=2, done=4, voided=1, verdicts=verdicts)
    assert ledger.counts(NOW + 60) == Counts(due=6, claimed=0, done=4, voided=1, verdicts=verdicts)


def test_more_than_a_page_of_games(ledger: Ledger) -> None:
    every = games(2_345)
    assert ledger.schedule(every[::-1]) == 2_345
    assert ledger.schedule(every) == 0
    assert [*ledger.unfinished()] == every
    claims = claimed(ledger, 2_345)
    assert ledger.renew(claims, 60, NOW) == [one.id for one in every]
    ledger.finish([done(claim) for claim in claims[:1_000]], NOW)
    ledger.take_over()
    assert ledger.finish([done(claim) for claim in claims], NOW) == [one.id for one in every[:1_000]]
    assert ledger.finish([done(claim) for claim in claimed(ledger, 1_345)], NOW) == [
        g.id for g in every[1_000:]
    ]
    results = [*ledger.results()]
    assert [one.played.pairing for one in results] == every
    assert ledger.digest() == cup_digest(b"", results)


def test_reading_goes_on_while_others_write(where: str, ledger: Ledger) -> None:
    ledger.schedule(games(3_000))
    claims = claimed(ledger, 3_000)
    ledger.finish([done(claim) for claim in claims[::2]], NOW)
    with open_ledger(where, readonly=True) as reader:
        reading = reader.results()
        seen = [next(reading).id]
        ledger.finish([done(claim) for claim in claims[1::2]], NOW)
        ledger.void(claims[0].id, "late", NOW)
        seen += [one.id for one in reading]
        assert seen == sorted({*seen}), "in order, and none twice"
        assert {claim.id for claim in claims[::2]} <= {*seen}
        assert reader.counts(NOW).done == 3_000
        assert reader.digest() == ledger.digest()


def test_a_reader_cannot_write(where: str, ledger: Ledger) -> None:
    ledger.schedule(games(1))
    with open_ledger(where, readonly=True) as reader:
        for attempt in (
            lambda: reader.schedule(games(2)),
            lambda: reader.claim("w", 1, 60, NOW),
            lambda: reader.note("pause", "", "", NOW),
        ):
            with pytest.raises(TouchlineError, match="is read-only"):
                attempt()
        assert [*reader.unfinished()] == games(1)


def test_a_reader_makes_no_ledger(where: str) -> None:
    with pytest.raises(BadInput, match="there is no"):
        open_ledger(where, readonly=True)
    with open_ledger(where) as made:
        assert made.spec() is None


def test_a_closed_ledger_opens_by_itself(ledger: Ledger) -> None:
    ledger.create(SPEC)
    ledger.close()
    ledger.close()
    assert ledger.spec() == SPEC
