"""A trivial UCI engine: it knows a handful of moves and plays the one that fits how many were played."""

import sys

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")


def main() -> None:
    played = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name trivial\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            played = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words[0] == "go":
            print(f"bestmove {MOVES[played % 4]}", flush=True)
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
