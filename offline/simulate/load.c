/* load.c - the functions of a load, for a generated game and for a trace. */
/* SPDX-License-Identifier: MIT */
#include "simulate/load_state.h"

#include "pak/pak_range.h"
#include "simulate/sim_disc.h"

#include <stdlib.h>
#include <string.h>

struct load *load_new(void)
{
    struct load *load = arena_require(calloc(1, sizeof(struct load)));

    arena_init(&load->arena);
    return load;
}

void load_destroy(struct load *load)
{
    if (!load)
        return;
    if (load->workload)
        workload_destroy(load->workload);
    pak_decoder_free(&load->decoder);
    arena_free(&load->arena);
    free(load);
}

void load_reserve(struct load *load, uint32_t count)
{
    load->requests = ARENA_NEW(&load->arena, struct load_request, count);
    load->bursts = ARENA_NEW(&load->arena, struct load_burst, count);
    load->visits = ARENA_NEW(&load->arena, struct load_visit, count);
    replay_init(&load->replay, count, &load->arena);
}

/* -- a generated game -- */

struct load *load_generate(const struct workload_config *config)
{
    struct load *load = load_new();

    load->workload = workload_create(config);
    if (load->workload)
        return load;
    load_destroy(load);
    return NULL;
}

/* Set task and priority by class, as a game without deadlines does. */
void load_name_task(struct load_request *request)
{
    switch (request->class) {
    case DEADLINE_SOUND:
        request->task = SPN_TASK_SOUND;
        request->priority = SPN_PRIORITY_ABOVE_NORMAL;
        return;
    case DEADLINE_CLIP:
        request->task = SPN_TASK_ANIMATION;
        request->priority = SPN_PRIORITY_NORMAL;
        return;
    case DEADLINE_STREAM:
        request->task = SPN_TASK_VIDEO;
        request->priority = SPN_PRIORITY_NORMAL;
        return;
    case DEADLINE_BULK:
    case DEADLINE_CLASSES:
        break;
    }
    request->task = SPN_TASK_TEXTURE;
    request->priority = SPN_PRIORITY_BELOW_NORMAL;
}

static void keep(struct load *load, const struct load_request *request)
{
    load->kept = arena_grow(&load->arena, load->kept, load->kept_count,
                            &load->kept_capacity, sizeof *load->kept);
    load->kept[load->kept_count++] =
        (struct load_kept){*request, workload_scene(load->workload)};
}

void load_keep_requests(struct load *load)
{
    load->is_keeping = true;
}

static bool take_made(struct load *load, struct load_request *out)
{
    struct workload_request made;

    if (!workload_take(load->workload, &made))
        return false;
    memset(out, 0, sizeof *out);
    out->offset =
        workload_file_at(load->workload, made.file)->offset + made.offset;
    out->bytes = made.bytes;
    out->arrival_us = made.arrival_us;
    out->deadline_us = made.deadline_us;
    out->class = made.class;
    out->burst = LOAD_NO_BURST;
    out->visit = LOAD_NO_VISIT;
    out->file = made.file;
    out->generated = made;
    load_name_task(out);
    if (load->is_bulk_idle && made.class == DEADLINE_BULK) {
        out->priority = SPN_PRIORITY_IDLE;
        out->deadline_us = UINT64_MAX;
    }
    if (load->is_keeping)
        keep(load, out);
    return true;
}

/* -- a pak -- */

/* Find the stored range of a request in its pak. */
static struct pak_range range_of(const struct load_request *request)
{
    struct pak_range range = {.offset = 0};
    spn_status status =
        spn__pak_range(&request->pak->reader->index, request->content,
                       request->offset, request->bytes, UINT64_MAX, &range);

    (void)status; /* the entry exists: it was found when the request was made */
    return range;
}

/* Compare block by block. */
static bool is_equal_in_pak(struct load *load,
                            const struct load_request *request,
                            const uint8_t *data, uint64_t bytes,
                            struct diag *diag)
{
    struct pak_range range = range_of(request);

    for (uint32_t b = range.first_block; b < range.block_limit; b++) {
        uint64_t start = (uint64_t)b * PAK_BLOCK_BYTES;
        uint64_t left = range.content.bytes - start;
        struct pak_part part = spn__pak_part(
            &range, b,
            left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES);

        if (part.at >= bytes)
            break;
        if (part.bytes > bytes - part.at)
            part.bytes = (uint32_t)(bytes - part.at);
        if (!pak_reader_read(request->pak->reader, &load->decoder,
                             request->content, start, load->block,
                             part.skip + part.bytes, diag) ||
            memcmp(load->block + part.skip, data + part.at, part.bytes) != 0)
            return false;
    }
    return true;
}

struct load_missing load_missing(const struct load *load)
{
    return load->missing;
}

bool load_is_left_out(const struct load *load, uint32_t read)
{
    return read < load->count && load->requests[read].bytes == 0;
}

/* -- both -- */

bool load_advance(struct load *load, uint64_t now_us)
{
    load->now_us = now_us;
    return load->workload && workload_advance(load->workload, now_us);
}

bool load_take(struct load *load, struct load_request *out)
{
    if (load->workload)
        return take_made(load, out);
    while (replay_due_us(&load->replay) <= load->now_us) {
        uint64_t start_us;
        uint32_t read = replay_take(&load->replay, &start_us);

        *out = load->requests[read];
        if (out->bytes > 0) {
            out->read = read;
            out->arrival_us = start_us;
            if (out->deadline_us != UINT64_MAX)
                out->deadline_us += start_us;
            return true;
        }
        replay_end(&load->replay, read, start_us);
    }
    return false;
}

bool load_is_wanted(const struct load *load, const struct load_request *request)
{
    return !load->workload ||
           workload_is_wanted(load->workload, &request->generated);
}

void load_done(struct load *load, const struct load_request *request,
               uint64_t now_us)
{
    if (load->workload)
        workload_done(load->workload, &request->generated);
    else
        replay_end(&load->replay, request->read, now_us);
}

uint64_t load_due_us(const struct load *load)
{
    if (load->workload)
        return workload_due_us(load->workload);
    return replay_due_us(&load->replay);
}

uint64_t load_last_us(const struct load *load)
{
    return load->workload ? UINT64_MAX : load->last_us;
}

const struct load_pak *load_paks(const struct load *load, uint32_t *count)
{
    *count = load->pak_count;
    return load->paks;
}

uint64_t load_position(const struct load_request *request, uint64_t head,
                       const struct forecast *forecast)
{
    struct pak_range range;

    if (!request->pak)
        return request->offset;
    range = range_of(request);
    return spn__pak_nearest(&request->pak->reader->index, &range,
                            request->pak->at, head, forecast);
}

bool load_is_equal(struct load *load, const struct load_request *request,
                   const uint8_t *data, uint64_t bytes, struct diag *diag)
{
    if (request->pak)
        return is_equal_in_pak(load, request, data, bytes, diag);
    return sim_disc_is_equal(request->offset, data, bytes);
}

const struct load_burst *load_bursts(const struct load *load, uint32_t *count)
{
    *count = load->burst_count;
    return load->bursts;
}

const struct load_visit *load_visits(const struct load *load, uint32_t *count)
{
    *count = load->visit_count;
    return load->visits;
}

uint64_t load_any_position(const struct load *load, uint64_t n)
{
    if (!load->workload && load->count == 0) {
        const struct load_pak *pak = &load->paks[n % load->pak_count];

        return pak->at + n % pak->reader->index.header.file_bytes;
    }
    if (!load->workload) {
        n %= load->count;
        while (load->requests[n].bytes == 0)
            n = (n + 1) % load->count;
        return load_position(&load->requests[n], 0, NULL);
    }
    n %= workload_file_count(load->workload);
    return workload_file_at(load->workload, (uint32_t)n)->offset;
}
