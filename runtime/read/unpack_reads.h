/* unpack_reads.h - slots of the reads of paks, between the device and the
 * workers.
 *
 * A compressed read takes a slot before its piece goes to the device, which
 * brings the stored bytes into the slot's memory. When the piece is back the
 * slot goes to the workers, one job for each block, and the next piece takes
 * another slot. In a run the slot of the first compressed read has memory for
 * all of them. Reads of stored entries take a slot only to verify blocks that
 * have arrived. Owner: the io thread; a slot that is with
 * the workers is theirs until it comes back (unpacking.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_UNPACK_READS_H
#define SPN_READ_UNPACK_READS_H

#include "read/request.h"
#include "read/unpacking.h"

struct io;
struct run_candidate;

/* Take a slot for the next piece of a read of a pak. READ_AT_DEVICE: it has
 * one, or needs none; READ_AWAITS_SLOT: none is free. */
enum read_stage spn__unpack_find_slot(struct io *io, uint32_t index);
/* Give back the slot of a piece that does not go to the device, or brought
 * nothing. */
void spn__unpack_drop(struct io *io, uint32_t index);

/* Plan the next piece: whole blocks of up to `bytes_max` bytes, at least one.
 * False: the read is not of a compressed entry. */
bool spn__unpack_plan(struct io *io, struct piece *piece, uint32_t index,
                      uint32_t bytes_max);
/* Is its piece a single block, which cannot be cut further? */
bool spn__unpack_is_least(const struct io *io, uint32_t index);
/* Add the next blocks to a run that has room for `room` bytes: `read` then
 * names the bytes and their place in the memory of the run's first compressed
 * read. A read of a stored entry stays as it is. False: there is no room, and
 * the caller drops the slot. */
bool spn__unpack_join(struct io *io, uint32_t index, uint32_t room,
                      uint32_t align_bytes, struct run_candidate *read);
/* `*bytes` have arrived behind done_bytes. Give the whole blocks among them to
 * the workers, and set *bytes to theirs. False: the read is not of a compressed
 * entry. */
bool spn__unpack_take(struct io *io, uint32_t index, uint32_t *bytes);

/* Give the complete blocks that have arrived of a read of a plain entry to the
 * workers, which compare the checksums. Returns false if there are more blocks
 * but no free slot. Does nothing for a read of a compressed entry. */
bool spn__unpack_verify(struct io *io, uint32_t index);

/* Take a slot of a list that is not empty. */
uint32_t spn__unpack_take_slot(struct unpack *unpack, struct unpack_list *list);
void spn__unpack_free_slot(struct io *io, uint32_t slot);
/* Give the blocks of a filled slot to the workers. */
void spn__unpack_begin(struct io *io, uint32_t slot, uint32_t index);
/* Try `count` slots again for which the table of jobs had no room. */
void spn__unpack_resubmit(struct io *io, uint32_t count);

#endif
