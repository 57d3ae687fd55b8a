/* test_cache_file.c
 *
 * Goal: no bytes of a cache make validation leave its bounds. A cache that is
 *   accepted keeps every promise of the headers in runtime/cache.
 * Method: small caches with every kind of content, made by the encoder. Each
 *   byte, and each whole word, is damaged in turn: with the old checksums,
 *   where everything must be refused, and with new checksums, where the
 *   promises are checked. The cache lies in memory of exactly the right size,
 *   so that sanitizers see an access beyond it.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "cache/cache_layout.h"
#include "cache/cache_nodes.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

#include "base/endian.h"
#include "harness.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/synthetic_clip.h"

#include <stdlib.h>
#include <string.h>

struct good {
    struct memory_sink memory;
    struct cache_checksums places;
};

static void good_make(struct good *g, const struct synthetic_options *o,
                      uint32_t distance, uint32_t codec)
{
    struct synthetic_clip clip;

    memset(g, 0, sizeof *g);
    synthetic_make(&clip, o);
    synthetic_classic(&clip, codec, distance, &g->memory);
    synthetic_free(&clip);
    cache_checksums_find(&g->places, g->memory.bytes, g->memory.size);
}

static void good_free(struct good *g)
{
    cache_checksums_free(&g->places);
    memory_sink_free(&g->memory);
}

/* Two small meshes with every kind of content. */
static void good_small(struct good *g)
{
    good_make(g,
              &(struct synthetic_options){.frame_count = 6,
                                          .mesh_count = 2,
                                          .vertices = 9,
                                          .has_uvs = true,
                                          .has_colors = true,
                                          .has_second_uvs = true,
                                          .has_velocities = true,
                                          .is_mirrored = true,
                                          .hidden_first = 3,
                                          .hidden_limit = 6},
              2, BLOCK_CODEC_LZ4);
}

static spn_status walk(const struct good *g)
{
    struct spn_fault fault = {0};

    return cache_walk_all(g->memory.bytes, g->memory.size, &fault);
}

static void cache_file_accepts_good_caches(void)
{
    struct good g;

    good_small(&g);
    CHECK_EQ(walk(&g), SPN_OK);
    cache_checksums_apply(&g.places, g.memory.bytes);
    CHECK_EQ(walk(&g), SPN_OK);
    good_free(&g);
    good_make(&g,
              &(struct synthetic_options){.vertices = 9000, .frame_count = 3},
              10, BLOCK_CODEC_STORE);
    CHECK_EQ(walk(&g), SPN_OK);
    good_free(&g);
    for (uint32_t id = BLOCK_CODEC_STORE; id <= BLOCK_CODEC_ZSTD; id++) {
        good_make(&g, &(struct synthetic_options){.frame_count = 12}, 5, id);
        CHECK_EQ(walk(&g), SPN_OK);
        good_free(&g);
    }
}

static void cache_file_refuses_every_truncation(void)
{
    struct good g;

    good_small(&g);
    for (size_t size = 0; size < g.memory.size; size++) {
        struct spn_fault fault = {0};
        uint8_t *bytes = malloc(size > 0 ? size : 1);

        test_context("%zu of %zu bytes", size, g.memory.size);
        memcpy(bytes, g.memory.bytes, size);
        CHECK(cache_walk_all(bytes, size, &fault) != SPN_OK);
        CHECK(fault.what != NULL);
        free(bytes);
    }
    good_free(&g);
}

/* The same truncations, with a header that states the new size. */
static void cache_file_refuses_truncations_with_matching_sizes(void)
{
    struct good g;

    good_small(&g);
    for (size_t size = CACHE_HEADER_BYTES; size < g.memory.size; size++) {
        struct spn_fault fault = {0};
        uint8_t *whole = malloc(g.memory.size);
        uint8_t *bytes = malloc(size);
        struct wire_header *wire = (void *)whole;

        test_context("%zu of %zu bytes", size, g.memory.size);
        memcpy(whole, g.memory.bytes, g.memory.size);
        spn_store_u64le(wire->file_bytes, size);
        cache_checksums_apply(&g.places, whole);
        memcpy(bytes, whole, size);
        CHECK(cache_walk_all(bytes, size, &fault) != SPN_OK);
        free(whole);
        free(bytes);
    }
    good_free(&g);
}

static void cache_file_refuses_every_flipped_bit(void)
{
    struct good g;

    good_small(&g);
    for (size_t at = 0; at < g.memory.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            test_context("bit %d of byte %zu", bit, at);
            g.memory.bytes[at] ^= (uint8_t)(1u << bit);
            CHECK(walk(&g) != SPN_OK);
            g.memory.bytes[at] ^= (uint8_t)(1u << bit);
        }
    CHECK_EQ(walk(&g), SPN_OK);
    good_free(&g);
}

/* Damage under correct checksums. Return whether the file was accepted. */
static bool try_with_checksums(struct good *g, uint8_t *copy, size_t at,
                               const uint8_t *value, size_t bytes)
{
    struct spn_fault fault = {0};
    spn_status status;

    memcpy(copy, g->memory.bytes, g->memory.size);
    memcpy(copy + at, value, bytes);
    cache_checksums_apply(&g->places, copy);
    status = cache_walk_all(copy, g->memory.size, &fault);
    return status == SPN_OK;
}

static void cache_file_survives_every_byte(void)
{
    static const uint8_t values[] = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff};
    struct good g;
    uint8_t *copy;

    good_small(&g);
    copy = malloc(g.memory.size);
    for (size_t at = 0; at < g.memory.size; at++)
        for (size_t k = 0; k <= sizeof values; k++) {
            uint8_t value = k < sizeof values
                                ? values[k]
                                : (uint8_t)(g.memory.bytes[at] + 1);

            test_context("byte %zu is %u", at, value);
            (void)try_with_checksums(&g, copy, at, &value, 1);
        }
    free(copy);
    good_free(&g);
}

static void check_words(struct good *g, uint8_t *copy, size_t first,
                        size_t limit)
{
    for (size_t at = first; at + 4 <= limit; at++) {
        uint32_t old = spn_load_u32le(g->memory.bytes + at);
        const uint32_t values[] = {0,          1,           0x7fffffffu,
                                   UINT32_MAX, 0x80000000u, 0x7fc00000u,
                                   old + 1,    old - 1,     old ^ 0x80000000u};

        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            uint8_t wire[4];

            spn_store_u32le(wire, values[k]);
            test_context("word at %zu is 0x%x", at, values[k]);
            (void)try_with_checksums(g, copy, at, wire, sizeof wire);
        }
    }
}

static void cache_file_survives_every_field(void)
{
    struct good g;
    uint8_t *copy;

    good_small(&g);
    copy = malloc(g.memory.size);
    check_words(&g, copy, 0, g.places.parts.blobs);
    for (size_t i = 0; i < g.places.parts.frame_count; i++)
        check_words(&g, copy, g.places.directories[i],
                    g.places.directories[i] + g.places.parts.directory_bytes);
    free(copy);
    good_free(&g);
}

/* Fields of the header that can have only one value. Each other value is
 * refused. */
#define FIELD(name)                                                            \
    {                                                                          \
#name, offsetof(struct wire_header, name),                             \
            sizeof(((struct wire_header *)0)->name)                            \
    }

static void cache_file_refuses_each_false_count(void)
{
    static const struct {
        const char *name;
        size_t at;
        size_t bytes;
    } fields[] = {
        FIELD(version),
        FIELD(frame_count),
        FIELD(group_count),
        FIELD(node_count),
        FIELD(mesh_count),
        FIELD(animated_node_count),
        FIELD(animated_affine_count),
        FIELD(attribute_count),
        FIELD(box_bytes),
        FIELD(material_count),
        FIELD(part_count),
        FIELD(tile_count),
        FIELD(block_count),
        FIELD(blob_count),
        FIELD(name_bytes),
        FIELD(index16_count),
        FIELD(index32_count),
        FIELD(tables_bytes),
        FIELD(largest_frame_bytes),
        FIELD(file_bytes),
        FIELD(largest_group_bytes),
        FIELD(tables_offset),
        FIELD(frame_table_offset),
        FIELD(blobs_offset),
        FIELD(blobs_bytes),
        FIELD(frames_offset),
        FIELD(duration_us),
        FIELD(signature),
        FIELD(reserved_a),
        FIELD(reserved_b),
    };
    struct good g;
    uint8_t *copy;

    good_small(&g);
    copy = malloc(g.memory.size);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int k = 0; k < 5; k++) {
            uint8_t value[64];
            const uint8_t *old = g.memory.bytes + fields[i].at;

            CHECK(fields[i].bytes <= sizeof value);
            memset(value, k == 0 ? 0 : 0xff, sizeof value);
            if (k == 1)
                memset(value + 1, 0, sizeof value - 1), value[0] = 1;
            if (k >= 3) {
                memcpy(value, old, fields[i].bytes);
                value[0] = (uint8_t)(k == 3 ? old[0] + 1 : old[0] - 1);
            }
            if (memcmp(value, old, fields[i].bytes) == 0)
                continue;
            test_context("%s, variant %d", fields[i].name, k);
            CHECK(!try_with_checksums(&g, copy, fields[i].at, value,
                                      fields[i].bytes));
        }
    free(copy);
    good_free(&g);
}

static const struct wire_attribute *attributes_of(
    const struct good *g, const struct cache_header *header)
{
    const uint8_t *names = g->memory.bytes + header->tables_offset;

    return (const void *)(names + header->name_bytes +
                          header->node_count * sizeof(struct wire_node) +
                          header->mesh_count * sizeof(struct wire_mesh));
}

/* The second UVs are the first attribute, with two components. */
static void cache_file_refuses_false_attributes(void)
{
#define ATTRIBUTE(field, at) (offsetof(struct wire_attribute, field) + (at))
    static const struct {
        size_t at;
        uint8_t bytes[4];
    } lies[] = {
        {ATTRIBUTE(name, 0), {0xff, 0xff, 0, 0}},
        {ATTRIBUTE(bits, 0), {0, 16, 0, 0}},
        {ATTRIBUTE(bits, 0), {16, 17, 0, 0}},
        {ATTRIBUTE(bits, 0), {16, 16, 16, 0}},
        {ATTRIBUTE(bits, 0), {16, 16, 0, 1}},
        {ATTRIBUTE(min, 0), {0, 0, 0xc0, 0x7f}},
        {ATTRIBUTE(min, 8), {0, 0, 0x80, 0x3f}},
        {ATTRIBUTE(size, 4), {0, 0, 0x80, 0x7f}},
        {ATTRIBUTE(size, 4), {0, 0, 0x80, 0xbf}},
        {ATTRIBUTE(size, 8), {0, 0, 0x80, 0x3f}},
    };
    struct cache_header header;
    struct good g;
    uint8_t *copy;
    size_t at;

    good_small(&g);
    copy = malloc(g.memory.size);
    CHECK_EQ(
        spn__cache_header_read(g.memory.bytes, g.memory.size, &header, NULL),
        SPN_OK);
    CHECK_EQ_U(header.attribute_count, 4);
    at = (size_t)((const uint8_t *)attributes_of(&g, &header) - g.memory.bytes);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        test_context("field %zu", i);
        CHECK(!try_with_checksums(&g, copy, at + lies[i].at, lies[i].bytes, 4));
    }
    /* Velocities have three components. */
    at += sizeof(struct wire_attribute);
    CHECK(!try_with_checksums(&g, copy, at + ATTRIBUTE(bits, 0),
                              (const uint8_t[4]){16, 16, 0, 0}, 4));
    CHECK(try_with_checksums(&g, copy, at + ATTRIBUTE(bits, 0),
                             (const uint8_t[4]){16, 16, 1, 0}, 4));
    free(copy);
    good_free(&g);
#undef ATTRIBUTE
}

static void cache_file_refuses_unknown_flags(void)
{
    struct spn_fault fault = {0};
    struct cache_header header;
    struct good g;

    good_small(&g);
    for (uint32_t bit = 0; bit < 32; bit++) {
        spn_status status;

        test_context("bit %u", bit);
        spn_store_u32le(((struct wire_header *)g.memory.bytes)->flags,
                        1u << bit);
        cache_checksums_apply(&g.places, g.memory.bytes);
        status = spn__cache_header_read(g.memory.bytes, g.memory.size, &header,
                                        &fault);
        CHECK_EQ(status, bit == 0 ? SPN_OK : SPN_ERR_FORMAT);
        if (bit == 0)
            CHECK(header.plays_from_memory);
        else
            CHECK_STR(fault.what, "flags");
    }
    good_free(&g);
}

/* Return the number of accepted values of the byte at `at`. All unknown values
 * must be refused. */
static uint32_t count_accepted(struct good *g, uint8_t *copy, size_t at)
{
    uint32_t count = 0;

    for (uint32_t value = 0; value < 256; value++) {
        const uint8_t byte = (uint8_t)value;
        bool is_known = (value & 15) < CODING_COUNT && value >> 4 < ORDER_COUNT;
        bool is_accepted = try_with_checksums(g, copy, at, &byte, 1);

        test_context("coding byte %u", value);
        CHECK(is_known || !is_accepted);
        count += is_accepted;
    }
    return count;
}

/* Every value of every coding byte, in blocks of index frames, B frames and
 * nodes, and in blobs. A channel is plain or predicted in space, in either
 * order. */
static void cache_file_refuses_unknown_codings_and_orders(void)
{
    const size_t coding = offsetof(struct wire_directory_entry, coding);
    struct cache_block nodes[8];
    struct cache_header header;
    uint32_t nodes_count;
    struct good g;
    uint8_t *copy;

    good_small(&g);
    copy = malloc(g.memory.size);
    CHECK_EQ(
        spn__cache_header_read(g.memory.bytes, g.memory.size, &header, NULL),
        SPN_OK);
    nodes_count = (uint32_t)spn__cache_layout_blocks(
        header.animated_node_count, header.animated_affine_count, NULL, 0,
        nodes, 8);
    CHECK(nodes_count > 0 && nodes_count < header.block_count);
    for (size_t i = 0; i < g.places.parts.frame_count; i++)
        for (size_t b = 0; b < header.block_count; b++) {
            size_t at = g.places.directories[i] + CACHE_DIRECTORY_HEAD_BYTES +
                        b * CACHE_DIRECTORY_ENTRY_BYTES;
            bool is_absent = spn_load_u32le(g.memory.bytes + at) == 0;
            uint32_t count;

            test_context("frame %zu block %zu", i, b);
            count = count_accepted(&g, copy, at + coding);
            if (b < nodes_count || is_absent)
                CHECK_EQ_U(count, 1);
            else
                CHECK(count >= 2 && count % 2 == 0);
        }
    for (size_t b = 0; b < header.blob_count; b++) {
        size_t at = g.places.parts.blobs -
                    (header.blob_count - b) * sizeof(struct wire_blob) +
                    offsetof(struct wire_blob, coding);
        uint32_t count = count_accepted(&g, copy, at);

        CHECK(count == 1 || count == 2 || count == 4);
    }
    free(copy);
    good_free(&g);
}

static void cache_file_survives_random_damage(void)
{
    struct test_random random = {20240229};
    struct good g;
    uint8_t *copy;

    good_small(&g);
    copy = malloc(g.memory.size);
    for (int round = 0; round < 20000; round++) {
        uint32_t count = 1 + test_random_below(&random, 6);
        struct spn_fault fault = {0};

        test_context("round %d", round);
        memcpy(copy, g.memory.bytes, g.memory.size);
        for (uint32_t i = 0; i < count; i++)
            copy[test_random_below(&random, (uint32_t)g.memory.size)] =
                (uint8_t)test_random_u64(&random);
        cache_checksums_apply(&g.places, copy);
        (void)cache_walk_all(copy, g.memory.size, &fault);
    }
    free(copy);
    good_free(&g);
}

/* Rows on both sides of every border between blocks. */
static void rows_are_in_the_stated_blocks(void)
{
    static const uint32_t counts[] = {0, 1, 2, 1023, 1024, 1025, 3000};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            struct cache_block blocks[8];
            struct cache_header header = {0};
            uint32_t count;

            header.animated_affine_count = counts[k];
            header.animated_node_count = counts[i] + counts[k];
            count = (uint32_t)spn__cache_layout_blocks(
                header.animated_node_count, counts[k], NULL, 0, blocks, 8);
            CHECK(count <= 8);
            for (uint32_t row = 0; row < header.animated_node_count; row++) {
                uint32_t at = spn__cache_nodes_block(&header, row);

                CHECK(at < count);
                CHECK(row - blocks[at].first < blocks[at].count);
                CHECK_EQ(blocks[at].is_affine, row >= counts[i]);
                CHECK_EQ_U(blocks[at].raw_bytes,
                           blocks[at].count * (blocks[at].is_affine ? 49 : 41));
            }
        }
}

TEST_MAIN(TEST(cache_file_accepts_good_caches),
          TEST(rows_are_in_the_stated_blocks),
          TEST(cache_file_refuses_every_truncation),
          TEST(cache_file_refuses_truncations_with_matching_sizes),
          TEST(cache_file_refuses_every_flipped_bit),
          TEST(cache_file_survives_every_byte),
          TEST(cache_file_survives_every_field),
          TEST(cache_file_refuses_each_false_count),
          TEST(cache_file_refuses_false_attributes),
          TEST(cache_file_refuses_unknown_flags),
          TEST(cache_file_refuses_unknown_codings_and_orders),
          TEST(cache_file_survives_random_damage))
