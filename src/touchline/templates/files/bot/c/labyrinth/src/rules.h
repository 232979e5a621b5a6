/* Labyrinth: the legal moves of a position. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST = 50 }; /* the most rows and columns of a board */
enum { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };
enum direction { LEFT, RIGHT, UP, DOWN }; /* each is undone by the one whose number differs in the last bit */

struct cell {
    int row, col;
};

struct position {
    int rows, cols;
    unsigned char board[MOST][MOST]; /* the open sides of each tile, row by row */
    unsigned char spare;             /* the open sides of the tile to push in */
    struct cell avatar, goal;        /* where you stand, and where you must go: to a treasure, or home */
    bool any_push;                   /* whether there was a push before this one; and which */
    int last_index;
    enum direction last_direction;
};

/* Turn the spare by `degree` counter-clockwise, push it into row (LEFT, RIGHT) or column (UP, DOWN) `index`, and
 * walk to another tile; or pass. */
struct move {
    bool pass;
    int index;
    enum direction direction;
    int degree;
    struct cell to; /* for a pass, where you stand */
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
