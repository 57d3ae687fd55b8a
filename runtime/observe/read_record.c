/* read_record.c - adds events and their paths while there is room. */
/* SPDX-License-Identifier: MIT */
#include "observe/read_record.h"

#include "base/mem.h"

/* Earlier events that can have the same path: a game plays several streams at
 * once. */
#define LOOK_BACK 32u
/* Earlier events for which an event can have waited. */
#define WAIT_LOOK_BACK 128u

/* -- io thread -- */

void spn__record_acknowledge(struct record *record)
{
    if (atomic_load_acquire(&record->phase) == RECORD_ENDING)
        atomic_store_release(&record->phase, RECORD_OFF);
}

static uint32_t text_bytes(const char *text)
{
    uint32_t bytes = 0;

    while (text[bytes] != 0)
        bytes++;
    return bytes + 1;
}

/* Whether the path is stored at `at`. The comparison ends with the used text.
 */
static bool is_at(const struct record *record, uint32_t at, const char *path,
                  uint32_t bytes)
{
    return bytes <= record->text_used - at &&
           memcmp(record->desc.text + at, path, bytes) == 0;
}

/* Find or store the path. False if there is no room. */
static bool place_path(struct record *record, uint32_t count, const char *path,
                       uint32_t *at)
{
    uint32_t bytes = text_bytes(path);

    for (uint32_t i = count; i > 0 && count - i < LOOK_BACK; i--) {
        *at = record->desc.events[i - 1].path;
        if (is_at(record, *at, path, bytes))
            return true;
    }
    if (bytes > record->desc.text_bytes - record->text_used)
        return false;
    *at = record->text_used;
    memcpy(record->desc.text + *at, path, bytes);
    record->text_used += bytes;
    return true;
}

static uint32_t number_thread(struct record *record, uint64_t thread)
{
    for (uint32_t i = 0; i < record->thread_count; i++)
        if (record->threads[i] == thread)
            return i;
    if (record->thread_count == RECORD_THREADS_MAX)
        return RECORD_THREADS_MAX - 1;
    record->threads[record->thread_count] = thread;
    return record->thread_count++;
}

/* Whether it ended by `at_us`, and later than `best` (if not NULL). */
static bool ended_later(const spn_record_event *event, uint64_t at_us,
                        const spn_record_event *best)
{
    return event->end_us > 0 && event->end_us <= at_us &&
           (!best || event->end_us > best->end_us);
}

/* Before a thread starts a read it can have waited for its read that ended
 * last. */
static void find_after(const struct record *record, uint32_t count,
                       spn_record_event *event)
{
    const spn_record_event *events = record->desc.events;
    const spn_record_event *last = NULL;

    for (uint32_t i = count; i > 0 && count - i < WAIT_LOOK_BACK; i--) {
        const spn_record_event *before = &events[i - 1];

        if (before->thread == event->thread &&
            ended_later(before, event->at_us, last))
            last = before;
    }
    if (!last)
        return;
    event->after = (uint32_t)(last - events) + 1;
    event->think_us = event->at_us - last->end_us;
}

uint32_t spn__record_add(struct record *record, const spn_record_event *event,
                         const char *path, uint64_t thread)
{
    uint32_t count = atomic_load_relaxed(&record->count);
    spn_record_event *added;
    uint32_t at;

    if (count == record->desc.event_count_max ||
        !place_path(record, count, path, &at)) {
        atomic_add_relaxed(&record->lost, 1);
        return 0;
    }
    added = &record->desc.events[count];
    *added = *event;
    added->path = at;
    added->thread = number_thread(record, thread);
    find_after(record, count, added);
    /* Pairs with the load in spn__record_count. */
    atomic_store_release(&record->count, count + 1);
    return count + 1;
}

/* -- caller's thread -- */

spn_status spn__record_start(struct record *record, const spn_record_desc *desc)
{
    if (!desc || !desc->events || !desc->text || desc->event_count_max == 0 ||
        desc->text_bytes == 0)
        return SPN_ERR_ARG;
    if (record->is_begun)
        return SPN_ERR_STATE;
    record->desc = *desc;
    record->number++;
    record->text_used = 0;
    record->thread_count = 0;
    record->is_begun = true;
    atomic_store_relaxed(&record->count, 0);
    atomic_store_relaxed(&record->lost, 0);
    /* Pairs with the load in record_is_on. */
    atomic_store_release(&record->phase, RECORD_ON);
    return SPN_OK;
}

spn_status spn__record_count(const struct record *record, uint32_t *count)
{
    if (!count)
        return SPN_ERR_ARG;
    if (!record->is_begun)
        return SPN_ERR_STATE;
    /* Pairs with the store in spn__record_add. */
    *count = atomic_load_acquire(&record->count);
    return SPN_OK;
}

spn_status spn__record_stop(struct record *record, uint32_t *count,
                            uint32_t *lost)
{
    if (!count || !lost)
        return SPN_ERR_ARG;
    if (!record->is_begun)
        return SPN_ERR_STATE;
    if (atomic_load_relaxed(&record->phase) == RECORD_ON)
        atomic_store_release(&record->phase, RECORD_ENDING);
    /* Pairs with the store in spn__record_acknowledge. */
    if (atomic_load_acquire(&record->phase) != RECORD_OFF)
        return SPN_PENDING;
    record->is_begun = false;
    *count = atomic_load_relaxed(&record->count);
    *lost = atomic_load_relaxed(&record->lost);
    return SPN_OK;
}

/* Whether a complete event refers to a stored path, a numbered thread, and an
 * earlier event. */
static bool is_event_good(const struct record *record, uint32_t index)
{
    const spn_record_event *event = &record->desc.events[index];

    return event->path < record->text_used &&
           event->thread < record->thread_count && event->after <= index;
}

bool spn__record_check(const struct record *record)
{
    uint32_t count = atomic_load_relaxed(&record->count);

    if (!record->is_begun)
        return atomic_load_relaxed(&record->phase) == RECORD_OFF;
    if (count > record->desc.event_count_max ||
        record->text_used > record->desc.text_bytes ||
        record->thread_count > RECORD_THREADS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!is_event_good(record, i))
            return false;
    return true;
}
