"""The ledger in SQL, over any database that has transactions.

Law of this file: one transaction for each request, and a game's row is locked before its claim is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from touchline.core.errors import UnknownName
from touchline.tournament.ledger.base import REVEAL, VERDICTS, Claim, Conflict, Counts, LogEntry, Unreadable
from touchline.tournament.ledger.shared import rows
from touchline.tournament.ledger.shared.digest import cup_digest, cup_seal
from touchline.tournament.ledger.shared.rows import GAME, Held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
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
            sql.execute("INSERT INTO cup VALUES (1, ?, ?) ON CONFLICT DO NOTHING", rows.of_spec(spec))
            if _spec(sql) != spec:
                raise Conflict(
                    "this ledger belongs to another cup, or the cup has been changed since it began: "
                    "undo the change, or give the new cup a ledger of its own"
                )

    def spec(self) -> bytes | None:
        with self._database.cursor() as sql:
            return _spec(sql)

    def files(self) -> tuple[Path, ...]:
        return ()

    def schedule(self, games: Sequence[Pairing]) -> int:
        due = {game.id: game for game in games}
        with self._database.transaction() as sql:
            known = self._held(sql, due)
            missing = [due[id_] for id_ in sorted(due.keys() - known.keys())]
            sql.executemany(
                'INSERT INTO games (id, round, "table", attempt, entrants, board, checksum) '
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [(*row[:6], row.checksum) for row in (rows.of_pairing(game).sealed() for game in missing)],
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
                f"SELECT {GAME}, fence FROM games WHERE verdict IS NULL AND (until IS NULL OR until <= ?) "
                f"ORDER BY {ORDER} LIMIT ? {self._database.lock_free}",
                (now, max(most, 0)),
            )
            claims = [Claim(game.pairing, game.fence + 1) for game in map(rows.held, sql.fetchall())]
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
                f"SELECT {GAME}, fence FROM games WHERE id IN ({marks}) ORDER BY id {self._database.lock}",
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
                "oversubscribed = ?, at = ?, record_hash = ?, checksum = ?, until = NULL WHERE id = ?",
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
        return map(rows.finished, _pages(self._database.read, "verdict IS NOT NULL", rows.game_row))

    def unfinished(self) -> Iterator[Pairing]:
        return map(rows.pairing, _pages(self._database.read, "verdict IS NULL", rows.game_row))

    def record(self, game: str) -> bytes:
        found = self._database.read(
            "SELECT record, record_hash FROM records JOIN games ON id = game WHERE game = ?", (game,)
        )
        if not found:
            raise UnknownName(f"no game {game} has been finished in this ledger")
        return rows.record(game, *found[0])

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
            results = map(rows.finished, _pages(_reading(sql), "verdict IS NOT NULL", rows.game_row))
            return cup_digest(_spec(sql) or b"", results)

    def seal(self, *, whole: bool = False) -> str:
        with self._database.transaction(self._database.snapshot) as sql:
            log = _log(sql)
            before = log[:-1] if log and log[-1].act == REVEAL and not whole else log
            games = _pages(_reading(sql), "TRUE", rows.game_line)
            return cup_seal(_spec(sql) or b"", games, map(rows.covered_entry, before))

    # The salt

    def keep_salt(self, salt: bytes) -> None:
        self._database.keep_salt(salt)

    def salt(self) -> bytes | None:
        return self._database.salt()

    def drop_salt(self) -> None:
        self._database.drop_salt()

    # The organiser

    def void(self, game: str, why: str, now: float) -> bool:
        with self._database.transaction() as sql:
            sql.execute(f"SELECT {GAME} FROM games WHERE id = ? {self._database.lock}", (game,))
            found = sql.fetchone()
            if found is None:
                raise UnknownName(f"no game {game} is scheduled in this ledger")
            row = rows.game_row(found)
            if row.verdict is None:
                raise Conflict(f"{game} is not finished: only a result can be declared void")
            if row.voided is None:
                void = row._replace(voided=rows.plain(why)).sealed()
                sql.execute(
                    "UPDATE games SET voided = ?, checksum = ? WHERE id = ?",
                    (void.voided, void.checksum, game),
                )
                _note(sql, "void", game, why, now)
        return row.voided is None

    def note(self, act: str, about: str, why: str, now: float) -> None:
        with self._database.transaction() as sql:
            _note(sql, act, about, why, now)

    def log(self) -> list[LogEntry]:
        with self._database.cursor() as sql:
            return _log(sql)

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
    which: str,
    made: Callable[[Sequence[Any]], T],
) -> Iterator[T]:
    """Iterate over rows of games in order, page by page; a page begins after the last row before it."""
    query = (
        f"SELECT {GAME}, {ORDER} FROM games WHERE {which} AND ({ORDER}) > (?, ?, ?) "
        f"ORDER BY {ORDER} LIMIT {PAGE}"
    )
    page = read(query, (-1, -1, -1))
    while page:
        for row in page:
            yield made(row[:-3])
        page = read(query, page[-1][-3:])


def _reading(sql: Cursor) -> Callable[[str, Sequence[Any]], list[Any]]:
    """Return a function that reads the rows of a query within a transaction."""

    def read(query: str, values: Sequence[Any]) -> list[Any]:
        sql.execute(query, values)
        return sql.fetchall()

    return read


def _spec(sql: Cursor) -> bytes | None:
    sql.execute("SELECT spec, checksum FROM cup")
    found = sql.fetchone()
    return rows.spec(found) if found else None


def _log(sql: Cursor) -> list[LogEntry]:
    sql.execute("SELECT at, act, about, why, checksum FROM acts ORDER BY n")
    return [rows.log_entry(row) for row in sql.fetchall()]


def _why_paused(sql: Cursor) -> str | None:
    sql.execute(
        "SELECT at, act, about, why, checksum FROM acts WHERE act IN ('pause', 'stop', 'go on') "
        "ORDER BY n DESC LIMIT 1"
    )
    found = sql.fetchone()
    last = rows.log_entry(found) if found else None
    return last.why if last is not None and last.act != "go on" else None


def _note(sql: Cursor, act: str, about: str, why: str, now: float) -> None:
    sql.execute(
        "INSERT INTO acts (at, act, about, why, checksum) VALUES (?, ?, ?, ?, ?)",
        rows.of_entry(LogEntry(now, act, about, why)),
    )


def _match(game: Pairing) -> str:
    return f"{' against '.join(game.entrants)} on board {game.board}"
