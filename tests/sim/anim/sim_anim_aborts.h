/* sim_anim_aborts.h - reads of clips that end before their bytes have come.
 *
 * A caller that stops to want what is being read, and unloads it, or wants it
 * again before its aborted read has ended; and an engine that aborts a read by
 * its handle, which a listener is told, on any thread. An abort counts only if
 * the read had not ended: then it ends as aborted, which is checked at the end
 * of the run. Random numbers have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_ANIM_SIM_ANIM_ABORTS_H
#define TESTS_SIM_ANIM_SIM_ANIM_ABORTS_H

#include "harness.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* More than there are reads. */
#define SIM_ANIM_ABORTED 64u

struct sim;

struct sim_anim_aborts {
    struct test_random random;
    uint32_t unloaded; /* reads that an unload has aborted */
    uint32_t by_handle;
    uint32_t failed; /* events of loads that failed as aborted */
    bool has_cut;    /* a read was aborted by its handle */
    /* These reads; one that has ended may be replaced. */
    spn_read handles[SIM_ANIM_ABORTED];
};

void sim_anim_aborts_init(struct sim *sim);
/* The caller's aborts of a frame, and those of another thread. */
void sim_anim_aborts_frame(struct sim *sim);
void sim_anim_aborts_thread(struct sim *sim);

/* Reads of a clip's own bytes, or of a database, that have neither ended nor
 * been aborted. */
uint32_t sim_anim_aborts_count(const struct sim *sim, bool is_database,
                               uint32_t owner);
/* As many reads are aborted by an unload. */
void sim_anim_aborts_add(struct sim *sim, uint32_t reads);
/* Whether it is explained that something failed as aborted. */
bool sim_anim_aborts_are_legal(const struct sim *sim);
/* Everything has ended: each abort was one. */
void sim_anim_aborts_check(struct sim *sim);

#endif
