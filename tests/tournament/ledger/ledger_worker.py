"""A worker in a process of its own: `python ledger_worker.py LEDGER NAME BATCH MOST NOW`.

It says "ready", waits for a line, then claims and finishes games until there are none, or it has had enough,
and says the ids of what it got.
"""

from __future__ import annotations

import sys

from touchline.tournament.ledger import open_ledger
from tournament.ledger.ledgers import done


def main(where: str, name: str, batch: str, most: str, now: str) -> None:
    left = int(most)
    with open_ledger(where, patience=30) as ledger:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        while claims := ledger.claim(name, min(left, int(batch)), 100, float(now)):
            ids = ledger.finish([done(claim, worker=name) for claim in claims], float(now))
            left -= len(claims)
            sys.stdout.write(" ".join(ids) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
