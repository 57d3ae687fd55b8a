/* read_trace_uses.c - list the files that each scene of a trace uses. */
/* SPDX-License-Identifier: MIT */
#include "pack/read_trace.h"

#include <stdlib.h>

static int by_use(const void *a, const void *b)
{
    const struct traced_use *x = a;
    const struct traced_use *y = b;

    if (x->scene != y->scene)
        return x->scene < y->scene ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->first_read > y->first_read) - (x->first_read < y->first_read);
}

static int by_first_read(const void *a, const void *b)
{
    const struct traced_use *x = a;
    const struct traced_use *y = b;

    if (x->scene != y->scene)
        return x->scene < y->scene ? -1 : 1;
    return (x->first_read > y->first_read) - (x->first_read < y->first_read);
}

uint32_t read_trace_chained(const struct read_trace *trace)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < trace->read_count; i++)
        count += trace->reads[i].after != READ_TRACE_NO_READ;
    return count;
}

spn_task read_trace_task(uint32_t task)
{
    return task > 0 && task < SPN_TASK_COUNT ? (spn_task)task : SPN_TASK_USER;
}

/* Find the first start of each scene. */
static uint64_t *find_begins(const struct read_trace *trace,
                             struct arena *arena)
{
    uint64_t *begins_us = ARENA_NEW(arena, uint64_t, trace->scene_count);

    for (uint32_t i = trace->read_count; i > 0; i--)
        begins_us[trace->reads[i - 1].scene] = trace->reads[i - 1].at_us;
    return begins_us;
}

struct traced_use *read_trace_uses(const struct read_trace *trace,
                                   struct arena *arena, uint32_t *count)
{
    struct traced_use *uses =
        ARENA_NEW(arena, struct traced_use, trace->read_count);
    const uint64_t *begins_us = find_begins(trace, arena);
    uint32_t used = 0;

    for (uint32_t i = 0; i < trace->read_count; i++) {
        const struct traced_read *read = &trace->reads[i];
        uint64_t since_us = read->at_us - begins_us[read->scene];

        uses[i] =
            (struct traced_use){.scene = read->scene,
                                .file = read->file,
                                .read_count = 1,
                                .first_read = i,
                                .task = read_trace_task(read->task),
                                .is_at_once = since_us <= READ_TRACE_AT_ONCE_US,
                                .is_streamed = read->offset > 0};
    }
    *count = 0;
    if (trace->read_count == 0)
        return uses;
    qsort(uses, trace->read_count, sizeof *uses, by_use);
    for (uint32_t i = 0; i < trace->read_count; i++) {
        struct traced_use *last = used > 0 ? &uses[used - 1] : NULL;

        if (last && last->scene == uses[i].scene &&
            last->file == uses[i].file) {
            last->read_count++;
            last->is_streamed = last->is_streamed || uses[i].is_streamed;
        } else {
            uses[used++] = uses[i];
        }
    }
    qsort(uses, used, sizeof *uses, by_first_read);
    *count = used;
    return uses;
}
