#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"begin\"")) {
            puts("{\"type\":\"ready\"}");
        } else if (strstr(line, "\"type\":\"your_turn\"")) {
            int turn = atoi(strstr(line, "\"turn\":") + 7);
            int *moves = NULL;
            printf("{\"type\":\"act\",\"turn\":%d,\"move\":%d}\n", turn, moves[0]);
        }
        fflush(stdout);
    }
}
