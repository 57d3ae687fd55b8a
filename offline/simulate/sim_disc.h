/* sim_disc.h - a platform of a few files, on a virtual clock.
 *
 * Bytes of a file lie in memory, or are made up: then they follow from their
 * places. Reads take no time: the emulator around it says how long they take.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_DISC_H
#define OFFLINE_SIMULATE_SIM_DISC_H

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_DISC_PATH_BYTES 16u

struct sim_disc_file {
    char path[SIM_DISC_PATH_BYTES];
    const uint8_t *data; /* NULL: made up */
    uint64_t bytes;
};

struct sim_disc {
    const struct sim_disc_file *files;
    uint32_t file_count;
    uint64_t clock_us; /* the owner's */
    /* private */
    spn_platform_completion completion;
    bool is_reading;
};

/* The files and their data must outlive the disc. */
void sim_disc_init(struct sim_disc *disc, const struct sim_disc_file *files,
                   uint32_t file_count, spn_platform *table);
/* What is made up for `offset`. */
void sim_disc_fill(uint64_t offset, uint8_t *out, uint64_t bytes);
bool sim_disc_is_equal(uint64_t offset, const uint8_t *data, uint64_t bytes);

#endif
