/* load.c - two kinds of games behind one set of functions. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load.h"

#include "io/drive.h"
#include "io/tasks.h"

#include <spindle/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct load {
    struct workload *workload; /* or NULL: then the requests */
    struct load_request *requests;
    uint32_t count;
    uint32_t next;
    uint64_t now_us;
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
    uint64_t head; /* behind the read before */
};

static bool refuse(const struct tracing *t, const char *path, const char *what)
{
    return diag_refuse(t->diag, t->trace_path, DIAG_NO_OFFSET, path, "%s",
                       what);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

static uint64_t nearest_copy(const struct tracing *t,
                             const struct pak_content *content)
{
    uint64_t best = spn__pak_copy(&t->pak->index, content->first_copy, NULL);

    for (uint32_t i = 1; i < content->copy_count; i++) {
        uint64_t copy =
            spn__pak_copy(&t->pak->index, content->first_copy + i, NULL);

        if (distance(copy, t->head) < distance(best, t->head))
            best = copy;
    }
    return best;
}

/* The bytes of the file become bytes of the disc. */
static void find_place(struct tracing *t, const struct pak_content *content,
                       uint64_t offset, uint64_t bytes,
                       struct load_request *out)
{
    uint64_t copy = nearest_copy(t, content);
    struct pak_block first;
    struct pak_block last;

    out->position = copy + offset;
    out->bytes = bytes;
    if (content->codec != SPN_CODEC_STORE) {
        first = spn__pak_block(&t->pak->index, content,
                               (uint32_t)(offset / PAK_BLOCK_BYTES));
        last =
            spn__pak_block(&t->pak->index, content,
                           (uint32_t)((offset + bytes - 1) / PAK_BLOCK_BYTES));
        out->position = copy + first.offset;
        out->bytes = last.offset + last.stored_bytes - first.offset;
    }
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

static bool add_read(struct tracing *t, const struct traced_read *read,
                     const char *path, struct load_request *out)
{
    const struct pak_index *index = &t->pak->index;
    uint32_t entry = spn__pak_find(index, path, (uint32_t)strlen(path));
    struct pak_content content;
    uint64_t bytes = read->bytes;

    if (entry == PAK_NONE)
        return refuse(t, path, "not in the pak");
    content = spn__pak_content(index, spn__pak_entry(index, entry).content);
    if (read->offset >= content.bytes || bytes > content.bytes - read->offset)
        return refuse(t, path, "read beyond its end in the pak");
    if (bytes == 0)
        bytes = content.bytes - read->offset;
    if (bytes > LOAD_READ_BYTES_MAX)
        return refuse(t, path, "one read of more than 1 GiB");
    find_place(t, &content, read->offset, bytes, out);
    out->arrival_us = read->at_us;
    out->deadline_us =
        read->deadline_us ? read->at_us + read->deadline_us : UINT64_MAX;
    out->task = read->task > 0 && read->task < SPN_TASK_COUNT
                    ? (spn_task)read->task
                    : SPN_TASK_USER;
    out->priority = (spn_priority)read->priority;
    out->class = class_of(t, out->task);
    return true;
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
    load->requests =
        calloc((size_t)trace->read_count + 1, sizeof *load->requests);
    if (!load->requests) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    for (; load->count < trace->read_count; load->count++) {
        const struct traced_read *read = &trace->reads[load->count];

        if (!add_read(&t, read, trace->paths[read->file],
                      &load->requests[load->count])) {
            load_destroy(load);
            return NULL;
        }
    }
    return load;
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
