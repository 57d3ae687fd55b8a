/* pack_order.h - choose the order in which contents lie in a pak.
 *
 * A content is the bytes that one or more equal files share. A place is a
 * position in the pak where a content is stored; the places of a content beyond
 * its first are copies. A scene is a part of the game, named in the traces.
 *
 * Input: the files, their contents (pack_contents.h) and traces of the game.
 * Output: a layout, the list of places that pak_writer.h writes. Three orders
 * need no trace:
 *
 *   name    by name
 *   type    by type, which is the text behind the last dot; then by name
 *   size    by size, then by name
 *
 * Three orders follow the traces; contents that no trace uses come last, by
 * name:
 *
 *   first-use    by first use, trace after trace
 *   small-first  the same, but among the first uses within
 *                PACK_SMALL_FIRST_READS consecutive reads of a trace small
 *                files come first. A slow drive then reads through fewer
 *                unwanted bytes.
 *   scene        scene after scene, and in each scene three groups: the files
 *                that it reads at once (READ_TRACE_AT_ONCE_US), the files that
 *                it reads later, and the files that it reads in several pieces.
 *                The first group is sorted by the class of the deadline
 *                scheduler (sound, clip, stream, bulk). Then, except in the
 *                third group, small files come before large ones; then the
 *                first use decides.
 *
 * In all three, a content that several scenes use lies in the first of them.
 * Within a budget of bytes the other scenes get copies, so that they read it
 * without a seek to the first scene. The copies with the most reads per byte
 * are made first.
 *
 * The order `trace` is the best for the given traces and drives: one of these
 * six, or a mix in which each trace has its own best order. It is found with a
 * model that reads the traces from each layout on each drive
 * (pack/order_time.h). The seven orders:
 *
 *   order        needs traces  has copies  tried by `trace`    rank at a tie
 *   name         no            no          if no copy is made  5
 *   type         no            no          if no copy is made  6
 *   size         no            no          if no copy is made  7
 *   first-use    yes           yes         yes                 2
 *   small-first  yes           yes         yes                 3
 *   scene        yes           yes         yes                 1
 *   trace        yes           yes         (the mix)           4
 *
 * Paths of a trace are matched with names as in common/path_match.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_H
#define OFFLINE_PACK_PACK_ORDER_H

#include "pack/pack_contents.h"
#include "pack/read_trace.h"

#include <spindle/drive_profile.h>

/* Files below this are small: a seek takes longer than their transfer. */
#define PACK_SMALL_BYTES 32768u
/* The window of small-first, in reads. Values from 16 to 512 are about equally
 * good for recordings of a real game. */
#define PACK_SMALL_FIRST_READS 32u

enum pack_order {
    PACK_BY_NAME,
    PACK_BY_TYPE,
    PACK_BY_SIZE,
    PACK_BY_SCENE,
    PACK_BY_FIRST_USE,
    PACK_BY_SMALL_FIRST,
    PACK_BY_TRACE, /* the best for the traces: one of these, or a mix */
    PACK_ORDERS
};
/* "name", "type", "size", "scene", "first-use", "small-first", "trace" */
extern const char *const pack_order_names[PACK_ORDERS];

#define PACK_DRIVES_MAX 8u

/* The estimated times of the orders that were tried. A stay in a scene is a
 * sequence of consecutive reads of that scene in a trace. A time is the sum,
 * over all stays, of the time until all reads of the stay have ended. */
struct pack_choice {
    enum pack_order order; /* the chosen one; PACK_BY_TRACE: a mix, in which
                            * each trace has its own order */
    uint32_t drive_count;  /* 0: no order was tried */
    uint64_t ready_us[PACK_ORDERS][PACK_DRIVES_MAX]; /* 0: not tried, or the
                                                      * drive's disc is too
                                                      * small */
};

struct pack_layout {
    uint32_t *contents; /* content of each place, in the order of the pak. A
                         * content with copies occurs several times */
    uint32_t count;     /* of places */
    uint32_t scene_count;
    uint32_t traced_files;     /* files that a trace names */
    uint32_t missing_files;    /* paths in traces that match no file */
    uint32_t copy_count;       /* places beyond the first one of a content */
    uint64_t copy_bytes;       /* of these, before compression */
    struct pack_choice choice; /* of an order by traces */
};

/* The input of an order by traces. */
struct pack_traces {
    const struct read_trace *traces;
    const char *const *paths; /* of the trace files, for messages */
    uint32_t count;
    double budget_percent; /* most bytes of copies, as a percentage of the bytes
                            * of all contents, both before compression */
    const spn_drive_profile *drives; /* for the model */
    uint32_t drive_count;            /* at most PACK_DRIVES_MAX */
};

/* Lay out by name, type or size. Empty contents have no place. */
void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out);

/* Lay out by traces. For PACK_BY_TRACE each order is compared on each drive
 * with the best order of that drive; the order whose worst result is best is
 * taken. If several are within 1 % of it, the lowest rank of the table at the
 * top decides. Paths of a trace that match no file are a warning; a path that
 * matches two files is refused. Returns false after a refusal. */
bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct pack_traces *traces,
                          enum pack_order order, struct pack_layout *out);

/* Remove the files that no trace names. Returns their number. */
uint32_t pack_order_keep_traced(struct pack_files *files,
                                const struct read_trace *traces,
                                uint32_t trace_count);

#endif
