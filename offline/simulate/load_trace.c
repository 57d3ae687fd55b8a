/* load_trace.c - make the requests of a recorded trace. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load_state.h"

#include "common/path_match.h"
#include "disc/drive_disc.h"
#include "pak/pak_range.h"
#include "schedule/tasks.h"

/* An entry of one of the paks. */
struct found_entry {
    const struct load_pak *pak; /* NULL: no pak has it */
    uint32_t entry;
};

struct tracing {
    const struct load_source *source;
    const struct workload *workload; /* the generated disc; NULL: paks */
    struct diag *diag;
    struct tasks tasks;
    struct found_entry *entries; /* entry of each path of the trace */
    bool has_bursts;
    uint32_t request_count; /* requests that are not left out */
    /* the current scene, and its burst */
    uint32_t scene; /* UINT32_MAX: none yet */
    uint64_t scene_us;
    uint32_t scene_first; /* index of its first read */
};

static bool refuse(const struct tracing *t, const char *path, const char *what)
{
    return diag_refuse(t->diag, t->source->trace_path, DIAG_NO_OFFSET, path,
                       "%s", what);
}

/* Find the bytes of a read in its pak. Returns the reason to leave the read
 * out; NULL: none. */
static const char *find_bytes(const struct traced_read *read,
                              const struct found_entry *found,
                              struct load_request *out)
{
    const struct pak_index *index;
    struct pak_range range;

    if (!found->pak)
        return "not in the pak";
    index = &found->pak->reader->index;
    out->pak = found->pak;
    out->path = spn__pak_entry(index, found->entry).name;
    out->content = spn__pak_entry(index, found->entry).content;
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

/* The same for the disc of the generated game. */
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

static void leave_out(struct load *load, struct load_request *request,
                      const char *path, const char *what)
{
    request->bytes = 0;
    if (load->missing.count++ > 0)
        return;
    load->missing.path = path;
    load->missing.what = what;
}

/* Make the request of a read, or leave it out. */
static bool add_read(struct tracing *t, struct load *load, uint32_t index)
{
    const struct read_trace *trace = t->source->trace;
    const struct traced_read *read = &trace->reads[index];
    struct load_request *out = &load->requests[index];
    spn_task_class task_class;
    const char *path = trace->paths[read->file];
    const char *what =
        t->workload ? find_made(t, read, path, trace->scenes[read->scene], out)
                    : find_bytes(read, &t->entries[read->file], out);

    out->burst = LOAD_NO_BURST;
    out->visit = load->visit_count - 1;
    out->file = read->file;
    if (what) {
        leave_out(load, out, path, what);
        return true;
    }
    if (out->bytes > LOAD_READ_BYTES_MAX)
        return refuse(t, path, "one read of more than 1 GiB");
    out->task = read_trace_task(read->task);
    out->priority = (spn_priority)read->priority;
    task_class = spn__tasks_class(&t->tasks, out->task);
    out->class = deadline_class_of(task_class);
    out->deadline_us = read->deadline_us ? read->deadline_us : UINT64_MAX;
    out->has_default_deadline = t->source->has_default_deadlines &&
                                read->deadline_us == 0 &&
                                out->priority != SPN_PRIORITY_IDLE;
    if (out->has_default_deadline)
        out->deadline_us = spn__task_class_due_us(task_class);
    load->visits[out->visit].reads++;
    t->request_count++;
    return true;
}

/* End a burst: the requests from scene_first on. */
static void end_burst(const struct tracing *t, struct load *load,
                      uint32_t index_limit)
{
    const struct read_trace *trace = t->source->trace;
    uint32_t limit = t->scene_first;
    uint32_t count = 0;

    if (!t->has_bursts)
        return;
    for (; limit < index_limit &&
           trace->reads[limit].at_us - t->scene_us <= READ_TRACE_AT_ONCE_US;
         limit++)
        count += load->requests[limit].bytes > 0;
    if (count < LOAD_BURST_READS_MIN)
        return;
    for (uint32_t i = t->scene_first; i < limit; i++)
        load->requests[i].burst = load->burst_count;
    load->bursts[load->burst_count++] =
        (struct load_burst){trace->scenes[t->scene], t->scene_us, count};
}

static void note_scene(struct tracing *t, struct load *load, uint32_t index)
{
    const struct traced_read *read = &t->source->trace->reads[index];

    if (read->scene == t->scene)
        return;
    if (t->scene != UINT32_MAX)
        end_burst(t, load, index);
    t->scene = read->scene;
    t->scene_us = read->at_us;
    t->scene_first = index;
    load->visits[load->visit_count++] = (struct load_visit){
        .scene = t->source->trace->scenes[read->scene], .first = index};
}

static bool add_reads(struct tracing *t, struct load *load)
{
    const struct read_trace *trace = t->source->trace;

    for (uint32_t i = 0; i < trace->read_count; i++) {
        note_scene(t, load, i);
        if (!add_read(t, load, i))
            return false;
        load->visits[load->visit_count - 1].limit = i + 1;
        load->last_us = trace->reads[i].at_us;
    }
    end_burst(t, load, trace->read_count);
    return t->request_count > 0 ||
           refuse(t, load->missing.path, load->missing.what);
}

/* Find the entries of all paths. Returns NULL after a refusal. */
static struct load *make(struct tracing *t)
{
    const struct load_source *source = t->source;
    struct load *load = load_new();

    load->paks = source->paks;
    load->pak_count = source->pak_count;
    t->scene = UINT32_MAX;
    t->has_bursts =
        source->is_open_loop || read_trace_chained(source->trace) == 0;
    spn__tasks_init(&t->tasks);
    load_reserve(load, source->trace->read_count);
    load->count = source->trace->read_count;
    replay_trace(&load->replay, source->trace, source->is_open_loop,
                 &load->arena);
    if (add_reads(t, load))
        return load;
    load_destroy(load);
    return NULL;
}

/* -- names -- */

/* List the distinct names of all paks, each with its entry in the last pak that
 * has it. Returns their number. */
static uint32_t join_names(const struct load_source *source,
                           struct arena *arena, const char ***names,
                           struct found_entry **places)
{
    const char **all;
    uint32_t *numbers;
    uint32_t count = 0;
    uint32_t distinct = 0;

    for (uint32_t i = 0; i < source->pak_count; i++)
        count += source->paks[i].reader->index.header.entry_count;
    all = ARENA_NEW(arena, const char *, count);
    numbers = ARENA_NEW(arena, uint32_t, count);
    *places = ARENA_NEW(arena, struct found_entry, count);
    count = 0;
    for (uint32_t i = 0; i < source->pak_count; i++) {
        const struct pak_index *index = &source->paks[i].reader->index;

        for (uint32_t e = 0; e < index->header.entry_count; e++)
            all[count++] = spn__pak_entry(index, e).name;
    }
    *names = read_trace_number(arena, all, count, numbers, &distinct);
    count = 0;
    for (uint32_t i = 0; i < source->pak_count; i++) {
        const struct load_pak *pak = &source->paks[i];

        for (uint32_t e = 0; e < pak->reader->index.header.entry_count; e++)
            (*places)[numbers[count++]] = (struct found_entry){pak, e};
    }
    return distinct;
}

static bool find_entries(const struct tracing *t, struct arena *arena)
{
    const struct read_trace *trace = t->source->trace;
    struct found_entry *places;
    struct path_match match;
    const char *either[2];
    const char **names;
    uint32_t count = join_names(t->source, arena, &names, &places);

    path_match_init(&match, arena, names, count);
    for (uint32_t i = 0; i < trace->file_count; i++) {
        uint32_t found;

        if (!path_match_find(&match, trace->paths[i], &found, either))
            return path_match_refuse(t->diag, t->source->trace_path,
                                     trace->paths[i], either);
        t->entries[i] = found == PATH_MATCH_NONE ? (struct found_entry){NULL, 0}
                                                 : places[found];
    }
    return true;
}

static bool fits_on_disc(const struct load_source *source,
                         const spn_drive_profile *drive, struct diag *diag)
{
    uint64_t disc_bytes = spn__drive_disc_bytes(drive);

    for (uint32_t i = 0; i < source->pak_count; i++) {
        const struct load_pak *pak = &source->paks[i];
        uint64_t bytes = pak->reader->index.header.file_bytes;

        if (bytes > disc_bytes)
            return diag_refuse(diag, pak->reader->path, DIAG_NO_OFFSET, NULL,
                               "larger than the disc of %s", drive->name);
        if (pak->at > disc_bytes - bytes)
            return diag_refuse(diag, pak->reader->path, DIAG_NO_OFFSET, NULL,
                               "from byte %llu on it does not fit on the disc "
                               "of %s",
                               (unsigned long long)pak->at, drive->name);
    }
    return true;
}

/* -- both discs -- */

struct load *load_trace(const struct load_source *source,
                        const spn_drive_profile *drive, struct diag *diag)
{
    struct tracing t = {.source = source, .diag = diag};
    struct load *load = NULL;
    struct arena arena;

    if (!fits_on_disc(source, drive, diag))
        return NULL;
    arena_init(&arena);
    t.entries =
        ARENA_NEW(&arena, struct found_entry, source->trace->file_count);
    if (find_entries(&t, &arena))
        load = make(&t);
    arena_free(&arena);
    return load;
}

struct load *load_none(const struct load_source *source,
                       const spn_drive_profile *drive, struct diag *diag)
{
    struct load *load;

    if (!fits_on_disc(source, drive, diag))
        return NULL;
    load = load_new();
    load->paks = source->paks;
    load->pak_count = source->pak_count;
    load_reserve(load, 0);
    return load;
}

struct load *load_trace_generated(const struct load_source *source,
                                  const struct workload_config *config,
                                  struct diag *diag)
{
    struct workload *workload = workload_create(config);
    struct tracing t = {.source = source, .workload = workload, .diag = diag};
    struct load *load;

    if (!workload) {
        diag_refuse(diag, config->drive->name, DIAG_NO_OFFSET, NULL,
                    LOAD_NO_ROOM);
        return NULL;
    }
    load = make(&t);
    workload_destroy(workload);
    return load;
}
