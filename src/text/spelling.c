/* Words that differ by a letter or two. */
#include "text/spelling.h"

#include <stdint.h>
#include <string.h>

/* How far two words agree, and what follows there. */
static bool differ_at(const char **a, const char **b)
{
    while (**a && **a == **b) ++*a, ++*b;
    return **a || **b;
}

bool rill_spelling_same(const char *a, const char *b)
{
    const char *start = a;
    while (differ_at(&a, &b)) {
        const bool colour = a - start >= 4 && !strncmp(a - 4, "colo", 4);
        const bool centre = a - start >= 4 && !strncmp(a - 4, "cent", 4);
        if (colour && a[0] == 'u' && a[1] == 'r' && b[0] == 'r') a++;
        else if (colour && b[0] == 'u' && b[1] == 'r' && a[0] == 'r') b++;
        else if (centre &&
                 ((!strncmp(a, "re", 2) && !strncmp(b, "er", 2)) || (!strncmp(a, "er", 2) && !strncmp(b, "re", 2))))
            a += 2, b += 2;
        else return false;
    }
    return true;
}

size_t rill_spelling_distance(const char *a, const char *b)
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

bool rill_spelling_resembles(const char *a, const char *b)
{
    const size_t length = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
    const size_t distance = rill_spelling_distance(a, b);
    return distance < length && distance <= (length + 1) / 3;
}

const char *rill_spelling_nearest(const char *word, const char *(*next)(const void *context, int i),
                                  const void *context)
{
    const char *nearest = NULL, *candidate;
    size_t least = SIZE_MAX;
    for (int i = 0; (candidate = next(context, i)); i++) {
        const size_t distance = rill_spelling_distance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        nearest = candidate;
    }
    return nearest && rill_spelling_resembles(word, nearest) ? nearest : NULL;
}
