"""Small cups for the tests, and a run of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.tournament.cup import Cup, parse
from touchline.tournament.executors.here import Here
from touchline.tournament.ledger import open_ledger
from touchline.tournament.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SALT = bytes(range(32))
CUP = """
name = "small"
seed = 3
[game]
name = "{game}"
rows = 4
cols = 4
[clock]
no_timeout = true
[format]
name = "{format}"
{options}
"""


def cup(
    format: str = "round_robin", options: str = "games = 4", game: str = "hexapawn", **players: str
) -> Cup:
    """A cup between house players, three of them if nobody is named."""
    named = players or {"ann": "random", "bob": "random", "cy": "greedy"}
    entrants = "".join(f'[[entrants]]\nname = "{name}"\nplayer = "{word}"\n' for name, word in named.items())
    return parse(CUP.format(format=format, options=options, game=game) + entrants, "test")


def played(
    made: Cup,
    where: str,
    folder: Path,
    see: Callable[[Run], None] = lambda run: None,
    pool: Any = None,
    **options: Any,
) -> tuple[bool, str]:
    """Run it, or go on with it: whether it is over, and the games digest. The salt is always the same."""
    with open_ledger(where, durable=False) as ledger:
        over = Run(ledger, made, pool or Here(), folder, see, **{"salt": SALT, **options}).go()
        return over, ledger.digest()
