"""Test harnesses, servers and clients of the two courses, and the functions of the Oz note."""
