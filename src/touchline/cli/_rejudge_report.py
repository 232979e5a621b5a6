"""The output of `touchline rejudge`: a table of the verdicts that change, sums, and the same as JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core.messages import Act, Garbled, Ready, Resign
from touchline.core.printable import printable
from touchline.core.text import clipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.events import Begun, Result
    from touchline.core.messages import FromPlayer
    from touchline.records.rejudge import Change, Rejudged, Verdict
    from touchline.records.reread import Reading, Rereading

HEAD = ("record", "turn", "seat", "offence", "then", "now", "result")
MOST_SHOWN_NAME = 24
"""Characters of a player's name in the table: the command of a program may be its name."""
MOST_SHOWN_MESSAGE = 100
"""Characters of a message that is read differently."""


class Judged(NamedTuple):
    """A record that was judged again."""

    name: str
    begun: Begun
    again: Rejudged
    rereading: Rereading | None

    @property
    def changed(self) -> bool:
        return self.again.changed or bool(self.rereading and self.rereading.readings)


# -- as JSON --------------------------------------------------------------------------------------


def record_json(judged: Judged) -> dict[str, Any]:
    """Return a record that was judged again as JSON-able data."""
    begun, rereading = judged.begun, judged.rereading
    found = {"record": judged.name, "game": begun.game, "names": begun.names, "conduct": begun.conduct.name}
    found |= msgspec.structs.asdict(judged.again)
    if rereading is not None:
        found |= {field: getattr(rereading, field) for field in ("readings", "reread", "not_reread")}
    return found


def totals(judged: Sequence[Judged], damaged: int) -> dict[str, Any]:
    """Return the sums over all records."""
    then, now = _offences(judged)
    results = Counter(one.again.result for one in judged)
    readings = [one.rereading for one in judged if one.rereading is not None]
    return {
        "records": len(judged),
        "damaged": damaged,
        "changed": sum(one.changed for one in judged),
        "results": {word: results[word] for word in ("same", "changed", "unknown")},
        "offences_then": dict(sorted(then.items())),
        "offences_now": dict(sorted(now.items())),
        "reread": sum(one.reread for one in readings),
        "read_differently": sum(len(one.readings) for one in readings),
    }


def _offences(judged: Sequence[Judged]) -> tuple[Counter[str], Counter[str]]:
    then, now = Counter[str](), Counter[str]()
    for one in judged:
        then.update(one.again.offences_then)
        now.update(one.again.offences_now)
    return then, now


# -- as text --------------------------------------------------------------------------------------


def report(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield the lines of the report."""
    rows = [row for one in judged for row in _rows(one)]
    if rows:
        yield from _aligned([HEAD, *rows])
        yield ""
    differently = [line for one in judged if one.rereading for line in _readings(one.name, one.rereading)]
    if differently:
        yield from ["read differently:", *differently, ""]
    yield from _sums(judged)


def _rows(one: Judged) -> Iterator[tuple[str, ...]]:
    """Yield a row for each verdict that changes; the last has the result."""
    for change in one.again.changes:
        last = change is one.again.changes[-1]
        yield (
            one.name,
            str(change.turn),
            f"{change.seat} ({clipped(change.name, MOST_SHOWN_NAME)})",
            *_verdicts(change),
            _result(one.again, one.begun.names) if last else "",
        )


def _verdicts(change: Change) -> tuple[str, str, str]:
    """Return the recorded offence, its sanction, and the sanction now; with the offence now if it differs."""
    then, now = change.then, change.now
    offence = "-" if then.offence is None else then.offence.value
    return (offence, then.what, now.what if now.offence is then.offence else _worded(now))


def _worded(verdict: Verdict) -> str:
    return verdict.what if verdict.offence is None else f"{verdict.offence.value}: {verdict.what}"


def _result(again: Rejudged, names: Sequence[str]) -> str:
    if again.result == "unknown":
        return f"not known: diverges at turn {again.diverges}"
    if again.result == "same":
        return "the same"
    then, now = _ending(again.then, names), _ending(again.now, names)
    return f"{then} -> {now}" if then != now else f"{then}, with other ranks or scores"


def _ending(result: Result | None, names: Sequence[str]) -> str:
    """Return a result in a few words."""
    if result is None:
        return "not ended"
    if result.outcome is None:
        return "void"
    shown = [clipped(name, MOST_SHOWN_NAME) for name in names]
    won = " and ".join(shown[seat] for seat in result.outcome.winners) or "nobody"
    out = "".join(f", {shown[seat]} expelled" for seat in result.expelled)
    return f"{won} won{' by forfeit' if result.verdict == 'forfeited' else ''}{out}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with columns of equal width, as they look when they are printed."""
    lines = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _readings(name: str, rereading: Rereading) -> Iterator[str]:
    for reading in rereading.readings:
        yield f"{name}, line {reading.line}: turn {reading.turn}, seat {reading.seat}: {_read(reading)}"


def _read(reading: Reading) -> str:
    now = " and ".join(map(_message, reading.now)) or "nothing"
    return f"{_message(reading.then)} -> {now}"


def _message(said: FromPlayer) -> str:
    """Return a message in words, on one line."""
    match said:
        case Act(move, turn):
            text = msgspec.json.encode(move).decode() + ("" if turn is None else f" in turn {turn}")
        case Garbled(why):
            text = f"malformed ({why})"
        case Ready():
            text = "ready"
        case Resign(why):
            text = f"resigns ({why})"
    return clipped(text.replace("\n", "\\n"), MOST_SHOWN_MESSAGE)


def _sums(judged: Sequence[Judged]) -> Iterator[str]:
    changed = [one for one in judged if one.again.changed]
    results = Counter(one.again.result for one in changed)
    line = f"{len(judged)} {'record' if len(judged) == 1 else 'records'}: "
    line += f"{len(judged) - len(changed)} judged as before"
    if changed:
        line += f", {len(changed)} otherwise (result changed: {results['changed']}, "
        line += f"not known: {results['unknown']}, the same: {results['same']})"
    yield line
    then, now = _offences(judged)
    if then or now:
        kinds = sorted({*then, *now})
        yield "offences: " + ", ".join(f"{kind} {then[kind]} -> {now[kind]}" for kind in kinds)
    again = [one.rereading for one in judged if one.rereading is not None]
    if again:
        yield _reread_sums(again)


def _reread_sums(again: Sequence[Rereading]) -> str:
    differently = sum(len(one.readings) for one in again)
    line = f"{sum(one.reread for one in again)} messages reread, {differently} read differently"
    missing = Counter[str]()
    for one in again:
        missing.update(one.not_reread)
    if missing:
        reasons = ", ".join(f"{why} ({count})" for why, count in missing.most_common())
        line += f"; {missing.total()} not reread: {reasons}"
    return line
