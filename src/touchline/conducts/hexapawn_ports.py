"""The conduct of seed 002, Hexapawn by ports: ask again once, then the match is lost.

Seed 002: "When a player submits an illegal move, a new `request` is sent to the same player. If the players
responds with another illegal move, the game is ended in favor of the opponent. When a player submits a move
while it is not their turn, the game is ended in favor of the opponent."
"""

from touchline.core.conduct import Conduct, ladder

CONDUCT = Conduct(
    name="seed-002",
    illegal=ladder("retry", "forfeit", counted="turn"),
    late=ladder("forfeit"),
    gone=ladder("forfeit"),
    out_of_turn=ladder("forfeit"),
    flood=ladder("forfeit"),
    not_reading=ladder("forfeit"),
    refused=ladder("forfeit"),
)
