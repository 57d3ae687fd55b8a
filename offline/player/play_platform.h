/* play_platform.h - real files behind a virtual clock, on a machine without
 * threads.
 *
 * Time stands still until the caller moves it, and reads take none: how long
 * they take is for the emulator around this table to say. The same files and
 * the same calls give the same run, whatever the machine does meanwhile.
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
    uint64_t clock_us; /* the caller's */
    /* private */
    struct diag *diag;
    struct play_file *files;
    uint32_t file_count;
    uint32_t file_capacity;
    spn_platform_completion completion;
    bool is_reading;
};

/* `file_capacity` different files at most. What is logged becomes warnings. */
void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        struct diag *diag, spn_platform *table);
void play_platform_finish(struct play_platform *platform);

#endif
