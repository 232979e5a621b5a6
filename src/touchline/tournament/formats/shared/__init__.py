"""What formats are built from. Formats of other packages may import all of it."""
