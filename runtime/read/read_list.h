/* read_list.h - reads in a row, first in, first out.
 *
 * The lists of the engine hold the reads of one stage each, linked by the
 * `next` of their requests: a read is in one list at most. Owner: the owner of
 * the stage.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_READ_LIST_H
#define SPN_READ_READ_LIST_H

#include "schedule/queue.h"

#include <stdbool.h>
#include <stdint.h>

struct io;

struct read_list {
    uint32_t first; /* meaningless while count is 0, as `last` */
    uint32_t last;
    uint32_t count;
};

/* Append a read. */
void spn__read_list_add(struct io *io, struct read_list *list, uint32_t index);
/* Take the first. False when the list is empty. */
bool spn__read_list_pop(struct io *io, struct read_list *list, uint32_t *index);
/* Take out every read for which `leaves` returns true; its context is `mover`.
 * The call may put the read into another list, but not touch this one. */
void spn__read_list_take_if(struct io *io, struct read_list *list,
                            queue_leaves_fn leaves, void *mover);

#endif
