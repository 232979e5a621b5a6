#include "rules.hpp"

#include <map>
#include <sstream>

namespace {

const std::map<std::string, int> WAYS = {
    {"│", NORTH | SOUTH},        {"─", EAST | WEST},          {"┐", SOUTH | WEST},
    {"└", NORTH | EAST},         {"┌", EAST | SOUTH},         {"┘", NORTH | WEST},
    {"┬", EAST | SOUTH | WEST},  {"├", NORTH | EAST | SOUTH}, {"┴", NORTH | EAST | WEST},
    {"┤", NORTH | SOUTH | WEST}, {"┼", NORTH | EAST | SOUTH | WEST},
};
const std::string DIRECTIONS[] = {"LEFT", "RIGHT", "UP", "DOWN"};

bool is_across(Direction direction) { return direction == LEFT || direction == RIGHT; }

Cell read_cell(const Json &json) {
    return {static_cast<int>(json[0].number()), static_cast<int>(json[1].number())};
}

int turned(int ways, int degree) {
    const int quarters = degree / 90;
    return (ways >> quarters) | ((ways << (4 - quarters)) & 15);
}

// Push a line of the board; who drops out comes back on the new tile.
void make_push(Maze &board, Cell &avatar, Push push, int spare) {
    const bool across = is_across(push.direction);
    const bool forward = push.direction == RIGHT || push.direction == DOWN;
    const int length = static_cast<int>(across ? board[0].size() : board.size());
    const auto tile = [&](int at) -> int & { return across ? board[push.index][at] : board[at][push.index]; };
    const int entry = forward ? 0 : length - 1, back = forward ? -1 : 1; // `back` leads to the entry
    for (int at = length - 1 - entry; at != entry; at += back) tile(at) = tile(at + back);
    tile(entry) = spare;
    int &standing = across ? avatar.col : avatar.row;
    if ((across ? avatar.row : avatar.col) == push.index) standing = (standing - back + length) % length;
}

// Return the tiles to which ways lead from a tile, without that tile.
std::vector<Cell> reachable(const Maze &maze, Cell start) {
    static const int SIDES[4][4] = {{NORTH, -1, 0, SOUTH}, {EAST, 0, 1, WEST}, {SOUTH, 1, 0, NORTH}, {WEST, 0, -1, EAST}};
    const int rows = static_cast<int>(maze.size()), cols = static_cast<int>(maze[0].size());
    std::vector<std::vector<bool>> seen(rows, std::vector<bool>(cols));
    seen[start.row][start.col] = true;
    std::vector<Cell> found = {start};
    for (std::size_t next = 0; next < found.size(); next++) {
        const Cell cell = found[next];
        for (const auto &[side, down, right, back] : SIDES) {
            const Cell to{cell.row + down, cell.col + right};
            if (to.row < 0 || to.row >= rows || to.col < 0 || to.col >= cols || seen[to.row][to.col]) continue;
            if (!(maze[cell.row][cell.col] & side) || !(maze[to.row][to.col] & back)) continue;
            seen[to.row][to.col] = true;
            found.push_back(to);
        }
    }
    found.erase(found.begin());
    return found;
}

} // namespace

Position Position::read(const Json &json) {
    Position position{};
    constexpr std::size_t bytes = 3; // of each connector, in UTF-8
    for (const Json &row : json["connectors"].items()) {
        position.board.emplace_back();
        for (std::size_t at = 0; at + bytes <= row.text().size(); at += bytes)
            position.board.back().push_back(WAYS.at(row.text().substr(at, bytes)));
    }
    position.spare = WAYS.at(json["spare"]["connector"].text());
    const Json &me = json["seekers"][static_cast<std::size_t>(json["to_move"].number())];
    position.avatar = read_cell(me["avatar"]);
    position.goal = read_cell(me["goal"]);
    for (int way = LEFT; way <= DOWN; way++) {
        if (json["last"][1].text() == DIRECTIONS[way])
            position.last = Push{static_cast<int>(json["last"][0].number()), static_cast<Direction>(way)};
    }
    return position;
}

std::string Move::json() const {
    if (!push) return R"({"type":"pass"})";
    std::ostringstream out;
    out << R"({"type":"slide","index":)" << push->index << R"(,"direction":")" << DIRECTIONS[push->direction]
        << R"(","degree":)" << degree << R"(,"to":[)" << to.row << ',' << to.col << "]}";
    return out.str();
}

std::vector<Move> legal_moves(const Position &position) {
    std::vector<Move> moves;
    for (int way = LEFT; way <= DOWN; way++) {
        const auto direction = static_cast<Direction>(way);
        const std::size_t lines = is_across(direction) ? position.board.size() : position.board[0].size();
        for (int index = 0; index < static_cast<int>(lines); index += 2) { // those with an even index can be pushed
            if (position.last && position.last->index == index && position.last->direction == (way ^ 1)) continue;
            for (int degree = 0; degree < 360; degree += 90) {
                Maze maze = position.board;
                Cell start = position.avatar;
                make_push(maze, start, {index, direction}, turned(position.spare, degree));
                for (const Cell to : reachable(maze, start)) moves.push_back({Push{index, direction}, degree, to});
            }
        }
    }
    moves.push_back({std::nullopt, 0, position.avatar});
    return moves;
}
