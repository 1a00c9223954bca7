/* Text: excerpts, names, quoting, exact decimals, likeness of words. */
#include "scene/chars.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rill/scene.h"

rill_excerpt rill_chars_excerpt(const char *text)
{
    enum { SHOWN = sizeof((rill_excerpt *)0)->text - 4 };
    rill_excerpt excerpt;
    const size_t length = strlen(text);
    const bool broken = !rill_chars_is_utf8(text);
    size_t kept = length < SHOWN ? length : SHOWN;
    while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) kept--;
    for (size_t i = 0; i < kept; i++) {
        const unsigned char c = (unsigned char)text[i];
        excerpt.text[i] = c < 0x20 || c == 0x7f ? ' ' : c >= 0x80 && broken ? '?' : text[i];
    }
    strcpy(excerpt.text + kept, kept < length ? "..." : "");
    return excerpt;
}

/* Length of the UTF-8 sequence at text, 0 when it is not one. */
static size_t sequence_length(const unsigned char *text)
{
    const unsigned char c = text[0];
    if (c < 0x80) return 1;
    const size_t length = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    /* Overlong forms, surrogates and what lies past U+10FFFF. */
    if (c == 0xe0 && text[1] < 0xa0) return 0;
    if (c == 0xed && text[1] > 0x9f) return 0;
    if (c == 0xf0 && text[1] < 0x90) return 0;
    if (c == 0xf4 && text[1] > 0x8f) return 0;
    return length;
}

bool rill_chars_is_utf8(const char *text)
{
    for (size_t length; *text; text += length) {
        length = sequence_length((const unsigned char *)text);
        if (!length) return false;
    }
    return true;
}

const char *rill_chars_name_fault(const char *name)
{
    if (!*name) return "is empty";
    if (strlen(name) >= RILL_NAME_SIZE) return "is longer than 63 bytes";
    if (!rill_chars_is_utf8(name)) return "is not UTF-8 text";
    if (*name == '.' || *name == ' ') return "begins with a dot or a space";
    if (name[strlen(name) - 1] == ' ') return "ends with a space";
    /* Names end up in file names and in the header of tables. */
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) return "holds a control character";
        if (strchr("/\\,;\"", *c)) return "holds one of / \\ , ; \"";
    }
    return NULL;
}

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

void rill_chars_write_yaml(FILE *out, const char *text)
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

rill_digits rill_chars_digits(double value)
{
    rill_digits digits;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits.text, sizeof digits.text, "%.*g", precision, value);
        if (strtod(digits.text, NULL) == value) break;
    }
    return digits;
}

rill_plain_locale rill_chars_locale_begin(void)
{
    rill_plain_locale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (locale.plain) locale.before = uselocale(locale.plain);
    return locale;
}

void rill_chars_locale_end(rill_plain_locale *locale)
{
    if (!locale->plain) return;
    uselocale(locale->before);
    freelocale(locale->plain);
}

/* How far two words agree, and what follows there. */
static bool differ_at(const char **a, const char **b)
{
    while (**a && **a == **b) ++*a, ++*b;
    return **a || **b;
}

bool rill_chars_same(const char *a, const char *b)
{
    const char *start = a;
    while (differ_at(&a, &b)) {
        const bool colour = a - start >= 4 && !strncmp(a - 4, "colo", 4);
        const bool centre = a - start >= 4 && !strncmp(a - 4, "cent", 4);
        if (colour && a[0] == 'u' && a[1] == 'r' && b[0] == 'r') a++;
        else if (colour && b[0] == 'u' && b[1] == 'r' && a[0] == 'r') b++;
        else if (centre && ((!strncmp(a, "re", 2) && !strncmp(b, "er", 2)) || (!strncmp(a, "er", 2) && !strncmp(b, "re", 2))))
            a += 2, b += 2;
        else return false;
    }
    return true;
}

size_t rill_chars_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    size_t rows[3][LONGEST + 1];
    const size_t m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);
    size_t *older = rows[0], *old = rows[1], *now = rows[2];
    for (size_t j = 0; j <= n; j++) old[j] = j;
    for (size_t i = 1; i <= m; i++) {
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = old[j - 1] + (a[i - 1] != b[j - 1]);
            if (old[j] + 1 < best) best = old[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            const bool swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swap && older[j - 2] + 1 < best) best = older[j - 2] + 1;
            now[j] = best;
        }
        size_t *spare = older;
        older = old;
        old = now;
        now = spare;
    }
    return old[n];
}

bool rill_chars_resembles(const char *a, const char *b)
{
    const size_t length = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
    const size_t distance = rill_chars_distance(a, b);
    return distance < length && distance <= (length + 1) / 3;
}
