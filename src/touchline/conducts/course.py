"""The conduct of the courses, and the default of every match."""

from touchline.core.conduct import Conduct, ladder

CONDUCT = Conduct(
    name="course",
    illegal=ladder("expel"),
    late=ladder("expel"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
"""A player that moves illegally, is malformed or late, or crashes, is expelled at once; the rest play on."""
