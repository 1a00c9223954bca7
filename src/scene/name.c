/* Names end up in file names and in the header of tables. */
#include "scene/name.h"

#include <string.h>

#include "rill/scene.h"
#include "text/chars.h"

const char *rill_name_fault(const char *name)
{
    if (!*name) return "is empty";
    if (strlen(name) >= RILL_NAME_SIZE) return "is longer than 63 bytes";
    if (!rill_chars_is_utf8(name)) return "is not UTF-8 text";
    if (*name == '.' || *name == ' ') return "begins with a dot or a space";
    if (name[strlen(name) - 1] == ' ') return "ends with a space";
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) return "holds a control character";
        if (strchr("/\\,;\"", *c)) return "holds one of / \\ , ; \"";
    }
    return NULL;
}
