"""The conduct of the courses, and the default of a table at which players speak several dialects."""

from touchline.core.conduct import Conduct, ladder

CONDUCT = Conduct(
    name="course",
    illegal=ladder("expel"),
    late=ladder("expel"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 9", "expel", counted="turn"),
)
"""A player that moves illegally, is malformed or late, or crashes, is expelled at once; the rest play on.

Also one alone: in a course, it may still fail, and then nobody has won.
"""
