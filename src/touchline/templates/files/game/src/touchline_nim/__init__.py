"""The game nim for Touchline."""
