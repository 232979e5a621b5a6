"""Ratings: the strength of players with error bars, estimated from their games.

bradley_terry.py  Elo ratings, all games at once
posterior.py      their error bars
evidence.py       what the games of two or more are worth for both
plackett_luce.py  openskill ratings for any number of seats, game by game
sprt.py           the sequential test: is the new version better?
intervals.py      confidence intervals of shares and means
"""
