/* The plain locale, on this thread alone. */
#include "text/locale.h"

rill_locale rill_locale_begin(void)
{
    rill_locale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (locale.plain) locale.before = uselocale(locale.plain);
    return locale;
}

void rill_locale_end(rill_locale *locale)
{
    if (!locale->plain) return;
    uselocale(locale->before);
    freelocale(locale->plain);
}
