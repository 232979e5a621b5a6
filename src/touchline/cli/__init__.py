"""The command line: one file per command, found by its name.

Laws: the result goes to stdout and the talk to stderr; what is heavy is imported where it is used,
so that `touchline --help` answers at once. Exit codes: 0 done, 1 our error, 2 usage or input,
4 a check failed, 130 interrupted.
"""
