"""The page: watch, play and replay in a browser. Only the modules that say so need aiohttp."""
