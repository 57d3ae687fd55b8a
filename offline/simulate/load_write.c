/* load_write.c - write the requests of a generated game as a trace. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load_state.h"

#include "common/arena.h"

#include <string.h>

static void fill(struct traced_read *read, const struct load_request *request)
{
    read->at_us = request->arrival_us;
    read->offset = request->generated.offset;
    read->bytes = request->bytes;
    read->task = (uint32_t)request->task;
    read->priority = (uint32_t)request->priority;
    read->after = READ_TRACE_NO_READ;
    if (request->deadline_us == UINT64_MAX)
        return;
    read->deadline_us = request->deadline_us > request->arrival_us
                            ? request->deadline_us - request->arrival_us
                            : 1;
}

bool load_write_trace(const struct load *load, struct host_output *output)
{
    uint32_t count = load->kept_count;
    struct read_trace trace = {.read_count = count};
    const char **paths;
    const char **scenes;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    trace.reads = ARENA_NEW(&arena, struct traced_read, count);
    paths = ARENA_NEW(&arena, const char *, count);
    scenes = ARENA_NEW(&arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct load_kept *kept = &load->kept[i];
        char text[WORKLOAD_NAME_BYTES];

        fill(&trace.reads[i], &kept->request);
        workload_name(load->workload, kept->request.generated.file, text);
        paths[i] = arena_string(&arena, text, strlen(text));
        workload_scene_name(kept->scene, text);
        scenes[i] = arena_string(&arena, text, strlen(text));
    }
    read_trace_set_names(&trace, paths, scenes, &arena);
    is_good = read_trace_write(&trace, output);
    arena_free(&arena);
    return is_good;
}
