"""A league's TOML file: a cup without schedule and entrants, with quotas, checks and a webhook.

Law of this file: what decides games (game, boards, clock, conduct, limits of programs, house players) is in
the `Cup`, whose bytes the ledger stores once. Quotas, checks and webhook may change at every start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core.errors import BadInput
from touchline.players.by_name import is_program
from touchline.tournament.cup import LEAGUE, Cup, from_table
from touchline.tournament.toml_files import converted, read_table, read_text

HOUSE = ({"name": "random", "player": "random"}, {"name": "greedy", "player": "greedy"})
"""The house players of a league that names none. They are opponents from the first submission on."""
MOST_SECRET = 4096
"""Bytes of the webhook's secret."""


class Quotas(Struct, frozen=True, forbid_unknown_fields=True):
    """What an entrant may use."""

    submissions: int = 10
    """Versions that it may hand in within 24 hours, rejected ones included."""
    versions: int = 3
    """Its versions that play: the newest, and older ones as opponents."""
    bytes: int = 4 << 20
    """The size of an upload."""
    games: int = 300
    """Games after which a version is no longer chosen for its uncertainty, but as an opponent only. When all
    active versions have played as many, the league rests until somebody hands in another one."""


class CheckTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of the compliance check of a version."""

    seconds: float = 60.0
    """The time that a version may think in a game of its check, all moves together."""
    turns: int = 400
    """A game of a check is ended, and passed, after this many turns."""


class WebhookTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """Where results are sent to."""

    url: str
    """The address that is sent a POST for each result and verdict."""
    secret: str
    """A file beside the league's, with the key of the signatures."""


class League(Struct, frozen=True):
    """A league as its organiser wrote it."""

    cup: Cup
    """Game, boards, clock and conduct of all games; its entrants are the house players."""
    quotas: Quotas = Quotas()
    check: CheckTerms = CheckTerms()
    webhook: WebhookTerms | None = None

    @property
    def seats(self) -> int:
        return seats_of(self.cup)


class _Own(Struct, forbid_unknown_fields=True):
    """The keys that a cup does not have."""

    seats: int = 2
    """Players at a table."""
    house: tuple[dict[str, Any], ...] = HOUSE
    """House players that are opponents from the first submission on: `name` and `player`."""
    quotas: Quotas = Quotas()
    """What an entrant may use."""
    check: CheckTerms = CheckTerms()
    """The compliance check that a version must pass."""
    webhook: WebhookTerms | None = None
    """Where results are sent to; left out: nowhere."""


def load(path: Path) -> League:
    """Read the league in a file; `BadInput` says what is wrong, at which key."""
    return parse(read_text(path, "a league"), str(path), path.parent)


def parse(text: str, where: str, folder: Path = Path()) -> League:
    """Read a league from TOML text; `folder` is where a conduct's file is looked for."""
    table = read_table(text, where)
    for key in ("format", "entrants"):
        if key in table:
            raise BadInput(f"a league has no {key}: its entrants hand in their players", where)
    names = {field.name for field in msgspec.structs.fields(_Own)}
    own = converted({key: table[key] for key in table.keys() & names}, _Own, where)
    _check(own, where)
    for one in own.house:
        if is_program(str(one.get("player"))):
            raise BadInput("[[house]] are house players: hand a program in, as an entrant", where)
    rest = {key: value for key, value in table.items() if key not in names}
    # The game's rules are checked as those of a round robin between the house players.
    rest |= {"format": {"name": "round_robin", "seats": own.seats}, "entrants": [*own.house]}
    cup = from_table(rest, where, folder)
    if cup.limits.set_up is None or cup.limits.clock.per_move is None:
        raise BadInput("a league needs a clock: programs of strangers may never answer", where)
    return League(replace(cup, format=LEAGUE), own.quotas, own.check, own.webhook)


def _check(own: _Own, where: str) -> None:
    if min(own.quotas.submissions, own.quotas.versions, own.quotas.bytes, own.quotas.games) < 1:
        raise BadInput("[quotas] are whole numbers from 1", where)
    if not 0 < own.check.seconds <= 3600 or not 1 <= own.check.turns <= 100_000:
        raise BadInput("[check] takes up to 3600 seconds and 100,000 turns", where)
    if own.webhook is not None and not own.webhook.url.startswith(("http://", "https://")):
        raise BadInput("[webhook] url begins with http:// or https://", where)
    if len(own.house) < max(2, own.seats):
        raise BadInput(f"[[house]]: a league of {own.seats} seats needs {max(2, own.seats)} or more", where)


def seats_of(cup: Cup) -> int:
    """Return the number of seats at a table of a league."""
    return int(cup.options["seats"])


def webhook_secret(terms: WebhookTerms, folder: Path) -> bytes:
    """Return the key of the webhook's signatures, from its file."""
    path = folder / terms.secret
    try:
        with path.open("rb") as file:
            secret = file.read(MOST_SECRET + 1).strip()
    except OSError as error:
        raise BadInput(f"the secret of the webhook: {error.strerror}", str(path)) from None
    if not 16 <= len(secret) <= MOST_SECRET:
        raise BadInput(f"the secret of the webhook has 16 to {MOST_SECRET:,} bytes", str(path))
    return secret
