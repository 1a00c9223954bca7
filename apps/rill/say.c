/* Sentences and numbers for people. */
#define _GNU_SOURCE
#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "paths.h"

/* For what ends the process from outside, which no context reaches. */
static bool failure_said;

bool say_has_failed(void)
{
    return failure_said;
}

int say_error(int exit_code, const char *format, ...)
{
    char sentence[8192];
    static const char cut[] = " ... and so on.";
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (length >= (int)sizeof sentence) {
        /* A word of many thousand characters was quoted. The sentence still ends as one, and not within a character. */
        size_t end = sizeof sentence - sizeof cut;
        while (end && ((unsigned char)sentence[end] & 0xC0) == 0x80) end--;
        memcpy(sentence + end, cut, sizeof cut);
    }
    /* One line, whatever names it quotes. */
    for (char *c = sentence; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    /* A live line may be on the terminal; the sentence starts on its own. */
    fflush(stdout);
    fprintf(stderr, "rill: %s\n", sentence);
    failure_said = failure_said || exit_code;
    return exit_code;
}

const char *say_program(void)
{
    static path_text quoted;
    if (!*quoted.text) quoted = path_quote(program_invocation_name);
    return quoted.text;
}

int say_failure(const rill_error *err)
{
    int exit_code = EXIT_MACHINE;
    if (err->status == RILL_BAD_INPUT) exit_code = EXIT_USER;
    if (err->status == RILL_TROUBLE) exit_code = EXIT_TROUBLE;
    return say_error(exit_code, "%s", err->text);
}

int say_bad_file(const rill_error *err)
{
    const int exit_code = say_failure(err);
    return err->status == RILL_BAD_FILE ? EXIT_USER : exit_code;
}

say_text say_count(uint64_t count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    say_text out;
    size_t n = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out.text[n++] = ' ';
        out.text[n++] = digits[i];
    }
    out.text[n] = 0;
    return out;
}

say_text say_many(uint64_t count, const char *noun)
{
    say_text out = say_count(count);
    const size_t used = strlen(out.text);
    snprintf(out.text + used, sizeof out.text - used, " %s%s", noun, count == 1 ? "" : "s");
    return out;
}

/* Three digits that count: 1.23, 12.3, 123. */
static void three_digits(double value, const char *unit, say_text *out)
{
    int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(out->text, sizeof out->text, "%.*f %s", decimals, value, unit);
}

say_text say_bytes(uint64_t bytes)
{
    static const char *units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    say_text out;
    if (bytes < 1000) {
        snprintf(out.text, sizeof out.text, "%" PRIu64 " B", bytes);
        return out;
    }
    double value = (double)bytes / 1000;
    int unit = 0;
    for (; value >= 999.5 && unit < 5; unit++) value /= 1000;
    three_digits(value, units[unit], &out);
    return out;
}

say_text say_duration(double seconds)
{
    say_text out;
    if (!(seconds >= 0)) seconds = 0;
    if (seconds < 9.95) snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    else if (seconds < 59.5) snprintf(out.text, sizeof out.text, "%.0f s", seconds);
    else if (seconds < 3599.5) {
        int whole = (int)(seconds + 0.5);
        snprintf(out.text, sizeof out.text, "%d min %02d s", whole / 60, whole % 60);
    } else if (seconds < 360000) {
        int minutes = (int)(seconds / 60 + 0.5);
        snprintf(out.text, sizeof out.text, "%d h %02d min", minutes / 60, minutes % 60);
    } else {
        snprintf(out.text, sizeof out.text, "%.0f days", fmin(seconds / 86400, 1e9));
    }
    return out;
}

say_text say_length(double metres)
{
    say_text out;
    if (metres >= 1) snprintf(out.text, sizeof out.text, "%.4g m", metres);
    else if (metres >= 1e-3) snprintf(out.text, sizeof out.text, "%.4g mm", metres * 1e3);
    else if (metres >= 1e-6) snprintf(out.text, sizeof out.text, "%.4g um", metres * 1e6);
    else snprintf(out.text, sizeof out.text, "%.4g nm", metres * 1e9);
    return out;
}
