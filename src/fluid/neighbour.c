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

static void pool_free(rill_pool *pool)
{
    for (int part = 0; part < RILL_POOL_PARTS; part++) {
        rill_arena *arena = &pool->parts[part];
        for (uint32_t c = 0; c < arena->count; c++) rill_memory_free(arena->chunks[c].data);
        free(arena->chunks);
    }
}

void rill_lists_free(rill_lists *lists)
{
    for (unsigned w = 0; w < lists->workers; w++) {
        if (lists->pools) pool_free(&lists->pools[w]);
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
    size_t bytes = lists->group_memory.bytes + lists->count_memory.bytes;
    for (unsigned w = 0; w < lists->workers; w++)
        for (int part = 0; part < RILL_POOL_PARTS; part++) {
            const rill_arena *arena = &lists->pools[w].parts[part];
            for (uint32_t c = 0; c < arena->count; c++) bytes += arena->chunks[c].size;
        }
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
        for (int part = 0; part < RILL_POOL_PARTS; part++) {
            rill_arena *arena = &lists->pools[w].parts[part];
            arena->current = 0;
            for (uint32_t c = 0; c < arena->count; c++) arena->chunks[c].used = 0;
        }
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

rill_chunk *rill_lists_room(const rill_lists *lists, rill_arena *arena, size_t bytes)
{
    for (; arena->current < arena->count; arena->current++) {
        rill_chunk *chunk = &arena->chunks[arena->current];
        if (chunk->size - chunk->used >= bytes) return chunk;
    }
    rill_chunk *grown = realloc(arena->chunks, (arena->count + 1) * sizeof *grown);
    if (!grown) return NULL;
    arena->chunks = grown;
    rill_chunk chunk = {.size = bytes > lists->chunk_size ? bytes : lists->chunk_size};
    chunk.data = rill_memory_alloc(chunk.size);
    if (!chunk.data) return NULL;
    arena->chunks[arena->count] = chunk;
    return &arena->chunks[arena->count++];
}
