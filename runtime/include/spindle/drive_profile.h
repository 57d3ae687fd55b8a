/* drive_profile.h - the data that describes a disc drive.
 *
 * The deadline scheduler (medium.h) and the emulator (emulator.h) compute how
 * long a read takes on a drive from its profile. There are built-in profiles;
 * others may be filled in by hand (`spindle drives NAME --profile` prints one
 * as an example). A profile must pass spn_drive_profile_check before it is
 * used.
 *
 * The model. A read takes the time of the command (command_us); then, if the
 * head is elsewhere, a seek, a change of layer if necessary, and the wait until
 * the sector passes the head; then the transfer of whole ECC blocks. A *seek*
 * over the distance d takes
 *
 *   base_us + slope_us * (d / unit) + root_us * sqrt(d / unit)
 *
 * with one set of base_us, slope_us and root_us for short distances and one for
 * long distances; `unit` is spn_drive_curve.unit. The read rate and the speed
 * of rotation depend on the *radius*: the distance of the head from the centre
 * of the disc. A disc has one or two layers. The first byte of the first layer
 * is at the inner radius; the first byte of the second layer is at the outer
 * radius. An *ECC block* is the smallest part of a disc that the drive can read
 * (ECC: error correcting code).
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

/* How the disc turns. */
typedef enum spn_drive_motion {
    SPN_DRIVE_CAV = 0,  /* constant angular velocity: the rate grows from the
                         * inner to the outer radius, see spn_drive_distance */
    SPN_DRIVE_CLV = 1,  /* constant linear velocity: the rate is constant, the
                         * rotation slows down as the radius grows */
    SPN_DRIVE_ZONES = 2 /* CLV with the measured zones and seek times of the PC
                         * Engine's drive; one layer of at most 333,013 sectors
                         * of 2048 bytes */
} spn_drive_motion;

/* How the distance between two positions of the head is measured. With
 * SPN_DRIVE_CAV the read rate is a linear function of the same quantity. */
typedef enum spn_drive_distance {
    SPN_DRIVE_BY_RADIUS = 0, /* by the radius, in nanometres */
    SPN_DRIVE_BY_BYTES = 1   /* by the position in the layer, in bytes */
} spn_drive_distance;

/* One piece of the seek curve: the times of the formula above, in microseconds,
 * for a range of distances. */
typedef struct spn_drive_piece {
    uint32_t base_us;  /* at most one minute */
    uint32_t slope_us; /* for each `unit` of distance */
    uint32_t root_us;  /* for the square root of the distance in units */
} spn_drive_piece;

/* Seek time as a function of distance. */
typedef struct spn_drive_curve {
    /* The `unit` of the formula, > 0, in nanometres or bytes
     * (spn_drive_distance). With 10^9 nm, slope_us is the time per metre. */
    uint64_t unit;
    uint64_t near_limit; /* shorter distances use near_piece, others far_piece;
                          * in nanometres or bytes */
    spn_drive_piece near_piece;
    spn_drive_piece far_piece;
} spn_drive_curve;

/* A drive. Ranges in comments include both ends. */
typedef struct spn_drive_profile {
    char name[SPN_DRIVE_NAME_BYTES];   /* NUL-terminated, not empty */
    char about[SPN_DRIVE_ABOUT_BYTES]; /* a description; NUL-terminated, not
                                        * empty */
    spn_drive_motion motion;
    spn_drive_distance distance;
    uint32_t layers;        /* 1 or 2 */
    uint64_t layer_bytes;   /* size of a layer, 64 KiB..64 TiB */
    uint32_t radius_in_um;  /* inner radius in micrometres, from 100 */
    uint32_t radius_out_um; /* outer radius, above radius_in_um, to 500000 */
    uint32_t pitch_nm;      /* distance of neighbouring tracks, 1..1000000 */
    uint32_t rate_in;      /* bytes per second at the inner radius, from 1000 */
    uint32_t rate_out;     /* at the outer radius; equal to rate_in unless the
                            * motion is SPN_DRIVE_CAV */
    uint32_t turns_mhz;    /* rotation at the inner radius in mHz (turns per
                            * 1000 seconds), 1000..10000000; 0: no wait for
                            * sectors */
    spn_drive_curve seek;  /* not used with SPN_DRIVE_ZONES */
    uint32_t seek_blocks;  /* 1: the seek times include the transfer of the
                            * first ECC block; 0: they do not */
    uint32_t layer_us;     /* shortest time of a change of layer, to 60 s */
    uint32_t command_us;   /* time before anything else begins, to 1 s */
    uint32_t ecc_bytes;    /* size of an ECC block, 1..1 MiB. The drive reads
                            * whole blocks only */
    uint32_t buffer_bytes; /* read-ahead: after a read, the drive goes on
                            * reading up to this many bytes into its buffer */
    uint32_t interface_rate; /* bytes per second from this buffer, from 1000 */
    uint32_t spin_up_us;   /* time until a stopped disc can be read, to 60 s */
    uint32_t retry_turns;  /* turns of the disc that one repetition of a bad
                            * block takes, to 1000 */
    uint32_t slow_percent; /* rate after repetitions, in percent of the normal
                            * rate, 1..100 */
    uint32_t slow_us;      /* how long the drive stays at this rate */
} spn_drive_profile;

/* Check a profile: every field must be in its range, and none may contradict
 * another. The model then never divides by 0 or overflows.
 *
 * what  set if SPN_ERR_ARG is returned: the field that is wrong; static string
 *
 * Thread: any. */
SPN_NODISCARD spn_status
spn_drive_profile_check(const spn_drive_profile *profile, const char **what);

/* A built-in profile by index: 0, 1, 2, ...; NULL after the last one. Static.
 * Thread: any. */
const spn_drive_profile *spn_drive_profile_at(uint32_t index);
/* A built-in profile by name, e.g. "x360_dvd12x"; NULL if there is none.
 * Static. Thread: any. */
const spn_drive_profile *spn_drive_profile_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
