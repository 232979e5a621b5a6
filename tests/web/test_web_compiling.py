"""A house player whose kernels are not compiled yet: the page says so, and no clock runs meanwhile."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from touchline.web.workers import pool
from touchline.web.workers.pool import JobPool
from web.sites import house, live, me, run, site

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

WORKER = """
import time
from pathlib import Path

from touchline.bots.greedy import Greedy
from touchline.bots.shared import compile_progress
from touchline.bots.shared.compile_progress import Compiling
from touchline.web.workers import process


def compile_kernels(game, seats):
    if not Path({go!r}).exists():
        tell = compile_progress.listener().compiling
        tell(Compiling("greedy", 1, 9, 0.5, 4.0))
        while not Path({go!r}).exists():
            time.sleep(0.01)


Greedy.compile_kernels = staticmethod(compile_kernels)
process.main()
"""


def test_a_player_that_is_compiled_is_waking_and_not_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its kernels are compiled a house player is waking; then it moves, well within its clock."""
    go, worker = tmp_path / "go", tmp_path / "worker.py"
    worker.write_text(WORKER.format(go=str(go)))
    monkeypatch.setattr(pool, "COMMAND", (sys.executable, str(worker)))

    async def main() -> None:
        async with site(workers=JobPool(2)) as visit:
            clock = {"seconds": 20, "bank": 0}
            table, [token] = await visit.table("hexapawn", me(), house("greedy"), clock=clock)
            async with live(visit, table, token) as ann:
                await ann.turn()
                await ann.move(0)
                while ann.screen.now["doing"][1] != "waking":
                    await ann.line()
                assert ann.screen.now["thinking"] == [], "no clock runs"
                assert ann.screen.now["waking"]["seat"] == 1
                while not 0 < ann.screen.now["waking"]["seconds"] <= 4:
                    await ann.line()
                go.touch()
                await ann.turn()
                assert ann.screen.now["doing"] == ["thinking", "waiting"]
                assert ann.screen.now["waking"] is None

    run(main())
