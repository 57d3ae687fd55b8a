/* meter.c - sums, and a ring of numbered slots. A slot whose number is too old
 * is emptied before it is used again. */
/* SPDX-License-Identifier: MIT */
#include "observe/meter.h"

#include "base/mem.h"
#include "base/minmax.h"

static uint64_t *slot_at(uint64_t *words, uint32_t width, uint64_t slot)
{
    return words + width + slot % METER_SLOTS * (width + 1);
}

/* The counters of a slot. They are set to 0 if they belong to an earlier
 * number. NULL if they belong to a later one. Numbers are stored plus one; 0
 * means that the slot was never used. */
static uint64_t *open_slot(uint64_t *words, uint32_t width, uint64_t slot)
{
    uint64_t *at = slot_at(words, width, slot);

    if (at[0] > slot + 1)
        return NULL;
    if (at[0] < slot + 1) {
        memset(at, 0, (width + 1) * sizeof *at);
        at[0] = slot + 1;
    }
    return at + 1;
}

void spn__meter_add(uint64_t *words, uint32_t width, uint64_t now_us,
                    const uint64_t *add)
{
    uint64_t *counts = open_slot(words, width, now_us / METER_SLOT_US);

    for (uint32_t i = 0; i < width; i++) {
        words[i] += add[i];
        if (counts)
            counts[i] += add[i];
    }
}

void spn__meter_add_span(uint64_t *words, uint32_t width, uint32_t counter,
                         uint64_t start_us, uint64_t end_us)
{
    uint64_t last = end_us / METER_SLOT_US;
    uint64_t first = start_us / METER_SLOT_US;

    if (end_us <= start_us)
        return;
    words[counter] += end_us - start_us;
    /* Slots that are older than the ring are not read any more. */
    if (last - first >= METER_SLOTS)
        first = last - METER_SLOTS + 1;
    for (uint64_t slot = first; slot <= last; slot++) {
        uint64_t *counts = open_slot(words, width, slot);
        uint64_t from = max_u64(slot * METER_SLOT_US, start_us);
        uint64_t to = min_u64((slot + 1) * METER_SLOT_US, end_us);

        if (counts)
            counts[counter] += to - from;
    }
}

void spn__meter_second(const uint64_t *words, uint32_t width, uint64_t now_us,
                       uint64_t *out)
{
    uint64_t limit = now_us / METER_SLOT_US;
    const uint64_t *at = words + width;

    memset(out, 0, width * sizeof *out);
    for (uint32_t i = 0; i < METER_SLOTS; i++, at += width + 1) {
        if (at[0] == 0 || at[0] > limit || limit - at[0] >= METER_SECOND_SLOTS)
            continue;
        for (uint32_t k = 0; k < width; k++)
            out[k] += at[1 + k];
    }
}

uint64_t spn__meter_span_in_second(uint64_t start_us, uint64_t end_us,
                                   uint64_t now_us)
{
    uint64_t limit = now_us / METER_SLOT_US * METER_SLOT_US;
    uint64_t second = (uint64_t)METER_SECOND_SLOTS * METER_SLOT_US;
    uint64_t first = limit > second ? limit - second : 0;

    start_us = max_u64(start_us, first);
    end_us = min_u64(end_us, limit);
    return end_us > start_us ? end_us - start_us : 0;
}
