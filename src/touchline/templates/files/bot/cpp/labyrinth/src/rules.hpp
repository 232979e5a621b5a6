// Labyrinth: the legal moves of a position.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json.hpp"

enum Side { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };
enum Direction { LEFT, RIGHT, UP, DOWN }; // each is undone by the one whose number differs in the last bit

struct Cell {
    int row, col;
};

using Maze = std::vector<std::vector<int>>; // the open sides of each tile, row by row

// Push row (LEFT, RIGHT) or column (UP, DOWN) `index`.
struct Push {
    int index;
    Direction direction;
};

struct Position {
    Maze board;
    int spare;                // the open sides of the tile to push in
    Cell avatar, goal;        // where you stand, and where you must go: to a treasure, or home
    std::optional<Push> last; // the push before this one

    static Position read(const Json &json);
};

// Turn the spare by `degree` counter-clockwise, push it in, and walk to another tile; or pass.
struct Move {
    std::optional<Push> push; // none for a pass
    int degree;
    Cell to; // for a pass, where you stand

    std::string json() const; // as the referee wants it
};

// Return the legal moves of the seat to move.
std::vector<Move> legal_moves(const Position &position);
