"""The two courses and the Oz note: their test harnesses, their servers and clients, their functions."""
