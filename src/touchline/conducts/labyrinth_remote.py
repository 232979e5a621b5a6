"""The conduct of seed 004, Labyrinth remote: expel at once.

Seed 004: "The game will proceed according to the process we outlined in player-protocol.md", where a wrong or
malformed call gets the player kicked.
"""

from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE

CONDUCT = replace(COURSE, name="seed-004")
