/* run_record.c - convert the runtime's record to a trace. */
/* SPDX-License-Identifier: MIT */
#include "simulate/run_record.h"

#include "host/host.h"

#define EVENTS (1u << 18)
#define TEXT_BYTES (16u << 20)

bool run_record_open(struct run_record *record, const char *path,
                     const char *scene, struct arena *arena, struct diag *diag)
{
    record->path = path;
    record->scene = scene;
    if (!path)
        return true;
    record->output = host_output_open(path, diag);
    if (!record->output)
        return false;
    record->events = ARENA_NEW(arena, spn_record_event, EVENTS);
    record->text = ARENA_NEW(arena, char, TEXT_BYTES);
    return true;
}

bool run_record_begin(struct run_record *record, spn_runtime *rt,
                      struct diag *diag)
{
    spn_record_desc desc = {record->events, EVENTS, record->text, TEXT_BYTES};

    if (!record->path || spn_record_start(rt, &desc) == SPN_OK)
        return true;
    return diag_refuse(diag, record->path, DIAG_NO_OFFSET, NULL,
                       "the runtime does not record");
}

void run_record_end(struct run_record *record, spn_runtime *rt)
{
    if (!record->path)
        return;
    while (spn_record_stop(rt, &record->count, &record->lost) == SPN_PENDING)
        spn_update(rt);
}

static spn_status append(void *user, const char *text, uint32_t bytes)
{
    return host_output_append(user, text, bytes) ? SPN_OK : SPN_ERR_IO;
}

bool run_record_write(struct run_record *record, struct diag *diag)
{
    const spn_record_scene scene = {.name = record->scene};
    const spn_record_list list = {
        .events = record->events,
        .event_count = record->count,
        .text = record->text,
        .scenes = &scene,
        .scene_count = record->count > 0,
        .origin_us = record->count > 0 ? record->events[0].at_us : 0};
    bool is_good;

    if (!record->path)
        return true;
    if (record->lost > 0)
        diag_warn(diag, record->path, NULL,
                  "%u reads found no room in the record", record->lost);
    is_good = spn_record_write(&list, append, record->output) == SPN_OK;
    is_good = host_output_finish(record->output, is_good);
    record->output = NULL;
    return is_good;
}

void run_record_close(struct run_record *record)
{
    host_output_abandon(record->output);
}
