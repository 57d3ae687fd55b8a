/* request_queue.h - the reads that wait for a medium, in the order of their
 * keys.
 *
 * Each medium has one such queue, and the reads whose files are not open yet
 * have another. The sort key (schedule/sort_key.h) decides, with one exception:
 * a read that has begun goes before all others of its priority, wherever they
 * lie, for pieces of two reads in turn would cost a seek each. Where a medium
 * has a deadline scheduler the key only breaks ties. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_REQUEST_QUEUE_H
#define SPN_READ_REQUEST_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct io;
struct io_request;

/* Set the medium of a read if it is known: that of its open file, or memory
 * where its pak is loaded. Returns whether it is. */
bool spn__request_find_medium(struct io *io, struct io_request *request);

/* Put a read into the queue of its medium, behind what was served before it. */
void spn__request_enqueue(struct io *io, uint32_t index);
/* Put a read back that was at the device: its place in the order stays. */
void spn__request_requeue(struct io *io, uint32_t index);
/* Compute the key of a read in its queue again: its priority has changed. */
void spn__request_rekey(struct io *io, uint32_t index);
/* Its key in the queue of its medium. */
uint64_t spn__request_key(struct io *io, uint32_t index);

#endif
