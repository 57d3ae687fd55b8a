/* emulator_reads.h - reads in flight, until both the wrapped platform and the
 * drive have finished them.
 *
 * There is one *slot* for each drive, and one for each medium of files without
 * a drive. A slot has one read at a time. The wrapped platform gets one read at
 * a time on each of its own media, in the order of arrival.
 *
 * Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATOR_READS_H
#define SPN_EMULATOR_EMULATOR_READS_H

#include <spindle/emulator.h>
#include <stdbool.h>

#define EMULATOR_SLOTS (SPN_EMULATOR_DRIVES_MAX + SPN_MEDIUM_COUNT)

enum emulated_read_state {
    EMULATED_READ_NONE,
    EMULATED_READ_WAITING, /* until the wrapped platform's medium is free */
    EMULATED_READ_INSIDE,  /* submitted to the wrapped platform */
    EMULATED_READ_DONE     /* finished there; waits until due_us */
};

struct emulated_read {
    enum emulated_read_state state;
    uint32_t arrival; /* number in the order of arrival, modulo 2^32 */
    uint64_t due_us;  /* when the drive ends it; 0: cancelled, ends at once */
    uint64_t done_us; /* when the drive ends it, also if it was cancelled */
    spn_platform_completion completion; /* the tag always; the rest in
                                           EMULATED_READ_DONE */
    spn_platform_file file;             /* of the wrapped platform */
    spn_medium medium;                  /* of the wrapped platform */
    uint64_t offset;
    uint32_t extent_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
};

struct emulator_reads {
    const spn_platform *inner;
    struct emulated_read slots[EMULATOR_SLOTS];
    uint64_t inside_due_us; /* when to poll the wrapped platform again */
    uint32_t arrival;       /* number of the next read */
    /* The last completion that was polled: */
    uint32_t ended_slot; /* its slot */
    uint64_t late_us;    /* time since its due_us; 0 for a cancelled read */
};

void spn__reads_init(struct emulator_reads *reads, const spn_platform *inner);
bool spn__reads_is_busy(const struct emulator_reads *reads, uint32_t slot);

/* The bytes to read, and their destination. */
struct emulated_range {
    spn_platform_file file;
    spn_medium medium;
    uint64_t offset;
    const spn_extent *extents;
    uint32_t extent_count;
};
/* Submit a read to a slot that is not busy.
 *
 * due_us  when the drive ends it. The read completes then, or when the wrapped
 *         platform has finished it, whichever is later
 * status  if this is an error, the read completes with it at due_us, and
 * nothing is read */
void spn__reads_submit(struct emulator_reads *reads, uint32_t slot,
                       const struct emulated_range *range, uint32_t tag,
                       uint64_t due_us, spn_status status);
/* As spn_platform.read_poll. */
spn_status spn__reads_poll(struct emulator_reads *reads,
                           spn_platform_completion *out, uint64_t *due_us);
/* Submit all reads that the wrapped platform can take now, and take all of its
 * completions. */
void spn__reads_take(struct emulator_reads *reads);
/* When the next read ends; UINT64_MAX: no read is in flight, or the wrapped
 * platform has not finished it. */
uint64_t spn__reads_due_us(const struct emulator_reads *reads);
/* Cancel a read: it completes at once, with 0 bytes unless the drive has
 * finished it. Returns its slot; EMULATOR_SLOTS if there is no such read. */
uint32_t spn__reads_cancel(struct emulator_reads *reads, uint32_t tag);
/* Whether all invariants hold: the wrapped platform has at most one read of
 * each medium, and reads in flight differ by tag and arrival. O(slots^2). */
bool spn__reads_check(const struct emulator_reads *reads);

#endif
