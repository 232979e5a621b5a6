"""Checks of your additions to Touchline, for your tests. Each raises CheckFailed if something is wrong.

check_game(MyGame())          a game keeps the contract of `touchline.core.rules`
check_bot(MyBot)              a bot keeps the contract of `touchline.bots.base`
check_player("mybot.py")      a program speaks its dialect correctly
check_dialect(MyDialect)      a dialect keeps the contract of `touchline.dialects.base`
check_transport("scheme")     a transport keeps the contract of `touchline.transports.base`
check_leaks(MyGame())         no seat or spectator can learn what it may not see
check_format(MyFormat())      a tournament format keeps the contract of `touchline.tournament.formats.base`
playthrough(MyGame(), ...)    a random game as text, to compare with a golden file
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from touchline.testing.game_check import CheckFailed, check_game
from touchline.testing.playthrough import playthrough

if TYPE_CHECKING:
    from touchline.testing.bot_check import check_bot
    from touchline.testing.dialect_check import check_dialect
    from touchline.testing.format_check import check_format
    from touchline.testing.leaks_check import check_leaks
    from touchline.testing.player_check import check_player
    from touchline.testing.transport_check import check_transport

__all__ = [
    "CheckFailed",
    "check_bot",
    "check_dialect",
    "check_format",
    "check_game",
    "check_leaks",
    "check_player",
    "check_transport",
    "playthrough",
]

_LAZY = frozenset(
    {"check_bot", "check_dialect", "check_format", "check_leaks", "check_player", "check_transport"}
)


def __getattr__(name: str) -> Any:
    """Import a check when it is first used: most tests need one of them, and each imports a lot."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{name.removeprefix('check_')}_check"), name)
