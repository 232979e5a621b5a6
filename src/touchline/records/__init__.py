"""Those who watch a match: callables that are handed each event and can change nothing."""
