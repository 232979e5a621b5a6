"""The conduct of seed 000, Fish by calls: expel at once.

Seed 000: "During the Placement phase and beyond, a Player may perform a move which violate the rules of
Fish. The Referee will call `terminate` once on this player, and then remove this Player's penguins from the
`Game`."
"""

from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE

CONDUCT = replace(COURSE, name="seed-000")
