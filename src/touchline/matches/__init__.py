"""Matches by name: what `import touchline` offers, on top of the drivers and the records.

catalogue.py  games, bots and conducts by name
play.py       one match between any players
many.py       many matches, and their rows for a data frame
"""
