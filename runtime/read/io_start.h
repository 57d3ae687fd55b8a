/* io_start.h - start reads: from a description to the inbox of the io thread.
 *
 * A start first adds the number of its reads to the count of pending reads, in
 * one atomic step that fails if the table is too small. Then it takes a request
 * (request.h) for each read from the queue of free requests, fills it in, and
 * pushes it onto the inbox. Taking a request cannot fail: a completion returns
 * its request to the queue before it decreases the count. So either all reads
 * of a batch are started or none.
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
    uint64_t bytes; /* valid bytes at the front of the destination */
};
/* Completion function of a read of the runtime's own modules. It is called
 * once, on the caller's thread, inside spn__io_finish or spn__io_finish_one.
 * `context` and `argument` come from the io_read. */
typedef void (*io_done_fn)(void *context, uint32_t argument,
                           const struct io_result *result);

/* A read of the runtime's own modules, into a buffer or into a heap block. */
struct io_read {
    spn_file file;
    uint64_t offset;       /* bytes from the start of the file */
    uint64_t bytes;        /* > 0; SPN_ERR_RANGE if the file is shorter */
    void *buffer;          /* destination, valid until the completion; NULL:
                            * the destination is `block` */
    heap_handle block;     /* must be allocated until the completion */
    uint32_t block_offset; /* destination of the first byte in the block */
    bool is_doubtful;      /* the bytes before it could not be read: read the
                            * first page alone, without a retry */
    spn_priority priority; /* 0: the default of the task type */
    spn_task task;
    uint64_t deadline_us; /* on the platform's clock; 0: none */
    io_done_fn on_done;
    void (*on_arrival)(void *context); /* called before on_done, on the io
                                        * thread, if the read succeeded; NULL:
                                        * none */
    void *context;
    uint32_t argument;
};

/* Start a read of the runtime's own modules. Returns the same status values as
 * spn_read_start. Thread: any; the caller's thread if the destination is a
 * block. */
SPN_NODISCARD spn_status spn__io_start(struct io *io,
                                       const struct io_read *read,
                                       spn_read *out);
/* Start reads of the game: the implementation of spn_read_start_batch. Thread:
 * any. */
SPN_NODISCARD spn_status spn__io_read_start_batch(struct io *io,
                                                  const spn_read_desc *descs,
                                                  uint32_t count,
                                                  spn_read *out);
/* Start a read of the runtime's own modules as the game does. Listeners do not
 * see its user. Thread: any. */
SPN_NODISCARD spn_status spn__io_read_start(struct io *io,
                                            const spn_read_desc *desc,
                                            spn_read *out);

#endif
