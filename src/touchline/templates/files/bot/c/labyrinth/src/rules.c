#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

static const char *const DIRECTIONS[] = {"LEFT", "RIGHT", "UP", "DOWN"};

static const struct {
    const char *drawn; /* in UTF-8 */
    unsigned char ways;
} CONNECTORS[] = {
    {"│", NORTH | SOUTH},        {"─", EAST | WEST},          {"┐", SOUTH | WEST},
    {"└", NORTH | EAST},         {"┌", EAST | SOUTH},         {"┘", NORTH | WEST},
    {"┬", EAST | SOUTH | WEST},  {"├", NORTH | EAST | SOUTH}, {"┴", NORTH | EAST | WEST},
    {"┤", NORTH | SOUTH | WEST}, {"┼", NORTH | EAST | SOUTH | WEST},
};

/* The open sides of the connector that a text begins with; 0 if it is none. */
static unsigned char ways_of(const char *text) {
    for (size_t at = 0; at < sizeof CONNECTORS / sizeof *CONNECTORS; at++)
        if (!strncmp(text, CONNECTORS[at].drawn, strlen(CONNECTORS[at].drawn))) return CONNECTORS[at].ways;
    return 0;
}

static bool read_row(struct position *position, const char *text) {
    int cols = 0;
    if (position->rows >= MOST || *text != '"') return false;
    for (text++; *text && *text != '"'; text += strlen("│"), cols++) {
        unsigned char ways = ways_of(text);
        if (!ways || cols >= MOST) return false;
        position->board[position->rows][cols] = ways;
    }
    position->rows++;
    position->cols = cols;
    return true;
}

static bool read_cell(const struct position *position, struct cell *cell, const char *json) {
    const char *row = json_first(json);
    cell->row = (int)json_number(row);
    cell->col = (int)json_number(json_next(row));
    return row && cell->row >= 0 && cell->row < position->rows && cell->col >= 0 && cell->col < position->cols;
}

bool position_read(struct position *position, const char *json) {
    memset(position, 0, sizeof *position);
    for (const char *row = json_first(json_field(json, "connectors")); row; row = json_next(row))
        if (!read_row(position, row)) return false;
    const char *spare = json_field(json_field(json, "spare"), "connector");
    position->spare = spare && *spare == '"' ? ways_of(spare + 1) : 0;
    const char *seeker = json_first(json_field(json, "seekers"));
    for (long long seat = json_number(json_field(json, "to_move")); seat > 0; seat--) seeker = json_next(seeker);
    const char *last = json_first(json_field(json, "last")); /* none if it is null */
    position->any_push = last != NULL;
    position->last_index = (int)json_number(last);
    for (int way = LEFT; way <= DOWN; way++)
        if (json_is(json_next(last), DIRECTIONS[way])) position->last_direction = way;
    return position->spare && read_cell(position, &position->avatar, json_field(seeker, "avatar")) &&
           read_cell(position, &position->goal, json_field(seeker, "goal"));
}

static void add(struct moves *moves, struct move move) {
    if (moves->count == moves->room) {
        moves->room = moves->room ? 2 * moves->room : 64;
        moves->items = realloc(moves->items, moves->room * sizeof move);
        if (!moves->items) abort();
    }
    moves->items[moves->count++] = move;
}

static unsigned char turned(unsigned char ways, int degree) {
    int quarters = degree / 90;
    return (unsigned char)((ways >> quarters) | ((ways << (4 - quarters)) & 15));
}

/* Push a line; who drops out comes back on the new tile. */
static void push(struct position *position, int index, enum direction direction, unsigned char spare) {
    bool across = direction == LEFT || direction == RIGHT, forward = direction == RIGHT || direction == DOWN;
    int length = across ? position->cols : position->rows;
    int entry = forward ? 0 : length - 1, step = forward ? -1 : 1; /* `step` leads back to the entry */
    for (int at = length - 1 - entry; at != entry; at += step) {
        if (across)
            position->board[index][at] = position->board[index][at + step];
        else
            position->board[at][index] = position->board[at + step][index];
    }
    if (across)
        position->board[index][entry] = spare;
    else
        position->board[entry][index] = spare;
    int *standing = across ? &position->avatar.col : &position->avatar.row;
    if ((across ? position->avatar.row : position->avatar.col) == index)
        *standing = (*standing - step + length) % length;
}

/* Add a move to each tile to which ways lead from where the push has left the avatar. */
static void add_walks(struct moves *moves, const struct position *after, struct move move) {
    static const struct {
        int side, down, right, back;
    } SIDES[] = {{NORTH, -1, 0, SOUTH}, {EAST, 0, 1, WEST}, {SOUTH, 1, 0, NORTH}, {WEST, 0, -1, EAST}};
    bool seen[MOST][MOST] = {{false}};
    struct cell found[MOST * MOST] = {after->avatar};
    seen[after->avatar.row][after->avatar.col] = true;
    for (int next = 0, count = 1; next < count; next++) {
        struct cell cell = found[next];
        for (int way = 0; way < 4; way++) {
            struct cell to = {cell.row + SIDES[way].down, cell.col + SIDES[way].right};
            if (to.row < 0 || to.row >= after->rows || to.col < 0 || to.col >= after->cols) continue;
            if (seen[to.row][to.col] || !(after->board[cell.row][cell.col] & SIDES[way].side)) continue;
            if (!(after->board[to.row][to.col] & SIDES[way].back)) continue;
            seen[to.row][to.col] = true;
            found[count++] = move.to = to;
            add(moves, move);
        }
    }
}

struct moves legal_moves(const struct position *position) {
    struct moves moves = {0};
    for (int way = LEFT; way <= DOWN; way++) {
        int lines = way == LEFT || way == RIGHT ? position->rows : position->cols;
        for (int index = 0; index < lines; index += 2) { /* those with an even index can be pushed */
            bool undoes = position->last_index == index && position->last_direction == (enum direction)(way ^ 1);
            if (position->any_push && undoes) continue;
            for (int degree = 0; degree < 360; degree += 90) {
                struct position after = *position;
                push(&after, index, way, turned(position->spare, degree));
                add_walks(&moves, &after, (struct move){false, index, way, degree, {0, 0}});
            }
        }
    }
    add(&moves, (struct move){true, 0, LEFT, 0, position->avatar});
    return moves;
}

void move_write(FILE *out, struct move move) {
    if (move.pass)
        fputs("{\"type\":\"pass\"}", out);
    else
        fprintf(out, "{\"type\":\"slide\",\"index\":%d,\"direction\":\"%s\",\"degree\":%d,\"to\":[%d,%d]}",
                move.index, DIRECTIONS[move.direction], move.degree, move.to.row, move.to.col);
}
