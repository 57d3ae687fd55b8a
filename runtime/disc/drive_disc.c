/* drive_disc.c - the spiral of a disc, and the seek curve.
 *
 * Radii are in nanometres because a short seek of the Wii takes 50 us per
 * micrometre: rounding them changes a time by 0.05 us at most.
 */
/* SPDX-License-Identifier: MIT */

#include "disc/drive_disc.h"
#include "base/minmax.h"
#include "disc/drive_math.h"
#include "disc/drive_zones.h"

#define SECOND_US 1000000u
#define NM_PER_UM 1000u
#define ROOT_SCALE 1000000u
#define BILLION 1000000000u
/* A long read is charged in parts of STRETCH_BYTES, each at the rate in its
 * middle: the rate of a DVD changes by less than 0.5 % over a part. A read has
 * at most STRETCHES_MAX parts. */
#define STRETCH_BYTES ((uint64_t)8 << 20)
#define STRETCHES_MAX 64u

uint64_t spn__drive_disc_bytes(const spn_drive_profile *p)
{
    return p->layer_bytes * p->layers;
}

static bool is_second_layer(const spn_drive_profile *p, uint64_t offset)
{
    return p->layers > 1 && offset >= p->layer_bytes;
}

/* Bytes between the inner radius and `offset` on its layer. */
static uint64_t along(const spn_drive_profile *p, uint64_t offset)
{
    offset = min_u64(offset, spn__drive_disc_bytes(p));
    return is_second_layer(p, offset) ? 2 * p->layer_bytes - offset
                                      : min_u64(offset, p->layer_bytes);
}

uint32_t spn__drive_radius_nm(const spn_drive_profile *p, uint64_t offset)
{
    /* At most 5 * 10^8 nm: squares fit 58 bits. */
    uint64_t in = (uint64_t)p->radius_in_um * NM_PER_UM;
    uint64_t out = (uint64_t)p->radius_out_um * NM_PER_UM;
    uint64_t square = in * in + spn__mul_div(out * out - in * in,
                                             along(p, offset), p->layer_bytes);
    uint64_t root = spn__root(square);

    /* Rounded to the nearest. */
    return (uint32_t)(root + (square - root * root > root));
}

uint32_t spn__drive_rate(const spn_drive_profile *p, uint64_t offset)
{
    uint64_t in = (uint64_t)p->radius_in_um * NM_PER_UM;
    uint64_t width = (uint64_t)(p->radius_out_um - p->radius_in_um) * NM_PER_UM;
    uint64_t travel;

    if (p->motion != SPN_DRIVE_CAV)
        return p->rate_in;
    if (p->distance == SPN_DRIVE_BY_BYTES) {
        travel = along(p, offset);
        width = p->layer_bytes;
    } else {
        travel = spn__drive_radius_nm(p, offset) - in;
    }
    return p->rate_in +
           (uint32_t)spn__mul_div_near(travel, p->rate_out - p->rate_in, width);
}

uint32_t spn__drive_turns_mhz(const spn_drive_profile *p, uint64_t offset)
{
    uint64_t turns;

    if (p->motion == SPN_DRIVE_ZONES)
        return BILLION / spn__drive_zone_turn_us(offset);
    if (p->motion == SPN_DRIVE_CAV || p->turns_mhz == 0)
        return p->turns_mhz;
    turns =
        spn__mul_div_near(p->turns_mhz, (uint64_t)p->radius_in_um * NM_PER_UM,
                          spn__drive_radius_nm(p, offset));
    return turns > 0 ? (uint32_t)turns : 1;
}

uint32_t spn__drive_turn_us(const spn_drive_profile *p, uint64_t offset)
{
    uint32_t turns = spn__drive_turns_mhz(p, offset);

    if (p->motion == SPN_DRIVE_ZONES)
        return spn__drive_zone_turn_us(offset);
    if (turns == 0)
        return 0;
    return drive_clamp_us((BILLION + (uint64_t)turns / 2) / turns);
}

/* ROOT_SCALE * sqrt(distance / unit) */
static uint64_t root_of(uint64_t distance, uint64_t unit)
{
    uint64_t whole = distance / unit;

    if (whole < ROOT_SCALE)
        return spn__root(
            spn__mul_div(distance, (uint64_t)ROOT_SCALE * ROOT_SCALE, unit));
    return (uint64_t)spn__root(whole) * ROOT_SCALE;
}

uint32_t spn__drive_curve_us(const spn_drive_curve *curve, uint64_t distance)
{
    const spn_drive_piece *piece =
        distance < curve->near_limit ? &curve->near_piece : &curve->far_piece;
    uint64_t slope = spn__mul_div_near(distance, piece->slope_us, curve->unit);
    uint64_t root = piece->root_us == 0
                        ? 0
                        : spn__mul_div_near(root_of(distance, curve->unit),
                                            piece->root_us, ROOT_SCALE);

    return drive_clamp_us(min_u64(slope, DRIVE_US_MAX) +
                          min_u64(root, DRIVE_US_MAX) + piece->base_us);
}

static uint64_t distance_of(const spn_drive_profile *p, uint64_t from,
                            uint64_t to)
{
    if (p->distance == SPN_DRIVE_BY_RADIUS) {
        from = spn__drive_radius_nm(p, from);
        to = spn__drive_radius_nm(p, to);
    }
    return distance_u64(from, to);
}

uint32_t spn__drive_seek_us(const spn_drive_profile *p, uint64_t from,
                            uint64_t to)
{
    uint64_t disc = spn__drive_disc_bytes(p);
    uint32_t us;

    from = min_u64(from, disc);
    to = min_u64(to, disc);
    if (p->motion == SPN_DRIVE_ZONES)
        return spn__drive_zone_seek_us(from, to);
    us = spn__drive_curve_us(&p->seek, distance_of(p, from, to));
    if (is_second_layer(p, from) != is_second_layer(p, to) && us < p->layer_us)
        us = p->layer_us;
    return us;
}

uint32_t spn__drive_rotate_us(const spn_drive_profile *p, uint64_t offset,
                              uint64_t now_us)
{
    uint64_t turns = spn__drive_turns_mhz(p, offset);
    uint64_t radius = spn__drive_radius_nm(p, offset);
    /* Angles in billionths of a turn. `turns` are whole turns in a billion
     * microseconds, so that now_us can be reduced. */
    uint64_t place = radius % p->pitch_nm * BILLION / p->pitch_nm;
    uint64_t angle = now_us % BILLION * turns % BILLION;
    uint64_t wait = (place + BILLION - angle) % BILLION;

    if (turns == 0)
        return 0;
    return drive_clamp_us((wait + turns / 2) / turns);
}

uint32_t spn__drive_transfer_us(const spn_drive_profile *p, uint64_t offset,
                                uint64_t bytes)
{
    uint64_t stretch = bytes;
    uint64_t us = 0;

    if (p->motion == SPN_DRIVE_CAV && bytes > STRETCH_BYTES)
        stretch = max_u64(STRETCH_BYTES, bytes / STRETCHES_MAX + 1);
    for (uint64_t at = 0; at < bytes; at += stretch) {
        uint64_t part = min_u64(stretch, bytes - at);
        uint64_t middle = offset + min_u64(at + part / 2, UINT64_MAX - offset);

        us += min_u64(
            spn__mul_div_near(part, SECOND_US, spn__drive_rate(p, middle)),
            DRIVE_US_MAX);
        if (stretch > bytes - at)
            break;
    }
    return drive_clamp_us(us);
}

uint32_t spn__drive_in_seek_us(const spn_drive_profile *p, uint64_t offset)
{
    return spn__drive_transfer_us(p, offset,
                                  (uint64_t)p->seek_blocks * p->ecc_bytes);
}

uint32_t spn__drive_expect_us(const spn_drive_profile *p, uint64_t head,
                              uint64_t offset)
{
    uint64_t us;

    if (offset <= head && head - offset <= 2 * (uint64_t)p->ecc_bytes)
        return 0;
    us = spn__drive_seek_us(p, head, offset);
    if (p->motion != SPN_DRIVE_ZONES)
        us += spn__drive_turn_us(p, offset) / 2;
    us -= min_u64(us, spn__drive_in_seek_us(p, offset));
    if (offset > head && offset - head <= p->buffer_bytes)
        us = min_u64(us, spn__drive_transfer_us(p, head, offset - head));
    return drive_clamp_us(us);
}

uint64_t spn__drive_stroke(const spn_drive_profile *p)
{
    return drive_is_by_radius(p)
               ? (uint64_t)(p->radius_out_um - p->radius_in_um) * NM_PER_UM
               : spn__drive_disc_bytes(p);
}

uint32_t spn__drive_typical_us(const spn_drive_profile *p)
{
    uint64_t third = spn__drive_stroke(p) / 3;
    uint64_t us;

    if (p->motion == SPN_DRIVE_ZONES)
        us = spn__drive_zone_seek_us(0, third);
    else
        us = (uint64_t)spn__drive_curve_us(&p->seek, third) +
             spn__drive_turn_us(p, 0) / 2;
    us -= min_u64(us, spn__drive_in_seek_us(p, 0));
    return us > 0 ? drive_clamp_us(us) : 1;
}

uint64_t spn__drive_jump_us(const spn_drive_profile *p, uint64_t bytes)
{
    return (uint64_t)p->command_us + spn__drive_typical_us(p) +
           spn__drive_transfer_us(p, 0, bytes);
}
