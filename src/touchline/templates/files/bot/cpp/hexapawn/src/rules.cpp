#include "rules.hpp"

#include <sstream>

Position Position::read(const Json &json) {
    Position position{{}, static_cast<int>(json["to_move"].number())};
    for (const Json &row : json["board"].items()) position.board.push_back(row.text());
    return position;
}

std::string Move::json() const {
    std::ostringstream out;
    out << R"({"from":[)" << from.row << ',' << from.col << R"(],"to":[)" << to.row << ',' << to.col << "]}";
    return out.str();
}

std::vector<Move> legal_moves(const Position &position) {
    const bool down = position.to_move == 0;
    const char own = down ? '1' : '2', enemy = down ? '2' : '1';
    const int rows = static_cast<int>(position.board.size());
    std::vector<Move> moves;
    for (int row = 0; row < rows; row++) {
        const int next = row + (down ? 1 : -1);
        if (next < 0 || next >= rows) continue;
        const std::string &squares = position.board[row], &ahead = position.board[next];
        for (int col = 0; col < static_cast<int>(squares.size()); col++) {
            if (squares[col] != own) continue;
            for (int to = col - 1; to <= col + 1; to++) {
                if (to < 0 || to >= static_cast<int>(ahead.size())) continue;
                if (ahead[to] == (to == col ? '.' : enemy)) moves.push_back({{row, col}, {next, to}});
            }
        }
    }
    return moves;
}
