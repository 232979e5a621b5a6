// Fish: the legal moves of a position.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"

struct Cell {
    int row, col;

    bool operator==(const Cell &other) const { return row == other.row && col == other.col; }
};

struct Position {
    std::vector<std::vector<int>> board;      // the fish on each tile, row by row; 0 is a hole
    std::vector<std::vector<Cell>> penguins;  // the tiles of each seat's penguins; none for a seat that is out
    bool placing;                             // whether penguins are still being placed
    bool commercial;                          // whether a penguin must start on a tile with one fish
    int to_move;                              // the seat whose turn it is

    static Position read(const Json &json);
    int fish(Cell cell) const; // 0 where there is no tile
    bool is_free(Cell cell) const;
};

struct Move {
    bool placing; // a placement has no `from`
    Cell from, to;

    std::string json() const; // as the referee wants it
};

// Return the legal moves of the seat to move.
std::vector<Move> legal_moves(const Position &position);
