"""The formats of tournaments, one file each: who meets whom, as a pure function of what has been played."""
