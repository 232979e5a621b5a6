/* `make test` compares the legal moves with those of the referee, in the positions of turns.jsonl. */
#define _POSIX_C_SOURCE 200809L /* getline, open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/bot.h"
#include "../src/json.h"
#include "../src/rules.h"

static int failures = 0;

static void check(bool holds, int turn, const char *what, const char *move) {
    if (holds) return;
    fprintf(stderr, "turn %d: %s: %s\n", turn, what, move);
    failures++;
}

/* The move as text; the caller frees it. */
static char *written(struct move move) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    move_write(out, move);
    fclose(out);
    return text;
}

/* Whether a JSON string is this text; a backslash only escapes the next character. */
static bool same(const char *string, const char *text) {
    for (string++; *string && *string != '"'; string++, text++) {
        if (*string == '\\') string++;
        if (*string != *text) return false;
    }
    return !*text;
}

static bool has(const char *legal, const char *text) {
    const char *at = json_first(legal);
    while (at && !same(at, text)) at = json_next(at);
    return at != NULL;
}

static void check_turn(int turn, const char *line) {
    struct position position;
    const char *legal = json_field(line, "legal");
    if (!position_read(&position, json_field(line, "position"))) {
        check(false, turn, "the position cannot be read", line);
        return;
    }
    struct moves moves = legal_moves(&position);
    size_t count = 0;
    for (const char *at = json_first(legal); at; at = json_next(at)) count++;
    check(count == moves.count, turn, "the number of legal moves is wrong", "");
    for (size_t at = 0; at < moves.count; at++) {
        char *text = written(moves.items[at]);
        check(has(legal, text), turn, "this move is not legal", text);
        free(text);
    }
    char *chosen = written(choose(&position, &moves));
    check(has(legal, chosen), turn, "the bot chooses an illegal move", chosen);
    free(chosen);
    free(moves.items);
}

/* Cut a message at every byte: nothing may be read beyond the end. */
static void check_cut(const char *line) {
    for (size_t length = 0; length < strlen(line) && length < 2000; length++) {
        char *cut = strndup(line, length);
        struct position position;
        if (!cut) abort();
        (void)position_read(&position, json_field(cut, "position"));
        free(cut);
    }
}

int main(void) {
    FILE *file = fopen("turns.jsonl", "r");
    char *line = NULL;
    size_t size = 0;
    int turns = 0;
    if (!file) return perror("turns.jsonl"), 1;
    for (; getline(&line, &size, file) > 0; turns++) {
        check_turn(turns, line);
        check_cut(line);
    }
    free(line);
    fclose(file);
    printf("%d turns: %s\n", turns, failures ? "FAILED" : "all moves are legal");
    return failures || !turns;
}
