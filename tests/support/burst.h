/* burst.h - enter a scene: request its 220 files at once.
 *
 * The files of a scene of the generated game (simulate/workload.h, in order of
 * scenes with copies) lie side by side on the disc of the Xbox 360, as `spindle
 * pack --order` places them. A runtime without threads reads them in virtual
 * time. Every byte is compared.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BURST_H
#define TESTS_BURST_H

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

enum burst_kind {
    BURST_PLAIN,  /* entries of a pak, stored uncompressed */
    BURST_PACKED, /* entries of a pak, by lz4hc */
    BURST_LOOSE,  /* files by path */
    BURST_KINDS
};
extern const char *const burst_names[BURST_KINDS];

struct burst {
    uint64_t read_us;     /* from the requests to the last completion */
    uint64_t transfer_us; /* the part of it that transfers stored bytes: a lower
                           * bound */
    spn_emulator_stats drive; /* the drive's work during the burst */
    spn_medium_stats medium;
};

struct burst_config {
    enum burst_kind kind;
    uint32_t scene;          /* 0 to 23; a higher scene lies further from the
                              * disc's centre */
    bool is_typed;           /* each file has the task class of its kind;
                              * otherwise all are textures */
    bool comes_from_outside; /* the head starts outside of the scene; otherwise
                              * inside */
    bool has_others;         /* 60 files that the burst does not read lie
                              * between its files */
    bool is_packed_by_trace; /* files lie as `pack --order` places them by a
                              * trace of the same reads: sounds first, files
                              * outside of the burst last. Otherwise as in the
                              * generated game */
    bool has_deadlines;      /* with deadlines that no drive can meet */
    bool has_neighbours;     /* the pak also has the scenes before and after,
                          * ordered by a trace of all three: a file of several
                          * scenes has a copy in each */
};

void burst_run(const struct burst_config *config, struct burst *out);

#endif
