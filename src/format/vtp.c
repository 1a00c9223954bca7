/* The tags of VTK's XML poly data. */
#include "format/vtp.h"

#include <inttypes.h>

static const char *const types[RILL_SCALARS] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                                "UInt32", "Int64", "UInt64", "Float32", "Float64"};

const char *rill_vtp_type_name(rill_scalar type)
{
    return types[type];
}

bool rill_vtp_type_find(const char *name, rill_scalar *type)
{
    for (int i = 0; i < RILL_SCALARS; i++) {
        if (strcmp(name, types[i])) continue;
        *type = (rill_scalar)i;
        return true;
    }
    return false;
}

rill_vtp_file rill_vtp_begin(rill_store *store)
{
    rill_store_print(store, "<?xml version=\"1.0\"?>\n"
                            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\""
                            " header_type=\"UInt64\">\n"
                            "  <PolyData>\n");
    return (rill_vtp_file){.store = store};
}

void rill_vtp_say(rill_vtp_file *file, const char *format, ...)
{
    if (file->raw) return;
    va_list args;
    va_start(args, format);
    rill_store_print_list(file->store, format, args);
    va_end(args);
}

bool rill_vtp_array(rill_vtp_file *file, const char *name, rill_scalar type, uint64_t count, uint32_t lanes,
                    const char *more)
{
    const uint64_t bytes = rill_scalar_size(type) * lanes * count;
    if (file->raw) {
        rill_store_write(file->store, &bytes, sizeof bytes);
        return true;
    }
    rill_store_print(file->store, "        <DataArray type=\"%s\" Name=\"", types[type]);
    rill_vtp_escape(file->store, name);
    rill_store_print(file->store,
                     "\" NumberOfComponents=\"%" PRIu32 "\"%s format=\"appended\" offset=\"%" PRIu64 "\"/>\n", lanes,
                     more, file->offset);
    file->offset += sizeof bytes + bytes;
    return false;
}

/* ParaView 5.11 and others read 4096 bytes at a time and hand them to expat in pieces. Since expat waits with a tag
 * that came in pieces until much more has come (2.6, and older ones as Debian now ships them), ParaView misses the raw
 * part and takes its bytes for text, unless what it reads ends in this tag, two to eight bytes behind its name. Spaces
 * in front put it there. */
void rill_vtp_open_raw(rill_vtp_file *file)
{
    static const char name[] = "<AppendedData";
    rill_store_print(file->store, "  </PolyData>\n");
    const long piece = 4096, behind = sizeof name - 1 + 5, at = ftell(file->store->file);
    const long padding = at < 0 ? 0 : (piece - (at + behind) % piece) % piece;
    rill_store_print(file->store, "%*s%s encoding=\"raw\">\n_", (int)padding, "", name);
    file->raw = true;
}

void rill_vtp_end(rill_vtp_file *file)
{
    rill_store_print(file->store, "\n  </AppendedData>\n</VTKFile>\n");
}

void rill_vtp_escape(rill_store *store, const char *text)
{
    for (; *text; text++) {
        const char *plain = *text == '&'   ? "&amp;"
                            : *text == '<' ? "&lt;"
                            : *text == '>' ? "&gt;"
                            : *text == '"' ? "&quot;"
                                           : NULL;
        rill_store_write(store, plain ? plain : text, plain ? strlen(plain) : 1);
    }
}
