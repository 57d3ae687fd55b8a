/* play_platform.h - a platform table of real files and a virtual clock.
 *
 * It has no threads. The owner sets the clock. Reads take no time; the drive
 * emulator wraps the table and adds the time of reads. So the same files and
 * the same calls give the same run on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_PLATFORM_H
#define OFFLINE_PLAYER_PLAY_PLATFORM_H

#include "common/diag.h"

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct play_file;

struct play_platform {
    uint64_t clock_us; /* set by the owner; never decreases */
    /* private */
    struct diag *diag;
    struct play_file *files;
    uint32_t file_count;
    uint32_t file_capacity;
    spn_platform_completion completion;
    bool is_reading;
};

/* Set up the platform and fill `table`. It opens at most `file_capacity`
 * different files. Messages of the runtime become warnings of `diag`. */
void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        struct diag *diag, spn_platform *table);
void play_platform_finish(struct play_platform *platform);

#endif
