"""Projects to start from: a bot, a game, a dialect or a tournament format, which run as they are written.

`files/` holds the templates, in their own languages; the modules here fill in the names and write them.
"""
