/* cache_layout.c - list the blocks and blobs that follow from the tables. */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_layout.h"

#include "base/minmax.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/predict.h"

struct block_list {
    struct cache_block *blocks;
    uint32_t limit;
    uint64_t count;
};

/* Returns the number of the new block. */
static uint32_t add_block(struct block_list *list, struct cache_block block)
{
    if (list->count < list->limit)
        list->blocks[list->count] = block;
    return (uint32_t)list->count++;
}

/* Blocks for the rows [first, limit), all of one kind. */
static void add_rows(struct block_list *list, uint32_t first, uint32_t limit,
                     bool is_affine)
{
    struct cache_block block = {.kind = CACHE_BLOCK_NODES,
                                .first = first,
                                .tile = CACHE_NONE,
                                .channel = CACHE_NONE,
                                .is_affine = is_affine};

    while (block.first < limit) {
        block.count = min_u32(limit - block.first, CACHE_NODES_PER_BLOCK);
        block.raw_bytes = block.count * (is_affine ? WIRE_AFFINE_ROW_BYTES
                                                   : WIRE_NODE_ROW_BYTES);
        add_block(list, block);
        block.first += block.count;
    }
}

uint64_t spn__cache_layout_blocks(uint32_t animated_node_count,
                                  uint32_t affine_count,
                                  struct cache_tile *tiles, uint32_t tile_count,
                                  struct cache_block *blocks, uint32_t limit)
{
    struct block_list list = {blocks, limit, 0};
    struct cache_block block = {.kind = CACHE_BLOCK_CHANNEL};
    uint32_t first_affine = animated_node_count - affine_count;

    add_rows(&list, 0, first_affine, false);
    add_rows(&list, first_affine, animated_node_count, true);
    for (uint32_t t = 0; t < tile_count; t++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
            tiles[t].block[c] = CACHE_NONE;
            if (!(tiles[t].animated_mask & CHANNEL_BIT(c)))
                continue;
            block.tile = t;
            block.channel = c;
            block.count = tiles[t].vertex_count;
            block.raw_bytes =
                block.count * channel_vertex_bytes((enum channel)c);
            block.has_predictor = tiles[t].predictor_blob != CACHE_NONE;
            block.is_lifted = cache_tile_is_lifted(&tiles[t]);
            tiles[t].block[c] = add_block(&list, block);
        }
    return list.count;
}

struct blob_list {
    struct cache_blob *blobs;
    uint32_t limit;
    uint64_t count;
};

static uint32_t add_blob(struct blob_list *list, uint32_t kind, uint32_t tile,
                         uint32_t channel, uint32_t raw_bytes)
{
    if (list->count < list->limit)
        list->blobs[list->count] = (struct cache_blob){
            .kind = kind,
            .tile = tile,
            .channel = channel,
            .raw_bytes = raw_bytes,
        };
    return (uint32_t)list->count++;
}

/* Tables for every channel that a lifted tile has. */
static void add_tables(struct blob_list *list, const struct cache_tile *tiles,
                       uint32_t tile_count, uint32_t tables_blob[CHANNEL_COUNT])
{
    uint32_t mask = 0;

    for (uint32_t t = 0; t < tile_count; t++)
        if (cache_tile_is_lifted(&tiles[t]))
            mask |= (uint32_t)tiles[t].static_mask | tiles[t].animated_mask;
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        tables_blob[c] = mask & CHANNEL_BIT(c)
                             ? add_blob(list, CACHE_BLOB_TABLES, CACHE_NONE, c,
                                        RESIDUAL_TABLES_BYTES)
                             : CACHE_NONE;
}

static void add_tile(struct blob_list *list, struct cache_tile *tile,
                     uint32_t number)
{
    uint32_t count = tile->vertex_count;

    if (cache_tile_is_lifted(tile))
        tile->hierarchy_blob = add_blob(list, CACHE_BLOB_HIERARCHY, number,
                                        CACHE_NONE, WIRE_CODED_BYTES_MAX);
    if (cache_tile_is_lifted(tile) && tile->one_ring_slots > 0)
        tile->one_rings_blob = add_blob(list, CACHE_BLOB_ONE_RINGS, number,
                                        CACHE_NONE, WIRE_CODED_BYTES_MAX);
    if (tile->predictor_blob != CACHE_NONE)
        tile->predictor_blob =
            add_blob(list, CACHE_BLOB_PREDICTOR, number, CACHE_NONE,
                     count * (uint32_t)sizeof(struct predict_entry));
    if (tile->reflection_blob != CACHE_NONE)
        tile->reflection_blob = add_blob(list, CACHE_BLOB_REFLECTION, number,
                                         CACHE_NONE, (count + 7) / 8);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        tile->blob[c] = CACHE_NONE;
        if (tile->static_mask & CHANNEL_BIT(c))
            tile->blob[c] =
                add_blob(list, CACHE_BLOB_CHANNEL, number, c,
                         count * channel_vertex_bytes((enum channel)c));
    }
}

static void add_indices(struct blob_list *list, uint32_t kind,
                        uint32_t index_count, uint32_t bytes)
{
    const uint32_t run = cache_indices_per_blob(bytes);
    uint32_t number = 0;

    for (uint32_t first = 0; first < index_count; number++) {
        uint32_t count = min_u32(index_count - first, run);

        add_blob(list, kind, number, CACHE_NONE, count * bytes);
        first += count;
    }
}

uint64_t spn__cache_layout_blobs(uint32_t index16_count, uint32_t index32_count,
                                 struct cache_tile *tiles, uint32_t tile_count,
                                 uint32_t tables_blob[CHANNEL_COUNT],
                                 struct cache_blob *blobs, uint32_t limit)
{
    struct blob_list list = {blobs, limit, 0};

    add_tables(&list, tiles, tile_count, tables_blob);
    for (uint32_t t = 0; t < tile_count; t++)
        add_tile(&list, &tiles[t], t);
    add_indices(&list, CACHE_BLOB_INDEX16, index16_count, 2);
    add_indices(&list, CACHE_BLOB_INDEX32, index32_count, 4);
    return list.count;
}
