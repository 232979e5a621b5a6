"""Executors: where the games of a tournament are played. One file each; see README.md.

base.py   the contract, and `worker_pool()`, which finds an executor by its name
here.py   in this process, one game after the other
cores.py  in worker processes on this machine
dask.py   on a Dask cluster
"""
