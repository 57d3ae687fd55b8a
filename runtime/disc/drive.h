/* drive.h - how long a disc drive takes to serve a read.
 *
 * Arithmetic only: no clock, no file, no allocation, no floating point, so
 * the same calls give the same answers on every machine. Places are bytes from
 * the start of the disc; times are microseconds (us) on the caller's clock;
 * radii are nanometres. Every profile given here has passed
 * spn_drive_profile_check.
 *
 * The model. Bytes lie on a spiral, so the area that they take grows with the
 * offset: r = sqrt(o / C (Ro^2 - Ri^2) + Ri^2), with C bytes a layer; the
 * second layer runs back (o' = 2C - o). A read waits for the command, the
 * head's way, the layer, then until its first block comes round:
 * ((frac(r / pitch) - frac(t f)) mod 1) / f. Whole ECC blocks are read, at the
 * rates of the places that they lie at. Where a source's seek times contain the
 * first block (seek_blocks), no transfer is charged for it after a seek. After
 * bad blocks the disc turns slower for a while. After a read the drive goes on
 * reading into its buffer: what lies there comes at the interface's rate, just
 * the bytes that are asked for (as in Dolphin's DVDInterface.cpp), what lies a
 * little ahead is waited for, what lies before it is gone. It stops where its
 * layer ends; who reads on from there pays for the layer once.
 *
 * How good it is: the constants of the best known drives were measured by
 * others, with no stated error; take +-10 % as the honest tolerance.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_H
#define SPN_DISC_DRIVE_H

#include <spindle/drive_profile.h>

#include <stdbool.h>
#include <stdint.h>

/* No single time is longer. */
#define DRIVE_US_MAX 600000000u

/* -- the disc: nothing moves -- */

/* Zones know sectors only. */
static inline bool drive_is_by_radius(const spn_drive_profile *p)
{
    return p->distance == SPN_DRIVE_BY_RADIUS && p->motion != SPN_DRIVE_ZONES;
}

uint64_t spn__drive_disc_bytes(const spn_drive_profile *p);
/* Offsets beyond the disc are its end, everywhere. */
uint32_t spn__drive_radius_nm(const spn_drive_profile *p, uint64_t offset);
/* Bytes a second. */
uint32_t spn__drive_rate(const spn_drive_profile *p, uint64_t offset);
/* Turns in 1000 seconds; 0 only if the profile says so. */
uint32_t spn__drive_turns_mhz(const spn_drive_profile *p, uint64_t offset);
uint32_t spn__drive_turn_us(const spn_drive_profile *p, uint64_t offset);
/* The longest way, in the curve's measure. */
uint64_t spn__drive_stroke(const spn_drive_profile *p);
uint32_t spn__drive_curve_us(const spn_drive_curve *curve, uint64_t distance);
/* The head's way and the layer, without the wait for the sector. */
uint32_t spn__drive_seek_us(const spn_drive_profile *p, uint64_t from,
                            uint64_t to);
/* Until the sector comes round, at a moment. */
uint32_t spn__drive_rotate_us(const spn_drive_profile *p, uint64_t offset,
                              uint64_t now_us);
/* Of bytes in a row: a long read grows faster or slower on its way. */
uint32_t spn__drive_transfer_us(const spn_drive_profile *p, uint64_t offset,
                                uint64_t bytes);
/* The transfer at `offset` that the time of a seek to there already contains.
 */
uint32_t spn__drive_in_seek_us(const spn_drive_profile *p, uint64_t offset);
/* What a scheduler may expect of going from `head` to `offset`, beside the
 * transfer of every block: 0 up to two blocks behind the head, a seek and half
 * a turn, or reading through a gap that the buffer holds, where that is
 * shorter. */
uint32_t spn__drive_expect_us(const spn_drive_profile *p, uint64_t head,
                              uint64_t offset);

/* Over a third of the longest way, and half a turn, beside the transfer of
 * every block: the measure of what is much and what is little on this drive.
 * Never 0. */
uint32_t spn__drive_typical_us(const spn_drive_profile *p);
/* A read of so many bytes where the head was elsewhere: the command, that, and
 * the transfer at the inner edge. */
uint64_t spn__drive_jump_us(const spn_drive_profile *p, uint64_t bytes);

/* -- one drive -- */

struct drive {
    const spn_drive_profile *profile;
    spn_drive_profile slow; /* the same after bad blocks */
    uint64_t head;          /* end of the last read */
    uint64_t ahead;         /* end of what was in the buffer when it ended */
    uint64_t end_us;        /* when it ended */
    uint64_t now_us;        /* of the last call */
    uint64_t slow_until_us;
    bool is_spinning;
    bool is_reading_on; /* into the buffer, from the head on */
};

struct drive_cost {
    uint32_t spin_us;     /* from a standstill */
    uint32_t command_us;  /* until the drive begins */
    uint32_t seek_us;     /* head travel and layer; 0 when the read continues */
    uint32_t rotate_us;   /* until the sector comes round */
    uint32_t gap_us;      /* reading what lies before it; else seek_us */
    uint32_t transfer_us; /* moving the bytes */
    bool is_buffered;     /* at least the first block lay in the buffer */
};

/* At a standstill, the head at the start of the disc, nothing buffered. */
void spn__drive_init(struct drive *drive, const spn_drive_profile *profile);
/* Charge one read to the drive. One that comes while the last is under way
 * begins when that ends: its cost counts from there.
 *
 * offset  first byte; offset + bytes must stay on the disc
 * bytes   0 is legal, costs nothing and moves nothing
 * now_us  when the request arrives; never earlier than the last call
 * cost    filled on SPN_OK, untouched otherwise
 * end_us  when the last byte is there; the same
 *
 * SPN_ERR_ARG if the range leaves the disc or now_us runs back. */
SPN_NODISCARD spn_status spn__drive_read(struct drive *drive, uint64_t offset,
                                         uint64_t bytes, uint64_t now_us,
                                         struct drive_cost *cost,
                                         uint64_t *end_us);
/* A block at `offset` was bad and tried again `retries` times: returns how long
 * that took, which counts from the end of the last read. The drive is slow for
 * a while. 0 retries cost nothing. */
uint32_t spn__drive_retry(struct drive *drive, uint64_t offset,
                          uint32_t retries);
/* The motor stops, the buffer is lost. */
void spn__drive_stop(struct drive *drive);
/* A disc was put in, and turns fast enough from `ready_us` on: the head is at
 * its start, nothing is buffered, and no read begins before. */
void spn__drive_insert(struct drive *drive, uint64_t ready_us);
/* From `from_us` to `until_us` the drive does nothing; what it had read ahead
 * stays. No read begins before. */
void spn__drive_hold(struct drive *drive, uint64_t from_us, uint64_t until_us);
uint64_t spn__drive_cost_us(const struct drive_cost *cost);

#endif
