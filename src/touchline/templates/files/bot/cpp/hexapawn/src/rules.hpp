// Hexapawn: the legal moves of a position.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"

struct Cell {
    int row, col;
};

struct Position {
    std::vector<std::string> board; // rows from the top: '1' is a pawn of seat 0, '2' of seat 1, '.' is empty
    int to_move;                    // the seat whose turn it is; seat 0 walks down, seat 1 up

    static Position read(const Json &json);
};

struct Move {
    Cell from, to;

    std::string json() const; // as the referee wants it
};

// Return the legal moves of the seat to move.
std::vector<Move> legal_moves(const Position &position);
