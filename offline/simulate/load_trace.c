/* load_trace.c - a recorded game becomes requests. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load_private.h"

#include "common/path_match.h"
#include "io/drive.h"
#include "io/pak_range.h"
#include "io/tasks.h"

#include <string.h>

struct tracing {
    const char *trace_path;
    const struct pak_reader *pak;    /* NULL: the disc of the */
    const struct workload *workload; /* made up game */
    struct diag *diag;
    struct tasks tasks;
    uint32_t *entries; /* of the trace's paths; PAK_NONE: not in the pak */
    /* the burst that may be under way */
    uint32_t scene; /* UINT32_MAX: none yet */
    uint64_t scene_us;
    uint32_t burst_first; /* index of its first request */
};

static bool refuse(const struct tracing *t, const char *path, const char *what)
{
    return diag_refuse(t->diag, t->trace_path, DIAG_NO_OFFSET, path, "%s",
                       what);
}

/* Where a read's bytes are in the pak. What is wrong with it; NULL: nothing. */
static const char *find_entry(const struct tracing *t,
                              const struct traced_read *read, uint32_t entry,
                              struct load_request *out)
{
    const struct pak_index *index = &t->pak->index;
    struct pak_range range;

    if (entry == PAK_NONE)
        return "not in the pak";
    out->path = spn__pak_entry(index, entry).name;
    out->content = spn__pak_entry(index, entry).content;
    if (spn__pak_range(index, out->content, read->offset, read->bytes,
                       UINT64_MAX, &range) != SPN_OK)
        return "read beyond its end in the pak";
    if (range.bytes == 0)
        return range.content.bytes == 0 ? "empty in the pak"
                                        : "read at its end in the pak";
    out->offset = range.offset;
    out->bytes = range.bytes;
    out->is_to_end = read->bytes == 0;
    return NULL;
}

/* The same on the disc of the made up game, which is read by place. */
static const char *find_made(const struct tracing *t,
                             const struct traced_read *read, const char *path,
                             const char *scene, struct load_request *out)
{
    uint32_t number = workload_find(t->workload, scene, path);
    const struct workload_file *file;

    if (number == WORKLOAD_NO_FILE)
        return "not on the disc";
    file = workload_file_at(t->workload, number);
    if (read->offset > file->bytes || read->bytes > file->bytes - read->offset)
        return "read beyond its end on the disc";
    if (read->offset == file->bytes)
        return "read at its end on the disc";
    out->offset = file->offset + read->offset;
    out->bytes = read->bytes ? read->bytes : file->bytes - read->offset;
    return NULL;
}

static void leave_out(struct load *load, const char *path, const char *what)
{
    if (load->missing.count++ > 0)
        return;
    load->missing.path = path;
    load->missing.what = what;
}

/* The next request, or one that is left out. */
static bool add_read(struct tracing *t, struct load *load,
                     const struct read_trace *trace,
                     const struct traced_read *read)
{
    struct load_request *out = &load->requests[load->count];
    const char *path = trace->paths[read->file];
    const char *what =
        t->pak ? find_entry(t, read, t->entries[read->file], out)
               : find_made(t, read, path, trace->scenes[read->scene], out);

    if (what) {
        leave_out(load, path, what);
        return true;
    }

    if (out->bytes > LOAD_READ_BYTES_MAX)
        return refuse(t, path, "one read of more than 1 GiB");
    out->burst = LOAD_NO_BURST;
    out->arrival_us = read->at_us;
    out->deadline_us =
        read->deadline_us ? read->at_us + read->deadline_us : UINT64_MAX;
    out->task = read_trace_task(read->task);
    out->priority = (spn_priority)read->priority;
    out->class = sweep_class_of(spn__tasks_class(&t->tasks, out->task));
    load->count++;
    return true;
}

/* The requests from burst_first on are what the scene wanted at once. */
static void end_burst(const struct tracing *t, const struct read_trace *trace,
                      struct load *load)
{
    uint32_t limit = t->burst_first;

    while (limit < load->count &&
           load->requests[limit].arrival_us - t->scene_us <=
               READ_TRACE_AT_ONCE_US)
        limit++;
    if (limit - t->burst_first < LOAD_BURST_READS_MIN)
        return;
    for (uint32_t i = t->burst_first; i < limit; i++)
        load->requests[i].burst = load->burst_count;
    load->bursts[load->burst_count++] = (struct load_burst){
        trace->scenes[t->scene], t->scene_us, limit - t->burst_first};
}

static void note_scene(struct tracing *t, const struct read_trace *trace,
                       struct load *load, const struct traced_read *read)
{
    if (read->scene == t->scene)
        return;
    if (t->scene != UINT32_MAX)
        end_burst(t, trace, load);
    t->scene = read->scene;
    t->scene_us = read->at_us;
    t->burst_first = load->count;
}

static bool add_reads(struct tracing *t, const struct read_trace *trace,
                      struct load *load)
{
    for (uint32_t i = 0; i < trace->read_count; i++) {
        const struct traced_read *read = &trace->reads[i];

        note_scene(t, trace, load, read);
        if (!add_read(t, load, trace, read))
            return false;
    }
    end_burst(t, trace, load);
    return load->count > 0 || refuse(t, load->missing.path, load->missing.what);
}

/* NULL after a refusal. */
static struct load *make(struct tracing *t, const struct read_trace *trace)
{
    struct load *load = load_new();

    load->pak = t->pak;
    t->scene = UINT32_MAX;
    spn__tasks_init(&t->tasks);
    load_make_room(load, trace->read_count);
    if (add_reads(t, trace, load))
        return load;
    load_destroy(load);
    return NULL;
}

static bool find_entries(const struct tracing *t,
                         const struct read_trace *trace, struct arena *arena)
{
    const struct pak_index *index = &t->pak->index;
    uint32_t count = index->header.entry_count;
    const char **names = ARENA_NEW(arena, const char *, count);
    const char *either[2];
    struct path_match match;

    for (uint32_t i = 0; i < count; i++)
        names[i] = spn__pak_entry(index, i).name;
    path_match_init(&match, arena, names, count);
    for (uint32_t i = 0; i < trace->file_count; i++)
        if (!path_match_find(&match, trace->paths[i], &t->entries[i], either))
            return path_match_refuse(t->diag, t->trace_path, trace->paths[i],
                                     either);
    return true;
}

struct load *load_trace(const struct read_trace *trace, const char *trace_path,
                        const struct pak_reader *pak,
                        const spn_drive_profile *drive, struct diag *diag)
{
    struct tracing t = {.trace_path = trace_path, .pak = pak, .diag = diag};
    struct load *load = NULL;
    struct arena arena;

    if (pak->index.header.file_bytes > spn__drive_disc_bytes(drive)) {
        diag_refuse(diag, pak->path, DIAG_NO_OFFSET, NULL,
                    "larger than the disc of %s", drive->name);
        return NULL;
    }
    arena_init(&arena);
    t.entries = ARENA_NEW(&arena, uint32_t, trace->file_count);
    if (find_entries(&t, trace, &arena))
        load = make(&t, trace);
    arena_free(&arena);
    return load;
}

struct load *load_trace_made(const struct read_trace *trace,
                             const char *trace_path,
                             const struct workload_config *config,
                             struct diag *diag)
{
    struct workload *workload = workload_create(config);
    struct tracing t = {
        .trace_path = trace_path, .workload = workload, .diag = diag};
    struct load *load;

    if (!workload) {
        diag_refuse(diag, config->drive->name, DIAG_NO_OFFSET, NULL,
                    LOAD_NO_ROOM);
        return NULL;
    }
    load = make(&t, trace);
    workload_destroy(workload);
    return load;
}
