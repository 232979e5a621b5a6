/* Hexapawn: the legal moves of a position. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST = 26 }; /* the most rows and columns of a board */

struct cell {
    int row, col;
};

struct position {
    int rows, cols;
    char board[MOST][MOST]; /* rows from the top: '1' is a pawn of seat 0, '2' of seat 1, '.' is empty */
    int to_move;            /* the seat whose turn it is; seat 0 walks down, seat 1 up */
};

struct move {
    struct cell from, to;
};

struct moves {
    struct move *items; /* to be freed */
    size_t count, room;
};

/* Read a position; return whether it could be read. */
bool position_read(struct position *position, const char *json);
/* Return the legal moves of the seat to move. */
struct moves legal_moves(const struct position *position);
/* Write a move as the referee wants it. */
void move_write(FILE *out, struct move move);

#endif
