/* load.c - two kinds of games behind one set of functions. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load.h"

#include "io/drive.h"
#include "io/forecast.h"
#include "io/pak_range.h"
#include "io/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct load {
    struct workload *workload; /* or NULL: then the requests */
    struct load_request *requests;
    uint32_t count;
    uint32_t next;
    uint64_t now_us;
    struct load_missing missing;
};

static struct load *new_load(void)
{
    struct load *load = calloc(1, sizeof *load);

    if (!load) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    return load;
}

void load_destroy(struct load *load)
{
    if (!load)
        return;
    if (load->workload)
        workload_destroy(load->workload);
    free(load->requests);
    free(load);
}

/* ---- a made up game ---------------------------------------------------------
 */

struct load *load_generate(const struct workload_config *config)
{
    struct load *load = new_load();

    load->workload = workload_create(config);
    if (load->workload)
        return load;
    load_destroy(load);
    return NULL;
}

/* As a game without deadlines would say it. */
static void name_task(struct load_request *request)
{
    switch (request->class) {
    case SWEEP_SOUND:
        request->task = SPN_TASK_SOUND;
        request->priority = SPN_PRIORITY_ABOVE_NORMAL;
        return;
    case SWEEP_CLIP:
        request->task = SPN_TASK_ANIMATION;
        request->priority = SPN_PRIORITY_NORMAL;
        return;
    case SWEEP_STREAM:
        request->task = SPN_TASK_VIDEO;
        request->priority = SPN_PRIORITY_NORMAL;
        return;
    case SWEEP_BULK:
    case SWEEP_CLASSES:
        break;
    }
    request->task = SPN_TASK_TEXTURE;
    request->priority = SPN_PRIORITY_BELOW_NORMAL;
}

static bool take_made(struct load *load, struct load_request *out)
{
    struct workload_request made;

    if (!workload_take(load->workload, &made))
        return false;
    memset(out, 0, sizeof *out);
    out->position =
        workload_file_at(load->workload, made.file)->offset + made.offset;
    out->bytes = made.bytes;
    out->arrival_us = made.arrival_us;
    out->deadline_us = made.deadline_us;
    out->class = made.class;
    out->made = made;
    name_task(out);
    return true;
}

/* ---- a recorded one ---------------------------------------------------------
 */

struct tracing {
    const char *trace_path;
    const struct pak_reader *pak;
    struct diag *diag;
    struct tasks tasks;
    struct forecast forecast;
    uint64_t head; /* behind the read before */
};

static bool refuse(const struct tracing *t, const char *path, const char *what)
{
    return diag_refuse(t->diag, t->trace_path, DIAG_NO_OFFSET, path, "%s",
                       what);
}

/* The bytes of the file become bytes of the disc. */
static void find_place(struct tracing *t, const struct pak_range *range,
                       struct load_request *out)
{
    out->position =
        spn__pak_nearest(&t->pak->index, range, 0, t->head, &t->forecast);
    out->bytes = range->stored_bytes;
    t->head = out->position + out->bytes;
}

static enum sweep_class class_of(const struct tracing *t, spn_task task)
{
    switch (spn__tasks_class(&t->tasks, task)) {
    case SPN_CLASS_SOUND:
        return SWEEP_SOUND;
    case SPN_CLASS_CLIP:
        return SWEEP_CLIP;
    case SPN_CLASS_STREAM:
        return SWEEP_STREAM;
    case SPN_CLASS_BULK:
    case SPN_CLASS_COUNT:
        break;
    }
    return SWEEP_BULK;
}

/* What is wrong with it; NULL: nothing. */
static const char *find_range(const struct tracing *t,
                              const struct traced_read *read, const char *path,
                              struct pak_range *range)
{
    const struct pak_index *index = &t->pak->index;
    uint32_t entry = spn__pak_find(index, path, (uint32_t)strlen(path));

    if (entry == PAK_NONE)
        return "not in the pak";
    if (spn__pak_range(index, spn__pak_entry(index, entry).content,
                       read->offset, read->bytes, UINT64_MAX, range) != SPN_OK)
        return "read beyond its end in the pak";
    if (range->bytes == 0)
        return range->content.bytes == 0 ? "empty in the pak"
                                         : "read at its end in the pak";
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
                     const struct traced_read *read, const char *path)
{
    struct load_request *out = &load->requests[load->count];
    struct pak_range range;
    const char *what = find_range(t, read, path, &range);

    if (what) {
        leave_out(load, path, what);
        return true;
    }

    if (range.bytes > LOAD_READ_BYTES_MAX)
        return refuse(t, path, "one read of more than 1 GiB");
    find_place(t, &range, out);
    out->arrival_us = read->at_us;
    out->deadline_us =
        read->deadline_us ? read->at_us + read->deadline_us : UINT64_MAX;
    out->task = read->task > 0 && read->task < SPN_TASK_COUNT
                    ? (spn_task)read->task
                    : SPN_TASK_USER;
    out->priority = (spn_priority)read->priority;
    out->class = class_of(t, out->task);
    load->count++;
    return true;
}

static bool add_reads(struct tracing *t, const struct read_trace *trace,
                      struct load *load)
{
    for (uint32_t i = 0; i < trace->read_count; i++) {
        const struct traced_read *read = &trace->reads[i];

        if (!add_read(t, load, read, trace->paths[read->file]))
            return false;
    }
    return load->count > 0 || refuse(t, load->missing.path, load->missing.what);
}

struct load *load_trace(const struct read_trace *trace, const char *trace_path,
                        const struct pak_reader *pak,
                        const spn_drive_profile *drive, struct diag *diag)
{
    struct tracing t = {.trace_path = trace_path, .pak = pak, .diag = diag};
    struct load *load;

    if (pak->index.header.file_bytes > spn__drive_disc_bytes(drive)) {
        diag_refuse(diag, pak->path, DIAG_NO_OFFSET, NULL,
                    "larger than the disc of %s", drive->name);
        return NULL;
    }
    load = new_load();
    spn__tasks_init(&t.tasks);
    spn__forecast_init(&t.forecast, drive);
    load->requests =
        calloc((size_t)trace->read_count + 1, sizeof *load->requests);
    if (!load->requests) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    if (!add_reads(&t, trace, load)) {
        load_destroy(load);
        return NULL;
    }
    return load;
}

struct load_missing load_missing(const struct load *load)
{
    return load->missing;
}

/* ---- both -------------------------------------------------------------------
 */

bool load_advance(struct load *load, uint64_t now_us)
{
    load->now_us = now_us;
    return load->workload && workload_advance(load->workload, now_us);
}

bool load_take(struct load *load, struct load_request *out)
{
    if (load->workload)
        return take_made(load, out);
    if (load->next == load->count ||
        load->requests[load->next].arrival_us > load->now_us)
        return false;
    *out = load->requests[load->next++];
    return true;
}

bool load_is_wanted(const struct load *load, const struct load_request *request)
{
    return !load->workload ||
           workload_is_wanted(load->workload, &request->made);
}

void load_done(struct load *load, const struct load_request *request)
{
    if (load->workload)
        workload_done(load->workload, &request->made);
}

uint64_t load_due_us(const struct load *load)
{
    if (load->workload)
        return workload_due_us(load->workload);
    return load->next < load->count ? load->requests[load->next].arrival_us
                                    : UINT64_MAX;
}

uint64_t load_last_us(const struct load *load)
{
    if (load->workload)
        return UINT64_MAX;
    return load->count ? load->requests[load->count - 1].arrival_us : 0;
}

uint64_t load_place(const struct load *load, uint64_t n)
{
    if (!load->workload)
        return load->count ? load->requests[n % load->count].position : 0;
    n %= workload_file_count(load->workload);
    return workload_file_at(load->workload, (uint32_t)n)->offset;
}
