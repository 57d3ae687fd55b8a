/* test_cache_tiles.c
 *
 * Goal: parts and tiles that do not fit together are refused by name, at the
 *   place of the wrong value.
 * Method: a cache with several parts of a mesh, and a mesh with other
 *   channels. Single fields are wrong under correct checksums.
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire_tables.h"
#include "harness.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/tiny_cache.h"

#include <string.h>

/* Parts 0 and 1, and 2 and 3, have 8192 and 808 vertices each. The parts of the
 * static mesh follow. */
static struct tiny_cache *good;
static struct wire_part *parts;
static struct wire_tile *tiles;
static struct wire_blob *blobs;

static void build(void)
{
    static const struct tiny_options options = {.frame_count = 11,
                                                .mesh_count = 2,
                                                .vertices = 9000,
                                                .has_static_mesh = true};
    struct cache_header header;

    good = tiny_build(&options);
    CHECK_EQ(spn__cache_header_read(good->bytes, good->size, &header, NULL),
             SPN_OK);
    CHECK_EQ(header.part_count, 6);
    CHECK_EQ(header.tile_count, 6);
    blobs = (void *)(good->bytes + header.blobs_offset);
    blobs -= header.blob_count;
    tiles = (struct wire_tile *)(void *)blobs - header.tile_count;
    parts = (struct wire_part *)(void *)tiles - header.part_count;
}

static void set_part(uint32_t i, uint32_t mesh, uint32_t vertex_count)
{
    spn_store_u32le(parts[i].mesh, mesh);
    spn_store_u32le(parts[i].vertex_count, vertex_count);
}

/* The current cache must be refused with the message `what`. */
static void refused(const char *what)
{
    struct spn_fault fault = {0};

    test_context("%s", what);
    tiny_correct_checksums(good);
    CHECK_EQ(cache_walk_all(good->bytes, good->size, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, what);
}

/* Change one field of a row, check the refusal, and restore the row. */
#define REFUSED(row, field, value, what)                                       \
    do {                                                                       \
        __typeof__(row) before = (row);                                        \
                                                                               \
        memset((row).field, 0, sizeof(row).field);                             \
        (row).field[0] = (value);                                              \
        refused(what);                                                         \
        (row) = before;                                                        \
    } while (0)

static void check_good(void)
{
    struct spn_fault fault = {0};

    tiny_correct_checksums(good);
    CHECK_EQ(cache_walk_all(good->bytes, good->size, &fault), SPN_OK);
}

static void parts_that_do_not_make_meshes_are_refused(void)
{
    build();
    check_good();
    set_part(1, 1, 808);
    set_part(2, 0, 8192);
    refused("parts of a mesh apart");
    set_part(0, 0, 4000);
    set_part(1, 0, 4000);
    set_part(2, 0, 500);
    set_part(3, 0, 500);
    refused("mesh without parts");
    set_part(0, 0, 8192);
    set_part(1, 0, 807);
    set_part(2, 1, 8192);
    set_part(3, 1, 808);
    refused("vertices without a part");
    set_part(1, 0, 809);
    refused("part vertex count");
    set_part(1, 0, 0);
    refused("part vertex count");
    set_part(0, 0, 8193);
    refused("part vertex count");
    set_part(0, 3, 8192);
    refused("part mesh");
    set_part(0, 0, 8192);
    set_part(1, 0, 808);
    check_good();
    tiny_free(good);
}

static void tiles_that_do_not_fit_their_parts_are_refused(void)
{
    build();
    REFUSED(tiles[0], part_count, 0, "tile part count");
    REFUSED(tiles[0], part_count, 7, "tile part count");
    REFUSED(tiles[5], part_count, 2, "tile part count");
    REFUSED(tiles[0], part_count, 2, "tile vertex count");
    REFUSED(tiles[3], part_count, 2, "tile of different channels");
    REFUSED(tiles[0], prediction, WIRE_PREDICTION_LIFTED + 1, "tile flag");
    REFUSED(tiles[0], channel_weights, 1, "weights of a tile");
    REFUSED(tiles[0], layer_count, 1, "reserved bytes");
    REFUSED(tiles[0], one_ring_slots, 1, "rings of a tile");
    check_good();
    tiny_free(good);
}

static void blobs_with_impossible_values_are_refused(void)
{
    build();
    REFUSED(blobs[0], reserved, 1, "reserved bytes");
    REFUSED(blobs[0], stored, 0, "blob size");
    check_good();
    tiny_free(good);
}

/* The caller may omit the fault record. */
static void refusals_need_no_record(void)
{
    struct cache_header header;

    build();
    CHECK_EQ(spn__cache_header_read(good->bytes, CACHE_HEADER_BYTES - 1,
                                    &header, NULL),
             SPN_ERR_FORMAT);
    for (uint32_t at = 0; at < CACHE_HEADER_BYTES; at++) {
        good->bytes[at] ^= 1;
        CHECK(spn__cache_header_read(good->bytes, good->size, &header, NULL) <
              SPN_OK);
        good->bytes[at] ^= 1;
    }
    tiny_free(good);
}

TEST_MAIN(TEST(parts_that_do_not_make_meshes_are_refused),
          TEST(tiles_that_do_not_fit_their_parts_are_refused),
          TEST(blobs_with_impossible_values_are_refused),
          TEST(refusals_need_no_record))
