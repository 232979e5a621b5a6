"""A conduct that gives a player second chances."""

from touchline.core.conduct import Conduct, ladder

CONDUCT = Conduct(
    name="gentle",
    illegal=ladder("retry 2", "random", counted="turn"),
    late=ladder("skip 2", "expel", counted="row"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
