"""Tournament formats, one file each: which games are due, as a pure function of the results so far.

base.py   the contract and its laws, option types, `ScheduledFormat`
shared/   what formats are built from: schedule, seats, boards, designs, matching, the draws of a Swiss
"""
