/* sim_anim_pak.h - clips as a game ships them: image, databases, clips and
 * skeletons in a pak.
 *
 * In some seeds these files are only in a pak. The caller mounts it before it
 * opens the image, and again when it could not be mounted. Now and then it
 * unmounts the pak while clips are read: reads that have begun go on, files
 * that are not open cannot be opened until the pak is back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_ANIM_SIM_ANIM_PAK_H
#define TESTS_SIM_ANIM_SIM_ANIM_PAK_H

#include "harness.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_anim_pak {
    struct test_random random;
    bool is_on;
    spn_pak pak;       /* 0: not mounted */
    uint32_t unmounts; /* also of one that could not be mounted */
};

void sim_anim_pak_init(struct sim *sim);
void sim_anim_pak_add_sizes(const struct sim *sim, spn_config *config);
/* Mount it, or unmount it now and then. True if its files can be opened, or the
 * seed has no pak. */
bool sim_anim_pak_frame(struct sim *sim);
void sim_anim_pak_close(struct sim *sim);
/* Whether a file of the disc is not there, because the pak has it. */
bool sim_anim_pak_has(const struct sim *sim, uint32_t file);

#endif
