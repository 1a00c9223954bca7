/* Memory for what bodies do to the liquid beside them. */
#include "fluid/touch.h"

#include <string.h>

static rill_status no_room(size_t bytes, rill_error *err)
{
    return rill_memory_fail(err, bytes, "what walls do to the liquid");
}

rill_status rill_touches_begin(rill_touches *touches, uint32_t particles, unsigned width, rill_error *err)
{
    const size_t groups = ((size_t)particles + width - 1) / width, bytes = (groups + 1) * sizeof *touches->count;
    if (!rill_buffer_reserve(&touches->count_memory, bytes) || !rill_buffer_reserve(&touches->first_memory, bytes))
        return no_room(2 * bytes, err);
    touches->groups = (uint32_t)groups;
    touches->rows = 0;
    touches->count = touches->count_memory.data;
    touches->first = touches->first_memory.data;
    memset(touches->count, 0, bytes);
    return RILL_OK;
}

static rill_status make_part(rill_touches *touches, int part, unsigned width, rill_error *err)
{
    const size_t bytes = (size_t)touches->rows * rill_touch_numbers[part] * width * sizeof(float);
    if (!touches->wanted[part]) return RILL_OK;
    if (!rill_buffer_reserve(&touches->part_memory[part], bytes + 64)) return no_room(bytes, err);
    touches->part[part] = touches->part_memory[part].data;
    return RILL_OK;
}

rill_status rill_touches_lay_out(rill_touches *touches, unsigned width, rill_error *err)
{
    uint32_t rows = 0;
    for (uint32_t g = 0; g < touches->groups; g++) {
        touches->first[g] = rows;
        rows += touches->count[g];
    }
    touches->first[touches->groups] = rows;
    touches->rows = rows;
    const size_t bytes = rows * sizeof *touches->body;
    if (!rill_buffer_reserve(&touches->body_memory, bytes + 64)) return no_room(bytes, err);
    touches->body = touches->body_memory.data;
    rill_status status = RILL_OK;
    for (int part = 0; part < TOUCH_PARTS && !status; part++) status = make_part(touches, part, width, err);
    if (!status && touches->wanted[TOUCH_GIVEN])
        memset(touches->part[TOUCH_GIVEN], 0, (size_t)rows * rill_touch_numbers[TOUCH_GIVEN] * width * sizeof(float));
    return status;
}

void rill_touches_free(rill_touches *touches)
{
    rill_buffer_free(&touches->count_memory);
    rill_buffer_free(&touches->first_memory);
    rill_buffer_free(&touches->body_memory);
    for (int part = 0; part < TOUCH_PARTS; part++) rill_buffer_free(&touches->part_memory[part]);
    *touches = (rill_touches){0};
}
