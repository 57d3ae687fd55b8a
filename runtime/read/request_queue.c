/* request_queue.c - the reads that wait for a medium. */
/* SPDX-License-Identifier: MIT */
#include "read/request_queue.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/pak_read.h"
#include "schedule/deadline_waiting.h"

/* A queue, and the engine of its reads. */
struct place {
    struct io *io;
    struct request_queue *requests;
};

static struct place place_of(struct io *io, uint32_t index)
{
    spn_medium medium = io->requests[index].medium;

    return (struct place){io, medium == SPN_MEDIUM_COUNT
                                  ? io->opening
                                  : &io->media[medium].requests};
}

static uint64_t position_of(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    uint64_t offset = request->offset;

    if (request->medium == SPN_MEDIUM_COUNT)
        return SORT_KEY_OFFSET_UNKNOWN;
    if (request->done_bytes > UINT64_MAX - offset)
        return SORT_KEY_OFFSET_UNKNOWN;
    return spn__files_position(&io->files, request->file,
                               offset + request->done_bytes);
}

static uint64_t key_of(void *context, uint32_t index)
{
    const struct place *place = context;
    const struct io_request *request = &place->io->requests[index];

    if (request->done_bytes > 0)
        return spn__sort_key(io_priority(request), 0, 0, 0);
    return spn__order_key(&place->requests->order, &request->ticket,
                          position_of(place->io, index));
}

static void choose_scheduler(const struct place *place, uint32_t index)
{
    spn__order_arrive(&place->requests->order,
                      &place->io->requests[index].ticket,
                      position_of(place->io, index));
}

static void push(struct place *place, uint32_t index)
{
    uint64_t key = key_of(place, index);

    spn__io_weigh(place->io, index, key);
    spn__queue_push(&place->requests->queue, key,
                    place->io->requests[index].arrival, index);
}

static void rekey(struct place *place)
{
    const struct queue *queue = &place->requests->queue;

    spn__queue_rekey(&place->requests->queue, key_of, place);
    if (!place->io->pool)
        return;
    for (uint32_t i = 0; i < queue->count; i++)
        place->io->pool->items[queue->entries[i].subject].key =
            queue->entries[i].key;
}

/* Set the base of the time groups to the group of the queue's oldest read, or
 * to `group`, and compute all keys again. O(n), but rare: at most once for each
 * group of a waiting read, and once in weeks for the range of a key. */
static void move_base(struct place *place, uint64_t group)
{
    struct request_queue *requests = place->requests;
    const struct io_request *all = place->io->requests;
    uint64_t oldest = group;

    for (uint32_t i = 0; i < requests->queue.count; i++) {
        uint32_t index = requests->queue.entries[i].subject;

        oldest = min_u64(oldest, all[index].ticket.group);
    }
    if (requests->active != IO_NONE)
        oldest = min_u64(oldest, all[requests->active].ticket.group);
    spn__order_set_base(&requests->order, oldest);
    rekey(place);
}

bool spn__request_find_medium(struct io *io, struct io_request *request)
{
    if (io_pak_of(request) && spn__pak_find_memory(request))
        request->medium = SPN_MEDIUM_MEMORY;
    else if (spn__files_is_open(&io->files, request->file))
        request->medium = spn__files_info(&io->files, request->file)->medium;
    else
        return request->medium != SPN_MEDIUM_COUNT;
    /* Relaxed: other threads may see it late. */
    atomic_store_relaxed(&request->shared_medium,
                         (uint32_t)request->medium + 1);
    return true;
}

void spn__request_enqueue(struct io *io, uint32_t index)
{
    struct place place = place_of(io, index);
    struct request_queue *requests = place.requests;
    uint64_t group = io->requests[index].ticket.group;

    if (requests->queue.count == 0 && requests->active == IO_NONE)
        spn__order_reset(&requests->order, group);
    else if (group < requests->order.base_group ||
             spn__order_is_far(&requests->order, group))
        move_base(&place, group);
    choose_scheduler(&place, index);
    push(&place, index);
}

void spn__request_requeue(struct io *io, uint32_t index)
{
    struct place place = place_of(io, index);

    push(&place, index);
}

uint64_t spn__request_key(struct io *io, uint32_t index)
{
    struct place place = place_of(io, index);

    return key_of(&place, index);
}

void spn__request_rekey(struct io *io, uint32_t index)
{
    struct place place = place_of(io, index);
    uint64_t key = key_of(&place, index);

    spn__queue_change(&place.requests->queue, index, key);
    if (io->pool)
        io->pool->items[index].key = key;
}
