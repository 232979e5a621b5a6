/* The solver of bots/kernels/hexapawn_tablebase.py in C, word for word: what compiled Python is measured against.

   Every position that can come up on a board, with its plies to the end; the tables grow as there. */

#include <stdint.h>
#include <stdlib.h>

typedef uint64_t word;

static int rows, cols, size;
static word squares, not_first, not_last, far_row[2], pair_column[16];
static int pair_apart[16], pairs;

typedef struct { word *slots; word last; long count, room; } table;

static table entries, reached;
static long positions;

static word targets(word mine, word theirs, int seat, int side) {
    if (side == 0)
        return (seat ? mine >> cols : mine << cols) & (squares ^ (mine | theirs));
    if (side == 1) {
        word pawns = mine & not_first;
        return (seat ? pawns >> (cols + 1) : pawns << (cols - 1)) & theirs;
    }
    word pawns = mine & not_last;
    return (seat ? pawns >> (cols - 1) : pawns << (cols + 1)) & theirs;
}

static word origin(word bit, int seat, int side) {
    if (side == 1)
        return seat ? bit << (cols + 1) : bit >> (cols - 1);
    if (side == 2)
        return seat ? bit << (cols - 1) : bit >> (cols + 1);
    return seat ? bit << cols : bit >> cols;
}

static word mirror(word pawns) {
    for (int pair = 0; pair < pairs; pair++) {
        word differ = ((pawns >> pair_apart[pair]) ^ pawns) & pair_column[pair];
        pawns ^= differ | differ << pair_apart[pair];
    }
    return pawns;
}

static word scrambled(word value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

static word packed(word mine, word theirs, int seat) {
    word first = seat ? theirs : mine, last = seat ? mine : theirs;
    return last >> cols << size | first;
}

static word key(word mine, word theirs, int seat) {
    word one = packed(mine, theirs, seat), two = packed(mirror(mine), mirror(theirs), seat);
    return (one < two ? one : two) << 1 | (word)seat;
}

static word place(word value, int shift, const table *in) {
    word at = scrambled(value) & in->last;
    while (in->slots[at] && in->slots[at] >> shift != value)
        at = (at + 1) & in->last;
    return at;
}

static void reach(word mine, word theirs, int seat, word bit) {
    word col = (word)(__builtin_ctzll(bit) % cols);
    word one = packed(mine, theirs, seat) << 5 | col;
    word two = packed(mirror(mine), mirror(theirs), seat) << 5 | ((word)cols - 1 - col);
    word value = (one < two ? one : two) << 2 | (word)seat << 1 | 1;
    word at = place(value, 0, &reached);
    if (!reached.slots[at]) {
        reached.slots[at] = value;
        reached.count++;
        positions += one == two ? 1 : 2;
    }
}

static int solve(word mine, word theirs, int seat) {
    word value = key(mine, theirs, seat), at = place(value, 7, &entries);
    if (entries.slots[at])
        return (int)(entries.slots[at] & 127);
    int shortest = 127, longest = 0;
    for (int side = 0; side < 3; side++) {
        for (word left = targets(mine, theirs, seat, side); left; left &= left - 1) {
            word bit = left & (0 - left);
            word stay = mine ^ origin(bit, seat, side), gone = theirs & ~bit;
            int plies = 1;
            if (bit & far_row[seat])
                reach(stay, gone, seat, bit);
            else {
                plies = 1 + solve(gone, stay | bit, 1 - seat);
                if (plies == 0)
                    return -1;
            }
            if (plies & 1)
                shortest = plies < shortest ? plies : shortest;
            else
                longest = plies > longest ? plies : longest;
        }
    }
    if (entries.count >= entries.room || reached.count >= reached.room)
        return -1;
    int plies = shortest < 127 ? shortest : longest;
    entries.slots[place(value, 7, &entries)] = value << 7 | (word)plies;
    entries.count++;
    positions += mirror(mine) == mine && mirror(theirs) == theirs ? 1 : 2;
    return plies;
}

static int make(table *made, long slots) {
    made->slots = calloc((size_t)slots, sizeof(word));
    made->last = (word)slots - 1;
    made->room = slots * 5 / 8;
    return made->slots != NULL;
}

static int grow(table *old, int shift) {
    table larger = {0};
    if (!make(&larger, 2 * (long)(old->last + 1)))
        return 0;
    for (word at = 0; at <= old->last; at++)
        if (old->slots[at])
            larger.slots[place(old->slots[at] >> shift, shift, &larger)] = old->slots[at];
    larger.count = old->count;
    free(old->slots);
    *old = larger;
    return 1;
}

/* The number of positions, and the plies from the first one; -1 if there is not enough memory. */
long solved(int board_rows, int board_cols, int *plies) {
    rows = board_rows, cols = board_cols, size = cols * (rows - 1), pairs = cols / 2, positions = 0;
    word row = ((word)1 << cols) - 1, column = 0;
    squares = ((word)1 << rows * cols) - 1;
    for (int square = 0; square < rows * cols; square += cols)
        column |= (word)1 << square;
    not_first = squares ^ column, not_last = squares ^ column << (cols - 1);
    far_row[0] = row << size, far_row[1] = row;
    for (int pair = 0; pair < pairs; pair++)
        pair_column[pair] = column << pair, pair_apart[pair] = cols - 1 - 2 * pair;
    entries.count = reached.count = 0;
    int enough = make(&entries, 1 << 12) & make(&reached, 1 << 12);
    while (enough && (*plies = solve(row, row << size, 0)) < 0)
        enough = entries.count >= entries.room ? grow(&entries, 7) : grow(&reached, 0);
    free(entries.slots);
    free(reached.slots);
    return enough ? positions : -1;
}
