/* play_platform.h - real files behind a virtual clock: a disc that takes as
 * long as it is told, and a machine without threads.
 *
 * Time stands still until the caller moves it; a read ends when the clock has
 * reached its due time. The same files and the same calls give the same run,
 * whatever the machine does meanwhile.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAY_PLATFORM_H
#define OFFLINE_PLAY_PLATFORM_H

#include <spindle/platform.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct play_disc_file;

struct play_platform {
    uint64_t clock_us;
    uint64_t bytes_per_second; /* > 0 */
    uint64_t seek_us;          /* of a read that does not continue the last */
    /* what happened */
    uint64_t busy_us;
    uint64_t seek_count;
    /* private */
    struct play_disc_file *files;
    uint32_t file_count;
    uint32_t file_capacity;
    uint64_t disc_bytes; /* files lie one behind the other */
    uint64_t head;       /* where the last read ended */
    uint64_t due_us;     /* of the read under way */
    spn_platform_completion completion;
    bool is_reading;
    bool is_ending;
};

/* Fill in the rates before. `file_capacity` different files at most. */
void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        spn_platform *table);
void play_platform_finish(struct play_platform *platform);

/* Before spn_shutdown, which waits for the read under way: from now on reads
 * end at once. */
void play_platform_end(struct play_platform *platform);

/* When the read under way ends; UINT64_MAX: there is none. */
uint64_t play_platform_due_us(const struct play_platform *platform);

#endif
