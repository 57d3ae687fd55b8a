/* frame_hash.c - hash each distinct frame of a file once. */
/* SPDX-License-Identifier: MIT */
#include "player/frame_hash.h"

#include "player/player.h"
#include "player/shown_hash.h"

void frame_hash_init(struct frame_hash *hash, uint32_t frame_count,
                     struct arena *arena)
{
    *hash =
        (struct frame_hash){.frames = ARENA_NEW(arena, uint64_t, frame_count),
                            .frame_count = frame_count};
}

void frame_hash_add(struct frame_hash *hash, spn_runtime *rt,
                    const struct playing_file *file, spn_node node, bool again,
                    void *buffer, size_t buffer_bytes)
{
    spn_node_state state;
    uint32_t frame;
    uint64_t value;

    if (spn_node_get_state(rt, node, &state) != SPN_OK)
        return;
    frame = state.shown_frame;
    if (frame >= hash->frame_count || (hash->frames[frame] != 0 && !again))
        return;
    value = shown_hash(rt, file->cache, &file->info, node, frame, buffer,
                       buffer_bytes);
    if (value == 0)
        return;
    if (hash->frames[frame] == 0)
        hash->distinct_count++;
    else
        hash->unequal_count += hash->frames[frame] != value;
    hash->frames[frame] = value;
}

uint64_t frame_hash_sum(const struct frame_hash *hash, uint32_t file)
{
    uint64_t total = 0;

    /* The factor is odd, so that no frame hash becomes 0 by the product. */
    for (uint32_t i = 0; i < hash->frame_count; i++)
        total += hash->frames[i];
    return total * (2 * (uint64_t)file + 1);
}
