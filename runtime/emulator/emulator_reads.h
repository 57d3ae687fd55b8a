/* emulator_reads.h - reads under way: one a line, each waiting for the wrapped
 * platform and for its time.
 *
 * A line is a drive, or a medium of the files that lie on none. The wrapped
 * platform is given one read at a time on each of its media, in order of
 * arrival.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATOR_READS_H
#define SPN_EMULATOR_EMULATOR_READS_H

#include <spindle/emulator.h>
#include <stdbool.h>

#define EMULATOR_LINES (SPN_EMULATOR_DRIVES_MAX + SPN_MEDIUM_COUNT)

enum emulated_read_state {
    EMULATED_READ_NONE,
    EMULATED_READ_WAITING, /* for its medium there to be free */
    EMULATED_READ_INSIDE,  /* at the wrapped platform */
    EMULATED_READ_DONE     /* there; waits for its time */
};

struct emulated_read {
    enum emulated_read_state state;
    uint32_t turn;    /* order of arrival */
    uint64_t due_us;  /* 0: at once, it was cancelled */
    uint64_t done_us; /* when the drive is done with it all the same */
    spn_platform_completion completion; /* when done; the tag always */
    spn_platform_file file;             /* the wrapped platform's */
    spn_medium medium;                  /* the same */
    uint64_t offset;
    uint32_t extent_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
};

/* io thread */
struct emulator_reads {
    const spn_platform *inner;
    struct emulated_read lines[EMULATOR_LINES];
    uint64_t inside_due_us; /* when to ask the wrapped platform again */
    uint32_t turn;
    uint32_t ended_line; /* of the last completion that was taken, */
    uint64_t late_us;    /* and how long it was due; a cancelled one was not */
};

void spn__reads_init(struct emulator_reads *reads, const spn_platform *inner);
bool spn__reads_is_busy(const struct emulator_reads *reads, uint32_t line);

/* What is read. */
struct emulated_range {
    spn_platform_file file;
    spn_medium medium;
    uint64_t offset;
    const spn_extent *extents;
    uint32_t extent_count;
};
/* A read on a line that is not busy: it ends at `due_us` or when the wrapped
 * platform is done, whatever is later. With an error as `status` it ends with
 * that, and nothing is read. */
void spn__reads_submit(struct emulator_reads *reads, uint32_t line,
                       const struct emulated_range *range, uint32_t tag,
                       uint64_t due_us, spn_status status);
/* As the platform's functions. */
spn_status spn__reads_poll(struct emulator_reads *reads,
                           spn_platform_completion *out, uint64_t *due_us);
/* Hand on, and take from the wrapped platform, all that can be at this moment.
 */
void spn__reads_take(struct emulator_reads *reads);
/* When the first of them ends, as far as is known. */
uint64_t spn__reads_due_us(const struct emulator_reads *reads);
/* It ends at once, without a byte unless the drive is done with it. Returns its
 * line; EMULATOR_LINES: there is none. */
uint32_t spn__reads_cancel(struct emulator_reads *reads, uint32_t tag);

#endif
