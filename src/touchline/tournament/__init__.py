"""Tournaments: a cup is read, its games are scheduled, played and committed, and the result is verified.

cup.py              the organiser's TOML file as one value
formats/            which games are due, given the results so far (plug-ins)
pairing.py          a game to be played, and a game with its result
run.py              the coordinator: claims games, hands them to workers, commits results
toml_files.py       read what organisers write
seeds.py            the seeds of all games, from one secret salt
commitment.py       the salt: committed to, kept, and revealed with the seal of the ledger
entrant_bundles.py  the files that an entrant consists of, as a bundle
versions.py         the digests of those bundles, in the log
earlier_draw.py     cups that were begun by earlier rules of the draw are not continued
worker.py           what a worker does with a job
worker_bundles.py   the folders in which a worker runs entrants
job_maker.py        make the jobs of a cup
jobs.py             hand jobs to an executor
dispatch.py         claimed games between a coordinator and its workers: queued, running, retried
fleet.py            what the coordinator knows about its workers
installation.py     the versions that coordinator and workers compare
executors/          where workers run: here, on all cores, on a cluster (plug-ins)
remote_entrants.py  entrants that sign up over the network
ledger/             schedule, claims, results and records, in SQLite or PostgreSQL (plug-ins)
standings.py        points, tie-breaks and ranks
ratings/            Elo, Plackett-Luce, the sequential test
report/             a page, CSV or plain files from a ledger
check.py            test the entrants before a cup
verify.py           verify a cup from its ledger, and say what was shown
verified_games.py   verify its games and its schedule
sprt_run.py         play two players until the sequential test has decided
"""
