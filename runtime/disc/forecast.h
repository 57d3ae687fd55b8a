/* forecast.h - fast estimates of a drive's times, corrected by measurements.
 *
 * The deadline scheduler compares some hundred candidates for every read. The
 * functions of drive_disc.h are exact but too slow for that: they take square
 * roots and 128-bit products. A forecast samples the seek curve once, with four
 * samples per octave of distance, and converts each byte offset to a *place*
 * once. The time from one place to another then takes a few multiplications.
 *
 * A forecast also learns: the io thread reports the measured time of each read.
 * The forecast keeps running means of measured - computed seek time, one for
 * each class of distance (a *bucket*) and one for a change of layer; and of the
 * ratio of measured to computed transfer time. So it adapts to profiles that
 * are inaccurate and to drives that age. All arithmetic is on integers: the
 * same reads give the same values.
 *
 * Times are microseconds, at most DRIVE_US_MAX. Thread: a forecast has one
 * owner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_FORECAST_H
#define SPN_DISC_FORECAST_H

#include <spindle/drive_profile.h>

#include <stdint.h>

/* Buckets of seek distances. They end at 1, 2, 8, 16, 24, 32, 48 and 64 / 64 of
 * the longest distance. One more is for changes of layer. */
#define FORECAST_BUCKETS 8u
#define FORECAST_LAYER FORECAST_BUCKETS

/* rate_scale of a drive whose transfer times are as computed. */
#define FORECAST_SCALE_ONE 1024

#define FORECAST_OCTAVES 24u
#define FORECAST_SAMPLES (FORECAST_OCTAVES * 4 + 2)

/* A byte offset with what the estimates need of it. */
struct forecast_place {
    uint64_t offset; /* bytes from the start of the disc */
    union {
        uint32_t radius_nm;
        uint32_t zone_place; /* for a drive with zones, see drive_zones.h */
    };
    uint32_t half_turn_us; /* mean rotational delay */
    uint32_t us_per_mib;   /* transfer time */
};

struct forecast {
    const spn_drive_profile *profile; /* outlives the forecast */
    uint64_t distance_max;            /* spn__drive_stroke */
    uint64_t scale; /* scaled distance = distance * scale >> 32; just below 2^31
                       for distance_max */
    /* The two pieces of the seek curve, by scaled distance: sample 0 at 0, then
     * four samples per octave. */
    uint32_t near_us[FORECAST_SAMPLES];
    uint32_t far_us[FORECAST_SAMPLES];
    int32_t error_us[FORECAST_BUCKETS + 1]; /* mean of measured - computed */
    uint32_t rate_scale; /* mean of measured / computed transfer time, in units
                            of 1 / FORECAST_SCALE_ONE */
};

/* Start a forecast without measurements. The profile has passed
 * spn_drive_profile_check. */
void spn__forecast_init(struct forecast *forecast,
                        const spn_drive_profile *profile);

/* Convert a byte offset to a place. An offset beyond the disc is its end. */
void spn__forecast_place(const struct forecast *forecast, uint64_t offset,
                         struct forecast_place *out);
/* Get the start and the end of the whole ECC blocks that a read of `bytes` at
 * `offset` needs. */
void spn__forecast_range(const struct forecast *forecast, uint64_t offset,
                         uint64_t bytes, struct forecast_place *begin,
                         struct forecast_place *end);

/* Time before the first byte at `to` arrives, with the head at `head`, without
 * the command. 0 if `to` is at the head or up to two ECC blocks before it.
 * Otherwise it is a seek and half a turn, or reading through the gap if the
 * drive's buffer can hold the gap and that is shorter. */
uint32_t spn__forecast_position_us(const struct forecast *forecast,
                                   const struct forecast_place *head,
                                   const struct forecast_place *to);
/* The same without the choice of reading through a gap. */
uint32_t spn__forecast_seek_us(const struct forecast *forecast,
                               const struct forecast_place *head,
                               const struct forecast_place *to);
/* Time of the command and of the transfer of `bytes` at `from`. */
uint32_t spn__forecast_transfer_us(const struct forecast *forecast,
                                   const struct forecast_place *from,
                                   uint64_t bytes);
/* Time of the command and of the transfer from `begin` to `end`. If the read
 * continues at the head, bytes before the head are not transferred again. */
uint32_t spn__forecast_read_us(const struct forecast *forecast,
                               const struct forecast_place *head,
                               const struct forecast_place *begin,
                               const struct forecast_place *end);
/* Time of a whole read of `bytes` at `offset`: spn__forecast_position_us and
 * spn__forecast_read_us of its blocks. */
uint64_t spn__forecast_reach_us(const struct forecast *forecast,
                                const struct forecast_place *head,
                                uint64_t offset, uint64_t bytes);

/* Learn from a read of the blocks from `begin` to `end` that took `us`, with
 * its command.
 *
 * head  position of the head before the read. The drive must have been busy
 *       until the read began: what an idle drive reads ahead is not known
 *
 * Each sample changes a mean by 1/8 of the difference. The difference is
 * clipped, so that repeated bad blocks do not distort the mean. */
void spn__forecast_learn(struct forecast *forecast,
                         const struct forecast_place *head,
                         const struct forecast_place *begin,
                         const struct forecast_place *end, uint64_t us);

#endif
