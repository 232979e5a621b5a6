// Your bot. It always goes for the tile with the most fish. Make it better!
#include "bot.hpp"

#include <algorithm>

Move choose(const Position &position, const std::vector<Move> &moves) {
    const auto worse = [&](const Move &one, const Move &other) {
        return position.fish(one.to) < position.fish(other.to);
    };
    return *std::max_element(moves.begin(), moves.end(), worse); // a seat without a move is not asked
}
