/* frame_hash.h - one hash of all frames that a run has shown.
 *
 * Each distinct frame of a file counts once: its number and the decoded values
 * before interpolation (shown_hash.h). The hashes are summed, so their order
 * does not matter. Two runs that show the same frames have the same hash,
 * whatever their clocks, threads and numbers of streams.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_FRAME_HASH_H
#define OFFLINE_PLAYER_FRAME_HASH_H

#include "common/arena.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct playing_file;

/* One for each file. */
struct frame_hash {
    uint64_t *frames; /* hash of each frame; 0: not shown yet; of an arena */
    uint32_t frame_count;
    uint32_t distinct_count;
    uint32_t unequal_count; /* shown again with other values: an error of the
                             * runtime */
};

void frame_hash_init(struct frame_hash *hash, uint32_t frame_count,
                     struct arena *arena);

/* Add the frame that the node shows now, unless it was added before. With
 * `again` a frame that was added before is hashed again and compared. `buffer`
 * is that of shown_hash. */
void frame_hash_add(struct frame_hash *hash, spn_runtime *rt,
                    const struct playing_file *file, spn_node node, bool again,
                    void *buffer, size_t buffer_bytes);

/* The sum over the frames. The index `file` is mixed in, so that equal clips in
 * different files count as different. */
uint64_t frame_hash_sum(const struct frame_hash *hash, uint32_t file);

#endif
