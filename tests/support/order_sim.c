/* order_sim.c - the loop: take requests, choose, read, advance the clock. */
/* SPDX-License-Identifier: MIT */
#include "support/order_sim.h"

#include "common/diag.h"
#include "disc/drive.h"
#include "disc/drive_disc.h"
#include "support/loading_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US 1000000u
#define REQUESTS_FIRST 256u
/* Distance of the head from the scene before a burst begins. */
#define ELSEWHERE_BYTES (UINT64_C(1) << 28)

struct run {
    const struct order_sim *sim;
    struct workload *workload;
    struct reference_queue *queue;
    struct forecast forecast;
    struct forecast_place head;
    struct drive drive;
    uint64_t now_us;
    struct workload_request *requests;
    uint32_t *free_ids;
    uint32_t free_count;
    uint32_t capacity;
    struct order_sim_result *out;
};

/* -- requests in flight -- */

static void grow(struct run *r)
{
    uint32_t capacity = r->capacity ? 2 * r->capacity : REQUESTS_FIRST;

    r->requests = realloc(r->requests, capacity * sizeof *r->requests);
    r->free_ids = realloc(r->free_ids, capacity * sizeof *r->free_ids);
    if (!r->requests || !r->free_ids) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    while (r->capacity < capacity)
        r->free_ids[r->free_count++] = r->capacity++;
}

static uint64_t position_of(const struct run *r,
                            const struct workload_request *request)
{
    return workload_file_at(r->workload, request->file)->offset +
           request->offset;
}

static void add(struct run *r, const struct workload_request *request)
{
    struct reference_read read = {.position = position_of(r, request),
                                  .bytes = request->bytes,
                                  .arrival_us = request->arrival_us,
                                  .deadline_us = request->deadline_us,
                                  .class = request->class};
    uint32_t id;

    if (r->free_count == 0)
        grow(r);
    id = r->free_ids[--r->free_count];
    r->requests[id] = *request;
    reference_queue_add(r->queue, id, &read, r->now_us);
}

static bool is_stale(void *context, uint32_t id)
{
    struct run *r = context;

    if (workload_is_wanted(r->workload, &r->requests[id]))
        return false;
    r->free_ids[r->free_count++] = id;
    return true;
}

/* -- serving -- */

/* One run of coalesced reads, served by one read of the drive. */
struct serving {
    uint32_t ids[DEADLINE_COALESCE_MAX];
    uint32_t count;
    uint64_t begin;
    uint64_t end;
    uint64_t end_us;
};

static void find_range(const struct run *r, struct serving *s)
{
    s->begin = UINT64_MAX;
    s->end = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct workload_request *request = &r->requests[s->ids[i]];
        uint64_t begin = position_of(r, request);

        if (begin < s->begin)
            s->begin = begin;
        if (begin + request->bytes > s->end)
            s->end = begin + request->bytes;
    }
}

static void read_range(struct run *r, struct serving *s)
{
    bool was_busy = r->drive.end_us == r->now_us;
    struct forecast_place begin;
    struct forecast_place end;
    struct drive_cost cost;
    spn_status status = spn__drive_read(&r->drive, s->begin, s->end - s->begin,
                                        r->now_us, &cost, &s->end_us);

    if (status != SPN_OK) {
        fputs("spindle: internal error: a read beyond the disc\n", stderr);
        exit(EXIT_INTERNAL);
    }
    r->out->busy_us += spn__drive_cost_us(&cost);
    r->out->command_us += spn__drive_cost_us(&cost) - cost.seek_us -
                          cost.rotate_us - cost.gap_us - cost.transfer_us;
    r->out->coalesced += s->count - 1;
    spn__forecast_range(&r->forecast, s->begin, s->end - s->begin, &begin,
                        &end);
    if (r->sim->is_learning && was_busy)
        spn__forecast_learn(&r->forecast, &r->head, &begin, &end,
                            s->end_us - r->now_us);
    r->head = end;
}

/* A read is done when its own last byte has arrived. */
static void end_reads(struct run *r, const struct serving *s)
{
    const spn_drive_profile *profile = r->sim->workload.drive;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct workload_request *request = &r->requests[s->ids[i]];
        uint64_t behind = s->end - position_of(r, request) - request->bytes;
        uint64_t after_us = spn__drive_transfer_us(profile, s->begin, behind);

        tally_end(&r->out->tally, request->class, request->bytes,
                  request->arrival_us, request->deadline_us,
                  s->end_us - after_us);
        workload_done(r->workload, request);
        r->free_ids[r->free_count++] = s->ids[i];
    }
}

/* False: no read waits. */
static bool serve(struct run *r)
{
    struct serving s;

    s.count = reference_queue_take(r->queue, &r->head, r->now_us, s.ids);
    if (s.count == 0)
        return false;
    find_range(r, &s);
    read_range(r, &s);
    end_reads(r, &s);
    r->now_us = s.end_us;
    return true;
}

/* -- runs -- */

static bool begin(struct run *r, const struct order_sim *sim,
                  struct order_sim_result *out)
{
    memset(r, 0, sizeof *r);
    memset(out, 0, sizeof *out);
    r->sim = sim;
    r->out = out;
    tally_init(&out->tally);
    r->workload = workload_create(&sim->workload);
    if (!r->workload)
        return false;
    spn__drive_init(&r->drive, sim->workload.drive);
    r->drive.is_spinning = true;
    spn__forecast_init(&r->forecast,
                       sim->believed ? sim->believed : sim->workload.drive);
    spn__forecast_place(&r->forecast, 0, &r->head);
    r->queue = reference_queue_create(sim->order, &r->forecast);
    return true;
}

static void end(struct run *r)
{
    reference_queue_destroy(r->queue);
    workload_destroy(r->workload);
    free(r->requests);
    free(r->free_ids);
}

static void take_requests(struct run *r)
{
    struct workload_request request;

    if (workload_advance(r->workload, r->now_us))
        reference_queue_remove_if(r->queue, is_stale, r);
    while (workload_take(r->workload, &request))
        add(r, &request);
}

static bool count_waiting(void *context, uint32_t id)
{
    struct run *r = context;
    const struct workload_request *request = &r->requests[id];

    tally_waits(&r->out->tally, request->class, request->arrival_us,
                request->deadline_us, r->now_us);
    return true;
}

bool order_sim_run(const struct order_sim *sim, struct order_sim_result *out)
{
    struct run r;

    if (!begin(&r, sim, out))
        return false;
    while (r.now_us < sim->seconds * SECOND_US) {
        take_requests(&r);
        if (!serve(&r))
            r.now_us += ORDER_SIM_FRAME_US;
    }
    reference_queue_remove_if(r.queue, count_waiting, &r);
    out->time_us = r.now_us;
    out->stalled_us = workload_stalled_us(r.workload);
    out->playing_us = workload_playing_us(r.workload);
    end(&r);
    return true;
}

static void add_burst(struct run *r, const uint32_t files[LOADING_SCREEN_FILES],
                      struct order_sim_burst *out)
{
    out->transfer_us = 0;
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++) {
        const struct workload_file *file =
            workload_file_at(r->workload, files[i]);
        struct workload_request request = {.file = files[i],
                                           .bytes = file->bytes,
                                           .deadline_us = UINT64_MAX,
                                           .class = DEADLINE_BULK};

        add(r, &request);
        out->transfer_us += spn__drive_transfer_us(r->sim->workload.drive,
                                                   file->offset, file->bytes);
    }
}

bool order_sim_run_burst(const struct order_sim *sim, uint32_t scene,
                         struct order_sim_burst *out)
{
    struct order_sim_result result;
    uint32_t files[LOADING_SCREEN_FILES];
    uint64_t first;
    struct run r;
    bool is_there;

    if (!begin(&r, sim, &result))
        return false;
    is_there = loading_screen_files(r.workload, scene, files);
    if (is_there) {
        first = workload_file_at(r.workload, files[0])->offset;
        r.drive.head = first > ELSEWHERE_BYTES ? first - ELSEWHERE_BYTES : 0;
        r.drive.ahead = r.drive.head;
        spn__forecast_place(&r.forecast, r.drive.head, &r.head);
        add_burst(&r, files, out);
        while (serve(&r))
            ;
        out->read_us = r.now_us;
    }
    tally_free(&result.tally);
    end(&r);
    return is_there;
}

void order_sim_flatten(const spn_drive_profile *drive, uint32_t seek_us,
                       spn_drive_profile *out)
{
    *out = *drive;
    out->seek.near_piece = (spn_drive_piece){seek_us, 0, 0};
    out->seek.far_piece = out->seek.near_piece;
    out->layer_us = 0;
    out->rate_in = drive->rate_in + (drive->rate_out - drive->rate_in) / 2;
    out->rate_out = out->rate_in;
}
