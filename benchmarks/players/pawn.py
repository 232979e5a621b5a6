"""A quick Hexapawn player in the native dialect: of the pawns that can move, the one farthest behind does."""

import sys

import msgspec


def first_move(board: list[str], seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
    mine, theirs, forward = ("1", "2", 1) if seat == 0 else ("2", "1", -1)
    for row in range(len(board))[::forward]:
        squares, ahead = board[row], row + forward
        if mine not in squares or not 0 <= ahead < len(board):
            continue
        front = board[ahead]
        for col, square in enumerate(squares):
            if square == mine:
                if front[col] == ".":
                    return (row, col), (ahead, col)
                for side in (col - 1, col + 1):
                    if 0 <= side < len(front) and front[side] == theirs:
                        return (row, col), (ahead, side)
    raise SystemExit("no move")


def main() -> None:
    read, out = sys.stdin.buffer.readline, sys.stdout.buffer
    decode = msgspec.json.Decoder().decode
    seat = 0
    while line := read():
        said = decode(line)
        word = said["type"]
        if word == "your_turn":
            here, there = first_move(said["position"]["board"], seat)
            move = b'{"type":"act","turn":%d,"move":{"from":[%d,%d],"to":[%d,%d]}}\n'
            out.write(move % (said["turn"], *here, *there))
        elif word == "begin":
            seat = said["seat"]
            out.write(b'{"type":"ready"}\n')
        out.flush()  # and it stays after `over`, for the next match


if __name__ == "__main__":
    main()
