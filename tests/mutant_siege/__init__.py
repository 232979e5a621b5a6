"""The siege: millions of mutated messages at the decoders and at live seats over every door.

`scripts/siege` runs it at night; the tests run a tenth of it, and a little every day. Laws: a unit of work
follows from its seed, its name and its number; a failure is an input that can be repeated, not a crash of the
siege.
"""
