/* pack_order.h - in which order contents lie in a pak.
 *
 * By name, by type (what follows the last dot) and name, by size and name; or
 * by traces, in one of three orders. By first use, trace after trace. The same
 * with what is small first among the first uses within PACK_ROW_READS reads in
 * a row: the drive passes over less that a slow one would have to read past. Or
 * by scene: scene after scene, and in each comes first what it wants at once,
 * by the classes of the scheduler (sounds, clips, streams, bulk); then what it
 * wants later; then what is streamed; what is small comes first among its like,
 * and of equals what is used first. What no trace names comes last, by name. A
 * trace's path may be longer than a file's name, or end it
 * (common/path_match.h).
 *
 * What several scenes use lies in the first of them. Within a budget it lies
 * in the others, too: first where it saves most reads for its bytes.
 *
 * Which of all these orders is best is found out by reading the traces from
 * drives, in a model (pack/order_time.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_H
#define OFFLINE_PACK_PACK_ORDER_H

#include "pack/pack_contents.h"
#include "pack/read_trace.h"

#include <spindle/drive_profile.h>

/* Files below this are small: their transfer is nothing beside a seek. */
#define PACK_SMALL_BYTES 32768u
/* Of 16 to 512 all are about as good for the recordings of a real game. */
#define PACK_ROW_READS 32u

enum pack_order {
    PACK_BY_NAME,
    PACK_BY_TYPE,
    PACK_BY_SIZE,
    PACK_BY_SCENE,
    PACK_BY_FIRST_USE,
    PACK_BY_SMALL_FIRST,
    PACK_BY_TRACE, /* the best of all these, for the traces */
    PACK_ORDERS
};
/* "name", "type", "size", "scene", "first-use", "small-first", "trace" */
extern const char *const pack_order_names[PACK_ORDERS];

#define PACK_DRIVES_MAX 8u

/* What was found of the orders: for each drive the sum of the times, us, until
 * a scene that is entered is ready. */
struct pack_choice {
    enum pack_order order; /* the one that was taken. PACK_BY_TRACE: not the
                            * same for all traces */
    uint32_t drive_count;  /* 0: none was tried */
    uint64_t ready_us[PACK_ORDERS][PACK_DRIVES_MAX]; /* 0: was not tried */
};

struct pack_layout {
    uint32_t *contents; /* in the order of their places; some more than once */
    uint32_t count;
    uint32_t scene_count;
    uint32_t traced_files;     /* named by a trace */
    uint32_t missing_files;    /* named by a trace, and not among the files */
    uint32_t copy_count;       /* places beyond the first of a content */
    uint64_t copy_bytes;       /* before compression */
    struct pack_choice choice; /* by traces */
};

/* What a layout by traces is made from. */
struct pack_traces {
    const struct read_trace *traces;
    const char *const *paths; /* for messages */
    uint32_t count;
    double budget_percent; /* of all contents' bytes may be copied, both counted
                            * before compression */
    const spn_drive_profile *drives; /* that a choice is for */
    uint32_t drive_count;            /* at most PACK_DRIVES_MAX */
};

/* Contents of no bytes have no place. `order` is none by traces. */
void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out);

/* `order` is one by traces. PACK_BY_TRACE takes the best over the drives: the
 * one that comes off least worse than the best of each drive, of about equals
 * (1 %) the first of scene, first use, small first, name, type and size; the
 * latter three have no copies, and are not tried where there is a budget for
 * them. A trace that names what is not among the files is a warning; one that
 * may mean either of two is refused. */
bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct pack_traces *traces,
                          enum pack_order order, struct pack_layout *out);

/* Leave out the files that no trace names. Returns how many. */
uint32_t pack_order_keep_traced(struct pack_files *files,
                                const struct read_trace *traces,
                                uint32_t trace_count);

#endif
