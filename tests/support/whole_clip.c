/* whole_clip.c - decode a clip frame by frame, and keep all frames. */
/* SPDX-License-Identifier: MIT */
#include "support/whole_clip.h"

#include "cachefile/cache_reader_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
    fprintf(stderr, "clip: %s\n", what);
    exit(1);
}

static void expect(spn_status status, const struct spn_fault *fault)
{
    if (status != SPN_OK)
        stop(fault->what ? fault->what : "the cache was refused");
}

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);

    if (memory == NULL)
        stop("no memory");
    return memory;
}

static uint8_t *align(uint8_t *memory)
{
    return memory + (64 - (uintptr_t)memory % 64) % 64;
}

/* -- open and close -- */

static void order_frames(struct whole_clip *clip)
{
    const struct cache_group *groups = cache_reader_groups(clip->reader);

    clip->decode_order = get(clip->header.frame_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < clip->header.frame_count; i++) {
        const struct cache_frame *frame = clip->frames + i;

        clip->decode_order[groups[frame->group].first_frame +
                           frame->decode_rank] = i;
    }
}

static void place_blocks(struct whole_clip *clip)
{
    const struct cache_header *header = &clip->header;
    uint32_t largest = 0;
    uint64_t bytes = 0;

    clip->block_offset = get(header->block_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < header->block_count; i++) {
        const struct cache_block *block = clip->tables.blocks + i;

        clip->block_offset[i] = (uint32_t)bytes;
        bytes += (block->raw_bytes + 63u) & ~63u;
        clip->frame_bytes += block->raw_bytes;
        if (block->raw_bytes > largest)
            largest = block->raw_bytes;
        if (block->kind == CACHE_BLOCK_CHANNEL)
            clip->has_animated_vertices = true;
    }
    if (bytes * header->frame_count > (uint64_t)1 << 31)
        stop("the clip is too long to be decoded as a whole");
    clip->data_bytes = (uint32_t)bytes;
    clip->apart = get(largest + RESIDUAL_PADDING);
    clip->data = get(header->frame_count * sizeof *clip->data);
    clip->data_memory = get((size_t)bytes * header->frame_count + 64);
    for (uint32_t i = 0; i < header->frame_count; i++)
        clip->data[i] = align(clip->data_memory) + (size_t)bytes * i;
    for (uint32_t i = 0; i < header->mesh_count; i++)
        clip->vertex_count += clip->tables.meshes[i].vertex_count;
}

void whole_clip_use(struct whole_clip *clip, uint32_t cpu)
{
    spn__predict_ops_init(&clip->predict, cpu);
    spn__lift_ops_init(&clip->lift, cpu);
}

static void make_decoder(struct whole_clip *clip)
{
    const struct cache_decoder *d = &clip->reader->decoder;

    clip->decoder = *d;
    clip->decoder.predict = &clip->predict;
    clip->decoder.lift = &clip->lift;
    clip->scratch_memory =
        get(DECODE_SCRATCH_BYTES + d->codec->workspace_bytes + 128);
    clip->scratch.memory = align(clip->scratch_memory);
    clip->scratch.codec_workspace =
        align(clip->scratch.memory + DECODE_SCRATCH_BYTES);
    clip->is_absent = get(clip->header.tile_count);
    whole_clip_use(clip, 0);
}

void whole_clip_open(struct whole_clip *clip, const char *path)
{
    memset(clip, 0, sizeof *clip);
    diag_init(&clip->diag);
    clip->reader = cache_reader_open(path, &clip->diag);
    if (!clip->reader)
        stop(path);
    clip->file = clip->reader->map.data;
    clip->header = *cache_reader_header(clip->reader);
    clip->tables = *cache_reader_tables(clip->reader);
    clip->frames = cache_reader_frames(clip->reader);
    make_decoder(clip);
    order_frames(clip);
    place_blocks(clip);
}

void whole_clip_close(struct whole_clip *clip)
{
    free(clip->data);
    free(clip->data_memory);
    free(clip->apart);
    free(clip->block_offset);
    free(clip->scratch_memory);
    free(clip->is_absent);
    free(clip->decode_order);
    cache_reader_close(clip->reader);
    diag_finish(&clip->diag);
}

/* -- decode -- */

static struct frame_decoder decoder_of(const struct whole_clip *clip,
                                       uint32_t number)
{
    return (struct frame_decoder){.cache = &clip->decoder,
                                  .frame = clip->frames + number,
                                  .number = number,
                                  .directory =
                                      clip->file + clip->frames[number].offset};
}

static void take_values(const struct whole_clip *clip, uint32_t frame,
                        const struct cache_tile *tile,
                        uint8_t *values[CHANNEL_COUNT])
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (tile->block[c] != CACHE_NONE)
            values[c] = clip->data[frame] + clip->block_offset[tile->block[c]];
}

static void decode_tile(const struct whole_clip *clip,
                        const struct frame_decoder *d, uint32_t number)
{
    const struct cache_tile *tile = clip->tables.tiles + number;
    struct tile_job job = {.decoder = d, .tile = number};
    struct spn_fault fault = {0};

    take_values(clip, d->number, tile, job.values);
    for (uint32_t r = 0; r < d->frame->reference_count; r++) {
        uint8_t *values[CHANNEL_COUNT] = {NULL};

        take_values(clip,
                    (uint32_t)((int64_t)d->number + d->frame->reference[r]),
                    tile, values);
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
            job.references[r].values[c] = values[c];
    }
    expect(spn__tile_decode(&job, &clip->scratch, &fault), &fault);
}

/* Inputs of a fill besides the frame and the tile. */
struct filling {
    const struct fill_ops *ops;
    const spn_vertex_layout *layout;
    uint8_t *vertices; /* vertices of all meshes */
};

static void fill_part(const struct whole_clip *clip,
                      const struct cache_part *part, uint32_t floor,
                      uint32_t ceil, float alpha, const struct filling *f);

/* `filling` NULL: decode only. */
static void decode_frame(struct whole_clip *clip, uint32_t number,
                         const struct filling *filling)
{
    const struct frame_decoder d = decoder_of(clip, number);
    struct frame_walk walk = frame_walk_begin(&d);
    struct spn_fault fault = {0};

    expect(spn__frame_validate(&d, &fault), &fault);
    while (spn__frame_walk_next(&walk))
        if (!walk.entry.is_absent)
            expect(spn__frame_unpack(&walk, d.directory + walk.entry.offset,
                                     clip->data[number] +
                                         clip->block_offset[walk.block],
                                     &clip->scratch, &fault),
                   &fault);
    for (uint32_t t = 0; t < clip->header.tile_count; t++) {
        const struct cache_tile *tile = clip->tables.tiles + t;

        if (tile->animated_mask == 0 || clip->is_absent[t])
            continue;
        decode_tile(clip, &d, t);
        for (uint32_t p = 0; filling && p < tile->part_count; p++)
            fill_part(clip, clip->tables.parts + tile->first_part + p, number,
                      number, 0, filling);
    }
}

void whole_clip_decode(struct whole_clip *clip, uint32_t frame)
{
    decode_frame(clip, frame, NULL);
}

/* -- residuals -- */

struct seeing {
    void (*see)(void *user, const struct clip_residuals *residuals);
    void *user;
};

static void see_channel(struct whole_clip *clip, uint32_t index,
                        const struct cache_block_entry *entry,
                        const struct seeing *seeing)
{
    const struct cache_block *block = clip->tables.blocks + index;
    const enum channel channel = (enum channel)block->channel;
    struct clip_residuals r = {.channel = channel,
                               .numbers = (const void *)clip->apart,
                               .stride = channel_components(channel),
                               .components = channel_components(channel),
                               .count = block->count};
    struct lift_hierarchy shape;
    struct lift_input s;
    struct lift_prediction prediction;
    struct spn_fault fault = {0};
    size_t used;

    if (entry->coding == CODING_LIFTED) {
        int16_t *residuals = (void *)clip->scratch.memory;
        int16_t *fourth =
            residuals + 4 * LIFT_PADDED_VERTICES((size_t)block->count);

        shape = spn__cache_lift_hierarchy(&clip->tables, block->tile,
                                          clip->decoder.blob_data);
        s = spn__cache_lift_input(&clip->tables, channel, &shape,
                                  clip->decoder.blob_data);
        r.fourth = r.components == 4 ? fourth : NULL;
        r.numbers = residuals;
        r.components = r.components == 4 ? 3 : r.components;
        r.stride = 4;
        expect(spn__lift_head_read(clip->apart, entry->stored_bytes,
                                   shape.level_count, &prediction, &used,
                                   &fault),
               &fault);
        expect(spn__residual_decode(
                   &clip->lift.residual, s.tables, clip->apart + used,
                   entry->stored_bytes - used, block->count, residuals,
                   r.fourth ? fourth : NULL, &fault),
               &fault);
    }
    if (seeing->see && channel != CHANNEL_COLOR)
        seeing->see(seeing->user, &r);
}

void whole_clip_residuals(struct whole_clip *clip, uint32_t frame,
                          void (*see)(void *user,
                                      const struct clip_residuals *residuals),
                          void *user)
{
    const struct frame_decoder d = decoder_of(clip, frame);
    const struct seeing seeing = {see, user};
    struct frame_walk walk = frame_walk_begin(&d);
    struct spn_fault fault = {0};

    expect(spn__frame_validate(&d, &fault), &fault);
    while (spn__frame_walk_next(&walk)) {
        if (walk.entry.is_absent)
            continue;
        expect(spn__frame_unpack(&walk, d.directory + walk.entry.offset,
                                 clip->apart, &clip->scratch, &fault),
               &fault);
        if (clip->tables.blocks[walk.block].kind == CACHE_BLOCK_CHANNEL)
            see_channel(clip, walk.block, &walk.entry, &seeing);
    }
}

/* -- fill -- */

/* Values of a channel of a part in a frame, or static ones; NULL: no such
 * channel. */
static const void *values_of(const struct whole_clip *clip, uint32_t frame,
                             const struct cache_part *part,
                             enum channel channel)
{
    const struct cache_tile *tile = clip->tables.tiles + part->tile;
    const uint8_t *values = NULL;

    if (tile->block[channel] != CACHE_NONE)
        values = clip->data[frame] + clip->block_offset[tile->block[channel]];
    else if (tile->blob[channel] != CACHE_NONE)
        values = clip->decoder.blob_data[tile->blob[channel]];
    return values == NULL
               ? NULL
               : values + part->tile_vertex * channel_vertex_bytes(channel);
}

/* Meshes that are not animated are not filled. */
static void fill_part(const struct whole_clip *clip,
                      const struct cache_part *part, uint32_t floor,
                      uint32_t ceil, float alpha, const struct filling *f)
{
    const struct cache_mesh *mesh = clip->tables.meshes + part->mesh;
    const struct cache_tile *tile = clip->tables.tiles + part->tile;
    const uint64_t first = mesh->first_vertex + part->first_vertex;
    struct fill_source source = {
        .count = part->vertex_count,
        .order = spn__cache_lift_order(&clip->tables, part->tile,
                                       clip->decoder.blob_data),
        .alpha = alpha,
        .reflection_first = part->tile_vertex};
    struct fill_constants constants;

    if (tile->animated_mask == 0)
        return;
    spn__fill_constants(mesh, &constants);
    if (tile->reflection_blob != CACHE_NONE)
        source.reflection = clip->decoder.blob_data[tile->reflection_blob];
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        source.floor[c] = values_of(clip, floor, part, (enum channel)c);
        source.ceil[c] = values_of(clip, ceil, part, (enum channel)c);
    }
    spn__fill_run(f->ops, &constants, &source, f->layout,
                  f->vertices + (size_t)first * f->layout->stride);
}

void whole_clip_fill(const struct whole_clip *clip, const struct fill_ops *ops,
                     uint32_t floor, uint32_t ceil, float alpha,
                     const spn_vertex_layout *layout, uint8_t *vertices)
{
    const struct filling filling = {ops, layout, vertices};

    for (uint32_t p = 0; p < clip->header.part_count; p++)
        fill_part(clip, clip->tables.parts + p, floor, ceil, alpha, &filling);
}

void whole_clip_decode_and_fill(struct whole_clip *clip, uint32_t frame,
                                const struct fill_ops *fill,
                                const spn_vertex_layout *layout,
                                uint8_t *vertices)
{
    const struct filling filling = {fill, layout, vertices};

    decode_frame(clip, frame, &filling);
}
