#include <cjson.h>
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
            printf("{\"type\":\"act\",\"turn\":%d,\"move\":{\"from\":[0,0],\"to\":[1,0]}}\n", turn);
        }
        fflush(stdout);
    }
}
