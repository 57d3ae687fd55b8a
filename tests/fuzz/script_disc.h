/* script_disc.h - the disc of fuzz_runtime: files whose bytes are known, a
 * cache and a pak, on a platform that is as slow and as broken as it is told.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_DISC_H
#define TESTS_FUZZ_SCRIPT_DISC_H

#include "support/slow_platform.h"

#include <spindle/spindle.h>

/* Vertices of the largest mesh of the cache. */
#define SCRIPT_VERTICES 60u

enum script_file {
    SCRIPT_HARD_DISK,
    SCRIPT_OPTICAL,
    SCRIPT_MEMORY,
    SCRIPT_STORED, /* in the pak */
    SCRIPT_PACKED, /* in the pak, compressed, of two blocks */
    SCRIPT_NONE,   /* nowhere */
    SCRIPT_CACHE,
    SCRIPT_PAK,
    SCRIPT_FILES,
    SCRIPT_ANY /* one of these: nobody knows which bytes */
};

struct script_disc {
    struct slow_platform slow; /* first: its table's user is both */
    bool has_flipped;          /* a bit of the pak or of the cache */
    uint32_t step_us;          /* that the clock goes on by with each look */
    spn_status (*read_poll)(void *user, spn_platform_completion *out,
                            uint64_t *due_us);
};

/* A fresh disc, and a config with its platform and what `bits` say of media.
 */
void script_disc_open(struct script_disc *disc, uint8_t bits,
                      spn_config *config);
const char *script_disc_path(enum script_file file);

/* From now on the clock goes on by so much with each look. */
void script_disc_run(struct script_disc *disc, uint32_t step_us);
void script_disc_slow(struct script_disc *disc, uint8_t bits);
/* Order a fault. Bits flip only where checksums see it. */
void script_disc_break(struct script_disc *disc, uint8_t kind, uint8_t bits,
                       uint16_t value);

/* The claim fails unless these are the file's bytes at `offset`. */
void script_disc_compare(const struct script_disc *disc, enum script_file file,
                         uint64_t offset, const uint8_t *data, uint64_t bytes);

#endif
