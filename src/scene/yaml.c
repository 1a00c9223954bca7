/* Text as YAML readers take it back. */
#include "scene/yaml.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Words that YAML readers take for something other than text. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"y", "n", "yes", "no", "true", "false", "on", "off", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(text, words[i])) return true;
    return false;
}

static bool is_plain(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    const size_t length = strlen(text);
    if (!length || !strchr(letters, text[0]) || text[length - 1] == ' ' || is_reserved(text)) return false;
    size_t span = 0;
    while (span < length && (strchr(letters, text[span]) || strchr("0123456789 .-+()/%", text[span]))) span++;
    return span == length;
}

void rill_yaml_write(FILE *out, const char *text)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        /* The second byte of a C1 control or a line separator would not survive as it is. */
        const bool next_line = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        const bool separator = c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9);
        const bool mark = c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf;
        const bool none = c[0] == 0xef && c[1] == 0xbf && (c[2] == 0xbe || c[2] == 0xbf);
        if (next_line) fprintf(out, "\\x%02x", c[1]), c += 1;
        else if (separator) fprintf(out, "\\u%04x", 0x2000u + (c[2] & 0x3fu)), c += 2;
        else if (mark) fputs("\\ufeff", out), c += 2;
        else if (none) fprintf(out, "\\u%04x", 0xffc0u + (c[2] & 0x3fu)), c += 2;
        else if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f) fprintf(out, "\\x%02x", *c);
        else fputc(*c, out);
    }
    fputc('"', out);
}
