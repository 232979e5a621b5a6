"""Clients written from the notes alone play whole games at the real server, with offenders among them."""

import select
from dataclasses import dataclass, replace
from typing import Any

import pytest

from notes import client_000, client_001, client_002, client_003, client_004
from notes.server_process import finish, serve
from notes.wire import DEADLINE, Client, Closed, Wire

NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay")


@dataclass
class Game:
    """One match: its seats, the options of the server, and who commits which offence in which turn."""

    seats: int
    options: tuple[object, ...]
    offender: int | None = None
    offence: str | None = None
    turn: int = 0
    passing: tuple[int, ...] = ()  # Seats that always pass.
    proposals: tuple[str, ...] = ()  # What the seats propose, in turn; otherwise good boards.
    status: str = "TREASURE_RETURNED"
    dawdling: int | None = None  # A seat that takes half a second to answer "void".
    pause: float = 0.0  # Seconds before an answer, so that an offence out of turn is judged first.

    def part(self, seat: int) -> tuple[str | None, int]:
        """Return the offence of a seat and its turn."""
        return (self.offence, self.turn) if seat == self.offender else (None, 0)

    def expelled(self, offences: tuple[str, ...]) -> list[str]:
        """Return the names of those who are expelled, where these offences cost the seat."""
        return [NAMES[self.offender]] if self.offender is not None and self.offence in offences else []

    def __str__(self) -> str:
        """Describe the game in the name of its test."""
        return " ".join([f"{self.seats} seats, {self.offence or 'all honest'},", *map(str, self.options)])


def play(game: str, dialect: str, match: Game, sit: Any) -> tuple[list[Any], Any]:
    """Play one match, and return its clients in order of their seats, and the result that was printed."""
    clients: list[Client] = []
    with serve(game, dialect, "--seats", match.seats, *match.options) as server:
        try:
            for seat in range(match.seats):
                clients.append(sit(server.port, seat))
            finish(clients)
            printed = server.line()
        finally:
            for client in clients:
                client.wire.close()
    for client in clients:
        assert not client.violations, report(client)
        assert client.committed == (client.offence is not None), f"{client.name} never got to its offence"
    clients.sort(key=lambda client: printed["names"].index(client.name))
    return clients, printed["result"]


def report(client: Client) -> str:
    """Return the violations that a client noticed, and the end of its transcript."""
    return "\n".join([client.name, *client.violations, *client.wire.transcript[-12:]])


FISH_000 = [
    Game(2, ("--seed", 1)),
    Game(3, ("--seed", 2, "--rows", 4, "--cols", 4)),
    Game(4, ("--seed", 3, "--rows", 6, "--cols", 3, "--holes", 3)),
    Game(2, ("--seed", 4, "--board", "[[1,2,3,4,5],[5,0,3,2],[1,1,1],[2,2,2,2,2]]")),
    Game(3, ("--seed", 5), offender=1, offence="illegal"),
    Game(4, ("--seed", 6, "--rows", 6, "--cols", 6), offender=3, offence="malformed", turn=3),
    Game(2, ("--seed", 7), offender=0, offence="unreadable", turn=5),
    Game(3, ("--seed", 8, "--seconds", 2), offender=2, offence="late", turn=4),
    Game(4, ("--seed", 9), offender=0, offence="gone", turn=1),
    Game(3, ("--seed", 10), offender=0, offence="out-of-turn", turn=2),
    Game(4, ("--seed", 11), offender=2, offence="bad-initialize"),
]


@pytest.mark.slow
@pytest.mark.parametrize("match", FISH_000, ids=str)
def test_games_of_note_000(match: Game) -> None:
    """Every honest player hears finalize with the right winners, and a kicked one terminate."""
    table = client_000.Table()

    def sit(port: int, seat: int) -> Client:
        client = client_000.Client000(port, NAMES[seat], seat, *match.part(seat))
        client.table = table
        client.wire.send(client.name)
        return client

    clients, result = play("fish", "seed-000", match, sit)
    for client in clients:
        if client.offence is None:
            assert client.last_words == ["finalize"]
        elif client.offence != "gone":
            assert client.last_words == [["terminate", []]]
    seats = [client_000.COLORS.index(color) for color in table.winners()]
    assert [clients[seat].color for seat in seats] == table.winners()
    assert result["verdict"] == "finished"
    assert result["outcome"]["winners"] == seats
    assert result["expelled"] == [client_000.COLORS.index(color) for color in table.kicked]


LARGE = ("--rows", 6, "--cols", 6)
FISH_001 = [
    Game(2, ("--seed", 1)),
    Game(3, ("--seed", 2, "--rows", 4, "--cols", 4, "--holes", 2)),
    Game(4, ("--seed", 3, "--rows", 3, "--cols", 4)),
    Game(2, ("--board", "[[1,2,3,4],[5,1,2,3]]")),
    Game(2, ("--seed", 5, *LARGE), offender=1, offence="illegal", turn=5),
    Game(3, ("--seed", 6), offender=0, offence="illegal-thrice", turn=1),
    Game(4, ("--seed", 7, *LARGE), offender=2, offence="malformed", turn=2),
    Game(3, ("--seed", 8), offender=2, offence="malformed-thrice", turn=1),
    Game(2, ("--seed", 9, *LARGE), offender=0, offence="unreadable", turn=2),
    Game(3, ("--seed", 10, "--seconds", 1.5), offender=1, offence="late", turn=0),
    Game(2, ("--seed", 11, *LARGE, "--seconds", 1.5), offender=0, offence="late-thrice", turn=4),
    Game(3, ("--seed", 12), offender=0, offence="out-of-turn", turn=1, pause=0.2),
    Game(4, ("--seed", 13), offender=1, offence="out-of-turn-often", turn=1, pause=0.2),
    Game(4, ("--seed", 14), offender=3, offence="gone", turn=1),
]
BANS = ("malformed-thrice", "late-thrice", "out-of-turn-often", "gone")


@pytest.mark.slow
@pytest.mark.parametrize("match", FISH_001, ids=str)
def test_games_of_note_001(match: Game) -> None:
    """Every player hears the script of its note, a banned one that its requests are rejected."""
    table = client_001.Table()

    def sit(port: int, seat: int) -> Client:
        client = client_001.Client001(port, NAMES[seat], seat, *match.part(seat))
        client.table, client.pause = table, match.pause
        client.wire.send(client.name)
        return client

    clients, result = play("fish", "seed-001", match, sit)
    for client in clients:
        if client.offence not in BANS:
            assert client.last_words[0][1][0]["phase"] == "over"
            assert client.last_words[1] == ["notifyGameOver", []]
        elif client.offence != "gone":
            assert client.last_words[0][0] == "notifyBanned"
            assert client.last_words[1] == ["rejectMove", ["banned"]]
    assert result["verdict"] == "finished"
    assert [clients[seat].color for seat in result["outcome"]["winners"]] == table.winners()
    assert [clients[seat].name for seat in result["expelled"]] == match.expelled(BANS)


HEXAPAWN = [
    (5, 5, Game(2, ())),
    (3, 3, Game(2, ())),
    (2, 1, Game(2, ())),
    (8, 8, Game(2, ())),
    (4, 6, Game(2, (), offender=0, offence="illegal", turn=1)),
    (5, 5, Game(2, (), offender=1, offence="malformed", turn=0)),
    (6, 4, Game(2, (), offender=0, offence="unreadable", turn=0)),
    (5, 5, Game(2, (), offender=1, offence="illegal-twice", turn=1)),
    (4, 4, Game(2, (), offender=0, offence="malformed-twice", turn=0)),
    (7, 3, Game(2, (), offender=1, offence="unreadable-twice", turn=1)),
    (5, 5, Game(2, (), offender=0, offence="out-of-turn", turn=0)),
    (6, 6, Game(2, (), offender=1, offence="out-of-turn", turn=1)),
    (5, 5, Game(2, ("--seconds", 2), offender=1, offence="late", turn=0)),
    (4, 5, Game(2, (), offender=0, offence="gone", turn=1)),
]
LOST = ("illegal-twice", "malformed-twice", "unreadable-twice", "out-of-turn", "late", "gone")


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "match"), HEXAPAWN, ids=str)
def test_games_of_note_002(rows: int, columns: int, match: Game) -> None:
    """Both players hear gameEnded with the winner that their own rules name."""
    table = client_002.Table(rows, columns)

    def sit(port: int, seat: int) -> Client:
        client = client_002.Client002(port, NAMES[seat], 10 * rows + columns + seat, *match.part(seat))
        client.table = table
        client.wire.send_text(client.name + "\n")
        return client

    sized = replace(match, options=(*match.options, "--rows", rows, "--cols", columns))
    clients, result = play("hexapawn", "seed-002", sized, sit)
    for seat, client in enumerate(clients):
        assert client.seat in (None, f"p{seat + 1}")
        if client.offence != "gone":
            assert client.last_words == [f"gameEnded(winner:{table.winner})"]
    assert result["verdict"] == ("forfeited" if match.offence in LOST else "finished")
    assert [f"p{seat + 1}" for seat in result["outcome"]["winners"]] == [table.winner]


@pytest.mark.slow
def test_a_void_match_of_note_002_names_no_winner() -> None:
    """Both players of a match that is broken off hear gameEnded(winner:none)."""
    table = client_002.Table(5, 5)
    with serve("hexapawn", "seed-002", "--seconds", 600, "--grace", 0.1) as server:
        wires = [Wire("127.0.0.1", server.port) for _ in range(2)]
        try:
            for wire, name in zip(wires, NAMES, strict=False):
                wire.send_text(name + "\n")
            asked, _, _ = select.select([wire.socket for wire in wires], [], [], DEADLINE)
            [p1] = [wire for wire in wires if wire.socket in asked]
            assert p1.read_line() == table.request()
            server.process.terminate()
            for wire in wires:
                assert wire.read_line() == "gameEnded(winner:none)"
        finally:
            for wire in wires:
                wire.close()


LABYRINTH_003 = [
    Game(2, ("--seed", 1)),
    Game(3, ("--seed", 2, "--rows", 3, "--cols", 7)),
    Game(6, ("--seed", 3)),
    Game(4, ("--seed", 4, "--rows", 6, "--cols", 5), passing=(0, 2)),
    Game(3, ("--seed", 5), passing=(0, 1, 2)),
    Game(2, ("--seed", 6, "--rows", 3, "--cols", 5), dawdling=1),
    Game(3, ("--seed", 7), offender=0, offence="stay", turn=1),
    Game(4, ("--seed", 8), offender=2, offence="undo", turn=1),
    Game(2, ("--seed", 9), offender=1, offence="odd-line"),
    Game(5, ("--seed", 10), offender=4, offence="malformed", turn=1),
    Game(3, ("--seed", 11), offender=1, offence="unreadable", turn=0),
    Game(3, ("--seed", 12, "--seconds", 2), offender=2, offence="late", turn=1),
    Game(4, ("--seed", 13), offender=3, offence="gone", turn=1),
    Game(3, ("--seed", 14), offender=0, offence="out-of-turn", turn=0, pause=0.2),
    Game(4, ("--seed", 15), offender=1, offence="bad-void"),
]


@pytest.mark.slow
@pytest.mark.parametrize("match", LABYRINTH_003, ids=str)
def test_games_of_note_003(match: Game) -> None:
    """Every player is told every state and the right winner, and a kicked one nothing more."""
    table = client_003.Table()
    table.held = match.offence is not None

    def sit(port: int, seat: int) -> Client:
        client = client_003.Client003(port, NAMES[seat], seat, *match.part(seat))
        client.table, client.pause = table, match.pause
        client.limit = 2000 if match.offence == "late" else 4000
        client.strategy = "pass" if seat in match.passing else "seek"
        client.dawdle = 0.5 if seat == match.dawdling else 0.0
        client.wire.send(client.name)
        return client

    clients, result = play("labyrinth", "seed-003", match, sit)
    for client in clients:
        if client.offence != "gone":
            assert client.last_words[0] == "closed" if client.offence else client.last_words[0]["name"]
    assert result["verdict"] == "finished"
    assert result["outcome"]["winners"] == table.winners()
    assert [clients[seat].name for seat in result["expelled"]] == match.expelled((match.offence or "",))


SMALL = ("--rows", 3, "--cols", 5)
LABYRINTH_004 = [
    Game(2, ("--seed", 1)),
    Game(3, ("--seed", 2, "--rows", 3, "--cols", 7), proposals=("one gem", "three gems", "good")),
    Game(
        6, ("--seed", 3), proposals=("doubled pathway", "dead end", "no pathway", "ragged", "small", "empty")
    ),
    Game(4, ("--seed", 4, "--rows", 6, "--cols", 5), proposals=("larger", "same treasures"), passing=(1,)),
    Game(3, ("--seed", 5), passing=(0, 1, 2), status="ALL_SKIPPED"),
    Game(2, ("--seed", 6, *SMALL), status="ROUND_LIMIT_REACHED"),
    Game(3, ("--seed", 7), offender=0, offence="stay", turn=1),
    Game(4, ("--seed", 8), offender=2, offence="undo", turn=1),
    Game(2, ("--seed", 9), offender=1, offence="odd-line"),
    Game(5, ("--seed", 10), offender=4, offence="malformed", turn=1),
    Game(3, ("--seed", 11), offender=1, offence="unreadable", turn=1),
    Game(3, ("--seed", 12, "--seconds", 2), offender=2, offence="late", turn=1),
    Game(4, ("--seed", 13), offender=3, offence="gone", turn=1),
    Game(3, ("--seed", 14), offender=0, offence="out-of-turn", turn=0, pause=0.2),
    Game(3, ("--seed", 15), offender=1, offence="bad-proposal"),
    Game(3, ("--seed", 16, "--seconds", 2), offender=1, offence="late-proposal"),
    Game(4, ("--seed", 17), offender=2, offence="bad-setup"),
    Game(3, ("--seed", 18), offender=0, offence="bad-return-home"),
]


@pytest.mark.slow
@pytest.mark.parametrize("match", LABYRINTH_004, ids=str)
def test_games_of_note_004(match: Game) -> None:
    """Every player hears EndOfGame with the right status and result, and a kicked one nothing more."""
    table = client_004.Table()
    table.held = match.offence is not None

    def sit(port: int, seat: int) -> Client:
        client = client_004.Client004(port, NAMES[seat], seat, *match.part(seat))
        client.table, client.pause = table, match.pause
        wandering = match.status == "ROUND_LIMIT_REACHED"
        client.strategy = "skip" if seat in match.passing else "wander" if wandering else "seek"
        client.proposal = match.proposals[seat % len(match.proposals)] if match.proposals else "good"
        client.wire.send(["Signup", [client.name]])
        return client

    clients, result = play("labyrinth", "seed-004", match, sit)
    for client in clients:
        if client.offence is None:
            assert client.last_words == [match.status, "WINNER" if client.me in table.winners() else "LOSER"]
        elif client.offence != "gone":
            assert client.last_words == ["closed"]
    assert result["verdict"] == "finished"
    assert [clients[seat].me for seat in result["outcome"]["winners"]] == table.winners()
    assert [clients[seat].name for seat in result["expelled"]] == match.expelled((match.offence or "",))


@pytest.mark.slow
@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([["TakeTurn", []]], id="another call"),
        pytest.param([["Signup", ["no name"]]], id="a bad name"),
        pytest.param([["Signup", ["ann"]]], id="a name that is taken"),
        pytest.param([["Signup", ["bob"]], ["Signup", ["bob2"]]], id="a second sign-up"),
    ],
)
def test_note_004_closes_a_connection_that_does_not_sign_up(messages: list[Any]) -> None:
    """During sign-up the referee accepts no other call, and one sign-up a connection, under its own name."""
    with serve("labyrinth", "seed-004", "--seats", 3) as server:
        first, second = Wire("127.0.0.1", server.port), Wire("127.0.0.1", server.port)
        try:
            first.send(["Signup", ["ann"]])
            second.send(*messages)
            with pytest.raises(Closed):
                second.read_json()
        finally:
            first.close()
            second.close()
