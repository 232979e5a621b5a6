"""The league: a cup that never closes. Entrants hand in versions of their players, and games never end.

league_file.py   the organiser's TOML file, read into a cup without a schedule, quotas and checks
roster.py        entrants, tokens and versions, read from the log of the ledger
front_desk.py    take submissions: tokens, quotas, durable storage
skills.py        ratings with their uncertainty, in the order in which games were committed
matchmaking.py   choose the games that teach most
checks.py        the compliance check of a version: games in the cage
coordinator.py   the loop: checks and games go to workers, their results to the ledger
game_queue.py    the games between the ledger and the workers
jobs.py          games and checks as jobs for workers
opening.py       create the ledger of a league, or go on with it
standings.py     the public table, and the values that the page shows
verification.py  replay every game of a league
feedback.py      what an entrant may read of its own versions: stderr, and records of checks
webhook.py       tell another server of results, signed
client.py        `touchline league submit`: the other end of the page's API
"""
