/* play_record.c - a record becomes a trace. */
/* SPDX-License-Identifier: MIT */
#include "play/play_record.h"

#include "common/arena.h"
#include "common/host.h"
#include "pack/read_trace.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS (1u << 18)
#define TEXT_BYTES (16u << 20)

bool play_record_open(struct play_record *record, const char *path,
                      const char *scene, struct diag *diag)
{
    record->path = path;
    record->scene = scene;
    if (!path)
        return true;
    record->output = host_output_open(path, diag);
    if (!record->output)
        return false;
    record->events = calloc(EVENTS, sizeof *record->events);
    record->text = calloc(TEXT_BYTES, 1);
    if (record->events && record->text)
        return true;
    return diag_io(diag, path, 0, "no memory to record in");
}

bool play_record_begin(struct play_record *record, spn_runtime *rt,
                       struct diag *diag)
{
    spn_record_desc desc = {record->events, EVENTS, record->text, TEXT_BYTES};

    if (!record->path || spn_record_start(rt, &desc) == SPN_OK)
        return true;
    return diag_refuse(diag, record->path, DIAG_NO_OFFSET, NULL,
                       "the runtime does not record");
}

void play_record_end(struct play_record *record, spn_runtime *rt)
{
    if (!record->path)
        return;
    while (spn_record_stop(rt, &record->count, &record->lost) == SPN_PENDING)
        spn_update(rt);
}

/* Reads of a file are mostly those of the same path in the text. */
static uint32_t find_path(struct read_trace *trace, uint32_t *path_at,
                          const struct play_record *record, uint32_t at)
{
    for (uint32_t i = trace->file_count; i > 0; i--)
        if (path_at[i - 1] == at ||
            strcmp(trace->paths[i - 1], record->text + at) == 0)
            return i - 1;
    path_at[trace->file_count] = at;
    trace->paths[trace->file_count] = record->text + at;
    return trace->file_count++;
}

static void fill(struct read_trace *trace, struct arena *arena,
                 const struct play_record *record)
{
    uint32_t *path_at = ARENA_NEW(arena, uint32_t, record->count);
    uint64_t before_us = 0;

    memset(trace, 0, sizeof *trace);
    trace->paths = ARENA_NEW(arena, const char *, record->count);
    trace->scenes = ARENA_NEW(arena, const char *, 1);
    trace->scenes[0] = record->scene;
    trace->scene_count = record->count > 0;
    trace->reads = ARENA_NEW(arena, struct traced_read, record->count);
    trace->read_count = record->count;
    for (uint32_t i = 0; i < record->count; i++) {
        const spn_record_event *event = &record->events[i];
        struct traced_read *read = &trace->reads[i];
        uint64_t at_us = event->at_us - record->events[0].at_us;

        /* Several threads may start reads at once. */
        if (event->at_us < record->events[0].at_us || at_us < before_us)
            at_us = before_us;
        before_us = at_us;
        read->at_us = at_us;
        read->offset = event->offset;
        read->bytes = event->bytes;
        read->task = (uint32_t)event->task;
        read->priority = (uint32_t)event->priority;
        if (event->deadline_us > event->at_us)
            read->deadline_us = event->deadline_us - event->at_us;
        read->file = find_path(trace, path_at, record, event->path);
    }
}

bool play_record_write(struct play_record *record, struct diag *diag)
{
    struct read_trace trace;
    struct arena arena;
    bool is_good;

    if (!record->path)
        return true;
    if (record->lost > 0)
        diag_warn(diag, record->path, NULL,
                  "%u reads found no room in the record", record->lost);
    arena_init(&arena);
    fill(&trace, &arena, record);
    is_good = read_trace_write(&trace, record->output);
    arena_free(&arena);
    if (is_good)
        is_good = host_output_commit(record->output);
    else
        host_output_abandon(record->output);
    record->output = NULL;
    return is_good;
}

void play_record_close(struct play_record *record)
{
    host_output_abandon(record->output);
    free(record->events);
    free(record->text);
}
