/* slow_platform.h - a disc with any delays and scripted faults, for tests.
 *
 * The table is cooperative; only the test moves its virtual clock. Files are in
 * memory (slow_platform_add) or in another table (slow_platform_wrap). The
 * bytes of a read arrive when it is due, not before, so code that frees, moves
 * or reads the memory too early is detected.
 *
 *   struct slow_platform slow;
 *   slow_platform_init(&slow);
 *   slow_platform_add(&slow, "a", bytes, sizeof bytes);
 *   slow.bytes_per_second = 8 << 20;
 *   slow.seek_us = 100000;
 *   slow_platform_fault(&slow, &(struct slow_fault){
 *       .kind = SLOW_ERROR, .path = "a", .times = 2});
 *   config.platform = &slow.table;
 *   for (...) { slow.clock_us += 16667; spn_update(rt); }
 *
 * A file can be moved to another medium (slow_platform_place). Each medium has
 * its own drive, and reads of different media run at the same time. By default
 * all files lie on a hard disk.
 *
 * The disc checks the contract of platform.h and fails the claim for: a second
 * read while one is outstanding on the same medium, a read of a file in memory,
 * an extent of 0 bytes, a closed file, an unaligned range.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SLOW_PLATFORM_H
#define TESTS_SLOW_PLATFORM_H

#include <spindle/platform.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOW_FILES_MAX 64u
#define SLOW_FAULTS_MAX 32u
#define SLOW_LOG_MAX 1024u
#define SLOW_PATH_BYTES 512u

enum slow_kind {
    SLOW_ERROR,       /* the read completes with SPN_ERR_IO; its target is
                       * overwritten with a pattern */
    SLOW_REFUSE,      /* read_submit returns SPN_ERR_IO */
    SLOW_SHORT,       /* at most `value` bytes arrive; > 0 or the file would
                       * seem to end there */
    SLOW_FLIP,        /* bit `value` (8 x file offset + bit) is flipped; applies
                       * to reads with this bit */
    SLOW_STALL,       /* the read takes `value` us longer */
    SLOW_OPEN_ERROR,  /* file_open returns SPN_ERR_IO; offset, bytes and read
                       * are ignored, nth counts opens */
    SLOW_OPEN_MISSING /* file_open returns SPN_ERR_NOT_FOUND */
};

/* The result of a cancelled read. */
enum slow_cancelled {
    SLOW_CANCELLED_ALL,
    SLOW_CANCELLED_SOME, /* half of its bytes */
    SLOW_CANCELLED_NONE,
    SLOW_CANCELLED_ERROR /* SPN_ERR_IO */
};

/* A fault applies to each read (or open) that meets all its conditions. A
 * condition of zero is met by every read. */
struct slow_fault {
    enum slow_kind kind;
    const char *path; /* NULL: any file */
    uint64_t offset;  /* reads that overlap [offset, offset + bytes) of the */
    uint64_t bytes;   /* file; 0 bytes: any range */
    uint32_t nth;     /* 1: only the first read since the disc was made, ... */
    uint32_t times;   /* how often it applies; 0: without limit */
    uint64_t value;
    /* counted by the disc */
    uint32_t hits;
};

struct slow_file {
    char path[SLOW_PATH_BYTES];
    const uint8_t *data;
    bool is_inner; /* a file of the wrapped table */
    spn_platform_file inner;
    uint64_t bytes;
    uint64_t disc_offset;
    spn_medium medium;
    uint32_t open_count;
};

/* A submitted read. */
struct slow_read {
    uint32_t file; /* index of the file, in order of slow_platform_add or of
                    * opening */
    uint64_t offset;
    uint64_t bytes;
};

/* The current read of a medium's drive. */
struct slow_drive {
    uint64_t head; /* disc offset after the last read */
    bool is_reading;
    bool is_submitted; /* submitted to the wrapped table */
    uint64_t due_us;
    uint32_t tag;
    uint32_t file;
    uint64_t offset;
    uint64_t bytes;      /* requested bytes */
    uint64_t bytes_most; /* bytes that arrive, after SLOW_SHORT */
    bool is_error;
    int64_t flip_bit; /* -1: no bit is flipped */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
};

struct slow_platform {
    spn_platform table; /* put it into the config */

    /* set by the test at any time */
    uint64_t clock_us;
    uint64_t bytes_per_second; /* 0: transfers take no time */
    uint64_t seek_us;          /* added when a read does not continue the last
                                * one */
    uint64_t command_us;       /* added to every read */
    uint64_t medium_us[SPN_MEDIUM_COUNT]; /* added to every read of this
                                           * medium */
    uint32_t align_bytes;  /* 0 means 1. Power of two, at most 4096: reported by
                            * file_open and checked */
    bool is_place_unknown; /* file_open reports no disc offset */
    bool ends_cancelled;   /* a cancelled read ends at once, */
    enum slow_cancelled cancelled; /* with this result */

    /* counted for the test */
    uint32_t opens; /* successful opens */
    uint32_t closes;
    uint32_t reads; /* submitted reads, also refused ones */
    uint32_t cancels;
    uint64_t bytes_read; /* delivered bytes */
    uint32_t flushes;
    uint32_t flushes_before; /* flushes before the last read_submit */
    uint32_t invalidates;
    struct slow_read log[SLOW_LOG_MAX]; /* the first reads */

    /* private */
    spn_platform inner; /* the wrapped table, if any */
    bool is_wrapped;
    struct slow_file files[SLOW_FILES_MAX];
    uint32_t file_count;
    struct slow_fault faults[SLOW_FAULTS_MAX];
    uint32_t fault_count;
    uint32_t open_attempts;
    uint64_t disc_bytes;
    struct slow_drive drives[SPN_MEDIUM_COUNT];
};

/* Make an empty disc at time 0, without delays and faults. */
void slow_platform_init(struct slow_platform *slow);

/* Put a file on the disc, after those already there. The test keeps `data`
 * alive as long as the disc. */
void slow_platform_add(struct slow_platform *slow, const char *path,
                       const void *data, uint64_t bytes);

/* Move a file of the disc to another medium, while it is not open. */
void slow_platform_place(struct slow_platform *slow, const char *path,
                         spn_medium medium);

/* Use the files of `inner` that are not on the disc. Each gets its place on the
 * disc when it is first opened. The table is copied. A read goes to `inner`
 * when the slow one is due, and ends when `inner` completes it. */
void slow_platform_wrap(struct slow_platform *slow, const spn_platform *inner);

/* Add a fault; it is copied. Returns the copy, whose `hits` the test can
 * read. */
struct slow_fault *slow_platform_fault(struct slow_platform *slow,
                                       const struct slow_fault *fault);
/* Remove all faults. */
void slow_platform_clear_faults(struct slow_platform *slow);

/* The time at which the first outstanding read ends; UINT64_MAX when there is
 * none. */
uint64_t slow_platform_due_us(const struct slow_platform *slow);
/* Set the clock to that time when it is later. False when no read is
 * outstanding. */
bool slow_platform_advance(struct slow_platform *slow);

#endif
