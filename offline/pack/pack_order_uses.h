/* pack_order_uses.h - what the scenes of traces do with contents.
 *
 * A use is a content in a scene, with its first read and how many there were. A
 * content's first use is its place; each other one is a wish for a copy,
 * granted by reads saved for a byte while the budget lasts.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_ORDER_USES_H
#define OFFLINE_PACK_PACK_ORDER_USES_H

#include "common/path_match.h"
#include "pack/pack_order.h"
#include "schedule/deadline.h"
#include "schedule/tasks.h"

/* What a scene wants at once is swept up in one go, and nothing else lies
 * between; what sounds is wanted soonest. */
enum part { PART_AT_ONCE, PART_LATER, PART_STREAMED };

/* A content in a scene. */
struct use {
    uint64_t bytes;
    uint64_t read_count;
    uint32_t scene;
    uint32_t trace; /* the first that has the scene */
    uint32_t first; /* counted over all traces */
    uint32_t content;
    enum part part;
    enum deadline_class class; /* of what is wanted at once */
    bool has_place;            /* in this scene */
    uint32_t place;            /* then which one of the layout */
};

struct pack_uses {
    const struct pack_files *files;
    const struct pack_contents *contents;
    const struct pack_traces *traces;
    struct arena arena;
    struct use *uses; /* by scene, in each by content */
    uint32_t count;
    struct use **order; /* the same, to be sorted */
    uint8_t *has_place; /* each content: some scene uses it */
    uint32_t **found;   /* of each trace, of each path: the file, or PAK_NONE */
    uint32_t *scenes;   /* of each trace in a row: numbers over all of them */
    uint32_t *trace_of; /* each of these: the first trace that has it */
    uint32_t scene_count;
    struct pack_layout *out; /* its counts */
    struct tasks tasks;
    struct path_match match; /* of the files' names */
    uint8_t *is_traced;      /* each file */
};

/* Count the uses of all traces, and grant copies. False after a refusal; free
 * them in any case. */
bool pack_uses_gather(struct pack_uses *uses, const struct pack_files *files,
                      const struct pack_contents *contents,
                      const struct pack_traces *traces,
                      struct pack_layout *out);
void pack_uses_free(struct pack_uses *uses);

/* A scene's use of a content; it has one. */
const struct use *pack_uses_find(const struct pack_uses *uses, uint32_t scene,
                                 uint32_t content);

#endif
