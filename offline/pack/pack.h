/* pack.h - write files into a pak: the verb `pack`.
 *
 * Input: files, folders, paks and traces. Steps: list the files (pack_files),
 * find equal contents (pack_contents), choose their order (pack_order), write
 * (pak_writer). Output: a pak file and a report.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_H
#define OFFLINE_PACK_PACK_H

#include "pack/pack_order_trace.h"
#include "pack/pak_writer.h"

/* The default level of zstd: higher ones take several times as long for a few
 * percent of the bytes. */
#define PACK_LEVEL 9u

struct pack_options {
    const char *const *inputs;
    uint32_t input_count;
    const char *output;
    const char *prefix; /* before every name; NULL or "": none */
    uint32_t codec;     /* SPN_CODEC_STORE ... */
    uint32_t level;     /* of codecs that have levels; 0: PACK_LEVEL */
    const struct pack_rule *rules;
    uint32_t rule_count;
    enum pack_order order;
    const char *const *traces; /* paths; at least one for an order by traces */
    uint32_t trace_count;
    const spn_drive_profile *drives; /* for which PACK_BY_TRIAL chooses */
    uint32_t drive_count;            /* 1..PACK_DRIVES_MAX */
    bool is_traced_only;             /* leave out files that no trace names */
    const char *const *without; /* paks; leave out the files that they have */
    uint32_t without_count;
    double duplicate_percent; /* most bytes of copies, of all contents' bytes */
    uint32_t jobs;
    bool is_strict;    /* refuse where a warning would be printed */
    bool skips_flawed; /* leave out files whose names have a flaw (pak_names.h)
                        */
    void (*progress)(void *user, double done); /* NULL: none */
    void *progress_user;
};

struct pack_report {
    struct pak_written written; /* its memory is in the arena */
    struct pack_layout layout;
    uint32_t left_out_count; /* because another pak has them */
    uint64_t left_out_bytes;
    uint32_t untraced_count; /* left out because no trace names them */
};

/* Run. The report points into `arena`. Returns false after a refusal. */
bool pack_run(const struct pack_options *options, struct arena *arena,
              struct diag *diag, struct pack_report *report);

#endif
