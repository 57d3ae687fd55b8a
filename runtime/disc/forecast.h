/* forecast.h - what a scheduler may expect of a drive, learnt as it goes.
 *
 * The profile's arithmetic (drive.h) is exact but slow: roots and 128-bit
 * products. A scheduler asks some hundred times for every read, so here the
 * curve is sampled at four distances an octave, a place is worked out once,
 * and from place to place it costs a few products.
 *
 * Beside it stands what reads really took: a running mean of measured -
 * expected for each of eight distances and for the change of layer, and one
 * of the rate. So constants that are wrong, or change as a drive ages, are
 * mended at run time. Integers only: the same reads give the same numbers.
 * Owner: one thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_FORECAST_H
#define SPN_DISC_FORECAST_H

#include <spindle/drive_profile.h>

#include <stdint.h>

/* Of distance: they end at 1, 2, 8, 16, 24, 32, 48 and 64 sixty-fourths of the
 * longest. One beyond them is the change of layer. */
#define FORECAST_BUCKETS 8u
#define FORECAST_LAYER FORECAST_BUCKETS

#define FORECAST_SCALE_ONE 1024

#define FORECAST_OCTAVES 24u
#define FORECAST_SAMPLES (FORECAST_OCTAVES * 4 + 2)

/* A byte of the disc, and what its radius means; where zones are measured, what
 * they say of it (drive_zones.h). */
struct forecast_place {
    uint64_t offset;
    union {
        uint32_t radius_nm;
        uint32_t zone_place;
    };
    uint32_t half_turn_us;
    uint32_t us_per_mib;
};

struct forecast {
    const spn_drive_profile *profile;
    uint64_t scale; /* distance * scale >> 32: the longest seek is 2^31 */
    uint64_t distance_max;
    uint32_t near_us[FORECAST_SAMPLES];
    uint32_t far_us[FORECAST_SAMPLES];
    int32_t error_us[FORECAST_BUCKETS + 1]; /* measured - expected */
    uint32_t rate_scale;                    /* transfer time, in 1024ths */
};

/* The profile has passed spn_drive_profile_check, and outlives this. */
void spn__forecast_init(struct forecast *forecast,
                        const spn_drive_profile *profile);

/* Offsets beyond the disc are its end. */
void spn__forecast_place(const struct forecast *forecast, uint64_t offset,
                         struct forecast_place *out);
/* The whole blocks that reading `bytes` at `offset` takes. */
void spn__forecast_range(const struct forecast *forecast, uint64_t offset,
                         uint64_t bytes, struct forecast_place *begin,
                         struct forecast_place *end);

/* Until the first byte of a read at `to` comes, the head being at `head`:
 * nothing up to two blocks behind it; else the way, and half a turn, or reading
 * on through a gap that the drive's buffer holds, where that is shorter. */
uint32_t spn__forecast_position_us(const struct forecast *forecast,
                                   const struct forecast_place *head,
                                   const struct forecast_place *to);
/* The same, but never by reading on through a gap. */
uint32_t spn__forecast_seek_us(const struct forecast *forecast,
                               const struct forecast_place *head,
                               const struct forecast_place *to);
/* The command, and moving `bytes` from `from` on. */
uint32_t spn__forecast_transfer_us(const struct forecast *forecast,
                                   const struct forecast_place *from,
                                   uint64_t bytes);
/* The command, and moving what lies from `begin` to `end`: of a read that goes
 * on at the head, only what lies behind that. */
uint32_t spn__forecast_read_us(const struct forecast *forecast,
                               const struct forecast_place *head,
                               const struct forecast_place *begin,
                               const struct forecast_place *end);
/* The way and the transfer together of `bytes` at `offset`, in whole blocks. */
uint64_t spn__forecast_reach_us(const struct forecast *forecast,
                                const struct forecast_place *head,
                                uint64_t offset, uint64_t bytes);

/* A read of the blocks from `begin` to `end` took `us`, the command included.
 * The head had been at `head`, and busy until then: what a drive reads ahead
 * while it rests says nothing. A sample moves a mean by an eighth of what is
 * new in it, and that is clipped: a block that was tried again is no distance.
 */
void spn__forecast_learn(struct forecast *forecast,
                         const struct forecast_place *head,
                         const struct forecast_place *begin,
                         const struct forecast_place *end, uint64_t us);

#endif
