"""The cage of players' programs: what a program sees, what it may use, and which tier of isolation holds.

`tiers` finds the best tier that works on this machine, `limits` has the resource limits, `visible` the files
that a program sees, `launch` turns all of it into a plan, and `_supervisor`, a process of its own, carries
the plan out and watches the program.
"""
