"""Tournaments: who meets whom, what came of it, and how to lose none of it."""
