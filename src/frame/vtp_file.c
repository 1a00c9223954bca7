/* VTK's XML poly data: the parts that particles and surfaces share. */
#include "frame/vtp_file.h"

#include <inttypes.h>

#include "frame/export.h"

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

bool rill_vtp_array(rill_vtp_file *file, const char *name, const char *type, uint64_t bytes, uint32_t lanes,
                    const char *more)
{
    if (file->raw) {
        rill_store_write(file->store, &bytes, sizeof bytes);
        return true;
    }
    rill_store_print(file->store, "        <DataArray type=\"%s\" Name=\"", type);
    rill_export_escaped(file->store, name);
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
