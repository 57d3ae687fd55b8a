/* request_queue.h - the queue of a medium: waiting reads in the order of their
 * keys.
 *
 * Each medium has one, and the reads whose files are not open yet have another.
 * Keys are sort keys (schedule/sort_key.h), with one exception: a read that has
 * begun goes before all other reads of its priority wherever they are, because
 * alternating between pieces of two reads would cost a seek each time. On a
 * medium with a deadline scheduler the key only decides between equal costs.
 * Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_REQUEST_QUEUE_H
#define SPN_READ_REQUEST_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct io;
struct io_request;

/* Set the medium of a read if it is known: the medium of its open file, or
 * SPN_MEDIUM_MEMORY if its pak is loaded. Returns whether it is known. */
bool spn__request_find_medium(struct io *io, struct io_request *request);

/* Put a read into the queue of its medium, with a new key. */
void spn__request_enqueue(struct io *io, uint32_t index);
/* Put a read back that was at the device, with its old key. */
void spn__request_requeue(struct io *io, uint32_t index);
/* Compute the key of a read in its queue again: its priority has changed. */
void spn__request_rekey(struct io *io, uint32_t index);
/* Key of a read in the queue of its medium. */
uint64_t spn__request_key(struct io *io, uint32_t index);

#endif
