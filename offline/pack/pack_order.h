/* pack_order.h - the order in which contents lie in a pak.
 *
 * A content is the bytes that one or more equal files share (pack_contents.h).
 * A copy of a content is its bytes at one position in the pak. Most contents
 * have one copy. A content that several scenes of a game read can have extra
 * copies, so that each scene finds it beside its other files. A drive reads
 * without seeks if copies lie in the order in which the game reads them.
 *
 * The result is a layout: the list of copies that pak_writer.h writes. This
 * module makes the orders that need only the files. pack_order_trace.h makes
 * those that need traces, which are recorded reads of a game. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_H
#define OFFLINE_PACK_PACK_ORDER_H

#include "pack/pack_contents.h"

#include <stdint.h>

enum pack_order {
    /* Orders that need only the files. They have no extra copies. */
    PACK_BY_NAME,
    PACK_BY_TYPE, /* by the text behind the last dot, then by name */
    PACK_BY_SIZE, /* small files first; then by name */
    /* Orders that need traces (pack_order_trace.h). */
    PACK_BY_SCENE,     /* scene after scene; in a scene, first the files that it
                        * reads at its beginning */
    PACK_BY_FIRST_USE, /* by the first read of each content */
    PACK_BY_WINDOW,    /* the same in windows of PACK_SMALL_FIRST_READS reads;
                        * in each window, small files first */
    /* Not an order: try all of them by a model of given drives, and take the
     * best one. */
    PACK_BY_TRIAL,
    PACK_ORDERS
};
/* The names of the option --order: "name", "type", "size", "scene",
 * "first-use", "small-first" (PACK_BY_WINDOW), "trace" (PACK_BY_TRIAL). */
extern const char *const pack_order_names[PACK_ORDERS];

#define PACK_DRIVES_MAX 8u

/* How PACK_BY_TRIAL has chosen an order. */
struct pack_choice {
    enum pack_order order; /* the chosen one; PACK_BY_TRIAL: a mix, in which
                            * each trace has its own order */
    uint32_t drive_count;  /* drives in estimate_us; 0: the order was given, and
                            * none was tried */
    /* For each order and drive: the estimated time in which the drive would
     * serve the reads of the scenes (order_time_us), summed over all traces.
     * Smaller is better. 0: the order was not tried, or the disc of the drive
     * is too small. Row PACK_BY_TRIAL is the mix. */
    uint64_t estimate_us[PACK_ORDERS][PACK_DRIVES_MAX];
};

struct pack_layout {
    /* The content of each copy, in the order of the pak. A content with extra
     * copies occurs several times; an empty content does not occur. */
    uint32_t *contents;
    uint32_t count; /* of all copies */

    /* Facts for the report. Set by an order that needs traces, otherwise 0. */
    uint32_t scene_count;   /* distinct scenes of all traces */
    uint32_t traced_files;  /* files that a trace names */
    uint32_t missing_files; /* paths in traces that match no file */
    uint32_t extra_count;   /* extra copies */
    uint64_t extra_bytes;   /* of the extra copies, before compression */
    struct pack_choice choice;
};

/* Lay out by name, type or size. `out` is allocated in files->arena. */
void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out);

#endif
