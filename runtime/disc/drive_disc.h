/* drive_disc.h - geometry and times of a disc, from the profile of its drive.
 *
 * Pure functions of a profile: where bytes lie, how fast they pass the head,
 * and how long seeks take. They keep no state, call nothing outside and use
 * integers only, so that they return the same values on every machine. Every
 * profile must have passed spn_drive_profile_check.
 *
 * Places are byte offsets from the start of the disc; an offset beyond the end
 * counts as the end. Times are in microseconds (us); a time longer than
 * DRIVE_US_MAX is returned as DRIVE_US_MAX. Radii are in nanometres.
 *
 * Model. Bytes lie on a spiral from the inner radius Ri to the outer radius Ro.
 * The area that the bytes cover grows linearly with the offset o: the radius is
 *     r(o) = sqrt(o / C * (Ro^2 - Ri^2) + Ri^2)
 * with C bytes in a layer. The second layer runs back from the outer radius:
 * r(o) = r(2C - o) for o >= C. With f turns per second and tracks at a distance
 * of `pitch`, the first sector of a read that arrives at time t passes the head
 * after ((frac(r / pitch) - frac(t * f)) mod 1) / f seconds.
 *
 * Accuracy: the constants of the best known drives come from published
 * measurements without a stated error. Assume +-10 %.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_DISC_H
#define SPN_DISC_DRIVE_DISC_H

#include "base/minmax.h"

#include <spindle/drive_profile.h>
#include <stdbool.h>
#include <stdint.h>

/* The longest time of one operation. */
#define DRIVE_US_MAX 600000000u

static inline uint32_t drive_clamp_us(uint64_t us)
{
    return (uint32_t)min_u64(us, DRIVE_US_MAX);
}

/* Whether seek times depend on radii. A drive with zones has sectors only. */
static inline bool drive_is_by_radius(const spn_drive_profile *p)
{
    return p->distance == SPN_DRIVE_BY_RADIUS && p->motion != SPN_DRIVE_ZONES;
}

/* Bytes of all layers. */
uint64_t spn__drive_disc_bytes(const spn_drive_profile *p);
uint32_t spn__drive_radius_nm(const spn_drive_profile *p, uint64_t offset);
/* Transfer rate at a place, in bytes per second. */
uint32_t spn__drive_rate(const spn_drive_profile *p, uint64_t offset);
/* Rotation speed at a place, in turns per 1000 seconds; 0 only for a profile
 * without rotation. */
uint32_t spn__drive_turns_mhz(const spn_drive_profile *p, uint64_t offset);
/* Time of one turn at a place; 0 for a profile without rotation. */
uint32_t spn__drive_turn_us(const spn_drive_profile *p, uint64_t offset);
/* The longest seek distance, in the unit of the seek curve's argument:
 * nanometres or bytes (spn_drive_distance). */
uint64_t spn__drive_stroke(const spn_drive_profile *p);
/* Value of a seek curve at a distance. */
uint32_t spn__drive_curve_us(const spn_drive_curve *curve, uint64_t distance);
/* Move of the head and change of the layer, without the rotational delay. */
uint32_t spn__drive_seek_us(const spn_drive_profile *p, uint64_t from,
                            uint64_t to);
/* Rotational delay at time now_us, until the sector at `offset` passes. */
uint32_t spn__drive_rotate_us(const spn_drive_profile *p, uint64_t offset,
                              uint64_t now_us);
/* Transfer of adjacent bytes. The rate changes along a long read. */
uint32_t spn__drive_transfer_us(const spn_drive_profile *p, uint64_t offset,
                                uint64_t bytes);
/* Transfer time at `offset` which the time of a seek to it already contains
 * (spn_drive_profile.seek_blocks). */
uint32_t spn__drive_in_seek_us(const spn_drive_profile *p, uint64_t offset);

/* Estimate of the time before the first byte at `offset`, with the head at
 * `head`; the transfer of all blocks comes in addition. The estimate is 0 for
 * an offset up to two ECC blocks behind the head. Otherwise it is a seek and
 * half a turn, or reading through the gap if the drive's buffer can hold the
 * gap and that is shorter. */
uint32_t spn__drive_expect_us(const spn_drive_profile *p, uint64_t head,
                              uint64_t offset);
/* Time of a typical seek: over a third of the longest distance, with half a
 * turn. It is the unit by which a scheduler tells long times from short ones.
 * Never 0. */
uint32_t spn__drive_typical_us(const spn_drive_profile *p);
/* Time of a read of `bytes` after a typical seek: command, seek, and transfer
 * at the inner radius. */
uint64_t spn__drive_jump_us(const spn_drive_profile *p, uint64_t bytes);

#endif
