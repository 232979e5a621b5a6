"""The conduct of seed 003, Labyrinth by tasks: expel at once.

Seed 003: "The player must respond within the given timeout of milliseconds, otherwise the referee will kick
the player out"; "if the player's move is not valid according to the referee's rules, the referee will kick
the player out".
"""

from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE

CONDUCT = replace(COURSE, name="seed-003")
