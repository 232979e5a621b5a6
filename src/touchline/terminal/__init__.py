"""The full screen at the terminal: play, watch and step through matches. It needs the extra `tui`."""
