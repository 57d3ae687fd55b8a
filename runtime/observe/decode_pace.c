/* decode_pace.c - measure the capacity of the workers. */
/* SPDX-License-Identifier: MIT */
#include "observe/decode_pace.h"

#include "base/assert.h"

/* One measurement counts this part of the sum. */
#define PART 8u
/* What must be measured before a capacity is believed: a number, or a time. */
#define COUNT_MIN 3u
#define TIME_MIN_US 250000u
#define SCALE 256u
#define SECONDS_1000_US UINT64_C(1000000000)
/* The least backlog that keeps the workers busy: in time; in frames, while the
 * capacity is not known; in frames at any capacity. */
#define BACKLOG_US 100000u
#define BACKLOG_FRAMES 4u
#define BACKLOG_FRAMES_MIN 2u

void spn__decode_pace_launch(struct decode_pace *p, uint32_t load)
{
    p->running_count++;
    p->running_load += load;
}

void spn__decode_pace_end(struct decode_pace *p, uint32_t load)
{
    SPN_ASSERT(p->running_count > 0 && p->running_load >= load);
    p->running_count--;
    p->running_load -= load;
    p->ended_load += load;
}

static void measure(struct decode_pace *p, uint32_t load, uint64_t us)
{
    p->load += (uint64_t)load * SCALE - p->load / PART;
    p->busy_us += us - p->busy_us / PART;
    if (p->count < PART)
        p->count++;
}

void spn__decode_pace_update(struct decode_pace *p, uint64_t elapsed_us)
{
    const bool is_drained = p->running_count == 0;

    if (p->was_busy)
        p->waited_us += elapsed_us;
    p->limit_us = 2 * elapsed_us > BACKLOG_US ? 2 * elapsed_us : BACKLOG_US;
    if (p->ended_load > 0 && p->waited_us > 0) {
        if (!is_drained || (uint64_t)p->ended_load * SCALE * p->busy_us >=
                               p->load * p->waited_us)
            measure(p, p->ended_load, p->waited_us);
        p->waited_us = 0;
    }
    if (is_drained)
        p->waited_us = 0;
    p->ended_load = 0;
}

void spn__decode_pace_begin(struct decode_pace *p)
{
    p->was_busy = p->running_count > 0;
}

/* If no frame has ended for several times as long as usual, the workers have
 * become slower. */
static uint64_t busy_us(const struct decode_pace *p)
{
    return p->busy_us +
           (p->waited_us * p->count > 4 * p->busy_us ? p->waited_us : 0);
}

uint64_t spn__decode_pace_capacity(const struct decode_pace *p)
{
    if (p->count < COUNT_MIN && p->busy_us < TIME_MIN_US)
        return 0;
    return p->load * (SECONDS_1000_US / SCALE) / busy_us(p);
}

uint64_t spn__decode_pace_time(const struct decode_pace *p, uint32_t load)
{
    if (p->load == 0)
        return 0;
    return (uint64_t)(p->running_load + load) * SCALE * busy_us(p) / p->load;
}

bool spn__decode_pace_is_full(const struct decode_pace *p)
{
    if (p->running_count < BACKLOG_FRAMES_MIN)
        return false;
    if (p->busy_us == 0)
        return p->running_count >= BACKLOG_FRAMES;
    return spn__decode_pace_time(p, 0) > p->limit_us;
}
