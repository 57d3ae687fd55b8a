/* read_list.h - lists of reads, first in, first out.
 *
 * Each list has the reads of one stage, linked by `next` of their requests, so
 * a read is in one list at most. Thread: the owner of the stage.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_READ_LIST_H
#define SPN_READ_READ_LIST_H

#include "schedule/queue.h"

#include <stdbool.h>
#include <stdint.h>

struct io;

struct read_list {
    uint32_t first; /* undefined if count is 0; so is `last` */
    uint32_t last;
    uint32_t count;
};

/* Append a read. */
void spn__read_list_add(struct io *io, struct read_list *list, uint32_t index);
/* Take the first read. Returns false if the list is empty. */
bool spn__read_list_pop(struct io *io, struct read_list *list, uint32_t *index);
/* Take out every read for which leaves(mover, read) returns true. `leaves` may
 * put the read into another list, but must not change this one. */
void spn__read_list_take_if(struct io *io, struct read_list *list,
                            queue_leaves_fn leaves, void *mover);

#endif
