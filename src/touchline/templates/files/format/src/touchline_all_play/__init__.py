"""A tournament format for Touchline."""
