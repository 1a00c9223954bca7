/* Memory of the neighbour lists. */
#include "fluid/neighbour.h"

#include <stdlib.h>

rill_status rill_lists_create(rill_lists *lists, unsigned workers, size_t chunk_size, rill_error *err)
{
    *lists = (rill_lists){.workers = workers, .chunk_size = chunk_size};
    lists->pools = calloc(workers, sizeof *lists->pools);
    lists->scratch = calloc(workers, sizeof *lists->scratch);
    if (lists->pools && lists->scratch) return RILL_OK;
    rill_lists_free(lists);
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory for the lists of %u threads.", workers);
}

static void chunk_free(rill_chunk *chunk)
{
    rill_memory_free(chunk->offsets);
    rill_memory_free(chunk->factors);
    rill_memory_free(chunk->weights);
}

void rill_lists_free(rill_lists *lists)
{
    for (unsigned w = 0; w < lists->workers; w++) {
        for (uint32_t c = 0; lists->pools && c < lists->pools[w].count; c++) chunk_free(&lists->pools[w].chunks[c]);
        if (lists->pools) free(lists->pools[w].chunks);
        if (lists->scratch) {
            rill_buffer_free(&lists->scratch[w].candidates);
            rill_buffer_free(&lists->scratch[w].rows);
        }
    }
    free(lists->pools);
    free(lists->scratch);
    rill_buffer_free(&lists->group_memory);
    rill_buffer_free(&lists->count_memory);
    *lists = (rill_lists){0};
}

size_t rill_lists_bytes(const rill_lists *lists)
{
    const size_t entry = sizeof(uint32_t) + sizeof(float) + (lists->weighted ? sizeof(uint16_t) : 0);
    size_t bytes = lists->group_memory.bytes + lists->count_memory.bytes;
    for (unsigned w = 0; w < lists->workers; w++)
        for (uint32_t c = 0; c < lists->pools[w].count; c++) bytes += entry * lists->pools[w].chunks[c].size;
    return bytes;
}

rill_status rill_lists_begin(rill_lists *lists, uint32_t particles, unsigned width, rill_error *err)
{
    lists->particles = particles;
    lists->groups = (particles + width - 1) / width;
    const size_t counts = ((size_t)lists->groups * width) * sizeof *lists->count;
    if (!rill_buffer_reserve(&lists->group_memory, (lists->groups + 1) * sizeof *lists->group) ||
        !rill_buffer_reserve(&lists->count_memory, counts + 64))
        return rill_memory_fail(err, counts, "the neighbour lists");
    lists->group = lists->group_memory.data;
    lists->count = lists->count_memory.data;
    for (unsigned w = 0; w < lists->workers; w++) {
        lists->pools[w].current = 0;
        for (uint32_t c = 0; c < lists->pools[w].count; c++) lists->pools[w].chunks[c].used = 0;
        lists->scratch[w].pairs = 0;
        lists->scratch[w].failed = false;
    }
    return RILL_OK;
}

rill_status rill_lists_end(rill_lists *lists, rill_error *err)
{
    lists->pairs = 0;
    for (unsigned w = 0; w < lists->workers; w++) {
        lists->pairs += lists->scratch[w].pairs;
        if (lists->scratch[w].failed) return rill_memory_fail(err, rill_lists_bytes(lists), "the neighbour lists");
    }
    return RILL_OK;
}

rill_chunk *rill_lists_room(const rill_lists *lists, rill_pool *pool, size_t entries)
{
    for (; pool->current < pool->count; pool->current++) {
        rill_chunk *chunk = &pool->chunks[pool->current];
        if (chunk->size - chunk->used >= entries) return chunk;
    }
    rill_chunk *grown = realloc(pool->chunks, (pool->count + 1) * sizeof *grown);
    if (!grown) return NULL;
    pool->chunks = grown;
    const size_t size = entries > lists->chunk_size ? entries : lists->chunk_size;
    rill_chunk chunk = {.offsets = rill_memory_alloc(size * sizeof(uint32_t)),
                        .factors = rill_memory_alloc(size * sizeof(float)), .size = size};
    if (lists->weighted) chunk.weights = rill_memory_alloc(size * sizeof(uint16_t));
    if (!chunk.offsets || !chunk.factors || (lists->weighted && !chunk.weights)) {
        chunk_free(&chunk);
        return NULL;
    }
    pool->chunks[pool->count] = chunk;
    pool->current = pool->count;
    return &pool->chunks[pool->count++];
}
