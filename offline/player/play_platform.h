/* play_platform.h - a platform table of real files and a virtual clock.
 *
 * It is the table of sim_disc.h, with files that are mapped when the runtime
 * opens them. It has no threads. The owner sets the clock, disc.clock_us. Reads
 * take no time; the drive emulator wraps the table and adds the time of reads.
 * So the same files and the same calls give the same run on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_PLATFORM_H
#define OFFLINE_PLAYER_PLAY_PLATFORM_H

#include "common/arena.h"
#include "common/diag.h"
#include "simulate/sim_disc.h"

#include <spindle/platform.h>
#include <stdint.h>

struct play_file;

struct play_platform {
    struct sim_disc disc; /* the clock and the current read; first, since `user`
                           * of the table points to it */
    /* private */
    struct arena *arena;
    struct diag *diag;
    struct play_file *files;        /* open ones: disc.file_count */
    struct sim_disc_file *contents; /* the same, as the disc reads them */
    uint32_t file_capacity;
};

/* Set up the platform and fill `table`. It opens at most `file_capacity`
 * different files. Messages of the runtime become warnings of `diag`. */
void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        struct arena *arena, struct diag *diag,
                        spn_platform *table);
void play_platform_finish(struct play_platform *platform);

#endif
