/* io_places.c - where a sweep reads what lies in several places.
 *
 * A copy that the head passes on its way from one waiting read to another costs
 * its transfer alone; so of the copies of a read the one counts that lies
 * nearest to a read of one place, in the narrowest gap between two of them. The
 * head stands for one more: it is there. A copy before the first or behind the
 * last of them makes the way longer, and counts only where there is no other.
 * Where every read has a choice the copy counts that is there first. All is
 * weighed anew with each choice of the sweep, until a read was begun.
 *
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "io/io_state.h"

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
        const struct sweep_item *item = &io->items[queue->entries[i].subject];

        if (!item->is_idle && !io_has_choice(&io->requests[item->subject]))
            put(fixed, item->begin.offset);
    }
}

static uint64_t cost_of(const struct fixed *fixed, uint64_t at)
{
    uint32_t before = count_before(fixed, at);
    uint64_t back = before > 0 ? at - fixed->at[before - 1] : GAP_NONE;
    uint64_t on = before < fixed->count ? fixed->at[before] - at : GAP_NONE;

    return (back < on ? back : on) + ((back + on) >> GAP_SHIFT);
}

/* True when it is another place than before. */
static bool choose_place(struct io *io, uint32_t index,
                         const struct fixed *fixed)
{
    struct io_request *request = &io->requests[index];
    const struct io_pak_read *pak = &request->pak;
    uint64_t file = spn__files_position(&io->files, request->file, 0);
    uint64_t before = request->offset;
    uint64_t least = UINT64_MAX;

    if (!io_has_choice(request))
        return false;
    for (uint32_t i = 0; i < pak->range.content.copy_count; i++) {
        uint64_t at = spn__pak_copy(&pak->mount->index,
                                    pak->range.content.first_copy + i, NULL) +
                      pak->range.stored_offset;
        /* A place is below 1 TiB or unknown, which is all the same then. */
        uint64_t cost = cost_of(fixed, file + at);

        if (cost >= least)
            continue;
        least = cost;
        request->offset = at;
    }
    return request->offset != before;
}

void spn__pak_choose_places(struct io *io, const struct io_medium *medium)
{
    const struct queue *queue = &medium->line.queue;
    struct fixed fixed;

    find_fixed(io, medium, &fixed);
    if (fixed.count > 0)
        put(&fixed, medium->head);
    for (uint32_t i = 0; i < queue->count; i++) {
        uint32_t index = queue->entries[i].subject;

        if (fixed.count > 0 ? choose_place(io, index, &fixed)
                            : spn__pak_choose_copy(io, index))
            spn__io_weigh(io, index);
    }
}
