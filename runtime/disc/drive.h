/* drive.h - model of one disc drive: head, read-ahead buffer and motor.
 *
 * The emulator, the simulator and the reference schedulers of tests give it the
 * reads in the order in which a drive would serve them; it returns how long
 * each takes. It is arithmetic on integers, without a clock, files or memory
 * of its own: the same calls return the same times on every machine. Offsets
 * are bytes from the start of the disc. Times are microseconds on the caller's
 * clock.
 *
 * Time of a read: spin-up of the motor if it stands still, command, seek,
 * rotational delay, transfer of whole ECC blocks. After a read the drive
 * continues to read into its buffer until the buffer is full
 * (spn_drive_profile.buffer_bytes behind the head) or the layer ends. The two
 * ECC blocks before the head are in the buffer, too. The next read costs, by
 * where its first block lies:
 *   in the buffer          the transfer of its bytes at the interface's rate
 *                          (as in Dolphin's DVDInterface.cpp)
 *   a short way after the  the shorter of a seek, and of reading on until the
 *   head                   head is there. A short way is at most the size of
 *                          the buffer (spn_drive_profile.buffer_bytes)
 *   elsewhere              a seek
 * If the times of seeks contain the transfer of the first block
 * (spn_drive_profile.seek_blocks), that block is not charged again. A read that
 * continues across the end of a layer pays for the change of layer once. After
 * bad blocks the disc turns slower for spn_drive_profile.slow_us.
 *
 * Thread: each drive has one owner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_H
#define SPN_DISC_DRIVE_H

#include <spindle/drive_profile.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct drive {
    const spn_drive_profile *profile; /* caller's; outlives the drive */
    spn_drive_profile slow;           /* the profile until slow_until_us */
    uint64_t head;                    /* end of the last read, in bytes */
    uint64_t ahead;         /* end of the buffered bytes at end_us, >= head */
    uint64_t end_us;        /* when the last read ended */
    uint64_t now_us;        /* time of the last call of spn__drive_read */
    uint64_t slow_until_us; /* the disc turns slower until then */
    bool is_spinning;
    bool is_reading_ahead; /* into the buffer, from the head on, since end_us */
};

struct drive_cost {
    uint32_t spin_us;     /* spinning up */
    uint32_t command_us;  /* processing the command */
    uint32_t seek_us;     /* move of the head, change of layer */
    uint32_t rotate_us;   /* rotational delay */
    uint32_t gap_us;      /* reading through the gap instead of a seek */
    uint32_t transfer_us; /* moving the bytes */
    bool is_buffered;     /* at least the first block was in the buffer */
};

/* Start with the disc at rest, the head at its start and an empty buffer. */
void spn__drive_init(struct drive *drive, const spn_drive_profile *profile);

/* Charge one read. A read that arrives before the last one ended begins at that
 * end; its cost counts from there.
 *
 * offset  first byte; offset + bytes must not exceed the disc
 * bytes   0 is legal: it costs nothing and has no effect on the drive
 * now_us  when the read arrives; not earlier than in the last call
 * cost    output, on SPN_OK only
 * end_us  output, on SPN_OK only: when the last byte has arrived
 *
 * Returns SPN_ERR_ARG if the range exceeds the disc or now_us decreases. */
SPN_NODISCARD spn_status spn__drive_read(struct drive *drive, uint64_t offset,
                                         uint64_t bytes, uint64_t now_us,
                                         struct drive_cost *cost,
                                         uint64_t *end_us);
/* Charge `retries` further tries of a bad block at `offset`, beginning at the
 * end of the last read. Returns their time. The drive is slow afterwards. No
 * effect for 0 retries. */
uint32_t spn__drive_retry(struct drive *drive, uint64_t offset,
                          uint32_t retries);
/* Stop the motor. The contents of the buffer are lost. */
void spn__drive_stop(struct drive *drive);
/* Insert a disc that has its full speed at ready_us: the head is at its start,
 * the buffer is empty, and no read begins before ready_us. */
void spn__drive_insert(struct drive *drive, uint64_t ready_us);
/* Stall the drive from from_us to until_us: no read begins in between. The
 * contents of the buffer stay. */
void spn__drive_hold(struct drive *drive, uint64_t from_us, uint64_t until_us);
/* Sum of all parts. */
uint64_t spn__drive_cost_us(const struct drive_cost *cost);

/* Return whether all invariants hold. O(1). */
bool spn__drive_check(const struct drive *drive);

#endif
