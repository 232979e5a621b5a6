"""How a player is spoken to: one file per dialect, words on the wire and nothing else.

A dialect has two verbs: `say(message)` gives the frames that say it, `hear(frame)` gives what a
frame says. Law: nothing a player sends can raise past `hear()`.
"""

NAMES = {
    "seed_000": "fish_calls",
    "seed_001": "fish_push",
    "seed_002": "hexapawn_ports",
    "seed_003": "labyrinth_tasks",
    "seed_004": "labyrinth_remote",
}
"""The names by which users know these files."""
