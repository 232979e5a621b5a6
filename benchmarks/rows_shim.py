"""Row protocol for source trees that are older than it: runs their benchmarks and serves their contenders.

    PYTHONPATH=TREE/src python rows_shim.py TREE/benchmarks NAME

Such a tree has `measure.interleaved`, which its benchmarks call with their contenders; only `network.py` has
a loop of its own. What has no contenders is left out: boardgame.io and the ledgers of 100,000 games.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, NoReturn

import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

KINDS = ("tcp", "echo-tcp", "ws", "echo-ws")
BATCHES = {100: 10, 1000: 1}
"""As the old `network.py` has it: games at once, and batches a round."""


def served(measure: Any, contenders: Mapping[str, Callable[[], int]], rounds: int = 0) -> NoReturn:
    """Stand in for `measure.interleaved`: the parent process decides on the rounds."""
    rows.serve({name: partial(rated, measure, name, work) for name, work in contenders.items()})
    sys.exit()


def rated(measure: Any, name: str, work: Callable[[], int]) -> dict[str, float]:
    return {name: measure.rate(work)}


def serve_network(network: Any) -> None:
    """Serve the rows of the old `network.py`."""
    servers = {kind: network.Served(kind) for kind in KINDS}
    try:
        rows.serve(
            {
                f"{kind} {count}": partial(batches, network, kind, server.port, count)
                for count in BATCHES
                for kind, server in servers.items()
            }
        )
    finally:
        for server in servers.values():
            server.stop()


def batches(network: Any, kind: str, port: int, count: int) -> dict[str, float]:
    run = network.echoes if kind.startswith("echo") else network.games
    transport = kind.removeprefix("echo-")
    found = [network.uvloop.run(run(transport, port, count)) for _ in range(BATCHES[count])]
    return {f"{kind} {count}": median(found)}


def raise_file_limit() -> None:
    """Allow as many open files as the system does: a thousand games need four thousand."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve_main(module: Any, measure: ModuleType) -> None:
    """Let a benchmark build its contenders, which it hands to `interleaved`."""
    if hasattr(module, "long_cups"):
        module.long_cups = lambda folder: ({}, True)
    if hasattr(module, "main"):
        module.main()
    else:
        served(measure, module.contenders())


def main() -> None:
    folder, name = sys.argv[1:]
    sys.argv[1:] = []
    sys.path.insert(0, folder)
    measure: Any = importlib.import_module("measure")
    measure.interleaved = partial(served, measure)
    module = importlib.import_module(name)
    if name == "network":
        raise_file_limit()
        serve_network(module)
    else:
        serve_main(module, measure)


if __name__ == "__main__":
    main()
