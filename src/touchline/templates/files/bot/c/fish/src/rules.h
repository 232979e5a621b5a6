/* Fish: the legal moves of a position. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST = 50, SEATS = 4, PENGUINS = 4 }; /* the most rows and columns, seats, and penguins of a seat */

struct cell {
    int row, col;
};

struct position {
    int rows, cols;
    int board[MOST][MOST];    /* the fish on each tile, row by row; 0 is a hole */
    bool taken[MOST][MOST];   /* whether a penguin stands on it */
    int count[SEATS];         /* the penguins of each seat; 0 for a seat that is out */
    struct cell penguins[SEATS][PENGUINS];
    bool placing;             /* whether penguins are still being placed */
    bool commercial;          /* whether a penguin must start on a tile with one fish */
    int to_move;              /* the seat whose turn it is */
};

struct move {
    bool placing; /* a placement has no `from` */
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
