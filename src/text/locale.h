/* Numbers are read and written with a decimal point, whatever the host
 * program's locale; begin and end bracket the work, on this thread alone. */
#ifndef RILL_TEXT_LOCALE_H
#define RILL_TEXT_LOCALE_H

#include <locale.h>

typedef struct rill_locale {
    locale_t plain, before;
} rill_locale;

rill_locale rill_locale_begin(void);
void rill_locale_end(rill_locale *locale);

#endif
