"""Run `python -m unittest discover tests` in the folder of the project."""

import unittest

import touchline
from touchline.testing import check_game
from touchline_nim.nim import Nim, Take


class TestNim(unittest.TestCase):
    def test_it_keeps_the_contract(self):
        check_game(Nim())

    def test_who_takes_the_last_stone_wins(self):
        state = Nim(heaps=(1, 2)).start(2, None)
        for move in (Take(heap=0, count=1), Take(heap=1, count=2)):
            state.check(move)
            state = state.play(move)
        self.assertEqual(state.outcome().winners, (1,))

    def test_a_match_is_played_to_its_end(self):
        match = touchline.play(Nim(), ["random", "random"], seed=1)
        self.assertEqual((match.verdict, match.faults), ("finished", ()))


if __name__ == "__main__":
    unittest.main()
