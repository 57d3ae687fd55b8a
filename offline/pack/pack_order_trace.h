/* pack_order_trace.h - orders of a pak by recorded reads of a game.
 *
 * Input: the files, their contents, and traces (read_trace.h): the reads of a
 * game, each of them in a scene, that is a named part of the game. Output: a
 * layout (pack_order.h). One thread. Three orders follow the reads:
 *
 *   first-use    (PACK_BY_FIRST_USE) by the first read of a content, trace
 *                after trace
 *   small-first  (PACK_BY_WINDOW) the same, but the reads of a trace are taken
 *                in windows of PACK_SMALL_FIRST_READS reads, and in each window
 *                small files come first. A slow drive then reads through fewer
 *                unwanted bytes
 *   scene        (PACK_BY_SCENE) scene after scene. Each scene has three
 *                groups: the files that it reads within READ_TRACE_AT_ONCE_US
 *                of its beginning, the files that it reads later, and the files
 *                that it reads in several pieces. The first group is sorted by
 *                the class of the deadline scheduler (sound, clip, stream,
 *                bulk). Within a class and in the second group, small files
 *                come first. Otherwise the first read decides
 *
 * In all three, a content that several scenes read lies in the first of them.
 * The other scenes get extra copies, so that they read it without a seek to the
 * first scene, as long as the budget of bytes lasts. The extra copies with the
 * most reads per byte are made first. Contents that no trace reads come last,
 * by name.
 *
 * The order `trace` (PACK_BY_TRIAL) chooses for given drives. A model estimates
 * how long each drive would take to serve the reads of the scenes, for each
 * order (order_time.h). Tried are the three orders above; with several traces,
 * a mix, in which each trace has its own of the three; and if no extra copy is
 * made, also the orders by name, type and size. For each drive, an order is
 * compared with the best one of that drive. The order whose largest
 * disadvantage is smallest is chosen. If several are within 1 % of that, the
 * first one of this list is chosen: scene, first-use, small-first, the mix,
 * name, type, size.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_TRACE_H
#define OFFLINE_PACK_PACK_ORDER_TRACE_H

#include "pack/pack_order.h"
#include "pack/read_trace.h"

#include <spindle/drive_profile.h>

/* Files below this are small: a seek takes longer than their transfer. */
#define PACK_SMALL_BYTES 32768u
/* The window of small-first. */
#define PACK_SMALL_FIRST_READS 32u

/* The input of an order by reads, besides the files. */
struct pack_traces {
    const struct read_trace *traces; /* paths are matched with names of files
                                      * as in common/path_match.h */
    const char *const *paths;        /* of the trace files, for messages */
    uint32_t count;
    double budget_percent; /* most bytes of extra copies, as a percentage of the
                            * bytes of all contents, both before compression */
    const spn_drive_profile *drives; /* for the order `trace` */
    uint32_t drive_count;            /* at most PACK_DRIVES_MAX */
};

/* Lay out by an order of reads. Paths of a trace that match no file are a
 * warning; a path that matches two files is refused. `out` is allocated in
 * files->arena. Returns false after a refusal. */
bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct pack_traces *traces,
                          enum pack_order order, struct pack_layout *out);

/* Remove the files that no trace names. Returns their number. */
uint32_t pack_order_keep_traced(struct pack_files *files,
                                const struct read_trace *traces,
                                uint32_t trace_count);

#endif
