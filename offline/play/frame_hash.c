/* frame_hash.c - hashes what the runtime has decoded, a frame at a time.
 *
 * Quantized values are asked for: they are the same bits on every machine, and
 * do not depend on the moment between two frames at which a picture was drawn.
 */
/* SPDX-License-Identifier: MIT */
#include "play/frame_hash.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "play/player.h"

#include <stdlib.h>
#include <string.h>

const spn_vertex_layout frame_hash_layout = {
    .stride = FRAME_HASH_STRIDE,
    .position = {0, SPN_FORMAT_QUANTIZED},
    .qtangent = {6, SPN_FORMAT_QUANTIZED},
    .uv = {14, SPN_FORMAT_QUANTIZED},
    .color = {18, SPN_FORMAT_QUANTIZED},
};

bool frame_hash_init(struct frame_hash *hash, uint32_t frame_count)
{
    *hash = (struct frame_hash){.frame_count = frame_count};
    hash->frames = calloc((size_t)frame_count + 1, sizeof *hash->frames);
    return hash->frames != NULL;
}

void frame_hash_finish(struct frame_hash *hash)
{
    free(hash->frames);
    hash->frames = NULL;
}

struct sum {
    struct checksum half[2];
};

static void begin(struct sum *sum)
{
    spn__checksum_begin(&sum->half[0], 0);
    spn__checksum_begin(&sum->half[1], 1);
}

static void add(struct sum *sum, const void *data, size_t bytes)
{
    spn__checksum_add(&sum->half[0], data, bytes);
    spn__checksum_add(&sum->half[1], data, bytes);
}

static void add_number(struct sum *sum, uint32_t number)
{
    uint8_t bytes[4];

    spn_store_u32le(bytes, number);
    add(sum, bytes, sizeof bytes);
}

static uint64_t end(const struct sum *sum)
{
    return (uint64_t)spn__checksum_end(&sum->half[0]) << 32 |
           spn__checksum_end(&sum->half[1]);
}

/* 0: the frame cannot be read now. */
static uint64_t hash_shown(spn_runtime *rt, const struct playing_file *file,
                           spn_node node, uint32_t frame, void *buffer,
                           size_t buffer_bytes)
{
    struct sum sum;
    uint64_t value;

    begin(&sum);
    add_number(&sum, frame);
    if (file->info.node_count > buffer_bytes ||
        spn_node_get_transforms(rt, node, NULL, buffer,
                                file->info.node_count) != SPN_OK)
        return 0;
    add(&sum, buffer, file->info.node_count);
    for (uint32_t m = 0; m < file->info.mesh_count; m++) {
        spn_fill_result result;
        spn_mesh_info mesh;

        if (spn_cache_get_mesh(rt, file->cache, m, &mesh) != SPN_OK ||
            spn_node_fill(rt, node, m, &frame_hash_layout, buffer, buffer_bytes,
                          &result) != SPN_OK ||
            result.floor_frame != frame)
            return 0;
        if (!result.is_visible)
            continue;
        add_number(&sum, m);
        add(&sum, buffer, (size_t)mesh.vertex_count * FRAME_HASH_STRIDE);
    }
    value = end(&sum);
    return value ? value : 1;
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
    value = hash_shown(rt, file, node, frame, buffer, buffer_bytes);
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

    /* An odd factor for each file: no frame's value can vanish. */
    for (uint32_t i = 0; i < hash->frame_count; i++)
        total += hash->frames[i];
    return total * (2 * (uint64_t)file + 1);
}
