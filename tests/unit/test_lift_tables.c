/* test_lift_tables.c
 *
 * Goal: tables of a lifted cache that do not fit together are refused by
 *   name, at the place of the wrong value. A frame table with an invalid
 *   reference is refused too.
 * Method: caches of two lifted meshes in memory, with single wrong fields
 *   under correct checksums. The frame table's reader gets more and fewer
 *   entries than there are.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "harness.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/synthetic_clip.h"

#include <stdlib.h>
#include <string.h>

/* Meshes of fewer vertices are not lifted. */
#define VERTICES 300u

static struct memory_sink memory;
static struct cache_checksums places;
static struct cache_header header;
static struct wire_frame *frames;
static struct wire_mesh *meshes;
static struct wire_tile *tiles;
static struct wire_blob *blobs;

/* Tables follow each other. The table of blobs is last. */
static void find_tables(void)
{
    struct wire_part *parts;
    struct wire_material *materials;
    uint32_t material_count;

    CHECK_EQ(spn__cache_header_read(memory.bytes, memory.size, &header, NULL),
             SPN_OK);
    material_count = header.material_count;
    blobs = (void *)(memory.bytes + header.blobs_offset);
    blobs -= header.blob_count;
    tiles = (struct wire_tile *)(void *)blobs - header.tile_count;
    parts = (struct wire_part *)(void *)tiles - header.part_count;
    materials = (struct wire_material *)(void *)parts - material_count;
    meshes = (struct wire_mesh *)(void *)materials - header.mesh_count;
    frames = (void *)(memory.bytes + header.frame_table_offset);
}

static void check_good(void)
{
    struct spn_fault fault = {0};

    cache_checksums_apply(&places, memory.bytes);
    CHECK_EQ(cache_walk_all(memory.bytes, memory.size, &fault), SPN_OK);
}

static void find_all(void)
{
    cache_checksums_find(&places, memory.bytes, memory.size);
    find_tables();
    CHECK_EQ_U(header.mesh_count, 2);
    check_good();
}

static void build(const struct synthetic_options *o)
{
    memset(&memory, 0, sizeof memory);
    synthetic_lift(o, 8, true, &memory);
    find_all();
}

/* Two meshes that are too small for lifting. */
static void build_small(void)
{
    const struct synthetic_options o = {
        .frame_count = 9, .mesh_count = 2, .vertices = 9};
    struct compile_options options;
    struct synthetic_clip clip;
    struct diag diag;

    synthetic_make(&clip, &o);
    compile_options_default(&options);
    options.is_lifted = true;
    options.lifts_all = true;
    options.jobs = 1;
    diag_init(&diag);
    memset(&memory, 0, sizeof memory);
    CHECK(synthetic_encode(&clip, &options, &diag, &memory));
    diag_finish(&diag);
    synthetic_free(&clip);
    find_all();
}

static void unbuild(void)
{
    check_good();
    cache_checksums_free(&places);
    memory_sink_free(&memory);
}

static void refused(const char *what, uint64_t value)
{
    struct spn_fault fault = {0};

    test_context("%s", what);
    cache_checksums_apply(&places, memory.bytes);
    CHECK_EQ(cache_walk_all(memory.bytes, memory.size, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, what);
    CHECK_EQ_U(fault.value, value);
}

/* Build two meshes of one tile each. With `has_uvs` the first has static UVs
 * and the second animated ones. */
static void build_pair(bool has_uvs)
{
    build(&(struct synthetic_options){.frame_count = 20,
                                      .mesh_count = 2,
                                      .vertices = VERTICES,
                                      .has_uvs = has_uvs});
    CHECK_EQ_U(header.tile_count, 2);
    for (uint32_t t = 0; t < 2; t++) {
        CHECK_EQ(tiles[t].prediction[0], WIRE_PREDICTION_LIFTED);
        CHECK(spn_load_u16le(tiles[t].one_ring_slots) > 0);
    }
}

static void rings_need_moving_positions_and_tangents(void)
{
    const uint8_t qtangent = CHANNEL_BIT(CHANNEL_QTANGENT);
    uint32_t slots;
    uint32_t most;

    build_pair(false);
    slots = spn_load_u16le(tiles[0].one_ring_slots);
    most = ONE_RING_SLOTS_MAX * one_ring_batch_count(VERTICES);
    spn_store_u16le(tiles[0].one_ring_slots, (uint16_t)(most + 1));
    refused("rings of a tile", most + 1);
    spn_store_u16le(tiles[0].one_ring_slots, (uint16_t)slots);
    meshes[0].animated_mask[0] ^= qtangent;
    meshes[0].static_mask[0] ^= qtangent;
    refused("rings of a tile", slots);
    meshes[0].animated_mask[0] ^= qtangent;
    meshes[0].static_mask[0] ^= qtangent;
    unbuild();
}

static void rings_by_uvs_need_moving_uvs(void)
{
    const uint8_t uv = CHANNEL_BIT(CHANNEL_UV);
    uint32_t slots[2];

    build_pair(true);
    for (uint32_t t = 0; t < 2; t++)
        slots[t] = spn_load_u16le(tiles[t].one_ring_slots);
    CHECK_EQ_U(slots[0] & WIRE_ONE_RINGS_BY_UVS, 0);
    CHECK_EQ_U(slots[1] & WIRE_ONE_RINGS_BY_UVS, WIRE_ONE_RINGS_BY_UVS);
    spn_store_u16le(tiles[0].one_ring_slots,
                    (uint16_t)(slots[0] | WIRE_ONE_RINGS_BY_UVS));
    refused("rings by UVs", slots[0]);
    spn_store_u16le(tiles[0].one_ring_slots, (uint16_t)slots[0]);
    meshes[1].animated_mask[0] ^= uv;
    refused("rings by UVs", slots[1] ^ WIRE_ONE_RINGS_BY_UVS);
    meshes[1].static_mask[0] ^= uv;
    refused("rings by UVs", slots[1] ^ WIRE_ONE_RINGS_BY_UVS);
    meshes[1].animated_mask[0] ^= uv;
    meshes[1].static_mask[0] ^= uv;
    /* Without one-rings. */
    spn_store_u16le(tiles[1].one_ring_slots, WIRE_ONE_RINGS_BY_UVS);
    refused("rings by UVs", 0);
    spn_store_u16le(tiles[1].one_ring_slots, (uint16_t)slots[1]);
    unbuild();
}

static void channel_weights_need_moving_tangents(void)
{
    const uint8_t qtangent = CHANNEL_BIT(CHANNEL_QTANGENT);
    uint32_t slots;

    build(&(struct synthetic_options){
        .frame_count = 20, .mesh_count = 2, .vertices = VERTICES});
    /* With predicted QTangents the tile has channel weights in time. */
    CHECK_EQ(tiles[0].channel_weights[0], LIFT_CHANNEL_WEIGHTS_TIME);
    slots = spn_load_u16le(tiles[0].one_ring_slots);
    tiles[0].channel_weights[0] = 4;
    refused("weights of a tile", 4);
    tiles[0].channel_weights[0] = LIFT_CHANNEL_WEIGHTS_TIME;
    spn_store_u16le(tiles[0].one_ring_slots, 0);
    meshes[0].animated_mask[0] ^= qtangent;
    meshes[0].static_mask[0] ^= qtangent;
    refused("weights of a tile", LIFT_CHANNEL_WEIGHTS_TIME);
    meshes[0].animated_mask[0] ^= qtangent;
    meshes[0].static_mask[0] ^= qtangent;
    spn_store_u16le(tiles[0].one_ring_slots, (uint16_t)slots);
    unbuild();
}

static void lifted_tiles_are_of_one_part(void)
{
    build_pair(false);
    spn_store_u16le(tiles[0].part_count, 2);
    refused("lifted tile", WIRE_PREDICTION_LIFTED);
    spn_store_u16le(tiles[0].part_count, 1);
    unbuild();
}

static void tiles_of_a_mesh_are_lifted_all_or_none(void)
{
    struct wire_tile tile;

    build(&(struct synthetic_options){
        .frame_count = 9, .mesh_count = 2, .vertices = 8200});
    CHECK_EQ_U(header.tile_count, 4);
    for (uint32_t t = 0; t < 2; t++) {
        tile = tiles[t];
        memset(&tiles[t], 0, sizeof tiles[t]);
        spn_store_u16le(tiles[t].part_count, 1);
        refused("lifted tile",
                t == 0 ? WIRE_PREDICTION_LIFTED : WIRE_PREDICTION_NONE);
        tiles[t] = tile;
    }
    unbuild();
}

/* Meshes too small for lifting share a tile. */
static void parts_that_no_tile_has_are_refused(void)
{
    build_small();
    CHECK_EQ_U(header.tile_count, 1);
    CHECK_EQ_U(header.part_count, 2);
    spn_store_u16le(tiles[0].part_count, 1);
    refused("parts without a tile", 1);
    spn_store_u16le(tiles[0].part_count, 2);
    unbuild();
}

static void tiles_have_the_channels_of_all_their_meshes(void)
{
    build_pair(true);
    /* Static values are equal, moving ones are not. */
    CHECK_EQ(meshes[1].static_mask[0], 0);
    meshes[0].static_mask[0] = 0;
    spn_store_u16le(tiles[0].part_count, 2);
    refused("tile of different channels", 1);
    meshes[0].static_mask[0] = CHANNEL_BIT(CHANNEL_UV);
    spn_store_u16le(tiles[0].part_count, 1);
    unbuild();
}

/* Return the only blob of a kind, and its raw size. The cache has one static
 * channel, the texture coordinates of mesh 0, and one run of indices. */
static struct wire_blob *find_blob(uint32_t kind, uint32_t *raw_bytes)
{
    struct wire_blob *found = NULL;
    struct cache_tables tables;
    struct spn_fault fault = {0};
    const size_t bytes = spn__cache_tables_memory(&header);
    void *carved = aligned_alloc(64, (bytes + 63) / 64 * 64);

    CHECK_EQ(spn__cache_tables_read(&header,
                                    memory.bytes + header.tables_offset, carved,
                                    bytes, &tables, &fault),
             SPN_OK);
    for (uint32_t b = 0; b < header.blob_count; b++)
        if (tables.blobs[b].kind == kind) {
            CHECK(!found);
            found = &blobs[b];
            *raw_bytes = tables.blobs[b].raw_bytes;
        }
    free(carved);
    CHECK(found != NULL);
    return found;
}

static void lifted_channels_are_payloads(void)
{
    struct wire_blob *blob;
    struct wire_blob good;
    uint32_t raw_bytes;
    uint32_t value;

    build_pair(true);
    blob = find_blob(CACHE_BLOB_CHANNEL, &raw_bytes);
    good = *blob;
    CHECK_EQ(blob->coding[0], CODING_LIFTED);
    blob->coding[0] = CODING_SPATIAL;
    refused("blob coding without a predictor", CODING_SPATIAL);
    blob->coding[0] = CODING_TEMPORAL;
    refused("blob coding", CODING_TEMPORAL);
    value = wire_coding_byte(CODING_LIFTED, ORDER_PLANES);
    blob->coding[0] = (uint8_t)value;
    refused("order of residuals", value);
    *blob = good;
    /* Other blobs may have this size. For this one its buffer has no room for
     * the padding that is read beyond its end. */
    value = raw_bytes - RESIDUAL_PADDING + 1;
    spn_store_u32le(blob->stored, value);
    refused("blob size", value);
    value = raw_bytes | WIRE_RAW_BIT;
    spn_store_u32le(blob->stored, value);
    refused("blob size", value);
    *blob = good;
    unbuild();
}

static void indices_are_never_raw(void)
{
    struct wire_blob *blob;
    struct wire_blob good;
    uint32_t raw_bytes;

    build_pair(false);
    blob = find_blob(CACHE_BLOB_INDEX16, &raw_bytes);
    good = *blob;
    CHECK_EQ(blob->coding[0], CODING_LIFTED);
    spn_store_u32le(blob->stored, raw_bytes | WIRE_RAW_BIT);
    refused("coding of indices", CODING_LIFTED);
    *blob = good;
    unbuild();
}

/* -- frames -- */

static uint32_t number_of(uint32_t stored)
{
    return spn_load_u32le(frames[stored].number);
}

/* The stored place of the frame that a reference refers to. */
static uint32_t target_of(uint32_t stored, uint32_t reference)
{
    const int16_t delta =
        (int16_t)spn_load_u16le(frames[stored].reference[reference]);
    const uint32_t target = (uint32_t)((int64_t)number_of(stored) + delta);
    uint32_t at = 0;

    while (number_of(at) != target)
        at++;
    return at;
}

/* Make the frame at `stored` wait for the one at `to`, twice. */
static void refer(uint32_t stored, uint32_t to)
{
    struct wire_frame *f = &frames[stored];

    f->type[0] = CACHE_FRAME_B;
    f->reference_count[0] = 2;
    f->wait_mask[0] = 3;
    memset(f->reference, 0, sizeof f->reference);
    for (uint32_t k = 0; k < 2; k++)
        spn_store_u16le(f->reference[k],
                        (uint16_t)(number_of(to) - number_of(stored)));
}

/* Return the first reference from `from` on to a frame of an earlier group, or
 * to a frame of the same group that is not an index frame. */
static void find_reference(uint32_t *from, uint32_t *to, bool is_earlier)
{
    for (; *from < header.frame_count; ++*from)
        for (uint32_t k = 0; k < frames[*from].reference_count[0]; k++) {
            *to = target_of(*from, k);
            if (is_earlier
                    ? memcmp(frames[*to].group, frames[*from].group, 4) != 0
                    : frames[*to].type[0] == CACHE_FRAME_B)
                return;
        }
    CHECK(*from < header.frame_count);
}

static void groups_refer_to_index_frames_before_them(void)
{
    struct wire_frame good;
    uint32_t first = 0;
    uint32_t second;
    uint32_t third;
    uint32_t from;

    build_pair(false);
    find_reference(&first, &second, true);
    from = first;
    first = second;
    while (second == first)
        from++, find_reference(&from, &second, true);
    third = second;
    good = frames[third];
    CHECK_EQ(good.type[0], CACHE_FRAME_INDEX);
    refer(third, first);
    refused("frame reference", number_of(third));
    frames[third] = good;
    unbuild();
}

static void frames_that_wait_for_each_other_are_refused(void)
{
    struct wire_frame good;
    uint32_t from = 0;
    uint32_t to;

    build_pair(false);
    find_reference(&from, &to, false);
    good = frames[to];
    refer(to, from);
    refused("frames that wait for each other", spn_load_u32le(good.group));
    frames[to] = good;
    unbuild();
}

/* -- the frame table alone -- */

struct table {
    struct cache_frame frames[CACHE_GROUP_FRAMES_MAX];
    struct cache_group groups[64];
    struct frame_table_reader reader;
};

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    return &((struct table *)user)->frames[number];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    return &((struct table *)user)->groups[group];
}

/* Read `count` good entries. */
static void read_entries(struct table *t, const struct cache_header *h,
                         uint32_t count)
{
    memset(t, 0, sizeof *t);
    t->reader = (struct frame_table_reader){
        .header = h, .at = frame_at, .group_at = group_at, .user = t};
    CHECK(spn__frame_table_check(&t->reader));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_EQ(spn__frame_table_read(&t->reader, (const uint8_t *)&frames[i],
                                       NULL),
                 SPN_OK);
        CHECK(spn__frame_table_check(&t->reader));
    }
}

static void the_check_sees_wrong_fields_of_the_reader(void)
{
    struct table table;
    struct frame_table_reader good;
    struct frame_table_reader *r = &table.reader;

    build_pair(false);
    read_entries(&table, &header, header.frame_count - 1);
    good = *r;
    CHECK(r->group_frames > 0 && r->group > 0);
    r->stored++;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->group_last++;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->seen[0] ^= 1;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->next_offset = header.file_bytes + 1;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->group_offset = r->next_offset + 1;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->last_us = header.duration_us + 1;
    CHECK(!spn__frame_table_check(r));
    *r = good;
    r->anchor = CACHE_NONE;
    CHECK(!spn__frame_table_check(r));
    unbuild();
}

static void more_or_fewer_frames_than_the_header_has_are_refused(void)
{
    struct spn_fault fault = {0};
    struct table table;
    uint32_t count;

    build_pair(false);
    count = header.frame_count;
    read_entries(&table, &header, count);
    CHECK_EQ(spn__frame_table_read(&table.reader,
                                   (const uint8_t *)&frames[count - 1], &fault),
             SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "frame count");
    read_entries(&table, &header, count - 1);
    fault.what = NULL;
    CHECK_EQ(spn__frame_table_finish(&table.reader, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "frame count");
    CHECK_EQ_U(fault.value, count - 1);
    CHECK_EQ_U(fault.expected, count);
    unbuild();
}

/* The reader keeps a window of this many numbers, in which the first group of a
 * long clip ends. */
static void numbers_beyond_a_group_are_refused(void)
{
    struct cache_header many;
    struct spn_fault fault = {0};
    struct wire_frame good;
    struct table table;

    build_pair(false);
    good = frames[0];
    many = header;
    many.frame_count = 4 * CACHE_GROUP_FRAMES_MAX;
    spn_store_u32le(frames[0].number, CACHE_GROUP_FRAMES_MAX);
    read_entries(&table, &many, 0);
    CHECK_EQ(spn__frame_table_read(&table.reader, (const uint8_t *)&frames[0],
                                   &fault),
             SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "frame number");
    CHECK_EQ_U(fault.value, CACHE_GROUP_FRAMES_MAX);
    spn_store_u32le(frames[0].number, CACHE_GROUP_FRAMES_MAX - 1);
    read_entries(&table, &many, 1);
    CHECK_EQ_U(table.reader.group_last, CACHE_GROUP_FRAMES_MAX - 1);
    frames[0] = good;
    unbuild();
}

TEST_MAIN(TEST(rings_need_moving_positions_and_tangents),
          TEST(rings_by_uvs_need_moving_uvs),
          TEST(channel_weights_need_moving_tangents),
          TEST(lifted_tiles_are_of_one_part),
          TEST(tiles_of_a_mesh_are_lifted_all_or_none),
          TEST(parts_that_no_tile_has_are_refused),
          TEST(tiles_have_the_channels_of_all_their_meshes),
          TEST(lifted_channels_are_payloads), TEST(indices_are_never_raw),
          TEST(groups_refer_to_index_frames_before_them),
          TEST(frames_that_wait_for_each_other_are_refused),
          TEST(more_or_fewer_frames_than_the_header_has_are_refused),
          TEST(numbers_beyond_a_group_are_refused),
          TEST(the_check_sees_wrong_fields_of_the_reader))
