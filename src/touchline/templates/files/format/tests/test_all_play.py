"""Run `python -m unittest discover tests` in the folder of the project."""

import unittest

from touchline.testing import check_format
from touchline_all_play.all_play import AllPlay


class TestAllPlay(unittest.TestCase):
    def test_it_keeps_the_contract(self):
        check_format(AllPlay())

    def test_two_entrants_play_all_games(self):
        due = AllPlay(games=3).due(["ann", "bob"], [], ())
        self.assertEqual(len(due), 3)


if __name__ == "__main__":
    unittest.main()
