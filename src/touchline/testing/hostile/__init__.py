"""The hostile corpus: one table of misbehaving players, each with the offence that it must be charged with.

`table.py` is the table. A cell is a behaviour in a dialect, over a transport, in a phase of a match:

    python -m touchline.testing.hostile                         list the behaviours
    python -m touchline.testing.hostile silent native turn      be such a player, on stdin and stdout

`virtual.py` plays a cell in virtual time, and `verdict.py` says what must be true of the match;
`tests/hostile` plays cells with real processes and sockets. Laws: every loop is bounded, in count and in
bytes; a behaviour marked `harmful` runs as a process only in namespaces of its own.
"""
