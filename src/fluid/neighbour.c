/* Memory of the neighbour lists: flat buffers, of which every worker takes a piece at a time. */
#include "fluid/neighbour.h"

/* The shortest pieces, in numbers; a longer list gets one of its own. Longer pieces are each worker's part of what is
 * still to come, in so many turns. */
enum { PIECE_PLACES = 1 << 15, PIECE_ENTRIES = 1 << 14, TURNS = 2 };

rill_status rill_lists_create(rill_lists *lists, unsigned workers, rill_error *err)
{
    *lists = (rill_lists){.workers = workers};
    lists->scratch = rill_memory_alloc(workers * sizeof *lists->scratch);
    if (lists->scratch) return RILL_OK;
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory for the lists of %u threads.", workers);
}

void rill_lists_free(rill_lists *lists)
{
    for (unsigned w = 0; lists->scratch && w < lists->workers; w++) {
        rill_buffer_free(&lists->scratch[w].candidates);
        rill_buffer_free(&lists->scratch[w].rows);
    }
    rill_memory_free(lists->scratch);
    rill_memory_free(lists->places);
    rill_memory_free(lists->factors);
    rill_memory_free(lists->weights);
    rill_buffer_free(&lists->group_memory);
    rill_buffer_free(&lists->count_memory);
    *lists = (rill_lists){0};
}

static size_t entry_bytes(const rill_lists *lists)
{
    return sizeof *lists->factors + (lists->weighted ? sizeof *lists->weights : 0);
}

size_t rill_lists_bytes(const rill_lists *lists)
{
    return lists->group_memory.bytes + lists->count_memory.bytes + lists->places_room * sizeof *lists->places +
           lists->entries_room * entry_bytes(lists);
}

/* A larger block that begins with what the old one held. */
static bool enlarge(void **data, size_t old_bytes, size_t bytes)
{
    void *grown = rill_memory_alloc_raw(bytes);
    if (!grown) return false;
    if (*data) memcpy(grown, *data, old_bytes);
    rill_memory_free(*data);
    *data = grown;
    return true;
}

static rill_status reserve(rill_lists *lists, size_t places, size_t entries, rill_error *err)
{
    const size_t old_places = lists->places_room, old = lists->entries_room;
    void *to[3] = {lists->places, lists->factors, lists->weights};
    bool good = true;
    if (places > old_places) good = enlarge(&to[0], 2 * old_places, 2 * places);
    if (good && entries > old) good = enlarge(&to[1], 4 * old, 4 * entries);
    if (good && entries > old && lists->weighted) good = enlarge(&to[2], 2 * old, 2 * entries);
    lists->places = to[0], lists->factors = to[1], lists->weights = to[2];
    if (!good) return rill_memory_fail(err, 2 * places + entries * entry_bytes(lists), "the neighbour lists");
    lists->places_room = places > old_places ? places : old_places;
    lists->entries_room = entries > old ? entries : old;
    return RILL_OK;
}

rill_status rill_lists_begin(rill_lists *lists, uint32_t particles, unsigned width, double mean, rill_error *err)
{
    lists->particles = particles;
    lists->groups = (particles + width - 1) / width;
    const size_t counts = ((size_t)lists->groups * width) * sizeof *lists->count;
    if (!rill_buffer_reserve(&lists->group_memory, (lists->groups + 1) * sizeof *lists->group) ||
        !rill_buffer_reserve(&lists->count_memory, counts + 64))
        return rill_memory_fail(err, counts, "the neighbour lists");
    lists->group = lists->group_memory.data;
    lists->count = lists->count_memory.data;
    lists->places_expected = lists->places_used;
    lists->entries_expected = lists->entries_used;
    lists->places_used = lists->entries_used = 0;
    lists->pairs = 0;
    for (unsigned w = 0; w < lists->workers; w++)
        lists->scratch[w].places = lists->scratch[w].entries = (rill_piece){0};
    if (lists->places_room) return RILL_OK;
    const size_t entries = (size_t)(mean * particles) + 2 * (size_t)lists->workers * PIECE_ENTRIES;
    const size_t places = entries * (width + 1) / width + 2 * (size_t)lists->groups;
    return reserve(lists, places + 2 * (size_t)lists->workers * PIECE_PLACES, entries, err);
}

/* Takes another piece if this one is too short. Long pieces are read fastest, but what is left of the last ones lies
 * idle: so a piece is a share of what is still to come, if as much is wanted as last time. */
static bool piece_room(rill_piece *piece, size_t wanted, size_t least, size_t expected, unsigned workers,
                       atomic_size_t *used, size_t room)
{
    if (piece->last - piece->first >= wanted) return true;
    const size_t taken = atomic_load_explicit(used, memory_order_relaxed);
    const size_t part = expected > taken ? (expected - taken) / workers / TURNS : 0;
    size_t size = part > least ? part : least;
    if (size < wanted) size = wanted;
    const size_t first = atomic_fetch_add_explicit(used, size, memory_order_relaxed);
    if (first + size > room) return false;
    *piece = (rill_piece){first, first + size};
    return true;
}

bool rill_lists_room(rill_lists *lists, unsigned worker, size_t places, size_t entries)
{
    rill_list_scratch *s = &lists->scratch[worker];
    const bool good = piece_room(&s->places, places, PIECE_PLACES, lists->places_expected, lists->workers,
                                 &lists->places_used, lists->places_room);
    return piece_room(&s->entries, entries, PIECE_ENTRIES, lists->entries_expected, lists->workers,
                      &lists->entries_used, lists->entries_room) &&
           good;
}

bool rill_lists_full(const rill_lists *lists)
{
    return lists->places_used > lists->places_room || lists->entries_used > lists->entries_room;
}

rill_status rill_lists_grow(rill_lists *lists, rill_error *err)
{
    /* What was wanted in vain may be taken again. */
    const size_t places = lists->places_used, entries = lists->entries_used;
    if (lists->places_used > lists->places_room) lists->places_used = lists->places_room;
    if (lists->entries_used > lists->entries_room) lists->entries_used = lists->entries_room;
    return reserve(lists, places + places / 8 + PIECE_PLACES, entries + entries / 8 + PIECE_ENTRIES, err);
}
