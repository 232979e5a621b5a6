#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

const char *json_first(const char *value) {
    if (!value || (*value != '[' && *value != '{')) return NULL;
    value = skip_blanks(value + 1);
    return !*value || *value == ']' || *value == '}' ? NULL : value;
}

const char *json_next(const char *value) {
    int depth = 0;
    for (const char *at = value; at && *at; at++) {
        if (*at == '"') { /* skip to the end of the string, past escapes */
            while (*++at != '"')
                if (!*at || (*at == '\\' && !*++at)) return NULL;
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if (*at == ']' || *at == '}') {
            if (depth-- == 0) return NULL;
        } else if ((*at == ',' || *at == ':') && depth == 0) {
            return skip_blanks(at + 1);
        }
    }
    return NULL;
}

const char *json_field(const char *object, const char *key) {
    if (!object) return NULL;
    object = skip_blanks(object);
    if (*object != '{') return NULL;
    const char *at = json_first(object);
    while (at && !json_is(at, key)) at = json_next(json_next(at));
    return json_next(at);
}

bool json_is(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[1 + length] == '"';
}

long long json_number(const char *value) { return value ? strtoll(value, NULL, 10) : 0; }
