"""Records of matches: write, read, verify, replay and analyse them."""
