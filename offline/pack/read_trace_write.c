/* read_trace_write.c - convert a trace to a record, and write it with the
 * runtime's code (spindle/record.h). */
/* SPDX-License-Identifier: MIT */
#include "pack/read_trace.h"

#include <spindle/record.h>
#include <string.h>

static spn_status append(void *user, const char *text, uint32_t bytes)
{
    return host_output_append(user, text, bytes) ? SPN_OK : SPN_ERR_IO;
}

/* Concatenate all paths; at[i] is the offset of path i. */
static const char *join_paths(const struct read_trace *trace,
                              struct arena *arena, uint32_t *at)
{
    size_t bytes = 0;
    char *text;

    for (uint32_t i = 0; i < trace->file_count; i++) {
        at[i] = (uint32_t)bytes;
        bytes += strlen(trace->paths[i]) + 1;
    }
    text = ARENA_NEW(arena, char, bytes + 1);
    for (uint32_t i = 0; i < trace->file_count; i++)
        memcpy(text + at[i], trace->paths[i], strlen(trace->paths[i]) + 1);
    return text;
}

static spn_record_event event_of(const struct traced_read *read, uint32_t path)
{
    return (spn_record_event){
        .at_us = read->at_us,
        .offset = read->offset,
        .bytes = read->bytes,
        .deadline_us = read->deadline_us ? read->at_us + read->deadline_us : 0,
        .think_us = read->think_us,
        .after = read->after == READ_TRACE_NO_READ ? 0 : read->after + 1,
        .thread = read->thread,
        .path = path,
        .task = (spn_task)read->task,
        .priority = (spn_priority)read->priority,
    };
}

bool read_trace_write(const struct read_trace *trace,
                      struct host_output *output)
{
    struct arena arena;
    spn_record_list list = {.event_count = trace->read_count};
    spn_record_event *events;
    spn_record_scene *scenes;
    spn_status status;
    uint32_t *path_at;

    arena_init(&arena);
    path_at = ARENA_NEW(&arena, uint32_t, trace->file_count + 1);
    events = ARENA_NEW(&arena, spn_record_event, trace->read_count + 1);
    scenes = ARENA_NEW(&arena, spn_record_scene, trace->read_count + 1);
    list.text = join_paths(trace, &arena, path_at);
    for (uint32_t i = 0; i < trace->read_count; i++) {
        const struct traced_read *read = &trace->reads[i];

        events[i] = event_of(read, path_at[read->file]);
        /* A visit of a scene ends before a read of another scene. */
        if (i == 0 || read->scene != trace->reads[i - 1].scene)
            scenes[list.scene_count++] =
                (spn_record_scene){trace->scenes[read->scene], i};
    }
    list.events = events;
    list.scenes = scenes;
    status = spn_record_write(&list, append, output);
    arena_free(&arena);
    return status == SPN_OK;
}
