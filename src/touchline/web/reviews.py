"""The review of a record for the page: how many turns are looked at in the time there is, and a chart.

Rule of this file: workers run it; the work is limited in turns and in seconds, whatever the record holds.
"""

from __future__ import annotations

from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from touchline.bots.shared import factory
from touchline.draw.chart import Series, line_chart
from touchline.records.review import Reviewer
from touchline.web import schema
from touchline.web.workers.job_progress import report

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.records.replay import Replay
    from touchline.records.review import Review

MOST_TURNS = 200
"""Turns of a record that are looked at; of a longer record every second, third, ... turn is."""
LOOKING = 20.0
"""The time budget of a review, in seconds: where a turn takes longer, fewer are looked at."""
WARM_UP = 2
"""Turns after which the time of one is known: the first may load a table or compile."""


def record_analysis(replay: Replay, started: Callable[[], None] = lambda: None) -> schema.RecordAnalysis:
    """Return the review of a record by the strongest house player of its game, which sees everything.

    `started` is called when the player has compiled what it needs.
    """
    player = factory.strongest(replay.begun.game)
    judge = factory.make(player, replay.begun.game, "analysis", factory.kind(player).judging)
    started()
    reviewer = Reviewer(replay, judge)
    look_around(reviewer)
    found = reviewer.review()
    return schema.RecordAnalysis(
        player=player,
        values=found.values,
        svg=_chart(reviewer, found),
        worst=found.worst,
        decisive=found.decisive,
    )


def look_around(reviewer: Reviewer, seconds: float = LOOKING) -> None:
    """Look at as many turns as there is time for, evenly spread."""
    turns = len(reviewer.turns)
    step = max(1, ceil(turns / MOST_TURNS))
    start, number, looked = perf_counter(), 0, 0
    while number < turns and (looked <= WARM_UP or perf_counter() - start < 2 * seconds):
        if looked == WARM_UP - 1:
            start = perf_counter()
        report(number, turns)
        reviewer.look(number)
        looked += 1
        if looked == WARM_UP:
            step = max(step, ceil(turns * (perf_counter() - start) / seconds))
        number += step


def _chart(reviewer: Reviewer, found: Review) -> str:
    series = [
        Series(name, tuple((float(value.turn), value.values[seat]) for value in found.values))
        for seat, name in enumerate(reviewer.names)
    ]
    return line_chart(
        series, title="What each could expect", x_label="turn", y_label="expects", y_range=(0.0, 1.0)
    )
