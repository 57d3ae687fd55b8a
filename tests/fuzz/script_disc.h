/* script_disc.h - the disc of fuzz_runtime: files with known bytes, a cache and
 * a pak, on a platform with scripted delays and faults.
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
    SCRIPT_STORED, /* entry of the pak */
    SCRIPT_PACKED, /* entry of the pak, compressed, with two blocks */
    SCRIPT_NONE,   /* does not exist */
    SCRIPT_CACHE,
    SCRIPT_PAK,
    SCRIPT_FILES,
    SCRIPT_ANY /* any of these; its bytes are unknown */
};

struct script_disc {
    struct slow_platform slow; /* first member: the table's user points to
                                * both */
    bool has_flipped;          /* a bit of the pak or of the cache was
                                * flipped */
    uint32_t step_us;          /* time that passes with each reading of the
                                * clock */
    spn_status (*read_poll)(void *user, spn_platform_completion *out,
                            uint64_t *due_us);
};

/* Make a disc, and a config with its platform. `bits` choose the media.
 */
void script_disc_open(struct script_disc *disc, uint8_t bits,
                      spn_config *config);
const char *script_disc_path(enum script_file file);

/* From now on the clock advances by `step_us` with each reading. */
void script_disc_run(struct script_disc *disc, uint32_t step_us);
void script_disc_slow(struct script_disc *disc, uint8_t bits);
/* Add a fault. Bits are flipped only where checksums detect it. */
void script_disc_break(struct script_disc *disc, uint8_t kind, uint8_t bits,
                       uint16_t value);

/* The claim fails unless these are the file's bytes at `offset`. */
void script_disc_compare(const struct script_disc *disc, enum script_file file,
                         uint64_t offset, const uint8_t *data, uint64_t bytes);

#endif
