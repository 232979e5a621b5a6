"""The tables of the page: who sits at them, what is played there, and what a restart must know."""
