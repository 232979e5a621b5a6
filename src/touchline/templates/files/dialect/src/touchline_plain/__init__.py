"""A dialect of hexapawn for Touchline."""
