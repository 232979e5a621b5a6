#include "rules.hpp"

#include <algorithm>
#include <sstream>

namespace {

// The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row.
constexpr Cell STEPS[2][6] = {
    {{-2, 0}, {-1, 0}, {1, 0}, {2, 0}, {1, -1}, {-1, -1}}, // from an even row
    {{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, 0}, {-1, 0}},   // from an odd row
};

Cell step(Cell cell, int way) {
    const Cell by = STEPS[cell.row & 1][way];
    return {cell.row + by.row, cell.col + by.col};
}

std::vector<Move> placements(const Position &position) {
    std::vector<Move> moves;
    for (int row = 0; row < static_cast<int>(position.board.size()); row++) {
        for (int col = 0; col < static_cast<int>(position.board[row].size()); col++) {
            const Cell at{row, col};
            const bool allowed = !position.commercial || position.fish(at) == 1;
            if (allowed && position.is_free(at)) moves.push_back({true, at, at});
        }
    }
    return moves;
}

std::vector<Move> slides(const Position &position) {
    std::vector<Move> moves;
    for (const Cell from : position.penguins.at(position.to_move)) {
        for (int way = 0; way < 6; way++) {
            for (Cell to = step(from, way); position.is_free(to); to = step(to, way))
                moves.push_back({false, from, to});
        }
    }
    return moves;
}

} // namespace

Position Position::read(const Json &json) {
    Position position{};
    for (const Json &row : json["board"].items()) {
        position.board.emplace_back();
        for (const Json &fish : row.items()) position.board.back().push_back(static_cast<int>(fish.number()));
    }
    for (const Json &cells : json["penguins"].items()) {
        position.penguins.emplace_back();
        for (const Json &cell : cells.items())
            position.penguins.back().push_back(
                {static_cast<int>(cell[0].number()), static_cast<int>(cell[1].number())});
    }
    position.placing = json["phase"].text() == "placing";
    position.commercial = !json["tiles"].items().empty();
    position.to_move = static_cast<int>(json["to_move"].number());
    return position;
}

int Position::fish(Cell cell) const {
    if (cell.row < 0 || cell.row >= static_cast<int>(board.size())) return 0;
    if (cell.col < 0 || cell.col >= static_cast<int>(board[cell.row].size())) return 0;
    return board[cell.row][cell.col];
}

bool Position::is_free(Cell cell) const {
    return fish(cell) > 0 && std::none_of(penguins.begin(), penguins.end(), [&](const auto &cells) {
               return std::find(cells.begin(), cells.end(), cell) != cells.end();
           });
}

std::string Move::json() const {
    std::ostringstream out;
    if (placing)
        out << R"({"type":"place","at":[)" << to.row << ',' << to.col << "]}";
    else
        out << R"({"type":"slide","from":[)" << from.row << ',' << from.col << R"(],"to":[)" << to.row << ','
            << to.col << "]}";
    return out.str();
}

std::vector<Move> legal_moves(const Position &position) {
    return position.placing ? placements(position) : slides(position);
}
