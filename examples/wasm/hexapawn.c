/* Hexapawn for WebAssembly: a bot that searches deeper and deeper, until it has used its fuel.
 * The referee writes one JSON value per line to our stdin, and reads our answers from our stdout. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
enum { MOST = 26, BUDGET = 2000000, WON = 10000, DEEPEST = 60 }; /* no board is larger than 26 x 26 */
static char board[MOST][MOST]; /* '1' walks down the board, '2' walks up, '.' is empty */
static int rows, cols, nodes, stopped;
static long long until;

static long long fuel(void) { /* what we have used so far: our clock counts fuel, a nanosecond is one unit */
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now), now.tv_sec * 1000000000LL + now.tv_nsec;
}
static int search(int seat, int depth, int alpha, int beta, int *best) { /* negamax, as seat sees it */
    int moves = 0, lead = 0; /* in pawns and steps */
    for (int row = 0; row < rows; row++) for (int col = 0; col < cols; col++)
        lead += board[row][col] == '1' ? rows + row : board[row][col] == '2' ? row + 1 - 2 * rows : 0;
    if (++nodes % 16 == 0) stopped |= fuel() > until; /* to read the clock costs 1,000 units */
    if (depth == 0 || stopped) return seat ? -lead : lead;
    for (int row = 0; row < rows; row++) for (int col = 0; col < cols; col++)
        for (int to = col - 1; to <= col + 1 && board[row][col] == '1' + seat; to++) {
            int ahead = row + (seat ? -1 : 1), last = ahead == (seat ? 0 : rows - 1);
            if (to < 0 || to >= cols || board[ahead][to] != (to == col ? '.' : '2' - seat)) continue;
            char taken = board[ahead][to]; board[row][col] = '.', board[ahead][to] = '1' + seat, moves++;
            int value = last ? WON + depth : -search(!seat, depth - 1, -beta, -alpha, NULL);
            board[row][col] = '1' + seat, board[ahead][to] = taken;
            if (value > alpha && best) best[0] = row, best[1] = col, best[2] = ahead, best[3] = to;
            if (value > alpha && (alpha = value) >= beta) return alpha;
        }
    return moves ? alpha : -WON - depth; /* a player that cannot move has lost */
}

/* As much JSON as we need. A value is where its text begins, and NULL is none. */
static const char *next(const char *at) { /* what follows a value; in an object, a value follows its key */
    for (int depth = 0; at && *at; at++) {
        if (*at == '"') while (*++at != '"') if (!*at || (*at == '\\' && !*++at)) return NULL;
        if (*at == '[' || *at == '{') depth++;
        if ((*at == ']' || *at == '}') && depth-- == 0) return NULL;
        if ((*at == ',' || *at == ':') && depth == 0) return at + 1 + strspn(at + 1, " ");
    }
    return NULL;
}
static int is(const char *at, const char *text) { return at && !strncmp(at, text, strlen(text)); }
static const char *field(const char *object, const char *key) { /* the value of a key, which is in quotes */
    const char *at = object + 1;
    while (at && !is(at, key)) at = next(next(at));
    return next(at);
}
static char *put(char *at, const char *text, long long number) { /* printf would be most of the module */
    at = number > 9 ? put(at, text, number / 10) : stpcpy(at, text);
    return *at = '0' + number % 10, at + 1;
}
int main(void) {
    static char line[1 << 16], answer[200], *end;
    for (int seat = 0, size = 0, got; (got = read(0, line + size, sizeof line - 1 - size)) > 0;) {
        if (line[(size += got) - 1] != '\n') continue; /* the line goes on */
        line[size] = 0, size = stopped = 0, end = answer;
        const char *type = field(line, "\"type\"");
        if (is(type, "\"begin\"")) {
            seat = atoi(field(line, "\"seat\"")), end = stpcpy(end, "{\"type\":\"ready\"}\n");
        } else if (is(type, "\"your_turn\"")) {
            const char *row = field(field(line, "\"position\""), "\"board\"") + 1;
            for (rows = 0; row && rows < MOST; row = next(row), rows++)
                for (cols = 0; row[1 + cols] != '"' && cols < MOST; cols++) board[rows][cols] = row[1 + cols];
            int move[4], found[4];
            until = fuel() + BUDGET;
            for (int depth = 1, value = 0; !stopped && abs(value) < WON && depth <= DEEPEST; depth++) {
                value = search(seat, depth, -2 * WON, 2 * WON, found);
                if (!stopped || depth == 1) memcpy(move, found, sizeof move);
            }
            end = put(end, "{\"type\":\"act\",\"turn\":", atoll(field(line, "\"turn\"")));
            end = put(put(end, ",\"move\":{\"from\":[", move[0]), ",", move[1]);
            end = stpcpy(put(put(end, "],\"to\":[", move[2]), ",", move[3]), "]}}\n");
        } else if (is(type, "\"over\"") || is(type, "\"expelled\"")) return 0; /* the last message */
        write(1, answer, end - answer);
    }
}
