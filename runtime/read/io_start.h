/* io_start.h - from a description to a slot in the inbox. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_START_H
#define SPN_READ_IO_START_H

#include "base/heap.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* How an internal read ends: on the caller's thread, inside spn__io_finish. */
struct io_result {
    spn_read read;
    spn_status status;
    uint64_t bytes;
};
typedef void (*io_done_fn)(void *context, uint32_t argument,
                           const struct io_result *result);

/* A read of the runtime's own modules: into a buffer, or scattered over the
 * extents of a heap block (which stays live until the completion). */
struct io_read {
    spn_file file;
    uint64_t offset;
    uint64_t bytes; /* exact; > 0 */
    void *buffer;   /* or NULL: then `block` */
    heap_handle block;
    uint32_t block_offset; /* of the first byte in the block */
    bool is_doubtful;      /* bytes before it were bad: its first page is read
                            * alone, and tried once */
    spn_priority priority;
    spn_task task;
    uint64_t deadline_us;
    io_done_fn on_done;
    void *context;
    uint32_t argument;
};

/* Any thread, with a buffer; into a block, the heap's owner. */
SPN_NODISCARD spn_status spn__io_start(struct io *io,
                                       const struct io_read *read,
                                       spn_read *out);
SPN_NODISCARD spn_status spn__io_read_start(struct io *io,
                                            const spn_read_desc *desc,
                                            spn_read *out);
SPN_NODISCARD spn_status spn__io_read_start_batch(struct io *io,
                                                  const spn_read_desc *descs,
                                                  uint32_t count,
                                                  spn_read *out);

#endif
