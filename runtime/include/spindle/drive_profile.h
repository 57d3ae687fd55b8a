/* drive_profile.h - what is known of a disc drive, as integers.
 *
 * A profile is data: one of the built-in ones, or filled in by whoever knows
 * another drive (`spindle drives NAME --profile` prints one). What takes a
 * profile has it pass spn_drive_profile_check: behind that door nothing
 * divides by 0 and nothing overflows.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_DRIVE_PROFILE_H
#define SPINDLE_DRIVE_PROFILE_H

#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPN_DRIVE_NAME_BYTES 24u
#define SPN_DRIVE_ABOUT_BYTES 64u

typedef enum spn_drive_motion {
    SPN_DRIVE_CAV = 0,  /* turns evenly: the rate grows from the inner edge of
                         * a layer to its outer, with the distance */
    SPN_DRIVE_CLV = 1,  /* reads evenly: turns slow down with the radius */
    SPN_DRIVE_ZONES = 2 /* CLV, with the measured zones and seeks of the PC
                         * Engine; one layer of at most 333,013 sectors */
} spn_drive_motion;

/* What a seek's length is measured in, and along what the rate of an evenly
 * turning disc grows. */
typedef enum spn_drive_distance {
    SPN_DRIVE_BY_RADIUS = 0, /* nanometres that the head moves */
    SPN_DRIVE_BY_BYTES = 1   /* bytes from one place to the other */
} spn_drive_distance;

/* base + slope (d / unit) + root sqrt(d / unit), microseconds */
typedef struct spn_drive_piece {
    uint32_t base_us; /* at most a minute */
    uint32_t slope_us;
    uint32_t root_us;
} spn_drive_piece;

/* Seek time over distance: two pieces. */
typedef struct spn_drive_curve {
    uint64_t unit;       /* > 0; 10^9 for a radius: slopes are per metre */
    uint64_t near_limit; /* shorter distances are near */
    spn_drive_piece near_piece;
    spn_drive_piece far_piece;
} spn_drive_curve;

typedef struct spn_drive_profile {
    char name[SPN_DRIVE_NAME_BYTES];   /* NUL-terminated, not empty */
    char about[SPN_DRIVE_ABOUT_BYTES]; /* the same */
    spn_drive_motion motion;
    spn_drive_distance distance;
    uint32_t layers;         /* 1 or 2; the second runs from outside in */
    uint64_t layer_bytes;    /* 64 KiB..64 TiB */
    uint32_t radius_in_um;   /* 100.. */
    uint32_t radius_out_um;  /* above radius_in_um, ..500000 */
    uint32_t pitch_nm;       /* from one track to the next, 1..1000000 */
    uint32_t rate_in;        /* bytes a second at the inner radius, 1000.. */
    uint32_t rate_out;       /* and at the outer; the same unless CAV */
    uint32_t turns_mhz;      /* turns in 1000 seconds, at the inner radius,
                              * 1000..10000000; 0: no wait for a sector */
    spn_drive_curve seek;    /* unused with SPN_DRIVE_ZONES */
    uint32_t seek_blocks;    /* whole ECC blocks at the target whose transfer
                              * the times of seeks already contain, 0..1 */
    uint32_t layer_us;       /* least time of a change of layer, ..60 s */
    uint32_t command_us;     /* before anything else, ..1 s */
    uint32_t ecc_bytes;      /* the media are read in whole blocks of this,
                              * 1..1 MiB */
    uint32_t buffer_bytes;   /* read ahead after a read */
    uint32_t interface_rate; /* bytes a second, out of the buffer, 1000.. */
    uint32_t spin_up_us;     /* from a standstill, ..60 s */
    uint32_t retry_turns;    /* each retry of a bad block costs these, ..1000 */
    uint32_t slow_percent;   /* after retries the media are read so fast,
                              * 1..100 */
    uint32_t slow_us;        /* for so long */
} spn_drive_profile;

/* SPN_ERR_ARG, and *what says which field, a static string: out of range, or
 * in contradiction to another. Thread: any. */
SPN_NODISCARD spn_status
spn_drive_profile_check(const spn_drive_profile *profile, const char **what);

/* The built-in ones, static; NULL past the last. Thread: any. */
const spn_drive_profile *spn_drive_profile_at(uint32_t index);
/* By name ("x360_dvd12x"); NULL when there is none. Thread: any. */
const spn_drive_profile *spn_drive_profile_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
