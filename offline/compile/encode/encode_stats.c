/* encode_stats.c - collects statistics for the report, in the order of frames.
 *
 * Sizes and codings are taken from the results of blocks, errors of
 * quantization from the produced frames.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_stats.h"

#include "compile/clip/compile_stats.h"

#include <string.h>

/* Sums of one block over all frames. */
struct block_sums {
    uint64_t bytes;
    uint64_t stream_count;
    uint64_t temporal_count;
};

static struct compile_stats *stats_of(const struct encoder *e)
{
    return e->job->options->stats;
}

void encoder_stats_begin(struct encoder *e)
{
    struct compile_stats *d = stats_of(e);

    if (!d)
        return;
    e->block_sums =
        ARENA_NEW(&e->arena, struct block_sums, e->layout.block_count);
    d->frame_count = e->clip->frame_count;
    d->frames = ARENA_NEW(&d->arena, struct frame_stats, d->frame_count);
    d->mesh_count = e->clip->mesh_count;
    d->meshes = ARENA_NEW(&d->arena, struct mesh_stats, d->mesh_count);
    for (uint32_t m = 0; m < d->mesh_count; m++) {
        const struct clip_mesh *mesh = &e->clip->meshes[m];
        struct mesh_stats *out = &d->meshes[m];

        out->path = arena_string(&d->arena, mesh->path, strlen(mesh->path));
        out->vertex_count = mesh->vertex_count;
        out->triangle_count = mesh->index_count / 3;
        for (int c = 0; c < CHANNEL_COUNT; c++) {
            out->channel[c].is_animated = mesh->animated_mask & CHANNEL_BIT(c);
            out->channel[c].is_present =
                (mesh->animated_mask | mesh->static_mask) & CHANNEL_BIT(c);
            out->channel[c].error = mesh->static_error[c];
        }
    }
}

void encoder_stats_add_errors(const struct encoder *e,
                              const struct clip_frame *frame)
{
    struct compile_stats *d = stats_of(e);

    for (uint32_t m = 0; d && m < d->mesh_count; m++)
        for (int c = 0; c < CHANNEL_COUNT; c++)
            error_stats_add(&d->meshes[m].channel[c].error,
                            &frame->meshes[m].error[c]);
}

void encoder_stats_add_frame(const struct encoder *e, uint32_t number,
                             enum cache_frame_type type, uint64_t bytes,
                             const struct stream_result *results)
{
    struct compile_stats *d = stats_of(e);
    uint64_t in_blocks = 0;

    if (!d)
        return;
    d->frames[number].seconds =
        e->clip->frame_seconds[number] - e->clip->frame_seconds[0];
    d->frames[number].bytes = (uint32_t)bytes;
    d->b_frame_count += type == CACHE_FRAME_B;
    for (uint32_t i = 0; i < e->layout.block_count; i++) {
        if (results[i].is_absent)
            continue;
        e->block_sums[i].bytes += results[i].stored_bytes;
        e->block_sums[i].stream_count++;
        e->block_sums[i].temporal_count += results[i].is_temporal;
        in_blocks += results[i].stored_bytes;
    }
    d->directory_bytes += bytes - in_blocks;
}

/* Distribute the bytes of a block over the parts of its tile, by vertices. */
static void share_out(const struct encoder *e, uint32_t t, uint32_t channel,
                      const struct block_sums *notes)
{
    const struct cache_tile *tile = &e->layout.tiles[t];
    struct compile_stats *d = stats_of(e);

    for (uint32_t k = 0; k < tile->part_count; k++) {
        const struct cache_part *part = &e->layout.parts[tile->first_part + k];
        struct mesh_stats *mesh = &d->meshes[part->mesh];
        struct channel_stats *to = &mesh->channel[channel];
        double bytes = (double)notes->bytes * part->vertex_count /
                       (tile->vertex_count > 0 ? tile->vertex_count : 1);

        to->bytes += bytes;
        to->stream_count += notes->stream_count;
        to->temporal_count += notes->temporal_count;
        if (to->is_animated)
            mesh->bytes += bytes;
    }
}

void encoder_stats_end(const struct encoder *e)
{
    struct compile_stats *d = stats_of(e);

    if (!d)
        return;
    for (uint32_t i = 0; i < e->layout.block_count; i++) {
        const struct cache_block *block = &e->layout.blocks[i];

        if (block->kind == CACHE_BLOCK_NODES)
            d->node_bytes += e->block_sums[i].bytes;
        else
            share_out(e, block->tile, block->channel, &e->block_sums[i]);
    }
    for (uint32_t i = 0; i < e->layout.blob_count; i++) {
        const struct cache_blob *blob = &e->layout.blobs[i];
        const struct block_sums notes = {.bytes = blob->stored_bytes};

        if (blob->kind == CACHE_BLOB_CHANNEL)
            share_out(e, blob->tile, blob->channel, &notes);
    }
}
