/* io_start.h - start reads: from a description to the inbox of the io thread.
 *
 * A start counts its reads first, all in one step, and takes the records from
 * the free ring then. There are at least as many in the ring as the count
 * allows, because a completion pushes its record before it lowers the count. So
 * taking them cannot fail, and a batch starts whole or not at all.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_START_H
#define SPN_READ_IO_START_H

#include "base/heap.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Result of a read of the runtime's own modules. */
struct io_result {
    spn_read read;
    spn_status status;
    uint64_t bytes; /* good bytes at the front of the destination */
};
/* Called once for such a read, on the caller's thread inside spn__io_finish or
 * spn__io_finish_one. `context` and `argument` are those of the read. */
typedef void (*io_done_fn)(void *context, uint32_t argument,
                           const struct io_result *result);

/* A read of the runtime's own modules, into a buffer or into a heap block. */
struct io_read {
    spn_file file;
    uint64_t offset;       /* bytes from the start of the file */
    uint64_t bytes;        /* > 0; a shorter file is SPN_ERR_RANGE */
    void *buffer;          /* valid until the completion; NULL: `block` */
    heap_handle block;     /* live until the completion */
    uint32_t block_offset; /* byte of the block that the first one goes to */
    bool is_doubtful;      /* the bytes before it were bad: its first page is
                            * read alone, and once */
    spn_priority priority; /* 0: the default of the task */
    spn_task task;
    uint64_t deadline_us; /* on the platform's clock; 0: none */
    io_done_fn on_done;
    void *context;
    uint32_t argument;
};

/* Start a read of the runtime's own modules. Returns what spn_read_start
 * returns. Thread: any; with a block, the caller's. */
SPN_NODISCARD spn_status spn__io_start(struct io *io,
                                       const struct io_read *read,
                                       spn_read *out);
/* spn_read_start and spn_read_start_batch. Thread: any. */
SPN_NODISCARD spn_status spn__io_read_start(struct io *io,
                                            const spn_read_desc *desc,
                                            spn_read *out);
SPN_NODISCARD spn_status spn__io_read_start_batch(struct io *io,
                                                  const spn_read_desc *descs,
                                                  uint32_t count,
                                                  spn_read *out);

#endif
