"""Describe a result in words, for the command line and the page: the winners, and why the others lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Result


def story(result: Result, names: Sequence[str]) -> list[str]:
    """Return one line per seat, the winners first; a void match has a single line."""
    who = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
    if result.outcome is None:
        return [f"void: {result.reason}; nobody has lost"]
    faults = {fault.seat: fault for fault in result.faults}
    lines: list[str] = []
    for seat, rank in enumerate(result.outcome.ranks):
        score = result.outcome.scores[seat]
        if seat in result.outcome.winners:
            lines.insert(0, f"{who[seat]} won with {score}: {result.reason}")
        elif seat in result.resigned:
            lines.append(f"{who[seat]} resigned")
        elif seat in result.expelled or (result.verdict == "forfeited" and seat in faults):
            fault = faults[seat]
            fate = "was expelled" if seat in result.expelled else "forfeited"
            lines.append(f"{who[seat]} {fate} at turn {fault.turn}: {fault.offence.value}: {fault.reason}")
        else:
            lines.append(f"{who[seat]} lost with {score}, rank {rank}")
    return lines if result.outcome.winners else ["nobody won", *lines]
