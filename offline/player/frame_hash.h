/* frame_hash.h - one number for the frames that a run has shown.
 *
 * Each distinct frame of a file counts once, with its number and the values
 * that the runtime has decoded for it, not interpolated; and the sum does not
 * know an order. So two runs that have shown the same frames give the same
 * hash, whatever their clocks, threads and numbers of streams.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_FRAME_HASH_H
#define OFFLINE_PLAYER_FRAME_HASH_H

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct playing_file;

/* Per file: 0 for frames that were not shown yet. */
struct frame_hash {
    uint64_t *frames;
    uint32_t frame_count;
    uint32_t distinct_count;
    uint32_t unequal_count; /* shown again with other values: never, unless the
                             * runtime is wrong */
};

bool frame_hash_init(struct frame_hash *hash, uint32_t frame_count);
void frame_hash_finish(struct frame_hash *hash);

/* Count the frame that the node shows now, if it was not yet. With `again`
 * frames that were counted before are looked at once more, and compared. */
void frame_hash_add(struct frame_hash *hash, spn_runtime *rt,
                    const struct playing_file *file, spn_node node, bool again,
                    void *buffer, size_t buffer_bytes);

/* The sum; `file` keeps equal clips of different files apart. */
uint64_t frame_hash_sum(const struct frame_hash *hash, uint32_t file);

#endif
