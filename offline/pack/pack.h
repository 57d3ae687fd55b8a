/* pack.h - files in, pak out. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_H
#define OFFLINE_PACK_PACK_H

#include "pack/pak_writer.h"

/* Of zstd. Between levels 1 and 19 it saves two thirds of the bytes that 19
 * saves, in a tenth of its time: 5,873,664 bytes, 5,330,944 (0.22 s of a
 * processor), 5,052,416 (2.25 s) of this tool and its sources. */
#define PACK_LEVEL 9u

struct pack_options {
    const char *const *inputs;
    uint32_t input_count;
    const char *output;
    const char *prefix; /* NULL or "": none */
    uint32_t codec;     /* SPN_CODEC_STORE ... */
    uint32_t level;     /* of codecs that have levels; 0: PACK_LEVEL */
    const struct pack_rule *rules;
    uint32_t rule_count;
    enum pack_order order;
    const char *const *traces; /* of an order by traces: one or more */
    uint32_t trace_count;
    const spn_drive_profile *drives; /* that PACK_BY_TRACE chooses for: one to
                                      * PACK_DRIVES_MAX */
    uint32_t drive_count;
    bool is_traced_only;
    const char *const *without; /* paks */
    uint32_t without_count;
    double duplicate_percent; /* of the contents' bytes */
    uint32_t jobs;
    bool is_strict;
    bool skips_odd; /* files of odd names are left out (pak_names.h) */
    void (*progress)(void *user, double done); /* NULL: none */
    void *progress_user;
};

struct pack_report {
    struct pak_written written; /* lies in the arena */
    struct pack_layout layout;
    uint32_t left_out_count; /* because another pak has them */
    uint64_t left_out_bytes;
    uint32_t untraced_count; /* left out because no trace names them */
};

/* `arena` holds what the report points to. False after a refusal. */
bool pack_run(const struct pack_options *options, struct arena *arena,
              struct diag *diag, struct pack_report *report);

#endif
