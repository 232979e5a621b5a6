"""Checks for what you add to Touchline, for your own tests: each raises CheckFailed and says what is wrong.

check_game(MyGame())          a game keeps the contract of `touchline.core.rules`
check_player("mybot.py")      a program keeps its side of a dialect
playthrough(MyGame(), ...)    a random game as text, to compare with a golden file
"""

from touchline.testing.game_check import CheckFailed, check_game
from touchline.testing.player_check import check_player
from touchline.testing.playthrough import playthrough

__all__ = ["CheckFailed", "check_game", "check_player", "playthrough"]
