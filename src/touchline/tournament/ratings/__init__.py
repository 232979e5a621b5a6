"""How strong players are, as numbers with error bars, from the games they have played."""
