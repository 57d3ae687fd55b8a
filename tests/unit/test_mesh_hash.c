/* test_mesh_hash.c
 *
 * Goal: the content hash of a static mesh is what FORMAT.md says, follows the
 *   content and nothing else, and is compared when a cache is opened.
 * Method: synthetic clips. The bytes that are hashed are put together again
 *   from the values of the clip. Clips that differ in one detail have other
 *   hashes, files that differ in coding alone the same. Wrong hashes are
 *   refused by the runtime and by the tool.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/mesh_hash.h"

#include "base/block_codec.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "cache/cache_wire_tables.h"
#include "cache/vertex_order.h"
#include "cachefile/cache_reader_state.h"
#include "harness.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <stdlib.h>
#include <string.h>

/* One of them, of a few vertices. */
static struct synthetic_options little(void)
{
    struct synthetic_options o = synthetic_static;

    o.mesh_count = 1;
    o.vertices = 20;
    return o;
}

static void encode(const struct synthetic_clip *clip, uint32_t codec,
                   struct memory_sink *memory)
{
    synthetic_classic(clip, codec, 10, memory);
}

/* The hash of a mesh in the file. */
static uint64_t hash_of(const struct synthetic_clip *clip, uint32_t codec,
                        uint32_t mesh)
{
    struct memory_sink memory = {0};
    struct cache_reader *reader;
    struct diag diag;
    uint64_t hash;

    encode(clip, codec, &memory);
    diag_init(&diag);
    reader = cache_reader_open_memory("a", memory.bytes, memory.size, &diag);
    CHECK(reader != NULL);
    hash = cache_reader_tables(reader)->meshes[mesh].content_hash;
    cache_reader_close(reader);
    diag_finish(&diag);
    memory_sink_free(&memory);
    return hash;
}

/* -- the definition -- */

static uint8_t bytes[1 << 20];
static size_t size;

static void put_u32(uint32_t value)
{
    spn_store_u32le(bytes + size, value);
    size += 4;
}

static void put_text(const char *text)
{
    memcpy(bytes + size, text, strlen(text) + 1);
    size += strlen(text) + 1;
}

static void put_channel(const struct clip_mesh *mesh, enum channel channel)
{
    const size_t count =
        (size_t)mesh->vertex_count * channel_vertex_bytes(channel);

    memcpy(bytes + size, mesh->static_channel[channel], count);
    if (channel != CHANNEL_COLOR)
        spn_swap_u16le(bytes + size, count / 2);
    size += count;
}

static uint64_t expected_hash(const struct clip_mesh *mesh)
{
    static const enum channel ranged[] = {CHANNEL_POSITION, CHANNEL_UV,
                                          CHANNEL_SECOND_UV, CHANNEL_VELOCITY};
    const enum cache_reflection reflection = layout_reflection(mesh);

    size = 0;
    put_u32(mesh->vertex_count);
    put_u32(mesh->index_count);
    put_u32(mesh->material_count);
    put_u32(2);
    put_u32(mesh->static_mask);
    put_u32(reflection);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < channel_components(ranged[i]); k++) {
            const struct channel_range *range = &mesh->range[ranged[i]];

            put_u32(range->bits[k]);
            spn_store_f32le(bytes + size, range->min[k]);
            spn_store_f32le(bytes + size + 4, range->size[k]);
            size += 8;
        }
    put_text(mesh->second_uv_name ? mesh->second_uv_name : "");
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        put_u32(mesh->materials[i].id);
        put_u32(mesh->materials[i].index_count);
        put_text(mesh->materials[i].name);
    }
    for (uint32_t i = 0; i < mesh->index_count; i++, size += 2)
        spn_store_u16le(bytes + size, (uint16_t)mesh->indices[i]);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        put_channel(mesh, (enum channel)c);
    if (reflection == CACHE_REFLECTION_MIXED) {
        memcpy(bytes + size, mesh->reflection, mesh->vertex_count);
        size += mesh->vertex_count;
    }
    CHECK(size < sizeof bytes);
    return spn__hash64(bytes, size, 0);
}

/* The meshes have two parts, and several runs of indices. */
static void hash_is_that_of_the_document(void)
{
    struct synthetic_clip clip;

    synthetic_make(&clip, &synthetic_static);
    for (uint32_t m = 0; m < 2; m++) {
        test_context("mesh %u", m);
        CHECK_EQ_U(hash_of(&clip, BLOCK_CODEC_LZ4, m),
                   expected_hash(&clip.clip.meshes[m]));
    }
    CHECK(layout_reflection(&clip.clip.meshes[0]) == CACHE_REFLECTION_MIXED);
    synthetic_free(&clip);
}

/* -- what it follows -- */

static void hash_ignores_name_codec_and_the_other_meshes(void)
{
    const struct synthetic_options one = little();
    struct synthetic_options crowd = one;
    struct synthetic_clip clip;
    struct synthetic_clip other;
    uint64_t hash;

    crowd.frame_count = 5;
    crowd.mesh_count = 2;
    crowd.step = 7;
    synthetic_make(&clip, &one);
    synthetic_make(&other, &crowd);
    hash = hash_of(&clip, BLOCK_CODEC_LZ4, 0);
    for (uint32_t codec = BLOCK_CODEC_STORE; codec <= BLOCK_CODEC_ZSTD; codec++)
        CHECK_EQ_U(hash_of(&clip, codec, 0), hash);
    other.clip.meshes[0].path = "renamed";
    CHECK_EQ_U(hash_of(&other, BLOCK_CODEC_LZ4, 0), hash);
    CHECK(hash_of(&other, BLOCK_CODEC_LZ4, 1) != hash);
    synthetic_free(&clip);
    synthetic_free(&other);
}

/* Change one detail; the second call undoes it. */
static void change(struct clip_mesh *mesh, uint32_t detail)
{
    static const char *name = "other";
    const char *before;

    switch (detail) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        ((uint8_t *)mesh->static_channel[detail])[0] ^= 1;
        break;
    case 6:
        mesh->reflection[mesh->vertex_count - 1] ^= 1;
        break;
    case 7: {
        const uint32_t index = mesh->indices[0];

        mesh->indices[0] = mesh->indices[1];
        mesh->indices[1] = index;
        break;
    }
    case 8:
        mesh->materials[0].id ^= 1;
        break;
    case 9:
        before = mesh->materials[0].name;
        mesh->materials[0].name = name;
        name = before;
        break;
    case 10:
        before = mesh->second_uv_name;
        mesh->second_uv_name = name;
        name = before;
        break;
    case 11:
        mesh->range[CHANNEL_POSITION].size[2] =
            3 - mesh->range[CHANNEL_POSITION].size[2];
        break;
    case 12:
        mesh->range[CHANNEL_SECOND_UV].min[1] =
            1 - mesh->range[CHANNEL_SECOND_UV].min[1];
        break;
    default:
        mesh->range[CHANNEL_VELOCITY].bits[1] ^= 1;
        break;
    }
}
#define DETAILS 14u

static void hash_follows_every_detail(void)
{
    const struct synthetic_options one = little();
    struct synthetic_clip clip;
    uint64_t hash;

    synthetic_make(&clip, &one);
    hash = hash_of(&clip, BLOCK_CODEC_LZ4, 0);
    for (uint32_t detail = 0; detail < DETAILS; detail++) {
        test_context("detail %u", detail);
        change(&clip.clip.meshes[0], detail);
        CHECK(hash_of(&clip, BLOCK_CODEC_LZ4, 0) != hash);
        change(&clip.clip.meshes[0], detail);
        CHECK_EQ_U(hash_of(&clip, BLOCK_CODEC_LZ4, 0), hash);
    }
    synthetic_free(&clip);
}

/* The compiler lifts no static mesh. The UVs of the first lifted mesh never
 * change: without its other channels it is a static one, stored by layers. */
static void lifted_values_are_hashed_in_the_order_of_the_vertices(void)
{
    static uint8_t scratch[BLOCK_RAW_BYTES_MAX];
    struct memory_sink memory = {0};
    const struct cache_reader_frame *frame;
    struct cache_decoder decoder;
    struct cache_tables tables;
    struct cache_reader *reader;
    struct cache_mesh mesh;
    struct hash64 state;
    struct diag diag;
    uint64_t hash;

    synthetic_lift(&(struct synthetic_options){.frame_count = 9,
                                               .vertices = 300,
                                               .has_uvs = true},
                   8, false, &memory);
    diag_init(&diag);
    reader = cache_reader_open_memory("a", memory.bytes, memory.size, &diag);
    CHECK(reader != NULL);
    frame = cache_reader_frame(reader, 0);
    CHECK(frame != NULL);
    decoder = reader->decoder;
    tables = *decoder.tables;
    decoder.tables = &tables;
    mesh = tables.meshes[0];
    CHECK(cache_tile_is_lifted(&tables.tiles[0]));
    CHECK(spn__cache_lift_order(&tables, 0, decoder.blob_data) != NULL);
    mesh.animated_mask = 0;
    mesh.static_mask = 0;
    tables.meshes = &mesh;
    hash = spn__mesh_hash(&decoder, 0, scratch);
    /* What comes before the channel is the same without it, but the mask and
     * the range. */
    mesh.static_mask = CHANNEL_BIT(CHANNEL_UV);
    CHECK(spn__mesh_hash(&decoder, 0, scratch) != hash);
    size = 0;
    put_u32(mesh.vertex_count);
    put_u32(mesh.index_count);
    put_u32(mesh.material_count);
    put_u32(2);
    put_u32(mesh.static_mask);
    put_u32(mesh.reflection);
    for (uint32_t k = 0; k < 2; k++) {
        put_u32(16);
        spn_store_f32le(bytes + size, mesh.range[CHANNEL_UV].min[k]);
        spn_store_f32le(bytes + size + 4, mesh.range[CHANNEL_UV].size[k]);
        size += 8;
    }
    put_text("");
    for (uint32_t i = 0; i < mesh.material_count; i++) {
        put_u32(tables.materials[i].id);
        put_u32(tables.materials[i].index_count);
        put_text(tables.materials[i].name);
    }
    for (uint32_t i = 0; i < mesh.index_count; i++, size += 2)
        spn_store_u16le(bytes + size,
                        (uint16_t)cache_reader_indices(reader, 0)[i]);
    memcpy(bytes + size, frame->meshes[0].channel[CHANNEL_UV],
           (size_t)mesh.vertex_count * 4);
    spn_swap_u16le(bytes + size, mesh.vertex_count * 2);
    size += (size_t)mesh.vertex_count * 4;
    /* In pieces of seven bytes. */
    spn__hash64_begin(&state, 0);
    for (size_t at = 0; at < size; at += 7)
        spn__hash64_add(&state, bytes + at, size - at < 7 ? size - at : 7);
    CHECK_EQ_U(spn__mesh_hash(&decoder, 0, scratch), spn__hash64_end(&state));
    spn__vertex_order_restore(&decoder, 0, scratch);
    CHECK_MEM(decoder.blob_data[tables.tiles[0].blob[CHANNEL_UV]],
              frame->meshes[0].channel[CHANNEL_UV],
              (size_t)mesh.vertex_count * 4);
    cache_reader_close(reader);
    diag_finish(&diag);
    memory_sink_free(&memory);
}

/* -- wrong hashes -- */

static size_t hash_at(const struct memory_sink *memory, uint32_t mesh)
{
    struct cache_header h;

    CHECK_EQ(spn__cache_header_read(memory->bytes, memory->size, &h, NULL),
             SPN_OK);
    return (size_t)h.tables_offset + h.name_bytes +
           h.node_count * sizeof(struct wire_node) +
           mesh * sizeof(struct wire_mesh) +
           offsetof(struct wire_mesh, content_hash);
}

/* What the runtime says of the cache. */
static spn_status open_status(const struct memory_sink *memory,
                              spn_fault *fault)
{
    static struct stage stage;
    spn_status status;

    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory->bytes, memory->size);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while ((status = spn_cache_get_status(stage.rt, stage.cache, fault)) ==
           SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    stage_close(&stage);
    return status;
}

static void wrong_hashes_are_refused(void)
{
    struct synthetic_options o = synthetic_static;
    struct memory_sink memory = {0};
    struct cache_checksums places;
    struct synthetic_clip clip;
    struct cache_reader *reader;
    spn_fault fault = {0};
    struct diag diag;
    uint64_t hash;
    size_t at;

    o.vertices = 20;
    synthetic_make(&clip, &o);
    encode(&clip, BLOCK_CODEC_LZ4, &memory);
    cache_checksums_find(&places, memory.bytes, memory.size);
    CHECK_EQ(open_status(&memory, &fault), SPN_OK);
    at = hash_at(&memory, 1);
    hash = spn_load_u64le(memory.bytes + at);
    CHECK_EQ_U(hash, expected_hash(&clip.clip.meshes[1]));
    memory.bytes[at + 5] ^= 16;
    cache_checksums_apply(&places, memory.bytes);
    CHECK_EQ(open_status(&memory, &fault), SPN_ERR_CHECKSUM);
    CHECK_STR(fault.what, "content hash of a mesh");
    CHECK_EQ_U(fault.offset, at);
    CHECK_EQ_U(fault.value, hash);
    CHECK_EQ_U(fault.expected, spn_load_u64le(memory.bytes + at));
    diag_init(&diag);
    reader = cache_reader_open_memory("a", memory.bytes, memory.size, &diag);
    CHECK(reader == NULL);
    CHECK(diag_has_failed(&diag));
    diag_finish(&diag);
    cache_checksums_free(&places);
    memory_sink_free(&memory);
    synthetic_free(&clip);
}

static void animated_meshes_have_no_hash(void)
{
    struct memory_sink memory = {0};
    struct cache_checksums places;
    struct synthetic_clip clip;
    spn_fault fault = {0};
    size_t at;

    synthetic_make(&clip, &(struct synthetic_options){.frame_count = 2});
    encode(&clip, BLOCK_CODEC_LZ4, &memory);
    cache_checksums_find(&places, memory.bytes, memory.size);
    at = hash_at(&memory, 0);
    CHECK_EQ_U(spn_load_u64le(memory.bytes + at), 0);
    memory.bytes[at] = 1;
    cache_checksums_apply(&places, memory.bytes);
    CHECK_EQ(open_status(&memory, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "content hash of an animated mesh");
    CHECK_EQ_U(fault.offset, at);
    cache_checksums_free(&places);
    memory_sink_free(&memory);
    synthetic_free(&clip);
}

static void mesh_info_has_the_hash(void)
{
    const struct synthetic_options one = little();
    struct memory_sink memory = {0};
    static struct stage stage;
    struct synthetic_clip clip;
    spn_mesh_info info;
    spn_mesh_id id;

    synthetic_make(&clip, &one);
    encode(&clip, BLOCK_CODEC_LZ4, &memory);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    stage_open(&stage);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &info), SPN_OK);
    CHECK_EQ_U(info.content_hash, expected_hash(&clip.clip.meshes[0]));
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 0, &id), SPN_OK);
    CHECK_EQ_U(id, info.content_hash);
    stage_close(&stage);
    memory_sink_free(&memory);
    synthetic_free(&clip);
}

TEST_MAIN(TEST(hash_is_that_of_the_document),
          TEST(hash_ignores_name_codec_and_the_other_meshes),
          TEST(hash_follows_every_detail),
          TEST(lifted_values_are_hashed_in_the_order_of_the_vertices),
          TEST(wrong_hashes_are_refused), TEST(animated_meshes_have_no_hash),
          TEST(mesh_info_has_the_hash))
