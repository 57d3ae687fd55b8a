/* read_list.c - linked lists of requests. */
/* SPDX-License-Identifier: MIT */
#include "read/read_list.h"

#include "read/engine.h"

void spn__read_list_add(struct io *io, struct read_list *list, uint32_t index)
{
    io->requests[index].next = IO_NONE;
    if (list->count++ == 0)
        list->first = index;
    else
        io->requests[list->last].next = index;
    list->last = index;
}

bool spn__read_list_pop(struct io *io, struct read_list *list, uint32_t *index)
{
    if (list->count == 0)
        return false;
    *index = list->first;
    list->first = io->requests[*index].next;
    list->count--;
    return true;
}

void spn__read_list_take_if(struct io *io, struct read_list *list,
                            queue_leaves_fn leaves, void *mover)
{
    uint32_t count = list->count;

    while (count-- > 0) {
        uint32_t index = IO_NONE;

        (void)spn__read_list_pop(io, list, &index);
        if (!leaves(mover, index))
            spn__read_list_add(io, list, index);
    }
}
