"""Send mutants as a process, on stdout: `python pipe_sender.py SETTING SEED`. It says on stderr how many."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from dialects.mutant_moments import SETTINGS
from mutant_siege.live_seats import Sender
from touchline.testing.scripts import Read, Write


def main(setting: int, seed: str) -> None:
    sender = Sender(SETTINGS[setting], seed, None)
    script = sender.script()
    action = next(script)
    while True:
        if isinstance(action, Read):
            line = sys.stdin.buffer.readline()
            if not line:
                break
            action = script.send(line.rstrip(b"\r\n"))
        else:
            assert isinstance(action, Write)
            with suppress(BrokenPipeError):
                sys.stdout.buffer.write(action.data)
                sys.stdout.buffer.flush()
            action = next(script)
    sys.stderr.write(f"sent {sender.sent} mutants\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
