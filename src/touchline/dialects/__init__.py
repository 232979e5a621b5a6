"""How a player is spoken to: one file per dialect, words on the wire and nothing else.

A dialect has two verbs: `say(message)` gives the frames that say it, `hear(frame)` gives what a
frame says. Law: nothing a player sends can raise past `hear()`.
"""
