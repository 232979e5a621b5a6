"""The courses' own servers and clients, with their arguments and outputs: xserver and xclients."""
