/* io_places.c - where a sweep reads what lies in several places.
 *
 * A copy that the head passes on its way from one waiting read to another costs
 * its transfer alone; so of the copies of a read the one counts that lies
 * nearest to a read of one place, in the narrowest gap between two of them. The
 * head stands for one more: it is there.
 *
 * Reads without a copy on that way make it longer, and are read where all of
 * them together do so least: one of them leads, to each of its copies in turn,
 * and the others take what lies nearest to that one. All is weighed anew with
 * each choice of the sweep, until a read was begun.
 *
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "read/io_state.h"

/* Reads of one place that are looked at: enough to see where they lie. */
#define FIXED_MAX 224u

/* No gap of a medium is as wide; eight of them are no overflow. */
#define GAP_NONE (UINT64_C(1) << 56)

/* A gap's width counts by an eighth beside the way to its nearer end. */
#define GAP_SHIFT 3

/* Places on the medium, in order. */
struct fixed {
    uint64_t at[FIXED_MAX + 1];
    uint32_t count;
};

/* How many lie before `at`. */
static uint32_t count_before(const struct fixed *fixed, uint64_t at)
{
    uint32_t low = 0;
    uint32_t high = fixed->count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (fixed->at[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put(struct fixed *fixed, uint64_t at)
{
    uint32_t before = count_before(fixed, at);

    memmove(fixed->at + before + 1, fixed->at + before,
            (fixed->count - before) * sizeof *fixed->at);
    fixed->at[before] = at;
    fixed->count++;
}

/* Of the queue as it stands. Idle reads lead nowhere: they come when nobody
 * else waits. */
static void find_fixed(const struct io *io, const struct io_medium *medium,
                       struct fixed *fixed)
{
    const struct queue *queue = &medium->line.queue;

    fixed->count = 0;
    for (uint32_t i = 0; i < queue->count && fixed->count < FIXED_MAX; i++) {
        const struct sweep_item *item =
            &io->pool->items[queue->entries[i].subject];

        if (!item->is_idle && !io_has_choice(&io->requests[item->subject]))
            put(fixed, item->begin.offset);
    }
}

/* Of a place between two of them; GAP_NONE: it lies on no way. */
static uint64_t cost_of(const struct fixed *fixed, uint64_t at)
{
    uint32_t before = count_before(fixed, at);
    uint64_t back = 0;
    uint64_t on = 0;

    if (before == 0 || before == fixed->count)
        return GAP_NONE;
    back = at - fixed->at[before - 1];
    on = fixed->at[before] - at;
    return (back < on ? back : on) + ((back + on) >> GAP_SHIFT);
}

/* Where copy `i` of a read begins, from the start of its pak, and on the medium
 * (a file's place is below 1 TiB or unknown, which is all the same then). */
static uint64_t copy_at(const struct io *io, const struct io_request *request,
                        uint32_t i, uint64_t *on_medium)
{
    const struct pak_range *range = &request->pak.range;
    uint64_t at = spn__pak_copy(&request->pak.mount->index,
                                range->content.first_copy + i, NULL) +
                  range->stored_offset;

    *on_medium = spn__files_position(&io->files, request->file, 0) + at;
    return at;
}

/* Read the copy on the way; false where there is none. */
static bool take_on_way(const struct io *io, struct io_request *request,
                        const struct fixed *fixed)
{
    uint64_t least = GAP_NONE;

    for (uint32_t i = 0; i < request->pak.range.content.copy_count; i++) {
        uint64_t place;
        uint64_t at = copy_at(io, request, i, &place);
        uint64_t cost = cost_of(fixed, place);

        if (cost >= least)
            continue;
        least = cost;
        request->offset = at;
    }
    return least < GAP_NONE;
}

/* Read the copy nearest to `lead`, and tell where that is. */
static uint64_t take_nearest(const struct io *io, struct io_request *request,
                             uint64_t lead)
{
    uint64_t least = UINT64_MAX;
    uint64_t nearest = 0;

    for (uint32_t i = 0; i < request->pak.range.content.copy_count; i++) {
        uint64_t place;
        uint64_t at = copy_at(io, request, i, &place);
        uint64_t far = place < lead ? lead - place : place - lead;

        if (far >= least)
            continue;
        least = far;
        nearest = place;
        request->offset = at;
    }
    return nearest;
}

/* All that lie off the way by `lead`. How much longer the way is then. */
static uint64_t follow(const struct io *io, const struct queue *queue,
                       const struct fixed *fixed, uint64_t lead)
{
    uint64_t first = fixed->at[0];
    uint64_t last = fixed->at[fixed->count - 1];
    uint64_t low = first;
    uint64_t high = last;

    for (uint32_t i = 0; i < queue->count; i++) {
        struct io_request *request = &io->requests[queue->entries[i].subject];
        uint64_t at;

        if (!request->pak.is_off_way)
            continue;
        at = take_nearest(io, request, lead);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return first - low + high - last;
}

static void lead_off_way(const struct io *io, const struct queue *queue,
                         const struct fixed *fixed,
                         const struct io_request *leader)
{
    uint64_t least = UINT64_MAX;
    uint64_t best = 0;

    for (uint32_t i = 0; i < leader->pak.range.content.copy_count; i++) {
        uint64_t lead;
        uint64_t longer;

        (void)copy_at(io, leader, i, &lead);
        longer = follow(io, queue, fixed, lead);
        if (longer >= least)
            continue;
        least = longer;
        best = lead;
    }
    (void)follow(io, queue, fixed, best);
}

void spn__pak_choose_places(struct io *io, const struct io_medium *medium)
{
    const struct queue *queue = &medium->line.queue;
    const struct io_request *leader = NULL;
    struct fixed fixed;

    find_fixed(io, medium, &fixed);
    put(&fixed, medium->head);
    for (uint32_t i = 0; i < queue->count; i++) {
        struct io_request *request = &io->requests[queue->entries[i].subject];

        request->pak.is_off_way =
            io_has_choice(request) && !take_on_way(io, request, &fixed);
        if (request->pak.is_off_way && !leader)
            leader = request;
    }
    if (leader)
        lead_off_way(io, queue, &fixed, leader);
    for (uint32_t i = 0; i < queue->count; i++)
        if (io_has_choice(&io->requests[queue->entries[i].subject]))
            spn__io_weigh(io, queue->entries[i].subject, queue->entries[i].key);
}
