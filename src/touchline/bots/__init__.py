"""Bots: players that run in this process, each in a file of its own, found by name. See README.md.

`make("mcts:seconds=0.5", game, seed)` makes one.
"""

from touchline.bots.base import Bot, HouseBot, LearningBot, Level, Thought
from touchline.bots.shared.factory import make, strongest

__all__ = ["Bot", "HouseBot", "LearningBot", "Level", "Thought", "make", "strongest"]
