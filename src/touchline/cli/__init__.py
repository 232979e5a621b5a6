"""The command line: one file per command, found by its name.

Laws: results go to stdout, everything else to stderr. Heavy modules are imported where they are used, so
that `touchline --help` answers at once. Exit codes: 0 done, 1 internal error, 2 wrong usage or input, 3 a
player was at fault (`play --strict`), 4 a check failed, 5 not finished or not decided yet, 130 interrupted.
"""
