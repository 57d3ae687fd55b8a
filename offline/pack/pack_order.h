/* pack_order.h - in which order contents lie in a pak.
 *
 * By name, by type (what follows the last dot) and name, by size and name; or
 * by traces: scene after scene. In each comes first what it wants at once, by
 * the classes of the scheduler (sounds, clips, streams, bulk); then what it
 * wants later; then what is streamed. What is small comes first among its like,
 * and of equals what is used first. What no trace names comes last, by name.
 * A trace's path may be longer than a file's name, or end it
 * (common/path_match.h).
 *
 * What several scenes use lies in the first of them. Within a budget it lies
 * in the others, too: first where it saves most reads for its bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_H
#define OFFLINE_PACK_PACK_ORDER_H

#include "pack/pack_contents.h"
#include "pack/read_trace.h"

/* Files below this are small: their transfer is nothing beside a seek. */
#define PACK_SMALL_BYTES 32768u

enum pack_order { PACK_BY_NAME, PACK_BY_TYPE, PACK_BY_SIZE, PACK_BY_TRACE };

struct pack_layout {
    uint32_t *contents; /* in the order of their places; some more than once */
    uint32_t count;
    uint32_t scene_count;
    uint32_t traced_files;  /* named by a trace */
    uint32_t missing_files; /* named by a trace, and not among the files */
    uint32_t copy_count;    /* places beyond the first of a content */
    uint64_t copy_bytes;    /* before compression */
};

/* Contents of no bytes have no place. `order` is none by traces. */
void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out);

/* `budget_percent` of all contents' bytes may be copied, both counted before
 * compression. A trace that names what is not among the files is a warning;
 * one that may mean either of two is refused. */
bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct read_trace *traces,
                          const char *const *trace_paths, uint32_t trace_count,
                          double budget_percent, struct pack_layout *out);

/* Leave out the files that no trace names. Returns how many. */
uint32_t pack_order_keep_traced(struct pack_files *files,
                                const struct read_trace *traces,
                                uint32_t trace_count);

#endif
