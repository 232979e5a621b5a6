"""Escape probes: what a hostile program tries against its opponent, the referee and the machine.

A probe is one small function in a table. It runs as a player's program does, tries one thing, bounded in
count and time, and says whether it got through. `targets.py` sets up a referee, a record and an opponent,
`stage.py` runs all probes against them in an isolation tier, in fresh namespaces that `namespaces.py` makes;
`expected.py` says which probes a tier cannot block.

Law of this package: all other files import only the standard library and each other, relatively, because they
are copied into a program's folder and run there. No probe damages what the stage did not make: where a call
would, it is made with invalid arguments, and its error tells whether it was permitted.
"""
