"""The conducts, one file each: what an offence costs in a match. Each file defines the constant `CONDUCT`.

`core/conduct.py` has the types, `base.py` reads a conduct from TOML, and README.md shows how to add one.
"""

NAMES = {
    "seed_000": "fish_calls",
    "seed_001": "fish_push",
    "seed_002": "hexapawn_ports",
    "seed_003": "labyrinth_tasks",
    "seed_004": "labyrinth_remote",
}
"""The names by which users know these files. Each belongs to the dialect of the same file name."""
