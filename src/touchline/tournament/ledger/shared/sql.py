"""The ledger in SQL, over any database that has transactions.

Law of this file: one transaction for each request, and a game's row is locked before its claim is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from touchline.core.errors import UnknownName
from touchline.tournament.ledger.base import VERDICTS, Claim, Conflict, Counts, LogEntry, Unreadable
from touchline.tournament.ledger.shared import rows
from touchline.tournament.ledger.shared.digest import cup_digest
from touchline.tournament.ledger.shared.rows import FINISHED, PAIRING, Held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from touchline.tournament.ledger.base import Finished, Submission
    from touchline.tournament.ledger.shared.database import Cursor, Database
    from touchline.tournament.ledger.shared.rows import Entry
    from touchline.tournament.pairing import Pairing

T = TypeVar("T")

PAGE = 1000
"""Rows that are read in one query."""
ORDER = 'round, "table", attempt'


class SqlLedger:
    """A ledger over a database; `base.Ledger` says what the methods do."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # The cup

    def create(self, spec: bytes) -> None:
        with self._database.transaction() as sql:
            sql.execute("INSERT INTO cup VALUES (1, ?) ON CONFLICT DO NOTHING", (spec,))
            if _spec(sql) != spec:
                raise Conflict(
                    "this ledger belongs to another cup, or the cup has been changed since it began: "
                    "undo the change, or give the new cup a ledger of its own"
                )

    def spec(self) -> bytes | None:
        with self._database.cursor() as sql:
            return _spec(sql)

    def schedule(self, games: Sequence[Pairing]) -> int:
        due = {game.id: game for game in games}
        with self._database.transaction() as sql:
            known = self._held(sql, due)
            missing = [due[id_] for id_ in sorted(due.keys() - known.keys())]
            sql.executemany(
                f"INSERT INTO games (id, {PAIRING}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [(game.id, *rows.of_pairing(game)) for game in missing],
            )
            added = sql.rowcount if missing else 0
            known |= self._held(sql, [game.id for game in missing])
            for game in games:
                if game != (there := known[game.id].pairing):
                    raise Conflict(f"{game.id} is {_match(there)}, and cannot be {_match(game)} as well")
        return added

    # Claims

    def take_over(self) -> None:
        if not self._database.hold():
            raise Conflict("another process runs this cup: stop that one, or wait for it")
        with self._database.transaction() as sql:
            sql.execute(
                "UPDATE games SET fence = fence + 1, worker = NULL, until = NULL "
                "WHERE verdict IS NULL AND until IS NOT NULL"
            )

    def claim(self, worker: str, most: int, lease: float, now: float) -> list[Claim]:
        with self._database.transaction() as sql:
            if _why_paused(sql) is not None:
                return []
            sql.execute(
                f"SELECT {PAIRING}, fence FROM games WHERE verdict IS NULL AND (until IS NULL OR until <= ?) "
                f"ORDER BY {ORDER} LIMIT ? {self._database.lock_free}",
                (now, max(most, 0)),
            )
            claims = [Claim(rows.pairing(game), fence + 1) for *game, fence in sql.fetchall()]
            sql.executemany(
                "UPDATE games SET fence = ?, worker = ?, until = ? WHERE id = ?",
                [(claim.fence, rows.plain(worker), now + lease, claim.id) for claim in claims],
            )
        return claims

    def renew(self, claims: Sequence[Claim], lease: float, now: float) -> list[str]:
        with self._database.transaction() as sql:
            ours = self._ours(sql, claims)
            sql.executemany("UPDATE games SET until = ? WHERE id = ?", [(now + lease, id_) for id_ in ours])
        return ours

    def _ours(self, sql: Cursor, claims: Sequence[Claim]) -> list[str]:
        """Return the ids of the claims that are still valid."""
        held = self._held(sql, {claim.id for claim in claims})
        ours = {
            claim.id: None
            for claim in claims
            if (game := held.get(claim.id)) and game.digest is None and game.fence == claim.fence
        }
        return [*ours]

    def _held(self, sql: Cursor, ids: Iterable[str]) -> dict[str, Held]:
        """Read and lock the rows of these games, in order of id so that two requests cannot deadlock."""
        wanted, held = sorted(ids), dict[str, Held]()
        for start in range(0, len(wanted), PAGE):
            page = wanted[start : start + PAGE]
            marks = ", ".join("?" * len(page))
            sql.execute(
                f"SELECT {PAIRING}, fence, digest FROM games WHERE id IN ({marks}) "
                f"ORDER BY id {self._database.lock}",
                page,
            )
            held.update((game.pairing.id, game) for game in map(rows.held, sql.fetchall()))
        return held

    # Results

    def finish(self, submissions: Sequence[Submission], now: float) -> list[str]:
        entries = [rows.entry(one) for one in submissions]
        with self._database.transaction() as sql:
            fresh, taken, late = _judged(entries, self._held(sql, {one.id for one in submissions}))
            sql.executemany(
                "UPDATE games SET verdict = ?, played = ?, result = ?, digest = ?, worker = ?, seconds = ?, "
                "oversubscribed = ?, at = ?, until = NULL WHERE id = ?",
                [entry.row(now) for entry in fresh],
            )
            sql.executemany(
                "INSERT INTO records VALUES (?, ?)", [(entry.done.id, entry.record) for entry in fresh]
            )
            for one in late:
                why = f"{one.worker} sent a different result after the game was finished: digest {one.digest}"
                _note(sql, "conflict", one.id, why, now)
        return taken

    def results(self) -> Iterator[Finished]:
        return _pages(self._database.read, FINISHED, "verdict IS NOT NULL", rows.finished)

    def unfinished(self) -> Iterator[Pairing]:
        return _pages(self._database.read, PAIRING, "verdict IS NULL", rows.pairing)

    def record(self, game: str) -> bytes:
        found = self._database.read("SELECT record FROM records WHERE game = ?", (game,))
        if not found:
            raise UnknownName(f"no game {game} has been finished in this ledger")
        return rows.record(game, found[0][0])

    def counts(self, now: float) -> Counts:
        due = claimed = voided = 0
        verdicts = dict.fromkeys(VERDICTS, 0)
        for verdict, void, held, count in self._database.read(
            "SELECT verdict, voided IS NOT NULL, until > ?, count(*) FROM games GROUP BY 1, 2, 3", (now,)
        ):
            if verdict is None:
                due, claimed = (due, claimed + count) if held else (due + count, claimed)
            elif verdict not in verdicts:
                raise Unreadable(f"{verdict} is no verdict: the ledger is damaged")
            elif void:
                voided += count
            else:
                verdicts[verdict] += count
        done = voided + sum(verdicts.values())
        return Counts(due=due, claimed=claimed, done=done, voided=voided, verdicts=verdicts)

    def digest(self) -> str:
        with self._database.transaction(self._database.snapshot) as sql:

            def read(query: str, values: Sequence[Any]) -> list[Any]:
                sql.execute(query, values)
                return sql.fetchall()

            return cup_digest(_spec(sql) or b"", _pages(read, FINISHED, "verdict IS NOT NULL", rows.finished))

    # The organiser

    def void(self, game: str, why: str, now: float) -> bool:
        with self._database.transaction() as sql:
            sql.execute(f"SELECT verdict, voided FROM games WHERE id = ? {self._database.lock}", (game,))
            found = sql.fetchone()
            if found is None:
                raise UnknownName(f"no game {game} is scheduled in this ledger")
            verdict, voided = found
            if verdict is None:
                raise Conflict(f"{game} is not finished: only a result can be declared void")
            if voided is None:
                sql.execute("UPDATE games SET voided = ? WHERE id = ?", (rows.plain(why), game))
                _note(sql, "void", game, why, now)
        return voided is None

    def note(self, act: str, about: str, why: str, now: float) -> None:
        with self._database.transaction() as sql:
            _note(sql, act, about, why, now)

    def log(self) -> list[LogEntry]:
        return [
            LogEntry(*row) for row in self._database.read("SELECT at, act, about, why FROM acts ORDER BY n")
        ]

    def paused(self) -> str | None:
        with self._database.cursor() as sql:
            return _why_paused(sql)

    def close(self) -> None:
        self._database.let_go()
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _judged(
    entries: Iterable[Entry], held: dict[str, Held]
) -> tuple[list[Entry], list[str], list[Submission]]:
    """Return the results to commit, the ids of those that count, and those that contradict the ledger."""
    fresh: list[Entry] = []
    taken: dict[str, None] = {}
    late: list[Submission] = []
    for entry in entries:
        done, game = entry.done, held.get(entry.done.id)
        if game is None or game.pairing != done.played.pairing:
            continue
        if game.digest is None and game.fence == done.fence:
            fresh.append(entry)
            game = held[done.id] = game._replace(digest=done.digest)
        if game.digest == done.digest and game.fence == done.fence:
            taken[done.id] = None
        elif game.digest not in (None, done.digest):
            late.append(done)
    return fresh, [*taken], late


def _pages(
    read: Callable[[str, Sequence[Any]], list[Any]],
    columns: str,
    which: str,
    value: Callable[[Sequence[Any]], T],
) -> Iterator[T]:
    """Iterate over rows of games in order, page by page; a page begins after the last row before it."""
    query = (
        f"SELECT {columns}, {ORDER} FROM games WHERE {which} AND ({ORDER}) > (?, ?, ?) "
        f"ORDER BY {ORDER} LIMIT {PAGE}"
    )
    page = read(query, (-1, -1, -1))
    while page:
        for row in page:
            yield value(row[:-3])
        page = read(query, page[-1][-3:])


def _spec(sql: Cursor) -> bytes | None:
    sql.execute("SELECT spec FROM cup")
    found = sql.fetchone()
    return bytes(found[0]) if found else None


def _why_paused(sql: Cursor) -> str | None:
    sql.execute("SELECT act, why FROM acts WHERE act IN ('pause', 'go on') ORDER BY n DESC LIMIT 1")
    found = sql.fetchone()
    return str(found[1]) if found and found[0] == "pause" else None


def _note(sql: Cursor, act: str, about: str, why: str, now: float) -> None:
    sql.execute(
        "INSERT INTO acts (at, act, about, why) VALUES (?, ?, ?, ?)",
        (now, rows.plain(act), rows.plain(about), rows.plain(why)),
    )


def _match(game: Pairing) -> str:
    return f"{' against '.join(game.entrants)} on board {game.board}"
