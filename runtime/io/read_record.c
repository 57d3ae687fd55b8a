/* read_record.c - events and their paths, as long as there is room. */
/* SPDX-License-Identifier: MIT */
#include "io/read_record.h"

#include "base/mem.h"

/* Events whose path may be the same: streams in turn. */
#define LOOK_BACK 32u

/* ---- io thread ---------------------------------------------------------- */

void spn__record_heed(struct record *record)
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

/* The text ends where it was used up to, so a comparison may not go beyond. */
static bool is_at(const struct record *record, uint32_t at, const char *path,
                  uint32_t bytes)
{
    return bytes <= record->text_used - at &&
           memcmp(record->desc.text + at, path, bytes) == 0;
}

/* False when there is no room. */
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

static void add(struct record *record, const spn_record_event *event,
                const char *path)
{
    uint32_t count = atomic_load_relaxed(&record->count);
    uint32_t at;

    if (count == record->desc.event_count_max ||
        !place_path(record, count, path, &at)) {
        atomic_add_relaxed(&record->lost, 1);
        return;
    }
    record->desc.events[count] = *event;
    record->desc.events[count].path = at;
    /* Pairs with the load in spn__record_count. */
    atomic_store_release(&record->count, count + 1);
}

/* ---- caller's thread ---------------------------------------------------- */

spn_status spn__record_start(struct record *record, const spn_record_desc *desc)
{
    if (!desc || !desc->events || !desc->text || desc->event_count_max == 0 ||
        desc->text_bytes == 0)
        return SPN_ERR_ARG;
    if (record->is_begun)
        return SPN_ERR_STATE;
    record->add = add;
    record->desc = *desc;
    record->text_used = 0;
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
    /* Pairs with the store in add. */
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
    /* Pairs with the store in spn__record_heed. */
    if (atomic_load_acquire(&record->phase) != RECORD_OFF)
        return SPN_PENDING;
    record->is_begun = false;
    *count = atomic_load_relaxed(&record->count);
    *lost = atomic_load_relaxed(&record->lost);
    return SPN_OK;
}
