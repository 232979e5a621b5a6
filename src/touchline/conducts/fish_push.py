"""The conduct of seed 001, Fish by push: reject and ask again, skip the turn, ban.

Seed 001: "If the move is invalid, then the referee will not execute the move on the GameState, and will
invoke `rejectMove(reason)`"; a turn is skipped "because they took too long"; "if a player is behaving
nefariously, the referee can ban them from the game".
"""

from touchline.core.conduct import Conduct, ladder

CONDUCT = Conduct(
    name="seed-001",
    illegal=ladder("retry 2", "skip", counted="turn"),
    malformed=ladder("retry 2", "expel", counted="row"),
    late=ladder("skip 2", "expel", counted="row"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
