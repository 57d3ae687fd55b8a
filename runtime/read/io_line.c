/* io_line.c - where the reads that wait stand, and in which order.
 *
 * Nobody knows yet what an unopened file lies on: its reads stand in a line of
 * their own. All others stand in the line of their medium. There the sort key
 * decides, but for a read that has begun: pieces of two reads in turn would
 * cost a seek each, so it stands before all others of its priority wherever
 * they lie. Where the sweep is the medium's order the key is its tie break.
 * Reads of a paused type are parked aside, and keep their turn. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_line.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_listen.h"
#include "read/io_pak.h"
#include "read/io_report.h"
#include "read/io_storage.h"
#include "read/io_sweep.h"
#include "schedule/sweep_waiting.h"

/* A line, and the engine that its reads are of. */
struct place {
    struct io *io;
    struct io_line *line;
};

static struct io_line *line_of(struct io *io, uint32_t index)
{
    spn_medium medium = io->requests[index].medium;

    return medium == SPN_MEDIUM_COUNT ? io->unopened : &io->media[medium].line;
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

    /* Begun: before all others of its priority, wherever they lie. */
    if (request->done_bytes > 0)
        return spn__sort_key(io_priority(request), 0, 0, 0);
    return spn__order_key(&place->line->order, &request->ticket,
                          position_of(place->io, index));
}

static void find_sweep(const struct place *place, uint32_t index)
{
    spn__order_arrive(&place->line->order, &place->io->requests[index].ticket,
                      position_of(place->io, index));
}

static void push(struct place *place, uint32_t index)
{
    uint64_t key = key_of(place, index);
    bool has_room;

    spn__io_weigh(place->io, index, key);
    has_room = spn__queue_push(&place->line->queue, key,
                               place->io->requests[index].arrival, index);
    SPN_ASSERT(has_room);
    (void)has_room;
}

static void rekey(struct place *place)
{
    const struct queue *queue = &place->line->queue;

    spn__queue_rekey(&place->line->queue, key_of, place);
    if (!place->io->pool)
        return;
    for (uint32_t i = 0; i < queue->count; i++)
        place->io->pool->items[queue->entries[i].subject].key =
            queue->entries[i].key;
}

/* -- lists -- */

void spn__io_list_add(struct io *io, struct io_list *list, uint32_t index)
{
    io->requests[index].next = IO_NONE;
    if (list->count++ == 0)
        list->first = index;
    else
        io->requests[list->last].next = index;
    list->last = index;
}

void spn__io_list_take_if(struct io *io, struct io_list *list,
                          queue_leaves_fn leaves)
{
    uint32_t index = list->first;
    uint32_t count = list->count;

    list->count = 0;
    while (count-- > 0) {
        /* Before the call: it may put the read into another list. */
        uint32_t next = io->requests[index].next;

        if (!leaves(io, index))
            spn__io_list_add(io, list, index);
        index = next;
    }
}

/* -- aside -- */

void spn__io_forget_resting(struct io *io, uint32_t index)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].resting == index)
            io->media[i].resting = IO_NONE;
}

static bool park_if_paused(void *context, uint32_t index)
{
    struct io *io = context;

    if (!spn__tasks_is_paused(&io->tasks, io->requests[index].task))
        return false;
    spn__io_forget_resting(io, index);
    if (io_is_of_pak(io, index))
        spn__pak_leave_memory(&io->requests[index]);
    spn__io_return_budget(io, index);
    spn__io_list_add(io, &io->parked, index);
    return true;
}

static bool stand_if_resumed(void *context, uint32_t index)
{
    struct io *io = context;

    if (spn__tasks_is_paused(&io->tasks, io->requests[index].task))
        return false;
    spn__io_stand(io, index);
    return true;
}

void spn__io_park(struct io *io)
{
    spn__io_list_take_if(io, &io->parked, stand_if_resumed);
    spn__queue_take_if(&io->unopened->queue, park_if_paused, io);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        spn__queue_take_if(&io->media[i].line.queue, park_if_paused, io);
    spn__io_take_set_aside(io, park_if_paused);
}

/* -- lines -- */

static void find_medium(struct io *io, struct io_request *request)
{
    if (io_pak_of(request) && spn__pak_find_memory(request))
        request->medium = SPN_MEDIUM_MEMORY;
    else if (spn__files_is_open(&io->files, request->file))
        request->medium = spn__files_info(&io->files, request->file)->medium;
    else
        return;
    /* Relaxed: a thread that waits may learn it late. */
    atomic_store_relaxed(&request->seen_medium, (uint32_t)request->medium + 1);
}

bool spn__io_put_back(struct io *io, uint32_t index)
{
    struct place place = {io, NULL};

    if (park_if_paused(io, index))
        return false;
    find_medium(io, &io->requests[index]);
    place.line = line_of(io, index);
    push(&place, index);
    return true;
}

/* Count time groups from the oldest read of the line again. O(n): but no more
 * often than once for each group that somebody waits from, and once in weeks
 * for the range of a key. */
static void move_base(struct place *place, uint64_t group)
{
    struct io_line *line = place->line;
    const struct io_request *requests = place->io->requests;
    uint64_t oldest = group;

    for (uint32_t i = 0; i < line->queue.count; i++) {
        uint32_t index = line->queue.entries[i].subject;

        if (requests[index].ticket.group < oldest)
            oldest = requests[index].ticket.group;
    }
    if (line->active != IO_NONE && requests[line->active].ticket.group < oldest)
        oldest = requests[line->active].ticket.group;
    spn__order_set_base(&line->order, oldest);
    rekey(place);
}

static void join(struct io *io, uint32_t index)
{
    struct place place = {io, line_of(io, index)};
    struct io_line *line = place.line;
    spn_medium medium = io->requests[index].medium;
    uint64_t group = io->requests[index].ticket.group;

    if (line->queue.count == 0 && line->active == IO_NONE)
        spn__order_reset(&line->order, group);
    else if (group < line->order.base_group ||
             spn__order_is_far(&line->order, group))
        move_base(&place, group);
    if (medium != SPN_MEDIUM_COUNT && io_has_choice(&io->requests[index]))
        (void)spn__pak_choose_copy(io, index, io->media[medium].head);
    find_sweep(&place, index);
    push(&place, index);
    if (listen_is_there(&io->listen) &&
        io->requests[index].medium != SPN_MEDIUM_COUNT)
        spn__io_hear_queued(io, index, key_of(&place, index));
}

void spn__io_line_up(struct io *io, uint32_t index, uint64_t now_us)
{
    struct io_request *request = &io->requests[index];

    request->arrival = io->arrivals++;
    request->ticket.group = spn__order_group(now_us);
    request->medium = SPN_MEDIUM_COUNT;
    spn__io_note_pending(io, request, request->bytes);
    spn__io_stand(io, index);
}

void spn__io_stand(struct io *io, uint32_t index)
{
    if (park_if_paused(io, index))
        return;
    find_medium(io, &io->requests[index]);
    join(io, index);
}

uint64_t spn__io_key_of(struct io *io, uint32_t index)
{
    struct place place = {io, line_of(io, index)};

    return key_of(&place, index);
}

void spn__io_stand_anew(struct io *io, uint32_t index)
{
    uint64_t key = spn__io_key_of(io, index);

    SPN_ASSERT(io->requests[index].done_bytes > 0);
    spn__queue_change(&line_of(io, index)->queue, index, key);
    if (io->pool)
        io->pool->items[index].key = key;
}

static bool has_a_medium(void *context, uint32_t index)
{
    struct io *io = context;

    find_medium(io, &io->requests[index]);
    if (io->requests[index].medium == SPN_MEDIUM_COUNT)
        return false;
    join(io, index);
    return true;
}

void spn__io_let_in(struct io *io)
{
    spn__queue_take_if(&io->unopened->queue, has_a_medium, io);
}
