/* Your bot. It always goes for the tile with the most fish. Make it better! */
#include "bot.h"

static int value(const struct position *position, struct move move) {
    return position->board[move.to.row][move.to.col];
}

struct move choose(const struct position *position, const struct moves *moves) {
    struct move best = moves->items[0]; /* a seat without a move is not asked */
    for (size_t at = 1; at < moves->count; at++)
        if (value(position, moves->items[at]) > value(position, best)) best = moves->items[at];
    return best;
}
