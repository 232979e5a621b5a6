"""Bundles: the files of an entrant as one value, named by the hash of their content.

bundle.py       the value, its digest, and its packed form for the wire
store.py        a folder of bundles, packed and unpacked
submissions.py  what people hand in: a zip, a folder, a Python file or a WebAssembly module
archives.py     how zips and folders are read without harm
"""
