/* pack_order_uses.h - finds the contents that each scene of the traces uses,
 * and chooses the ones that get extra copies.
 *
 * A use is a content in a scene. The first use of a content in all traces has
 * its first copy. Each other use may get an extra copy, in the order of reads
 * saved per byte, while the budget lasts. pack_order_trace.c sorts the uses to
 * a layout. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_USES_H
#define OFFLINE_PACK_PACK_ORDER_USES_H

#include "common/path_match.h"
#include "pack/pack_order_trace.h"
#include "schedule/deadline.h"
#include "schedule/tasks.h"

/* When a scene reads a content. */
enum use_time {
    USED_AT_ONCE, /* within READ_TRACE_AT_ONCE_US of the scene's first read */
    USED_LATER,
    USED_STREAMED /* in several pieces: some read begins at an offset > 0 */
};

/* A content in a scene. */
struct use {
    uint64_t bytes;      /* size of the content */
    uint64_t read_count; /* reads of the scene, all traces */
    uint32_t scene;      /* number of the scene, over all traces */
    uint32_t trace;      /* index of the first trace that has the scene */
    uint32_t first;      /* number of its first read, counted over all traces */
    uint32_t content;
    enum use_time time;
    enum deadline_class class; /* of the first read */
    bool has_copy;             /* a copy is laid out for this scene */
    uint32_t copy;             /* if has_copy: index in the layout */
};

struct pack_uses {
    const struct pack_files *files;
    const struct pack_contents *contents;
    const struct pack_traces *traces;
    struct arena arena; /* holds all arrays */
    struct use *uses;   /* by scene, then by content */
    uint32_t count;
    struct use **order; /* the same, to be sorted otherwise */
    uint8_t *is_used;   /* of each content: a scene uses it */
    uint32_t **found;   /* of each trace, of each path: file, or PAK_NONE */
    uint32_t *scenes;   /* numbers of the scenes of all traces, in a row */
    uint32_t *trace_of; /* of each scene number: the first trace that has it */
    uint32_t scene_count;    /* distinct scenes */
    struct pack_layout *out; /* receives counts */
    struct tasks tasks;      /* classes of task types */
    struct path_match match; /* of the files' names */
    uint8_t *is_traced;      /* of each file: a trace names it */
};

/* Find the uses of all traces and assign copies. Returns false after
 * a refusal. Call pack_uses_free in any case. */
bool pack_uses_find_all(struct pack_uses *uses, const struct pack_files *files,
                        const struct pack_contents *contents,
                        const struct pack_traces *traces,
                        struct pack_layout *out);
void pack_uses_free(struct pack_uses *uses);

/* Find the use of a content in a scene; NULL: there is none. */
const struct use *pack_uses_find(const struct pack_uses *uses, uint32_t scene,
                                 uint32_t content);

#endif
