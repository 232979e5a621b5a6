/* Read JSON without a library and without copying. A value is a pointer to where its text begins, NULL is none,
 * and every function takes NULL. It trusts that the referee writes valid JSON: it never reads past the end of
 * the text, but it does not report errors. It compares strings and keys as they are written, so it does not
 * find one that is written with escapes. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

/* The first item of a list, or the first key of an object. */
const char *json_first(const char *value);
/* The item after this one; in an object a value follows its key, and the next key follows that. */
const char *json_next(const char *value);
/* The value of a key of an object. */
const char *json_field(const char *object, const char *key);
/* Whether a value is this string. */
bool json_is(const char *value, const char *text);
/* A whole number; 0 if the value is none. */
long long json_number(const char *value);

#endif
