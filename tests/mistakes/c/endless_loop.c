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
            while (turn >= 0) turn = turn % 2;
        }
        fflush(stdout);
    }
}
