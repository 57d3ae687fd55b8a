/* burst.h - a scene is entered, and its 220 files are wanted at once.
 *
 * The files of a scene of the made up game (simulate/workload.h, in order of
 * scenes with copies) lie side by side on the disc of the Xbox 360, as `spindle
 * pack --order` would lay them out. A runtime without threads reads them in
 * virtual time, and every byte is looked at.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BURST_H
#define TESTS_BURST_H

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

enum burst_kind {
    BURST_PLAIN,  /* entries of a pak, stored */
    BURST_PACKED, /* the same, by lz4hc */
    BURST_LOOSE,  /* files by path */
    BURST_KINDS
};
extern const char *const burst_names[BURST_KINDS];

struct burst {
    uint64_t read_us;     /* from all that is asked for to all that is there */
    uint64_t transfer_us; /* of that, moving what is stored: the bound */
    spn_emulator_stats drive; /* of the burst alone */
    spn_medium_stats medium;
};

struct burst_config {
    enum burst_kind kind;
    uint32_t scene;          /* of 24, from the inside out */
    bool is_typed;           /* each file's task is that of its kind, else all
                              * are textures */
    bool comes_from_outside; /* the head, else from the inside */
    bool has_others;         /* between them lie 60 that are not wanted */
    bool is_packed_by_trace; /* the files lie as `pack --order` has them, of a
                              * trace of the same reads: sounds first, and the
                              * others later. Else as the game has them */
    bool has_deadlines;      /* near ones, which no drive can keep */
    bool has_neighbours; /* the scenes before and after it lie in the pak, too,
                          * laid out by a trace of all three: what several want
                          * has a copy in each */
};

void burst_run(const struct burst_config *config, struct burst *out);

#endif
