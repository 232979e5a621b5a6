"""Run `python -m unittest` in this folder."""

import unittest

import touchline
from bot import MyBot

GAME = "a-game"


class TestMyBot(unittest.TestCase):
    def test_it_plays_in_every_seat_without_a_fault(self):
        seats = touchline.game(GAME).seats[0]
        for seat in range(seats):
            players = ["random"] * seats
            players[seat] = MyBot()
            match = touchline.play(GAME, players, seed=seat)
            self.assertEqual((match.verdict, match.faults), ("finished", ()))


if __name__ == "__main__":
    unittest.main()
