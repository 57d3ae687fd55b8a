/* drive_profile.h - what is known of a drive, as integers.
 *
 * A profile is data: built in (spn__drive_profiles), or filled in by whoever
 * knows another drive. spn__drive_profile_check is the door: behind it the
 * arithmetic of drive.h divides by nothing that is 0 and overflows nowhere.
 *
 * In the tables' comments [F] marks a fact with its source, [A] an assumption.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_IO_DRIVE_PROFILE_H
#define SPN_IO_DRIVE_PROFILE_H

#include <spindle/status.h>
#include <stdint.h>

#define DRIVE_NAME_BYTES 24u
#define DRIVE_ABOUT_BYTES 64u

enum drive_motion {
    DRIVE_CAV,  /* turns evenly: the rate grows with the radius */
    DRIVE_CLV,  /* reads evenly: turns slow down with the radius */
    DRIVE_ZONES /* CLV, with the measured zones and seeks of drive_zones.c */
};

/* What a seek's length is measured in. */
enum drive_distance {
    DRIVE_BY_RADIUS, /* nanometres that the head moves */
    DRIVE_BY_BYTES   /* bytes from one place to the other */
};

/* base + slope (d / unit) + root sqrt(d / unit), microseconds */
struct drive_piece {
    uint32_t base_us;
    uint32_t slope_us;
    uint32_t root_us;
};

/* Seek time over distance: two pieces. */
struct drive_curve {
    uint64_t unit;       /* > 0; 10^9 for a radius: slopes are per metre */
    uint64_t near_limit; /* shorter distances are near */
    struct drive_piece near;
    struct drive_piece far;
};

struct drive_profile {
    char name[DRIVE_NAME_BYTES];
    char about[DRIVE_ABOUT_BYTES];
    enum drive_motion motion;
    enum drive_distance distance;
    uint32_t layers; /* 1 or 2; the second runs from outside in */
    uint64_t layer_bytes;
    uint32_t radius_in_um;
    uint32_t radius_out_um;
    uint32_t pitch_nm;  /* from one track to the next */
    uint32_t rate_in;   /* bytes a second at the inner radius, */
    uint32_t rate_out;  /* and at the outer; the same unless CAV */
    uint32_t turns_mhz; /* turns in 1000 seconds, at the inner radius */
    struct drive_curve seek;
    uint32_t layer_us;       /* least time of a change of layer */
    uint32_t command_us;     /* before anything else */
    uint32_t ecc_bytes;      /* the media are read in whole blocks of this */
    uint32_t buffer_bytes;   /* read ahead after a read */
    uint32_t interface_rate; /* bytes a second, out of the buffer */
    uint32_t spin_up_us;
    uint32_t retry_turns;  /* a bad block costs these, once more each time, */
    uint32_t slow_percent; /* and then the media are read this fast */
    uint32_t slow_us;      /* for so long */
};

/* SPN_ERR_ARG, and *what says which field, a static string: out of range, or
 * in contradiction to another. */
SPN_NODISCARD spn_status spn__drive_profile_check(
    const struct drive_profile *profile, const char **what);

/* The built-in ones; NULL past the last. */
const struct drive_profile *spn__drive_profile_at(uint32_t index);
/* By name; NULL when there is none. */
const struct drive_profile *spn__drive_profile_find(const char *name);

#endif
