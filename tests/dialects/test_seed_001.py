"""Fish by push: the order of what is told, requests that are rejected, turns that are skipped, and bans."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialects.fish_table import (
    EIGHT,
    FRAMES,
    FULL,
    NINE,
    First,
    Table,
    always,
    ended,
    everything,
    frames,
    heard_all,
    player,
    random_bots,
    spec_of,
    stood,
    when,
)
from touchline.core import messages
from touchline.core.conduct import Offence, Sanction
from touchline.core.errors import BadInput
from touchline.core.events import PassedOver
from touchline.core.happenings import Failed, Lapsed
from touchline.core.messages import Act, Garbled, Ready
from touchline.dialects import fish_calls, fish_course, fish_push
from touchline.dialects.base import SILENCE, Dialect, Refusal
from touchline.dialects.fish_push import DIALECT
from touchline.drivers.match import play_now
from touchline.games.fish import Fish, Place, Slide

if TYPE_CHECKING:
    from touchline.testing.in_memory_match import Reply

ONES = [[1, 1, 1]] * 3
RED, WHITE = FULL[::2], FULL[1::2]
TWELVE = Fish(rows=4, cols=3, fish=1)
SPEAKS: type[Dialect] = DIALECT


def update(*players: Any, phase: str = "placing", board: Any = ONES) -> list[Any]:
    return ["updateGameState", [{"players": [*players], "board": board, "phase": phase}]]


def placed(count: int) -> list[Any]:
    """What all are told when so many penguins stand, and not yet all."""
    red, white = player("red", *RED[: (count + 1) // 2]), player("white", *WHITE[: count // 2])
    return update(red, white) if count % 2 == 0 else update(white, red)


def test_about() -> None:
    """Its name, its conduct, and how long a move may take."""
    assert (DIALECT.name, DIALECT.games, DIALECT.conduct) == ("seed-001", ("fish",), "seed-001")
    assert (DIALECT.framing, DIALECT.per_move, DIALECT(NINE).owes) == ("values", 10_000_000, False)
    assert DIALECT.lingers


def test_a_whole_match_word_by_word() -> None:
    """Accepted, then one update to everybody, then the next one's turn; the start and the end, once each."""
    table = Table(spec_of(NINE, 2, "seed-001"), fish_push.DIALECT, [First(), First()])
    expected: list[Any] = [(0, placed(0)), (1, placed(0)), (0, ["notifyTurn", []])]
    for count in range(1, 8):
        mover = (count - 1) % 2
        expected += [
            (mover, ["acceptMove", []]),
            (0, placed(count)),
            (1, placed(count)),
            (1 - mover, ["notifyTurn", []]),
        ]
    all_stand = update(player("red", *RED), player("white", *WHITE), phase="moving")
    last = update(
        player("red", [0, 0], [2, 2], *RED[2:], score=1),
        player("white", *WHITE),
        phase="over",
        board=[[1, 1, 0], [1, 1, 1], [1, 1, 1]],
    )
    expected += [
        (1, ["acceptMove", []]),
        (0, all_stand),
        (0, ["notifyStartGame", []]),
        (1, all_stand),
        (1, ["notifyStartGame", []]),
        (0, ["notifyTurn", []]),
        (0, ["acceptMove", []]),
        (0, last),
        (0, ["notifyGameOver", []]),
        (1, last),
        (1, ["notifyGameOver", []]),
    ]
    assert table.all == expected
    assert table.result.verdict == "finished"
    assert [face.over for face in table.faces] == [True, True]


def test_the_bytes() -> None:
    """Compact JSON, one value a frame."""
    assert DIALECT(NINE).say(messages.Accepted(1)).frames == [b'["acceptMove",[]]']
    assert DIALECT(NINE).say(messages.Rejected(1, "no")).frames == [b'["rejectMove",["no"]]']
    (frame,) = DIALECT(EIGHT).say(messages.Begin(0, ("a", "b"), EIGHT.start(2, Random(1)))).frames
    players = b'[{"color":"red","score":0,"places":[]},{"color":"white","score":0,"places":[]}]'
    board = b"[[2,2,2,2],[2,2,2,2]]"
    assert frame == b'["updateGameState",[{"players":%s,"board":%s,"phase":"placing"}]]' % (players, board)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_are_what_the_rules_say(seats: int, seed: int) -> None:
    """Bots behind the dialect play the very match that they play without it, and everybody sees all of it."""
    spec = spec_of(Fish(rows=4, cols=5, holes=2), seats, "seed-001", seed)
    table = Table(spec, fish_push.DIALECT, random_bots(seats, seed))
    assert table.result == play_now(spec, random_bots(seats, seed))
    passed = [
        seat for event in table.dialogue.events if isinstance(event, PassedOver) for seat in event.seats
    ]
    for seat in range(seats):
        words = table.words(seat)
        mine = sum(moved.seat == seat for moved in table.moves)
        assert words.count("acceptMove") == words.count("notifyTurn") == mine
        assert words.count("updateGameState") == len(table.moves) + 1
        assert words.count("notifyStartGame") == 1
        assert table.sent[seat].count(["notifySkipped", ["no moves"]]) == passed.count(seat)
        assert words[-2:] == ["updateGameState", "notifyGameOver"]
        phases = [said[1][0]["phase"] for said in table.sent[seat] if said[0] == "updateGameState"]
        assert phases == sorted(phases, key=["placing", "moving", "over"].index)
        assert phases[-1] == "over"


def test_turns_without_a_move_do_come_up() -> None:
    """The matches above have turns that were passed over: a seat hears of each."""
    tables = [
        Table(spec_of(Fish(rows=4, cols=4), 3, "seed-001", seed), fish_push.DIALECT, random_bots(3, seed))
        for seed in range(5)
    ]
    assert any(["notifySkipped", ["no moves"]] in sent for table in tables for sent in table.sent)


def test_a_mixed_table() -> None:
    """Seats that speak three dialects play one match."""
    spec = spec_of(Fish(rows=4, cols=4), 3)
    table = Table(spec, [fish_push.DIALECT, fish_calls.DIALECT, fish_course.DIALECT], random_bots(3, 5))
    assert table.result == play_now(spec, random_bots(3, 5))


class ByHand:
    """A player with the note's own methods."""

    referee: Any

    def __init__(self) -> None:
        self.told: list[Any] = []

    def updateGameState(self, state: Any) -> None:  # noqa: N802
        self.state = state

    def notifyTurn(self) -> None:  # noqa: N802
        self.told.append("turn")
        if self.state["phase"] == "moving":
            self.referee.movePenguin([0, 2], [2, 2])
            return
        taken = [place for one in self.state["players"] for place in one["places"]]
        self.referee.placePenguin(next(tile for tile in FULL if tile not in taken))

    def acceptMove(self) -> None:  # noqa: N802
        self.told.append("accepted")

    def notifyStartGame(self) -> None:  # noqa: N802
        self.told.append("started")

    def notifyGameOver(self) -> None:  # noqa: N802
        self.told.append(self.state["phase"])


class Terse:
    """A player with no more than it needs."""

    updateGameState = ByHand.updateGameState  # noqa: N815
    notifyTurn = ByHand.notifyTurn  # noqa: N815

    def __init__(self) -> None:
        self.told: list[Any] = []


def test_a_player_with_the_methods_of_the_note() -> None:
    """An object with the note's methods plays; it need not have those that only tell it things."""
    red, white = ByHand(), Terse()
    table = Table(spec_of(NINE, 2, "seed-001"), fish_push.DIALECT, [red, white])
    assert table.result.outcome is not None
    assert table.result.outcome.winners == (0,)
    assert red.told == ["turn", "accepted"] * 4 + ["started", "turn", "accepted", "over"]
    assert table.faces[1].over


def request(*tile: int) -> bytes:
    return b'["placePenguin",[[%d,%d]]]' % tile


def odd_table(seat: int, *replies: Reply, count: int = 0, game: Fish = NINE) -> Table:
    """White, or red, does something else in one of its turns."""
    odd = {seat: when("notifyTurn", *replies, count=count)}
    return Table(spec_of(game, 2, "seed-001"), fish_push.DIALECT, [First(), First()], odd)


def between(table: Table, seat: int, turn: int) -> list[Any]:
    """What a seat was told after its turn of this number, but for updates, until the next one."""
    told = [said for said in table.sent[seat] if said[0] != "updateGameState"]
    starts = [at for at, said in enumerate(told) if said == ["notifyTurn", []]]
    return told[starts[turn] + 1 : [*starts, len(told)][turn + 1]]


OFF = ["rejectMove", ["there is no tile at row 7, column 7"]]


def test_a_rejected_request() -> None:
    """Nothing has changed, the turn lasts, and is not announced again: the next request is taken."""
    table = odd_table(1, request(7, 7), request(0, 0), request(0, 1))
    taken = ["rejectMove", ["a penguin is there already"]]
    assert between(table, 1, 0) == [OFF, taken, ["acceptMove", []]]
    assert [fault.sanction for fault in table.result.faults] == [Sanction.RETRY] * 2
    assert table.result.verdict == "finished"
    assert table.words(0).count("updateGameState") == 10  # nobody hears of a rejection


def test_a_request_of_the_other_phase() -> None:
    """Nobody moves a penguin before all stand: that is a request, and an invalid one."""
    table = odd_table(0, b'["movePenguin",[[0,0],[2,0]]]', request(0, 0))
    assert between(table, 0, 0) == [
        ["rejectMove", ["penguins are still being placed"]],
        ["acceptMove", []],
    ]


def test_the_third_rejection_costs_the_turn() -> None:
    """It is a rejection like the others, and then the turn is skipped, which everybody sees."""
    table = odd_table(1, *[request(7, 7)] * 3)
    assert between(table, 1, 0) == [OFF, OFF, OFF, ["notifySkipped", OFF[1]]]
    assert table.result.expelled == ()
    after = table.sent[0]
    at = after.index(["notifyTurn", []], 3)
    assert after[at - 1] == update(player("red", [0, 0]), player("white"))


def test_a_request_out_of_turn() -> None:
    """It is rejected, and nobody else hears of it."""
    table = odd_table(0, request(0, 0), request(0, 2))
    assert between(table, 0, 0) == [["acceptMove", []], ["rejectMove", ["not your turn"]]]
    assert [fault.offence for fault in table.result.faults] == [Offence.OUT_OF_TURN]


def test_the_tenth_request_out_of_turn_is_a_ban() -> None:
    """Nine are rejected."""
    nine = odd_table(0, request(0, 0), *[b"nonsense"] * 9)
    assert nine.result.expelled == ()
    ten = odd_table(0, request(0, 0), *[b"nonsense"] * 10)
    assert ten.result.expelled == (0,)
    *rejected, banned = between(ten, 0, 0)[1:]
    assert rejected == [["rejectMove", ["not your turn"]]] * 9
    assert banned == ["notifyBanned", ["out_of_turn: it is not your turn"]]
    assert ten.sent[0][-1] == banned
    assert ten.faces[0].over


def test_a_request_before_the_first_turn() -> None:
    """It is out of turn too, whoever is being seated."""
    odd = {1: when("updateGameState", request(0, 0))}
    table = Table(spec_of(NINE, 2, "seed-001"), fish_push.DIALECT, [First(), First()], odd)
    assert table.sent[1][1] == ["rejectMove", ["not your turn"]]
    assert table.result.verdict == "finished"


def test_late() -> None:
    """A turn is skipped when it took too long; the next one is as good as any."""
    table = odd_table(1, Lapsed(1))
    assert between(table, 1, 0) == [["notifySkipped", ["took too long"]]]
    assert between(table, 1, 1) == [["acceptMove", []]]
    assert table.result.expelled == ()
    assert [fault.offence for fault in table.result.faults] == [Offence.LATE]


def test_a_request_that_comes_too_late() -> None:
    """The turn is somebody else's then, so it is rejected, and does not pass for one in the next turn."""
    late = when("notifySkipped", request(0, 2))
    silent = when("notifyTurn", Lapsed(1))
    odd = {1: lambda said: late(said) if said[0] == "notifySkipped" else silent(said)}
    table = Table(spec_of(NINE, 2, "seed-001"), fish_push.DIALECT, [First(), First()], odd)
    assert between(table, 1, 0) == [["notifySkipped", ["took too long"]], ["rejectMove", ["not your turn"]]]
    assert between(table, 1, 1) == [["acceptMove", []]]
    offences = [fault.offence for fault in table.result.faults]
    assert offences == [Offence.LATE, Offence.OUT_OF_TURN]


def test_the_third_late_turn_in_a_row_is_a_ban() -> None:
    """The first two are skipped."""
    odd = {1: always("notifyTurn", Lapsed(1))}
    table = Table(spec_of(NINE, 2, "seed-001"), fish_push.DIALECT, [First(), First()], odd)
    told = [said for said in table.sent[1] if said[0] not in ("updateGameState", "notifyTurn")]
    skipped = ["notifySkipped", ["took too long"]]
    assert told == [skipped, skipped, ["notifyBanned", ["late: no answer in time"]]]
    assert table.result.expelled == (1,)


@pytest.mark.parametrize(
    "frame",
    [b"nonsense", b"[]", b'["placePenguin",[[0.0,1]]]', b'["fly",[]]', b'["acceptMove",[]]', b"[7,7]"],
)
def test_malformed(frame: bytes) -> None:
    """It is rejected with a reason; the third in a row is a ban."""
    table = odd_table(1, frame, frame, request(0, 1))
    told = between(table, 1, 0)
    assert [said[0] for said in told] == ["rejectMove", "rejectMove", "acceptMove"]
    assert told[0][1][0]
    banned = odd_table(1, frame, frame, frame)
    assert [said[0] for said in between(banned, 1, 0)] == ["rejectMove", "rejectMove", "notifyBanned"]
    assert banned.result.expelled == (1,)


def test_gone() -> None:
    """Who is gone is banned: its penguins leave, and the others see it."""
    table = odd_table(1, Failed(1, Offence.GONE, "hung up"), count=1)
    assert table.result.expelled == (1,)
    assert update(player("red", [0, 0], [0, 2])) in table.sent[0]
    assert table.words(0)[-1] == "notifyGameOver"


def test_a_banned_player_is_rejected() -> None:
    """ "Once this method has been invoked, the referee should reject all requests from the banned player"."""
    dialect = DIALECT(NINE)
    assert frames(dialect.say(messages.Expelled("flood", Offence.FLOOD))) == [["notifyBanned", ["flood"]]]
    for frame in (request(0, 0), b"nonsense", b""):
        exchange = dialect.hear(frame)
        assert frames(exchange) == [["rejectMove", ["banned"]]]
        assert exchange.said == ()


def test_the_start_is_told_once() -> None:
    """When all stand, with the first state that says so, or with the first turn if there was none."""
    start, turn = ["notifyStartGame", []], ["notifyTurn", []]
    dialect = DIALECT(NINE)
    assert frames(dialect.say(messages.Update(1, NINE.start(2, Random(1)))))[1:] == []
    assert frames(dialect.say(messages.Update(8, stood())))[1:] == [start]
    assert frames(dialect.say(messages.Update(9, stood())))[1:] == []
    assert frames(dialect.say(messages.YourTurn(9, stood(), None))) == [turn]
    blind = DIALECT(NINE)
    assert frames(blind.say(messages.YourTurn(8, stood(), None))) == [start, turn]
    assert blind.say(messages.YourTurn(8, stood(), None)) == SILENCE
    assert frames(blind.say(messages.Update(9, stood())))[1:] == []


def test_a_game_that_is_over_when_all_stand() -> None:
    """It has started when all stand, and ends at once."""
    table = Table(spec_of(EIGHT, 2, "seed-001"), fish_push.DIALECT, [First(), First()])
    for seat in range(2):
        assert table.words(seat).count("notifyStartGame") == 1
        assert table.words(seat)[-3:] == ["notifyStartGame", "updateGameState", "notifyGameOver"]
        assert table.sent[seat][-2][1][0]["phase"] == "over"
        assert table.words(seat).count("updateGameState") == 9


def test_the_start_after_a_ban_that_leaves_all_standing() -> None:
    """A ban may be what all penguins stand after."""
    table = odd_table(1, Failed(1, Offence.GONE, "hung up"), count=3, game=TWELVE)
    assert table.words(0).count("notifyStartGame") == 1
    at = table.words(0).index("notifyStartGame")
    assert table.sent[0][at - 1][1][0]["phase"] == "moving"
    assert table.sent[0][at + 1] == ["notifyTurn", []]


def test_a_match_that_broke_off() -> None:
    """It is over for the players, whatever stands."""
    dialect = DIALECT(NINE)
    dialect.say(messages.Update(8, stood()))
    state, over = frames(dialect.say(messages.Over(stood(), "void", None, "broken")))
    assert state[1][0]["phase"] == "over"
    assert over == ["notifyGameOver", []]


def test_requests() -> None:
    """Requests have no turn, but one after a turn that took too long: it is about the turn that it is now."""
    dialect = DIALECT(NINE)
    begin = messages.Begin(0, ("a", "b"), NINE.start(2, Random(1)))
    assert dialect.say(begin).said == [Ready(updates=True)]
    assert dialect.hear(b' ["placePenguin", [[1, 2]]]\n').said == [Act(Place((1, 2)))]
    assert dialect.hear(b'["movePenguin",[[0,2],[-2,2]]]').said == [Act(Slide((0, 2), (-2, 2)))]
    dialect.say(messages.Skipped(4, "slow", Offence.LATE))
    dialect.say(messages.Update(5, begin.view))
    assert dialect.hear(request(1, 2)).said == [Act(Place((1, 2)), 5)]
    assert dialect.hear(request(1, 2)).said == [Act(Place((1, 2)))]
    (garbled,) = dialect.hear(b"[]").said
    assert isinstance(garbled, Garbled)


def test_every_message_can_be_said() -> None:
    """In any order."""
    view = NINE.start(2, Random(1))
    dialect = DIALECT(NINE)
    for message in [*everything(view), messages.Over(ended(), "finished", None, "")]:
        DIALECT(NINE).say(message)
        dialect.say(message)


@settings(deadline=None)
@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_whatever_is_sent(sent: list[bytes]) -> None:
    """Nothing that a player sends raises, or takes long to read."""
    heard_all(DIALECT(NINE), NINE.start(2, Random(1)), sent)


def test_names() -> None:
    """As in the other note's dialect: a JSON string of 1 to 32 printable characters."""
    assert DIALECT.read_sign_up(DIALECT.face(First()).sign_up("Ada Lovelace")[0]).name == "Ada Lovelace"
    with pytest.raises(Refusal):
        DIALECT.read_sign_up(b'["Ada"]')


def test_the_face_alone() -> None:
    """It passes over what it does not know, ignores more than it needs, and has a last word."""
    face = DIALECT.face(ByHand(), rng=Random(1))
    assert face.hear(b'["notifyPlayAs",["red"]]') == []
    assert face.hear(b'["updateGameState",[{"players":[],"board":[],"phase":"placing"},7]]') == []
    assert face.hear(b'["notifyTurn",[true]]') == [b'["placePenguin",[[0,0]]]']
    assert face.hear(b'["notifySkipped",["no moves"]]') == []
    assert not face.over
    assert face.hear(b'["notifyBanned",["why"]]') == []
    assert face.over
    with pytest.raises(BadInput):
        face.hear(b"nonsense")
    with pytest.raises(BadInput):
        DIALECT.face(First()).hear(b'["notifyTurn",[]]')
