"""Run `python -m unittest discover tests` in the folder of the project."""

import unittest

import touchline
from touchline.testing import check_dialect
from touchline_plain.plain import GAME, Plain


class TestPlain(unittest.TestCase):
    def test_it_keeps_the_contract(self):
        check_dialect(Plain)

    def test_a_match_is_played_to_its_end(self):
        seats = touchline.game(GAME).seats[0]
        for player in ("plain+random", "plain+example_player.py"):
            players = [player, *["random"] * (seats - 1)]
            match = touchline.play(GAME, players, seed=1, isolation="none")
            self.assertEqual((match.verdict, match.faults), ("finished", ()))


if __name__ == "__main__":
    unittest.main()
