"""The reference of what is installed: games, house players, dialects and conducts, from the registries."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.conduct import Ladder, Offence, Sanction
from touchline.core.registry import CONDUCTS
from touchline_docs.markdown import code, plain, table
from touchline_docs.toml_pages import keys

if TYPE_CHECKING:
    from collections.abc import Iterator

MADE = "<!-- made by docs/_ext/touchline_docs/plug_in_page.py from the registries -->"
SANCTIONS = {
    Sanction.RETRY: "the move is refused with a reason; the seat is asked again, in the time that is left",
    Sanction.SKIP: "the turn is taken away",
    Sanction.DEFAULT: "the referee plays the game's default move, else its first legal one",
    Sanction.RANDOM: "the referee plays a legal move, drawn from the seed",
    Sanction.EXPEL: "the seat is out; the others play on",
    Sanction.FORFEIT: "the match ends, and this seat has lost it",
    Sanction.VOID: "the match does not count",
}


def page() -> str:
    """Return the page."""
    return "\n".join([MADE, "# Games, players, dialects and conducts\n", *_sections()])


def _sections() -> Iterator[str]:
    yield "What comes with Touchline. Everything here is a plug-in, and more can be installed.\n"
    yield "## Games\n"
    for name in registry.GAMES.ours():
        game = registry.find("games", name)
        seats = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        yield f"### {name}\n\n{plain(_about(game))} Seats: {seats}. Options:\n"
        yield keys(game)
    yield "## House players\n\n[The house players](../../players.md) has their options.\n"
    rows = [(code(name), plain(_about(registry.find("bots", name)))) for name in registry.names("bots")]
    yield table(["name", "what it does"], rows)
    yield "## Dialects\n\n[The dialects](../../dialects/README.md) has a page for each note.\n"
    yield table(["dialect", "games", "conduct", "framing"], [*_dialects()])
    yield "## Conducts\n\nWhat an offence costs. A number is how often a step applies; the last repeats.\n"
    yield table(["offence", *map(code, CONDUCTS)], [*_offences()])
    yield "### Sanctions\n"
    yield table(["sanction", "what happens"], [(code(one.value), text) for one, text in SANCTIONS.items()])


def _about(kind: type[Any]) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())


def _dialects() -> Iterator[tuple[str, str, str, str]]:
    for name in registry.names("dialects"):
        kind = registry.dialect(name)
        games = ", ".join(kind.games) if kind.games else "any"
        yield code(name), games, code(kind.conduct), str(kind.framing)


def _offences() -> Iterator[list[str]]:
    for offence in Offence:
        cells = [_ladder(getattr(conduct, offence.value, None)) for conduct in CONDUCTS.values()]
        yield [code(offence.value), *cells]


def _ladder(ladder: object) -> str:
    if not isinstance(ladder, Ladder):
        return "as another"
    steps = [f"{step.sanction.value}{f' {step.times}' * (step.times > 1)}" for step in ladder.steps]
    return f"{', '.join(steps)} ({ladder.counted})"
