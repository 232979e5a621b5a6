"""The default of matches outside the courses and the seeds: as in the courses, but nobody plays on alone."""

from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE

CONDUCT = replace(COURSE, name="standard", alone="end")
"""A player at fault is expelled at once; the rest play on, and when one is left, it has won."""
