#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

/* The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row. */
static const struct cell STEPS[2][6] = {
    {{-2, 0}, {-1, 0}, {1, 0}, {2, 0}, {1, -1}, {-1, -1}}, /* from an even row */
    {{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, 0}, {-1, 0}},   /* from an odd row */
};

static bool on_board(const struct position *position, struct cell cell) {
    return cell.row >= 0 && cell.row < position->rows && cell.col >= 0 && cell.col < position->cols;
}

static bool read_penguins(struct position *position, const char *json) {
    int seat = 0;
    for (const char *cells = json_first(json); cells; cells = json_next(cells), seat++) {
        if (seat >= SEATS) return false;
        for (const char *pair = json_first(cells); pair; pair = json_next(pair)) {
            const char *row = json_first(pair);
            struct cell cell = {(int)json_number(row), (int)json_number(json_next(row))};
            if (!on_board(position, cell) || position->count[seat] >= PENGUINS) return false;
            position->penguins[seat][position->count[seat]++] = cell;
            position->taken[cell.row][cell.col] = true;
        }
    }
    return true;
}

bool position_read(struct position *position, const char *json) {
    memset(position, 0, sizeof *position);
    for (const char *row = json_first(json_field(json, "board")); row; row = json_next(row)) {
        int cols = 0;
        if (position->rows >= MOST) return false;
        for (const char *tile = json_first(row); tile; tile = json_next(tile)) {
            if (cols >= MOST) return false;
            position->board[position->rows][cols++] = (int)json_number(tile);
        }
        position->rows++;
        position->cols = cols;
    }
    position->placing = json_is(json_field(json, "phase"), "placing");
    position->commercial = json_first(json_field(json, "tiles")) != NULL;
    position->to_move = (int)json_number(json_field(json, "to_move"));
    if (position->to_move < 0 || position->to_move >= SEATS) return false;
    return position->rows > 0 && read_penguins(position, json_field(json, "penguins"));
}

static void add(struct moves *moves, struct move move) {
    if (moves->count == moves->room) {
        moves->room = moves->room ? 2 * moves->room : 64;
        moves->items = realloc(moves->items, moves->room * sizeof move);
        if (!moves->items) abort();
    }
    moves->items[moves->count++] = move;
}

static bool is_free(const struct position *position, struct cell cell) {
    return on_board(position, cell) && position->board[cell.row][cell.col] > 0 &&
           !position->taken[cell.row][cell.col];
}

static struct cell step(struct cell cell, int way) {
    struct cell by = STEPS[cell.row & 1][way];
    return (struct cell){cell.row + by.row, cell.col + by.col};
}

static void add_placements(struct moves *moves, const struct position *position) {
    for (int row = 0; row < position->rows; row++)
        for (int col = 0; col < position->cols; col++) {
            struct cell at = {row, col};
            if (is_free(position, at) && (!position->commercial || position->board[row][col] == 1))
                add(moves, (struct move){true, at, at});
        }
}

static void add_slides(struct moves *moves, const struct position *position) {
    for (int penguin = 0; penguin < position->count[position->to_move]; penguin++) {
        struct cell from = position->penguins[position->to_move][penguin];
        for (int way = 0; way < 6; way++)
            for (struct cell to = step(from, way); is_free(position, to); to = step(to, way))
                add(moves, (struct move){false, from, to});
    }
}

struct moves legal_moves(const struct position *position) {
    struct moves moves = {0};
    if (position->placing)
        add_placements(&moves, position);
    else
        add_slides(&moves, position);
    return moves;
}

void move_write(FILE *out, struct move move) {
    if (move.placing)
        fprintf(out, "{\"type\":\"place\",\"at\":[%d,%d]}", move.to.row, move.to.col);
    else
        fprintf(out, "{\"type\":\"slide\",\"from\":[%d,%d],\"to\":[%d,%d]}", move.from.row, move.from.col,
                move.to.row, move.to.col);
}
