"""Matches by name: what `import touchline` offers, on top of the drivers and the records.

catalogue.py  games, bots and conducts by name
play.py       one match between any players
many.py       many matches, and their rows for a data frame
series.py     many matches one by one, so that a caller can stop in between
tally.py      what is counted while a match is played
progress.py   the bar that says how long the rest will take
"""
