/* open_loop.c - the loop: start reads, choose, read, advance the clock. */
/* SPDX-License-Identifier: MIT */
#include "support/open_loop.h"

#include "disc/drive.h"
#include "disc/drive_disc.h"
#include "harness.h"
#include "schedule/tasks.h"

struct loop {
    const struct open_read *reads;
    uint32_t count;
    uint32_t next;
    struct reference_queue *queue;
    struct forecast forecast;
    struct forecast_place head;
    struct drive drive;
    uint64_t now_us;
    struct open_result result;
};

static uint64_t due_us(const struct open_read *read)
{
    /* Both enumerations list the same four classes, in opposite order. */
    return read->at_us +
           spn__task_class_due_us(
               (spn_task_class)(DEADLINE_BULK - (uint32_t)read->class));
}

static void start_reads(struct loop *l)
{
    for (; l->next < l->count && l->reads[l->next].at_us <= l->now_us;
         l->next++) {
        const struct open_read *read = &l->reads[l->next];
        struct reference_read started = {.position = read->position,
                                         .bytes = read->bytes,
                                         .arrival_us = read->at_us,
                                         .deadline_us = due_us(read),
                                         .class = read->class};

        reference_queue_add(l->queue, l->next, &started, l->now_us);
    }
}

/* A read ends when its own last byte has arrived. */
static void end_reads(struct loop *l, const uint32_t *ids, uint32_t count,
                      uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct open_read *read = &l->reads[ids[i]];
        uint64_t behind = end - read->position - read->bytes;
        uint64_t end_us =
            l->now_us - spn__drive_transfer_us(l->drive.profile, begin, behind);
        uint64_t wait_us = end_us - read->at_us;

        l->result.late += end_us > due_us(read);
        if (wait_us > l->result.longest_us)
            l->result.longest_us = wait_us;
    }
}

static void serve(struct loop *l, const uint32_t *ids, uint32_t count)
{
    uint64_t begin = UINT64_MAX;
    uint64_t end = 0;
    struct forecast_place first;
    struct drive_cost cost;

    for (uint32_t i = 0; i < count; i++) {
        const struct open_read *read = &l->reads[ids[i]];

        begin = read->position < begin ? read->position : begin;
        end = read->position + read->bytes > end ? read->position + read->bytes
                                                 : end;
    }
    CHECK_EQ(spn__drive_read(&l->drive, begin, end - begin, l->now_us, &cost,
                             &l->now_us),
             SPN_OK);
    spn__forecast_range(&l->forecast, begin, end - begin, &first, &l->head);
    end_reads(l, ids, count, begin, end);
}

struct open_result open_loop_run(const spn_drive_profile *drive,
                                 enum reference_order order,
                                 const struct open_read *reads, uint32_t count)
{
    struct loop l = {.reads = reads, .count = count};
    uint32_t ids[DEADLINE_COALESCE_MAX];
    uint32_t taken;

    spn__drive_init(&l.drive, drive);
    l.drive.is_spinning = true;
    spn__forecast_init(&l.forecast, drive);
    spn__forecast_place(&l.forecast, 0, &l.head);
    l.queue = reference_queue_create(order, &l.forecast);
    while (l.next < count || reference_queue_count(l.queue) > 0) {
        start_reads(&l);
        taken = reference_queue_take(l.queue, &l.head, l.now_us, ids);
        if (taken > 0)
            serve(&l, ids, taken);
        else
            l.now_us = reads[l.next].at_us;
    }
    reference_queue_destroy(l.queue);
    l.result.end_us = l.now_us;
    return l.result;
}
