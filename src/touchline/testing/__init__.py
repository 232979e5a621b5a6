"""What a third party needs to test its own game against our contract, without knowing our tests."""

from touchline.testing.game_check import CheckFailed, check_game
from touchline.testing.playthrough import playthrough

__all__ = ["CheckFailed", "check_game", "playthrough"]
