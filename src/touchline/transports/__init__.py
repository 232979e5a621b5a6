"""Transports: how frames travel between us and a player. A transport knows no game and no dialect.

One file is one transport, found by its URL scheme. `base.py` is the contract; `shared/` is what several of
them use. README.md shows how to add one.
"""

NAMES = {"ws": "websocket"}
"""URL scheme -> file, where the two differ."""
