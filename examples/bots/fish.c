/* Fish in C: a bot that always goes for the tile with the most fish.
 *
 * The referee writes one JSON value per line to our stdin, and reads our answers from our stdout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C has no JSON, so here is as much as we need. A value is where its text begins, and NULL is none. */
static const char *first(const char *at) { /* the first value of a list, or the first key of an object */
    if (!at || (*at != '[' && *at != '{')) return NULL;
    at += 1 + strspn(at + 1, " ");
    return *at == ']' || *at == '}' ? NULL : at;
}
static const char *next(const char *at) { /* what follows a value; in an object, a value follows its key */
    for (int depth = 0; at && *at; at++) {
        if (*at == '"') /* a string: skip to its end, past escapes */
            while (*++at != '"') if (!*at || (*at == '\\' && !*++at)) return NULL;
        if (*at == '[' || *at == '{') depth++;
        if ((*at == ']' || *at == '}') && depth-- == 0) return NULL;
        if ((*at == ',' || *at == ':') && depth == 0) return at + 1 + strspn(at + 1, " ");
    }
    return NULL;
}
static int is(const char *at, const char *text) { /* whether a string, or a key, is this one */
    return at && *at == '"' && !strncmp(at + 1, text, strlen(text)) && at[1 + strlen(text)] == '"';
}
static const char *field(const char *object, const char *key) { /* the value of a key */
    const char *at = first(object);
    while (at && !is(at, key)) at = next(next(at));
    return next(at);
}

/* The board, row by row, with an empty border, so that no step leaves the table. */
enum { MOST = 50, WIDE = MOST + 2, ALL = (MOST + 4) * WIDE }; /* no board has more than 50 rows or columns */
#define TILE(row, col) (((row) + 2) * WIDE + (col) + 1)
#define ROW_COL(tile) (tile) / WIDE - 2, (tile) % WIDE - 1
/* N, NE, SE, S, SW, NW. Odd rows lie half a tile to the right, so it depends on the row's parity. */
static const int STEP[2][6] = {{-2 * WIDE, -WIDE, WIDE, 2 * WIDE, WIDE - 1, -WIDE - 1},
                               {-2 * WIDE, -WIDE + 1, WIDE + 1, 2 * WIDE, WIDE, -WIDE}};

static void move(const char *position, int seat, int commercial) {
    int tiles[ALL] = {0}; /* the fish of each; 0 where there is none, and -1 - N for a penguin of seat N */
    unsigned row = 0, col;
    for (const char *line = first(field(position, "board")); line && row < MOST; line = next(line), row++) {
        const char *at = first(line);
        for (col = 0; at && col < MOST; at = next(at), col++) tiles[TILE(row, col)] = atoi(at);
    }
    const char *penguins = first(field(position, "penguins")); /* null for a seat that is out */
    for (int owner = 0; penguins; penguins = next(penguins), owner++)
        for (const char *at = first(penguins); at; at = next(at))
            if (sscanf(at, "[ %u , %u", &row, &col) == 2 && row < MOST && col < MOST)
                tiles[TILE(row, col)] = -1 - owner;
    int from = 0, to = 0, placing = is(field(position, "phase"), "placing");
    for (int at = 0; at < ALL; at++) {
        if (placing && tiles[at] > tiles[to] && (!commercial || tiles[at] == 1)) to = at;
        for (int way = 0; way < 6 && !placing && tiles[at] == -1 - seat; way++)
            for (int on = at + STEP[at / WIDE % 2][way]; tiles[on] > 0; on += STEP[on / WIDE % 2][way])
                if (tiles[on] > tiles[to]) from = at, to = on;
    }
    if (placing) printf("{\"type\":\"place\",\"at\":[%d,%d]}", ROW_COL(to));
    else printf("{\"type\":\"slide\",\"from\":[%d,%d],\"to\":[%d,%d]}", ROW_COL(from), ROW_COL(to));
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    for (int seat = 0, commercial = 0; getline(&line, &size, stdin) > 0; fflush(stdout)) {
        const char *type = field(line, "type");
        if (is(type, "begin")) {
            seat = atoi(field(line, "seat"));
            commercial = is(field(field(line, "options"), "rules"), "commercial");
            puts("{\"type\":\"ready\"}");
        } else if (is(type, "your_turn")) {
            printf("{\"type\":\"act\",\"turn\":%lld,\"move\":", atoll(field(line, "turn")));
            move(field(line, "position"), seat, commercial);
            puts("}");
        } else if (is(type, "over") || is(type, "expelled")) return 0; /* the last message */
    }
}
