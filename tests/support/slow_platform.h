/* slow_platform.h - a disc of any slowness that fails to order, for tests.
 *
 * Cooperative, on a virtual clock that only the test moves. Files are in
 * memory (slow_platform_add) or those of another table (slow_platform_wrap).
 * A read's bytes arrive when it falls due and not before, so that whoever
 * frees, moves or looks at the memory too early is found out.
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
 * A file may be placed on another medium (slow_platform_place): each has a
 * drive of its own, and reads of different ones go on side by side. Without
 * that all files lie on a hard disk.
 *
 * The disc asserts the contract of platform.h by itself: a second read while
 * one is outstanding on the same medium, any of a file in memory, an extent of
 * no bytes, a closed file, an unaligned range end the claim as failed.
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
    SLOW_ERROR,       /* the read completes with SPN_ERR_IO; what it should
                       * have filled is scribbled over */
    SLOW_REFUSE,      /* read_submit returns SPN_ERR_IO */
    SLOW_SHORT,       /* at most `value` bytes arrive, > 0 or the file looks
                       * as if it ended there */
    SLOW_FLIP,        /* bit `value` (8 x file offset + bit) is flipped; a
                       * read without that bit is not hit */
    SLOW_STALL,       /* the read takes `value` us longer */
    SLOW_OPEN_ERROR,  /* file_open returns SPN_ERR_IO; offset, bytes and read
                       * mean nothing, nth counts opens */
    SLOW_OPEN_MISSING /* the same with SPN_ERR_NOT_FOUND */
};

/* What a read reports that was cancelled. */
enum slow_cancelled {
    SLOW_CANCELLED_ALL,
    SLOW_CANCELLED_SOME, /* half of its bytes */
    SLOW_CANCELLED_NONE,
    SLOW_CANCELLED_ERROR /* SPN_ERR_IO */
};

/* A fault happens to each read (or open) that fits all its conditions. The
 * conditions that are zero fit every read. */
struct slow_fault {
    enum slow_kind kind;
    const char *path; /* NULL: any file */
    uint64_t offset;  /* reads that touch [offset, offset + bytes) of the */
    uint64_t bytes;   /* file; 0 bytes: any range */
    uint32_t nth;     /* 1: the first read since the disc was made, ... */
    uint32_t times;   /* how often it happens; 0: for ever */
    uint64_t value;
    /* filled by the disc */
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

/* One read as it was submitted. */
struct slow_read {
    uint32_t file; /* index in the order of slow_platform_add or of opening */
    uint64_t offset;
    uint64_t bytes;
};

/* The read at one medium's drive. */
struct slow_drive {
    uint64_t head; /* disc offset behind the last read */
    bool is_reading;
    bool is_submitted; /* to the wrapped table */
    uint64_t due_us;
    uint32_t tag;
    uint32_t file;
    uint64_t offset;
    uint64_t bytes;      /* asked for */
    uint64_t bytes_most; /* after short faults */
    bool is_error;
    int64_t flip_bit; /* -1: none */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
};

struct slow_platform {
    spn_platform table; /* give this to the runtime */

    /* the test's: change at any time */
    uint64_t clock_us;
    uint64_t bytes_per_second; /* 0: no time for the transfer */
    uint64_t seek_us;          /* added when a read does not continue */
    uint64_t command_us;       /* added to every read */
    uint64_t medium_us[SPN_MEDIUM_COUNT]; /* the same of one medium */
    uint32_t align_bytes;  /* 0: 1. Power of two, at most 4096: reported
                            * by file_open, and demanded */
    bool is_place_unknown; /* report no disc offset */
    bool ends_cancelled;   /* a read that is cancelled is over at once, */
    enum slow_cancelled cancelled; /* and reports this */

    /* the test's: what happened */
    uint32_t opens; /* that succeeded */
    uint32_t closes;
    uint32_t reads; /* submitted, refused ones too */
    uint32_t cancels;
    uint64_t bytes_read; /* delivered */
    uint32_t flushes;
    uint32_t flushes_before; /* up to the last read_submit */
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

/* An empty disc at time 0, with no delays and no faults. */
void slow_platform_init(struct slow_platform *slow);

/* Put a file on the disc, behind those there. `data` stays the test's, and
 * must live as long as the disc. */
void slow_platform_add(struct slow_platform *slow, const char *path,
                       const void *data, uint64_t bytes);

/* Move a file of the disc to another medium. Not while it is open. */
void slow_platform_place(struct slow_platform *slow, const char *path,
                         spn_medium medium);

/* Take from `inner` the files that are not on the disc; each gets its place
 * on the disc when it is first opened. The table is copied. A read goes to it
 * when the slow one falls due, and ends when `inner` says so. */
void slow_platform_wrap(struct slow_platform *slow, const spn_platform *inner);

/* Order a fault; it is copied. Returns where it lies now, to watch `hits`. */
struct slow_fault *slow_platform_fault(struct slow_platform *slow,
                                       const struct slow_fault *fault);
/* Take all faults back. */
void slow_platform_heal(struct slow_platform *slow);

/* Time at which the first of the reads under way ends; UINT64_MAX when there
 * is none. */
uint64_t slow_platform_due_us(const struct slow_platform *slow);
/* Set the clock to that time, if it is later; false when there is no read. */
bool slow_platform_advance(struct slow_platform *slow);

#endif
