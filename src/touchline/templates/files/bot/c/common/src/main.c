/* Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
 * Print to stderr to debug: stdout belongs to the protocol. */
#define _POSIX_C_SOURCE 200809L /* getline */
#include <stdio.h>
#include <stdlib.h>

#include "bot.h"
#include "json.h"
#include "rules.h"

static void answer(const char *message) {
    struct position position;
    if (!position_read(&position, json_field(message, "position"))) {
        fputs("the position cannot be read\n", stderr);
        exit(1);
    }
    struct moves moves = legal_moves(&position);
    /* The answer repeats the number of the turn. */
    printf("{\"type\":\"act\",\"turn\":%lld,\"move\":", json_number(json_field(message, "turn")));
    move_write(stdout, choose(&position, &moves));
    puts("}");
    free(moves.items);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *type = json_field(line, "type");
        if (json_is(type, "begin")) /* a match begins; the field "seat" has your seat */
            puts("{\"type\":\"ready\"}");
        else if (json_is(type, "your_turn"))
            answer(line);
        else if (json_is(type, "over") || json_is(type, "expelled"))
            break; /* nothing follows */
        /* Ignore other messages: later versions may have more of them. */
        fflush(stdout); /* or the answer stays in our buffer, and we are late */
    }
    free(line);
    return 0;
}
