/* load_write.c - write the requests of a generated game as a trace. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load_state.h"

#include "common/arena.h"

#include <string.h>

/* The name of each request's file and scene; names repeat. */
struct words {
    const char **paths;
    const char **scenes;
    uint32_t *path_of;
    uint32_t *scene_of;
};

static void name(struct arena *arena, const struct load *load,
                 struct words *words)
{
    uint32_t count = load->kept_count;

    words->paths = ARENA_NEW(arena, const char *, count + 1);
    words->scenes = ARENA_NEW(arena, const char *, count + 1);
    words->path_of = ARENA_NEW(arena, uint32_t, count + 1);
    words->scene_of = ARENA_NEW(arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct load_kept *kept = &load->kept[i];
        char text[WORKLOAD_NAME_BYTES];

        workload_name(load->workload, kept->request.generated.file, text);
        words->paths[i] = arena_string(arena, text, strlen(text));
        workload_scene_name(kept->scene, text);
        words->scenes[i] = arena_string(arena, text, strlen(text));
    }
}

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
    struct words words;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    name(&arena, load, &words);
    trace.paths = read_trace_number(&arena, words.paths, count, words.path_of,
                                    &trace.file_count);
    trace.scenes = read_trace_number(&arena, words.scenes, count,
                                     words.scene_of, &trace.scene_count);
    trace.reads = ARENA_NEW(&arena, struct traced_read, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        fill(&trace.reads[i], &load->kept[i].request);
        trace.reads[i].file = words.path_of[i];
        trace.reads[i].scene = words.scene_of[i];
    }
    is_good = read_trace_write(&trace, output);
    arena_free(&arena);
    return is_good;
}
