/* drive.c - charges reads to the head, the buffer and the motor. */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "disc/drive_disc.h"
#include "disc/drive_math.h"

#define SECOND_US 1000000u

static uint32_t slowed(uint32_t speed, const spn_drive_profile *profile)
{
    return (uint32_t)((uint64_t)speed * profile->slow_percent / 100);
}

void spn__drive_init(struct drive *drive, const spn_drive_profile *profile)
{
    const char *what;

    SPN_ASSERT(spn_drive_profile_check(profile, &what) == SPN_OK);
    (void)what;
    memset(drive, 0, sizeof *drive);
    drive->profile = profile;
    drive->slow = *profile;
    drive->slow.rate_in = slowed(profile->rate_in, profile);
    drive->slow.rate_out = slowed(profile->rate_out, profile);
    drive->slow.turns_mhz = slowed(profile->turns_mhz, profile);
}

/* Profile that is in effect at a time. */
static const spn_drive_profile *profile_at(const struct drive *drive,
                                           uint64_t now_us)
{
    return now_us < drive->slow_until_us ? &drive->slow : drive->profile;
}

void spn__drive_stop(struct drive *drive)
{
    drive->is_spinning = false;
    drive->is_reading_ahead = false;
    drive->ahead = drive->head;
}

/* Time of reading `bytes` at `offset` from the disc. */
static uint32_t media_us(const struct drive *drive, uint64_t offset,
                         uint64_t bytes, uint64_t now_us)
{
    return spn__drive_transfer_us(profile_at(drive, now_us), offset, bytes);
}

/* End of the bytes in the buffer at a time. Reading ahead stops at the end of
 * the layer: a drive refocuses for a read only. */
static uint64_t buffered_end(const struct drive *drive, uint64_t now_us)
{
    const spn_drive_profile *p = drive->profile;
    uint64_t side = drive->ahead <= p->layer_bytes ? p->layer_bytes
                                                   : spn__drive_disc_bytes(p);
    uint64_t limit = min_u64(side - drive->head, p->buffer_bytes);
    uint64_t more;

    if (!drive->is_reading_ahead || now_us <= drive->end_us)
        return drive->ahead;
    more = spn__mul_div(now_us - drive->end_us,
                        spn__drive_rate(profile_at(drive, now_us), drive->head),
                        SECOND_US);
    more = min_u64(more, p->buffer_bytes);
    more += drive->ahead - drive->head;
    return drive->head + min_u64(more, limit);
}

void spn__drive_insert(struct drive *drive, uint64_t ready_us)
{
    drive->head = 0;
    drive->ahead = 0;
    drive->is_spinning = true;
    drive->is_reading_ahead = false;
    spn__drive_hold(drive, ready_us, ready_us);
}

void spn__drive_hold(struct drive *drive, uint64_t from_us, uint64_t until_us)
{
    drive->ahead = buffered_end(drive, from_us);
    drive->end_us = max_u64(drive->end_us, until_us);
}

/* The bytes of a read, and the whole ECC blocks around them. */
struct range {
    uint64_t offset;
    uint64_t end;
    uint64_t first; /* start of the first block */
    uint64_t limit; /* end of the last block */
};

/* Read from the buffer, whose bytes end at `end`, and the blocks behind that
 * from the disc. */
static void charge_buffered(const struct drive *drive,
                            const struct range *range, uint64_t end,
                            uint64_t now_us, struct drive_cost *cost)
{
    uint64_t there =
        min_u64(range->limit, end > range->first ? end : range->first);
    uint64_t block =
        min_u64(range->limit - range->first, drive->profile->ecc_bytes);
    uint64_t moved = min_u64(there, range->end);
    uint64_t us = 0;

    if (moved > range->offset)
        us = spn__mul_div_near(moved - range->offset, SECOND_US,
                               drive->profile->interface_rate);
    us += media_us(drive, there, range->limit - there, now_us);
    cost->transfer_us = drive_clamp_us(us);
    cost->is_buffered = there - range->first >= block;
}

static void charge_far(const struct drive *drive, const struct range *range,
                       uint64_t end, uint64_t start_us, struct drive_cost *cost)
{
    uint64_t first = range->first;
    const spn_drive_profile *p = drive->profile;
    uint64_t in_seek = (uint64_t)p->seek_blocks * p->ecc_bytes;
    uint64_t paid = first + min_u64(in_seek, range->limit - first);
    uint64_t arrived_us;

    cost->seek_us = spn__drive_seek_us(p, end, first);
    arrived_us =
        add_saturated_u64(start_us, (uint64_t)cost->command_us + cost->seek_us);
    if (p->motion != SPN_DRIVE_ZONES)
        cost->rotate_us = spn__drive_rotate_us(profile_at(drive, start_us),
                                               first, arrived_us);
    cost->transfer_us = media_us(drive, paid, range->limit - paid, start_us);
}

/* Read at a place behind the buffered bytes: through the gap if that takes no
 * longer than a seek. */
static void charge_ahead(const struct drive *drive, const struct range *range,
                         uint64_t end, uint64_t start_us,
                         struct drive_cost *cost)
{
    uint32_t gap_us = media_us(drive, end, range->first - end, start_us);
    uint32_t transfer_us =
        media_us(drive, range->first, range->limit - range->first, start_us);

    charge_far(drive, range, end, start_us, cost);
    if ((uint64_t)gap_us + transfer_us >
        (uint64_t)cost->seek_us + cost->rotate_us + cost->transfer_us)
        return;
    cost->seek_us = 0;
    cost->rotate_us = 0;
    cost->gap_us = gap_us;
    cost->transfer_us = transfer_us;
}

/* Charge everything except spinning up. */
static void charge(const struct drive *drive, const struct range *range,
                   uint64_t start_us, struct drive_cost *cost)
{
    const spn_drive_profile *p = drive->profile;
    uint64_t end = buffered_end(drive, start_us);
    uint64_t back = 2 * (uint64_t)p->ecc_bytes;
    uint64_t begin = drive->head > back ? drive->head - back : 0;

    if (!drive->is_reading_ahead)
        charge_far(drive, range, end, start_us, cost);
    else if (range->first >= begin && range->first <= end)
        charge_buffered(drive, range, end, start_us, cost);
    else if (range->first > end &&
             range->first - drive->head <= p->buffer_bytes)
        charge_ahead(drive, range, end, start_us, cost);
    else
        charge_far(drive, range, end, start_us, cost);
    /* A seek to the other layer already contains the change of layer. */
    if (end <= p->layer_bytes && range->limit > p->layer_bytes &&
        (cost->seek_us == 0 || range->first < p->layer_bytes ||
         end == p->layer_bytes))
        cost->seek_us += p->layer_us;
}

bool spn__drive_check(const struct drive *drive)
{
    const spn_drive_profile *p = drive->profile;

    return p && drive->head <= spn__drive_disc_bytes(p) &&
           drive->ahead >= drive->head &&
           drive->ahead <= spn__drive_disc_bytes(p) &&
           (drive->is_spinning || !drive->is_reading_ahead) &&
           drive->slow.rate_in <= p->rate_in;
}

spn_status spn__drive_read(struct drive *drive, uint64_t offset, uint64_t bytes,
                           uint64_t now_us, struct drive_cost *cost,
                           uint64_t *end_us)
{
    const spn_drive_profile *p = drive->profile;
    uint64_t disc = spn__drive_disc_bytes(p);
    uint64_t start_us = now_us > drive->end_us ? now_us : drive->end_us;
    struct drive_cost c = {0};
    struct range r;
    uint64_t end;

    SPN_ASSERT(spn__drive_check(drive));
    if (offset > disc || bytes > disc - offset || now_us < drive->now_us)
        return SPN_ERR_ARG;
    drive->now_us = now_us;
    if (bytes > 0) {
        r.offset = offset;
        r.end = offset + bytes;
        r.first = offset - offset % p->ecc_bytes;
        r.limit = r.end + (p->ecc_bytes - 1);
        r.limit = min_u64(r.limit - r.limit % p->ecc_bytes, disc);
        end = buffered_end(drive, start_us);
        c.spin_us = drive->is_spinning ? 0 : p->spin_up_us;
        c.command_us = p->command_us;
        charge(drive, &r, add_saturated_u64(start_us, c.spin_us), &c);
        /* Without a seek the buffer keeps the bytes behind the read. */
        drive->ahead = c.is_buffered && end > r.limit ? end : r.limit;
        drive->head = r.limit;
        drive->is_spinning = true;
        drive->is_reading_ahead = true;
        drive->end_us = add_saturated_u64(start_us, spn__drive_cost_us(&c));
    }
    *cost = c;
    *end_us = bytes > 0 ? drive->end_us : start_us;
    return SPN_OK;
}

uint32_t spn__drive_retry(struct drive *drive, uint64_t offset,
                          uint32_t retries)
{
    const spn_drive_profile *p = drive->profile;
    uint64_t us = spn__mul_div(
        (uint64_t)retries * p->retry_turns,
        spn__drive_turn_us(profile_at(drive, drive->end_us), offset), 1);

    if (retries == 0)
        return 0;
    us = drive_clamp_us(us);
    drive->end_us = add_saturated_u64(drive->end_us, us);
    drive->slow_until_us = add_saturated_u64(drive->end_us, p->slow_us);
    return (uint32_t)us;
}

uint64_t spn__drive_cost_us(const struct drive_cost *cost)
{
    return (uint64_t)cost->spin_us + cost->command_us + cost->seek_us +
           cost->rotate_us + cost->gap_us + cost->transfer_us;
}
