#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

bool position_read(struct position *position, const char *json) {
    memset(position, 0, sizeof *position);
    for (const char *row = json_first(json_field(json, "board")); row; row = json_next(row)) {
        size_t cols = *row == '"' ? strcspn(row + 1, "\"") : 0;
        if (position->rows >= MOST || cols < 1 || cols > MOST) return false;
        memcpy(position->board[position->rows++], row + 1, cols);
        position->cols = (int)cols;
    }
    position->to_move = (int)json_number(json_field(json, "to_move"));
    return position->rows > 0;
}

static void add(struct moves *moves, struct move move) {
    if (moves->count == moves->room) {
        moves->room = moves->room ? 2 * moves->room : 64;
        moves->items = realloc(moves->items, moves->room * sizeof move);
        if (!moves->items) abort();
    }
    moves->items[moves->count++] = move;
}

struct moves legal_moves(const struct position *position) {
    struct moves moves = {0};
    char own = position->to_move == 0 ? '1' : '2', enemy = position->to_move == 0 ? '2' : '1';
    int forward = position->to_move == 0 ? 1 : -1;
    for (int row = 0; row < position->rows; row++) {
        int next = row + forward;
        if (next < 0 || next >= position->rows) continue;
        for (int col = 0; col < position->cols; col++) {
            if (position->board[row][col] != own) continue;
            for (int to = col - 1; to <= col + 1; to++) {
                if (to < 0 || to >= position->cols) continue;
                if (position->board[next][to] == (to == col ? '.' : enemy))
                    add(&moves, (struct move){{row, col}, {next, to}});
            }
        }
    }
    return moves;
}

void move_write(FILE *out, struct move move) {
    fprintf(out, "{\"from\":[%d,%d],\"to\":[%d,%d]}", move.from.row, move.from.col, move.to.row, move.to.col);
}
