"""The conduct of people among themselves: ask again, skip late turns, and end when one seat is left."""

from msgspec.structs import replace

from touchline.conducts.fish_push import CONDUCT as SEED_001

CONDUCT = replace(SEED_001, name="friendly", alone="end")
"""Three tries a turn; the third late turn in a row expels; when one seat is left, it has won."""
