/* forecast.c - the sampled seek curve, and the running means.
 *
 * Every time is at most DRIVE_US_MAX and every mean at most ERROR_MAX_US: sums
 * of a few of them cannot overflow.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/forecast.h"

#include "base/assert.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "disc/drive_disc.h"
#include "disc/drive_math.h"
#include "disc/drive_zones.h"

#include <stdbool.h>

#define SECOND_US 1000000u
#define MIB 1048576u

/* The longest scaled distance is just below 2^UNIT_LOG2. Distances below
 * 2^FIRST_LOG2 are interpolated between the first two samples. */
#define UNIT_LOG2 31u
#define FIRST_LOG2 (UNIT_LOG2 - FORECAST_OCTAVES)

#define SCALE_ONE ((uint32_t)FORECAST_SCALE_ONE)
#define SCALE_MIN (SCALE_ONE / 4)
#define SCALE_MAX (SCALE_ONE * 4)
#define WEIGHT 8
/* The difference of a sample is clipped to CLIP_US plus half of the expected
 * time. */
#define CLIP_US 20000
#define ERROR_MAX_US 10000000
/* Shorter reads measure the command rather than the rate. */
#define RATE_BYTES_MIN 65536u

static int32_t clip(int64_t value, int64_t limit)
{
    return (int32_t)(value > limit ? limit : value < -limit ? -limit : value);
}

/* -- the curve -- */

/* Scaled distance of a sample: 0, then four per octave. */
static uint64_t sample_at(uint32_t index)
{
    uint32_t step = index - 1;

    if (index == 0)
        return 0;
    return (uint64_t)(4 + step % 4) << (FIRST_LOG2 - 2 + step / 4);
}

static void sample_curve(const struct forecast *f, uint64_t near_limit,
                         uint32_t samples_us[FORECAST_SAMPLES])
{
    spn_drive_curve curve = f->profile->seek;

    curve.near_limit = near_limit;
    for (uint32_t i = 0; i < FORECAST_SAMPLES; i++)
        samples_us[i] = spn__drive_curve_us(
            &curve, spn__mul_div_near(f->distance_max, sample_at(i),
                                      (uint64_t)1 << UNIT_LOG2));
}

/* `scaled` < 2^UNIT_LOG2. */
static uint32_t octave_of(uint32_t scaled)
{
    return compiler_highest_bit(scaled | 1);
}

static uint32_t interpolate(const uint32_t samples_us[FORECAST_SAMPLES],
                            uint32_t scaled)
{
    uint32_t octave = octave_of(scaled);
    uint32_t index = 0;
    uint32_t width_log2 = FIRST_LOG2;
    uint64_t into = scaled;

    if (octave >= FIRST_LOG2) {
        width_log2 = octave - 2;
        index = 1 + (octave - FIRST_LOG2) * 4 + (scaled >> width_log2) % 4;
        into = scaled & ((1u << width_log2) - 1);
    }
    /* Both pieces of a curve are monotonic. */
    into *= samples_us[index + 1] - samples_us[index];
    return samples_us[index] + (uint32_t)(into >> width_log2);
}

void spn__forecast_init(struct forecast *f, const spn_drive_profile *p)
{
    const char *what;

    SPN_ASSERT(spn_drive_profile_check(p, &what) == SPN_OK);
    (void)what;
    memset(f, 0, sizeof *f);
    f->profile = p;
    f->distance_max = spn__drive_stroke(p);
    f->scale = (((uint64_t)1 << (32 + UNIT_LOG2)) - 1) / f->distance_max;
    f->rate_scale = SCALE_ONE;
    sample_curve(f, UINT64_MAX, f->near_us);
    sample_curve(f, 0, f->far_us);
}

/* -- places -- */

void spn__forecast_place(const struct forecast *f, uint64_t offset,
                         struct forecast_place *out)
{
    const spn_drive_profile *p = f->profile;

    offset = min_u64(offset, spn__drive_disc_bytes(p));
    out->offset = offset;
    if (p->motion == SPN_DRIVE_ZONES) {
        out->zone_place = spn__drive_zone_place(offset);
        /* The measured seeks of zones contain the rotational delay. */
        out->half_turn_us = 0;
    } else {
        out->radius_nm = spn__drive_radius_nm(p, offset);
        out->half_turn_us = spn__drive_turn_us(p, offset) / 2;
    }
    out->us_per_mib = drive_clamp_us(
        spn__mul_div_near(MIB, SECOND_US, spn__drive_rate(p, offset)));
}

/* Returns the start of the ECC blocks of a range. */
static uint64_t find_blocks(const struct forecast *f, uint64_t offset,
                            uint64_t bytes, uint64_t *end)
{
    uint64_t disc = spn__drive_disc_bytes(f->profile);
    uint32_t ecc = f->profile->ecc_bytes;
    uint64_t limit;

    offset = min_u64(offset, disc);
    limit = offset + min_u64(bytes, disc - offset);
    *end = limit + (ecc - 1 - (limit + ecc - 1) % ecc);
    return offset - offset % ecc;
}

void spn__forecast_range(const struct forecast *f, uint64_t offset,
                         uint64_t bytes, struct forecast_place *begin,
                         struct forecast_place *end)
{
    uint64_t limit;

    offset = find_blocks(f, offset, bytes, &limit);
    spn__forecast_place(f, offset, begin);
    spn__forecast_place(f, limit, end);
}

/* -- estimates -- */

static bool is_second_layer(const struct forecast *f,
                            const struct forecast_place *place)
{
    return f->profile->layers > 1 && place->offset >= f->profile->layer_bytes;
}

static uint32_t bucket_of(uint32_t scaled)
{
    /* Bucket of each 1/64 of the longest distance. A table, because the
     * scheduler calls this in its innermost loop, where a branch would be
     * mispredicted. */
    static const uint8_t buckets[64] = {
        0, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4,
        4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
        6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

    return buckets[scaled >> (UNIT_LOG2 - 6)];
}

/* Computed seek time, and the bucket of its distance. */
static uint32_t seek_us(const struct forecast *f,
                        const struct forecast_place *from,
                        const struct forecast_place *to, uint32_t *bucket)
{
    const spn_drive_profile *p = f->profile;
    bool has_radius = drive_is_by_radius(p);
    uint64_t a = has_radius ? from->radius_nm : from->offset;
    uint64_t b = has_radius ? to->radius_nm : to->offset;
    uint64_t distance = distance_u64(a, b);
    /* The product is below 2^63. */
    uint32_t scaled =
        (uint32_t)(min_u64(distance, f->distance_max) * f->scale >> 32);
    uint32_t us;

    *bucket = bucket_of(scaled);
    if (p->motion == SPN_DRIVE_ZONES)
        return spn__drive_zone_travel_us(from->offset, from->zone_place,
                                         to->offset, to->zone_place);
    us = interpolate(distance < p->seek.near_limit ? f->near_us : f->far_us,
                     scaled);
    if (is_second_layer(f, from) != is_second_layer(f, to)) {
        *bucket = FORECAST_LAYER;
        us = us > p->layer_us ? us : p->layer_us;
    }
    return us;
}

static uint32_t scaled_us(const struct forecast *f,
                          const struct forecast_place *from, uint64_t bytes)
{
    uint64_t us = min_u64(bytes, (uint64_t)1 << 33) * from->us_per_mib / MIB;

    return drive_clamp_us(us * f->rate_scale / SCALE_ONE);
}

/* Transfer time that the time of a seek to a place already contains. */
static int64_t in_seek_us(const struct forecast *f,
                          const struct forecast_place *to)
{
    uint64_t bytes = (uint64_t)f->profile->seek_blocks * f->profile->ecc_bytes;

    return (int64_t)(bytes * to->us_per_mib / MIB);
}

/* Seek, half a turn and their learnt error, without the transfer of blocks. */
static uint32_t reach_us(const struct forecast *f,
                         const struct forecast_place *from,
                         const struct forecast_place *to, uint32_t *bucket)
{
    int64_t us = (int64_t)seek_us(f, from, to, bucket) + to->half_turn_us;

    us += f->error_us[*bucket] - in_seek_us(f, to);
    return us > 0 ? drive_clamp_us((uint64_t)us) : 0;
}

static bool is_continued(const struct forecast *f,
                         const struct forecast_place *head,
                         const struct forecast_place *to)
{
    return to->offset <= head->offset &&
           head->offset - to->offset <= 2 * (uint64_t)f->profile->ecc_bytes;
}

static bool is_gap(const struct forecast *f, const struct forecast_place *head,
                   const struct forecast_place *to)
{
    return to->offset > head->offset &&
           to->offset - head->offset <= f->profile->buffer_bytes;
}

uint32_t spn__forecast_position_us(const struct forecast *f,
                                   const struct forecast_place *head,
                                   const struct forecast_place *to)
{
    uint32_t bucket;
    uint32_t us;

    if (is_continued(f, head, to))
        return 0;
    us = reach_us(f, head, to, &bucket);
    if (is_gap(f, head, to))
        us = (uint32_t)min_u64(us,
                               scaled_us(f, head, to->offset - head->offset));
    return us;
}

uint32_t spn__forecast_seek_us(const struct forecast *f,
                               const struct forecast_place *head,
                               const struct forecast_place *to)
{
    uint32_t bucket;

    return is_continued(f, head, to) ? 0 : reach_us(f, head, to, &bucket);
}

uint32_t spn__forecast_transfer_us(const struct forecast *f,
                                   const struct forecast_place *from,
                                   uint64_t bytes)
{
    return drive_clamp_us((uint64_t)f->profile->command_us +
                          scaled_us(f, from, bytes));
}

/* Bytes that are transferred from the disc. */
static uint64_t bytes_of(const struct forecast *f,
                         const struct forecast_place *head,
                         const struct forecast_place *begin,
                         const struct forecast_place *end)
{
    uint64_t first =
        is_continued(f, head, begin) ? head->offset : begin->offset;

    return end->offset > first ? end->offset - first : 0;
}

uint32_t spn__forecast_read_us(const struct forecast *f,
                               const struct forecast_place *head,
                               const struct forecast_place *begin,
                               const struct forecast_place *end)
{
    return spn__forecast_transfer_us(f, begin, bytes_of(f, head, begin, end));
}

uint64_t spn__forecast_reach_us(const struct forecast *f,
                                const struct forecast_place *head,
                                uint64_t offset, uint64_t bytes)
{
    struct forecast_place begin;
    struct forecast_place end = {.offset = 0}; /* only its offset is used */

    spn__forecast_place(f, find_blocks(f, offset, bytes, &end.offset), &begin);
    return (uint64_t)spn__forecast_position_us(f, head, &begin) +
           spn__forecast_read_us(f, head, &begin, &end);
}

/* -- learning -- */

static void learn_rate(struct forecast *f, uint64_t expected_us, uint64_t us)
{
    uint64_t scale = (uint64_t)f->rate_scale;

    /* RATE_BYTES_MIN bytes take longer than 0 us at any rate. */
    SPN_ASSERT(expected_us > 0);
    us = min_u64(us, expected_us * 3 / 2);
    us = us < expected_us / 2 ? expected_us / 2 : us;
    scale = (scale * (WEIGHT - 1) + scale * us / expected_us) / WEIGHT;
    scale = min_u64(scale, SCALE_MAX);
    f->rate_scale = (uint32_t)(scale < SCALE_MIN ? SCALE_MIN : scale);
}

void spn__forecast_learn(struct forecast *f, const struct forecast_place *head,
                         const struct forecast_place *begin,
                         const struct forecast_place *end, uint64_t us)
{
    uint64_t bytes = bytes_of(f, head, begin, end);
    uint64_t transfer_us = spn__forecast_transfer_us(f, begin, bytes);
    uint32_t bucket;
    int64_t expected_us;
    int64_t fresh_us;

    us = min_u64(us, DRIVE_US_MAX);
    if (is_continued(f, head, begin)) {
        if (bytes >= RATE_BYTES_MIN)
            learn_rate(f, transfer_us, us);
        return;
    }
    if (is_gap(f, head, begin))
        return;
    expected_us = reach_us(f, head, begin, &bucket);
    fresh_us = (int64_t)us - (int64_t)transfer_us - expected_us;
    fresh_us = clip(fresh_us, CLIP_US + expected_us / 2);
    f->error_us[bucket] =
        clip(f->error_us[bucket] + fresh_us / WEIGHT, ERROR_MAX_US);
}
