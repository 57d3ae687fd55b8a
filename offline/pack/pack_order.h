/* pack_order.h - the order in which contents lie in a pak.
 *
 * A content is the bytes that one or more equal files share (pack_contents.h).
 * A drive reads without seeks if contents lie in the order in which the game
 * reads them. The result is a layout: the list of places that pak_writer.h
 * writes. A place is a position in the pak where a content is stored. Most
 * contents have one place; the further places of a content are its copies.
 *
 * This module makes the orders that need only the files. pack_order_trace.h
 * makes those that follow the reads of a game.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_H
#define OFFLINE_PACK_PACK_ORDER_H

#include "pack/pack_contents.h"

#include <stdint.h>

enum pack_order {
    /* Of the files; without copies. */
    PACK_BY_NAME,
    PACK_BY_TYPE, /* by the text behind the last dot, then by name */
    PACK_BY_SIZE, /* small files first; then by name */
    /* Of the reads of a game (pack_order_trace.h). */
    PACK_BY_SCENE,
    PACK_BY_FIRST_USE,
    PACK_BY_SMALL_FIRST,
    PACK_BY_TRACE,
    PACK_ORDERS
};
/* "name", "type", "size", "scene", "first-use", "small-first", "trace" */
extern const char *const pack_order_names[PACK_ORDERS];

#define PACK_DRIVES_MAX 8u

/* How PACK_BY_TRACE has chosen an order. */
struct pack_choice {
    enum pack_order order; /* the chosen one; PACK_BY_TRACE: a mix, in which
                            * each trace has its own order */
    uint32_t drive_count;  /* drives in ready_us; 0: the order was given, and
                            * none was tried */
    /* For each order and drive: the time that the traces wait for their reads
     * (order_time_us), summed over all traces. 0: the order was not tried, or
     * the disc of the drive is too small. */
    uint64_t ready_us[PACK_ORDERS][PACK_DRIVES_MAX];
};

struct pack_layout {
    uint32_t *contents; /* the content of each place, in the order of the pak. A
                         * content with copies occurs several times; an empty
                         * content has no place */
    uint32_t count;     /* of places */

    /* Of an order by reads, otherwise 0. */
    uint32_t scene_count;
    uint32_t traced_files;  /* files that a trace names */
    uint32_t missing_files; /* paths in traces that match no file */
    uint32_t copy_count;
    uint64_t copy_bytes; /* before compression */
    struct pack_choice choice;
};

/* Lay out by name, type or size. `out` is allocated in files->arena. */
void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out);

#endif
