"""Protocols between the referee and a player: one file for each dialect, found by its name.

A dialect has two verbs: `say(message)` returns the frames that say it, `hear(frame)` what a frame says.
Nothing outside this package imports a dialect: `registry.dialect(name)` returns its class.
"""

DEFAULT = "native"
"""The dialect of a player from outside that names none."""

NAMES = {
    "seed_000": "fish_calls",
    "seed_001": "fish_push",
    "seed_002": "hexapawn_ports",
    "seed_003": "labyrinth_tasks",
    "seed_004": "labyrinth_remote",
}
"""The names of dialects on the command line, where they differ from the file name."""
