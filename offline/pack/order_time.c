/* order_time.c - simulate a replay with the runtime's deadline scheduler.
 *
 * A read has the same index in the trace and in the scheduler's pool.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/order_time.h"

#include "base/carve.h"
#include "disc/drive.h"
#include "disc/forecast.h"
#include "pack/replay.h"
#include "schedule/deadline_coalesce.h"
#include "schedule/deadline_waiting.h"
#include "schedule/tasks.h"

struct timing {
    const struct read_trace *trace;
    const struct order_time_read *reads;
    struct replay replay;
    struct drive drive;
    struct forecast forecast;
    struct tasks tasks;
    struct deadline_scheduler scheduler;
    struct deadline_pool pool;
    struct deadline_waiting waiting;
    uint32_t waiting_count;
    uint64_t now_us;
    uint64_t begin_us; /* start of the trace, on the drive's clock */
    /* Visits: consecutive reads of one scene */
    uint32_t *visit_of;
    uint64_t
        *visit_begin_us; /* start of its first read; UINT64_MAX: none yet */
    uint64_t *visit_end_us;
    uint32_t visit_count;
};

static void carve_scheduler(struct timing *t, struct carve *carve)
{
    uint32_t count = t->trace->read_count;

    spn__deadline_init(carve->base ? &t->scheduler : NULL, carve, count,
                       &t->forecast, &spn__deadline_rules);
    spn__deadline_pool_init(&t->pool, carve, count);
}

static void make_scheduler(struct timing *t, const spn_drive_profile *drive,
                           struct arena *arena)
{
    struct carve carve = {.limit = SIZE_MAX};

    spn__forecast_init(&t->forecast, drive);
    spn__tasks_init(&t->tasks);
    carve_scheduler(t, &carve);
    carve = (struct carve){.base = arena_alloc(arena, carve.used, 1),
                           .limit = carve.used};
    carve_scheduler(t, &carve);
    spn__deadline_waiting_init(&t->waiting, &t->pool, &spn__deadline_rules);
}

static void find_visits(struct timing *t, struct arena *arena)
{
    uint32_t count = t->trace->read_count;

    t->visit_of = ARENA_NEW(arena, uint32_t, count);
    t->visit_begin_us = ARENA_NEW(arena, uint64_t, count);
    t->visit_end_us = ARENA_NEW(arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || t->trace->reads[i].scene != t->trace->reads[i - 1].scene)
            t->visit_begin_us[t->visit_count++] = UINT64_MAX;
        t->visit_of[i] = t->visit_count - 1;
    }
}

/* The deadline of a read; by default that of its class, as in the runtime. */
static uint64_t deadline_of(const struct traced_read *read, uint64_t start_us,
                            spn_task_class task_class)
{
    if (read->deadline_us > 0)
        return start_us + read->deadline_us;
    if (read->priority == SPN_PRIORITY_IDLE)
        return UINT64_MAX;
    return start_us + spn__task_class_due_us(task_class);
}

static void begin_read(struct timing *t, uint32_t index, uint64_t start_us)
{
    const struct traced_read *read = &t->trace->reads[index];
    spn_task_class task_class =
        spn__tasks_class(&t->tasks, read_trace_task(read->task));
    struct deadline_item *item = &t->pool.items[index];

    *item = (struct deadline_item){
        .arrival_us = start_us,
        .deadline_us = deadline_of(read, start_us, task_class),
        .key = index,
        .subject = index,
        .class = deadline_class_of(task_class),
        .is_urgent = read->priority == SPN_PRIORITY_URGENT,
        .is_idle = read->priority == SPN_PRIORITY_IDLE,
    };
    spn__forecast_range(&t->forecast, t->reads[index].offset,
                        t->reads[index].bytes, &item->begin, &item->end);
    spn__deadline_waiting_add(&t->waiting, index);
    t->waiting_count++;
}

/* Enqueue the reads that have started by now. */
static void take_started(struct timing *t)
{
    while (replay_due_us(&t->replay) <= t->now_us) {
        uint64_t start_us;
        uint32_t read = replay_take(&t->replay, &start_us);
        uint32_t visit = t->visit_of[read];

        if (t->reads[read].bytes == 0) {
            replay_end(&t->replay, read, start_us);
            continue;
        }
        if (start_us < t->visit_begin_us[visit])
            t->visit_begin_us[visit] = start_us;
        begin_read(t, read, start_us);
    }
}

/* Choose the next read, and those coalesced with it. Returns their number. */
static uint32_t choose(struct timing *t, uint32_t reads[DEADLINE_COALESCE_MAX])
{
    struct deadline_scheduler *scheduler = &t->scheduler;
    struct forecast_place head;
    uint32_t chosen;
    uint32_t count;

    spn__forecast_place(&t->forecast, t->drive.head, &head);
    spn__deadline_waiting_offer(&t->waiting, scheduler, &head, t->now_us);
    chosen = spn__deadline_choose(scheduler, &head, t->now_us);
    count = spn__deadline_coalesce(scheduler, chosen, reads);
    for (uint32_t i = 0; i < count; i++)
        reads[i] = scheduler->items[reads[i]].subject;
    spn__deadline_serve(scheduler, chosen,
                        scheduler->items[chosen].end.offset -
                            scheduler->items[chosen].begin.offset,
                        t->now_us);
    return count;
}

/* End reads; chained reads get their starts. */
static void end_read(struct timing *t, uint32_t read)
{
    spn__deadline_waiting_remove(&t->waiting, read);
    t->waiting_count--;
    t->visit_end_us[t->visit_of[read]] = t->now_us;
    replay_end(&t->replay, read, t->now_us);
}

static void serve(struct timing *t)
{
    uint32_t reads[DEADLINE_COALESCE_MAX];
    uint32_t count = choose(t, reads);
    uint64_t begin = UINT64_MAX;
    struct drive_cost cost;
    uint64_t end_us = 0;
    uint64_t end = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct order_time_read *read = &t->reads[reads[i]];

        begin = read->offset < begin ? read->offset : begin;
        end =
            read->offset + read->bytes > end ? read->offset + read->bytes : end;
    }
    if (spn__drive_read(&t->drive, begin, end - begin, t->begin_us + t->now_us,
                        &cost, &end_us) == SPN_OK)
        t->now_us = end_us - t->begin_us;
    for (uint32_t i = 0; i < count; i++)
        end_read(t, reads[i]);
}

static void spin_up(struct timing *t, const spn_drive_profile *drive)
{
    struct drive_cost cost;
    spn_status status;

    spn__drive_init(&t->drive, drive);
    status = spn__drive_read(&t->drive, 0, ORDER_TIME_FIRST_BYTES, 0, &cost,
                             &t->begin_us);
    (void)status; /* every read lies on the disc */
}

uint64_t order_time_us(const struct read_trace *trace,
                       const struct order_time_read *reads,
                       const spn_drive_profile *drive)
{
    struct timing t = {.trace = trace, .reads = reads};
    uint64_t sum_us = 0;
    struct arena arena;

    arena_init(&arena);
    replay_trace(&t.replay, trace, false, &arena);
    spin_up(&t, drive);
    make_scheduler(&t, drive, &arena);
    find_visits(&t, &arena);
    for (;;) {
        take_started(&t);
        if (t.waiting_count > 0)
            serve(&t);
        else if (replay_due_us(&t.replay) == UINT64_MAX)
            break;
        else
            t.now_us = replay_due_us(&t.replay);
    }
    for (uint32_t i = 0; i < t.visit_count; i++)
        if (t.visit_begin_us[i] != UINT64_MAX)
            sum_us += t.visit_end_us[i] - t.visit_begin_us[i];
    arena_free(&arena);
    return sum_us;
}
