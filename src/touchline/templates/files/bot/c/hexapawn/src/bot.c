/* Your bot. It gets through if it can, captures if it can, and else steps forward. Make it better! */
#include "bot.h"

static int value(const struct position *position, struct move move) {
    int last_row = position->to_move == 0 ? position->rows - 1 : 0;
    if (move.to.row == last_row) return 2;          /* wins */
    return move.from.col != move.to.col ? 1 : 0; /* only a capture goes diagonally */
}

struct move choose(const struct position *position, const struct moves *moves) {
    struct move best = moves->items[0]; /* a seat without a move is not asked */
    for (size_t at = 1; at < moves->count; at++)
        if (value(position, moves->items[at]) > value(position, best)) best = moves->items[at];
    return best;
}
