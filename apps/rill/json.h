/* Writing JSON: commas and quotes in the right places. */
#ifndef RILL_APP_JSON_H
#define RILL_APP_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    int depth;
    bool filled; /* something precedes in this object or array */
} json;

json json_start(FILE *out);

/* key is NULL inside an array and at the top. */
void json_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_close(json *j, char bracket);                 /* '}' or ']' */
void json_text(json *j, const char *key, const char *value);
void json_number(json *j, const char *key, double value); /* null when not finite */
void json_numbers(json *j, const char *key, const double *values, int count); /* an array on one line */
void json_count(json *j, const char *key, uint64_t value);
void json_flag(json *j, const char *key, bool value);

#endif
