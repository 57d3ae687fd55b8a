/* test_lift_cache.c
 *
 * Goal: a cache of lifted meshes plays as it was encoded. Damage affects only
 *   the frames that use the damaged bytes. No bytes make the runtime misbehave.
 * Method: clips with known values, played on a slow disc, forwards and by
 *   seeks. Blocks are damaged, and the tiles that refer to them must be lost.
 *   Bytes in the whole file are changed under correct checksums, through the
 *   decoder and through the runtime.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "harness.h"
#include "support/lifted_clip.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_US 33333

static void open_stage(struct stage *s, const uint8_t *bytes, size_t size)
{
    stage_init(s, NULL);
    slow_platform_add(&s->disc, "a", bytes, size);
}

static void lift_cache_plays_as_it_was_encoded(void)
{
    static const uint32_t order[] = {13, 2, 19, 0, 8, 7, 9, 16, 17, 1};
    struct lifted_clip l;
    struct stage s;
    spn_node node;

    lifted_clip_small(&l);
    open_stage(&s, l.memory.bytes, l.memory.size);
    stage_open(&s);
    node = stage_node(&s, false);
    CHECK_EQ(spn_node_start_streaming(s.rt, node, 0), SPN_OK);
    stage_until_ready(&s, node);
    for (uint32_t f = 0; f < l.clip.clip.frame_count; f++) {
        CHECK_EQ(
            spn_node_set_playback_time(s.rt, node, lifted_clip_time(&l, f)),
            SPN_OK);
        stage_tick(&s, FRAME_US);
        stage_until_ready(&s, node);
        lifted_clip_check(&l, &s, node, f);
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        CHECK_EQ(spn_node_start_streaming(s.rt, node,
                                          lifted_clip_time(&l, order[i])),
                 SPN_OK);
        stage_tick(&s, FRAME_US);
        stage_until_ready(&s, node);
        lifted_clip_check(&l, &s, node, order[i]);
    }
    CHECK_EQ(spn_node_destroy(s.rt, node), SPN_OK);
    stage_until_empty(&s);
    stage_close(&s);
    lifted_clip_free(&l);
}

/* -- damage that checksums detect -- */

/* A tile may survive if its residuals use fewer frames than the frame lists. */
static void lift_cache_loses_tiles_that_refer_to_damage(void)
{
    struct lifted_clip l;

    lifted_clip_make(
        &l, &(struct synthetic_options){.frame_count = 25, .vertices = 400}, 8,
        false);
    for (uint32_t damaged = 0; damaged < 25; damaged++) {
        uint8_t *bytes = malloc(l.memory.size);
        struct stage s;
        spn_node node;
        uint32_t lost = 0;

        memcpy(bytes, l.memory.bytes, l.memory.size);
        bytes[l.frame_offset[damaged] + l.frame_bytes[damaged] - 1] ^= 4;
        open_stage(&s, bytes, l.memory.size);
        stage_open(&s);
        node = stage_node(&s, false);
        CHECK_EQ(spn_node_start_streaming(s.rt, node, 0), SPN_OK);
        for (int i = 0; i < 60; i++)
            stage_tick(&s, STAGE_TICK_US);
        for (uint32_t f = 0; f < 25; f++) {
            spn_node_state state;

            test_context("damaged %u, frame %u", damaged, f);
            CHECK_EQ(
                spn_node_set_playback_time(s.rt, node, lifted_clip_time(&l, f)),
                SPN_OK);
            stage_tick(&s, FRAME_US);
            state = stage_state(&s, node);
            if (lifted_clip_is_lost(&l, damaged, f)) {
                lost += state.shown_frame != f;
                continue;
            }
            CHECK_EQ_U(state.shown_frame, f);
            lifted_clip_check(&l, &s, node, f);
        }
        CHECK(lost > 0);
        CHECK_EQ_U(stage_state(&s, node).frames_dropped, lost);
        CHECK_EQ_U(stage_state(&s, node).fault_frame, damaged);
        CHECK_EQ(spn_node_destroy(s.rt, node), SPN_OK);
        stage_until_empty(&s);
        stage_close(&s);
        free(bytes);
    }
    lifted_clip_free(&l);
}

/* -- truncations, and damage under correct checksums -- */

static void lift_cache_refuses_truncations(void)
{
    struct lifted_clip l;

    lifted_clip_small(&l);
    for (size_t size = 0; size < l.memory.size; size++) {
        struct spn_fault fault = {0};
        uint8_t *bytes = malloc(size > 0 ? size : 1);

        test_context("%zu of %zu bytes", size, l.memory.size);
        memcpy(bytes, l.memory.bytes, size);
        CHECK(cache_walk_all(bytes, size, &fault) != SPN_OK);
        free(bytes);
    }
    lifted_clip_free(&l);
}

/* The same truncations, with a header that states the new size. */
static void truncations_with_matching_sizes_are_refused(bool has_rings)
{
    struct synthetic_options options = lifted_clip_options;
    struct lifted_clip l;
    struct cache_checksums header;
    uint8_t *whole;

    options.frame_count = 11;
    options.vertices = 260;
    lifted_clip_make(&l, &options, 8, has_rings);
    /* The header's checksum is the last one, and no other covers it. */
    header = (struct cache_checksums){
        .list = &l.places.list[l.places.count - 1], .count = 1};
    whole = malloc(l.memory.size);
    memcpy(whole, l.memory.bytes, l.memory.size);
    for (size_t size = l.memory.size; size-- > CACHE_HEADER_BYTES;) {
        struct spn_fault fault = {0};
        uint8_t *bytes = malloc(size);

        test_context("%zu of %zu bytes, rings %d", size, l.memory.size,
                     has_rings);
        spn_store_u64le(((struct wire_header *)whole)->file_bytes, size);
        cache_checksums_apply(&header, whole);
        memcpy(bytes, whole, size);
        CHECK_EQ(cache_walk_all(bytes, size, &fault), SPN_ERR_FORMAT);
        CHECK(fault.what != NULL);
        free(bytes);
    }
    /* Only the size was the reason for the refusals. */
    spn_store_u64le(((struct wire_header *)whole)->file_bytes, l.memory.size);
    cache_checksums_apply(&header, whole);
    CHECK_MEM(whole, l.memory.bytes, l.memory.size);
    free(whole);
    lifted_clip_free(&l);
}

static void lift_cache_refuses_truncations_with_matching_sizes(void)
{
    truncations_with_matching_sizes_are_refused(false);
    truncations_with_matching_sizes_are_refused(true);
}

static uint32_t random_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Change one to four bytes of [first, limit), often to extreme values. */
static void damage(uint8_t *bytes, size_t first, size_t limit, uint32_t *state)
{
    static const uint8_t values[] = {0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff};
    const uint32_t count = 1 + random_of(state) % 4;
    size_t at = first + random_of(state) % (limit - first);

    for (uint32_t i = 0; i < count && at < limit; i++, at++)
        bytes[at] = random_of(state) % 2
                        ? (uint8_t)random_of(state)
                        : values[random_of(state) % sizeof values];
}

/* The range of the next damage: tables, blobs, a directory, blocks. */
static void damage_somewhere(const struct lifted_clip *l, uint8_t *bytes,
                             uint32_t *state)
{
    const struct cache_checksums *p = &l->places;
    const uint32_t frame = random_of(state) % (uint32_t)p->parts.frame_count;
    const size_t start = p->directories[frame];

    switch (random_of(state) % 5) {
    case 0:
        damage(bytes, p->parts.frame_table, p->parts.tables, state);
        break;
    case 1:
        damage(bytes, p->parts.tables, p->parts.blobs, state);
        break;
    case 2:
        damage(bytes, p->parts.blobs, p->parts.frames, state);
        break;
    case 3:
        damage(bytes, start, start + p->parts.directory_bytes, state);
        break;
    default:
        damage(bytes, p->parts.frames, l->memory.size, state);
        break;
    }
}

static void decoder_survives_damage_with_checksums(uint32_t tries)
{
    uint32_t state = 1;
    uint32_t refused = 0;
    struct lifted_clip l;
    uint8_t *bytes;

    lifted_clip_small(&l);
    bytes = malloc(l.memory.size);
    for (uint32_t i = 0; i < tries; i++) {
        struct spn_fault fault = {0};

        test_context("try %u", i);
        memcpy(bytes, l.memory.bytes, l.memory.size);
        damage_somewhere(&l, bytes, &state);
        cache_checksums_apply(&l.places, bytes);
        refused += cache_walk_all(bytes, l.memory.size, &fault) != SPN_OK;
    }
    /* Residuals may have any bits, but most damage is detected. */
    CHECK(refused > tries / 2 && refused < tries);
    free(bytes);
    lifted_clip_free(&l);
}

static void lift_cache_decoder_survives_damage_with_checksums(void)
{
    decoder_survives_damage_with_checksums(1500);
}

/* A short version, for runs that leave out the other one, which takes a
 * minute. */
static void lift_cache_decoder_survives_some_damage_with_checksums(void)
{
    decoder_survives_damage_with_checksums(100);
}

static void play_anything(const struct lifted_clip *l, const uint8_t *bytes)
{
    struct stage s;
    spn_status status = SPN_PENDING;

    open_stage(&s, bytes, l->memory.size);
    s.config.heap_bytes = 2u << 20;
    stage_start(&s);
    CHECK_EQ(spn_cache_open(s.rt, "a", &s.cache), SPN_OK);
    for (int i = 0; i < 2000 && status == SPN_PENDING; i++) {
        stage_tick(&s, STAGE_TICK_US);
        status = spn_cache_get_status(s.rt, s.cache, NULL);
    }
    CHECK(status != SPN_PENDING);
    if (status == SPN_OK) {
        spn_node node = stage_node(&s, false);

        CHECK_EQ(spn_node_start_streaming(s.rt, node, 0), SPN_OK);
        for (uint32_t f = 0; f < l->clip.clip.frame_count; f++) {
            CHECK_EQ(
                spn_node_set_playback_time(s.rt, node, lifted_clip_time(l, f)),
                SPN_OK);
            stage_tick(&s, FRAME_US);
        }
        CHECK_EQ(spn_node_destroy(s.rt, node), SPN_OK);
        stage_until_empty(&s);
    }
    stage_close(&s);
}

static void lift_cache_plays_mended_damage_to_the_end(void)
{
    uint32_t state = 7;
    struct lifted_clip l;
    uint8_t *bytes;

    lifted_clip_small(&l);
    bytes = malloc(l.memory.size);
    for (uint32_t i = 0; i < 150; i++) {
        test_context("try %u", i);
        memcpy(bytes, l.memory.bytes, l.memory.size);
        damage_somewhere(&l, bytes, &state);
        cache_checksums_apply(&l.places, bytes);
        play_anything(&l, bytes);
    }
    free(bytes);
    lifted_clip_free(&l);
}

/* -- fields of the tables -- */

static bool is_accepted(const struct lifted_clip *l, uint8_t *bytes)
{
    struct spn_fault fault = {0};

    cache_checksums_apply(&l->places, bytes);
    return cache_walk_all(bytes, l->memory.size, &fault) == SPN_OK;
}

static struct wire_tile *tiles_of(const struct lifted_clip *l, uint8_t *bytes)
{
    const struct wire_header *h = (const void *)bytes;
    const size_t blobs = (size_t)h->blob_count[0] | (size_t)h->blob_count[1]
                                                        << 8;

    return (void *)(bytes + l->places.parts.blobs -
                    blobs * sizeof(struct wire_blob) -
                    h->tile_count[0] * sizeof(struct wire_tile));
}

/* The first mesh has static UVs. The UVs of the second move. */
static void lift_cache_has_rings_of_both_kinds(void)
{
    struct lifted_clip l;
    const struct wire_tile *tiles;

    lifted_clip_small(&l);
    tiles = tiles_of(&l, l.memory.bytes);
    for (int t = 0; t < 2; t++) {
        const uint32_t slots = spn_load_u16le(tiles[t].one_ring_slots);

        CHECK((slots & ~WIRE_ONE_RINGS_BY_UVS) > 0);
        CHECK_EQ((slots & WIRE_ONE_RINGS_BY_UVS) != 0, t == 1);
    }
    lifted_clip_free(&l);
}

static void lift_cache_refuses_inconsistent_tiles(void)
{
    struct lifted_clip l;
    uint8_t *bytes;

    lifted_clip_small(&l);
    bytes = malloc(l.memory.size);
    memcpy(bytes, l.memory.bytes, l.memory.size);
    CHECK(is_accepted(&l, bytes));
    for (uint32_t k = 0; k < 6; k++) {
        struct wire_tile *tile;

        memcpy(bytes, l.memory.bytes, l.memory.size);
        tile = tiles_of(&l, bytes);
        CHECK_EQ(tile->prediction[0], WIRE_PREDICTION_LIFTED);
        if (k == 0)
            tile->prediction[0] = 3;
        else if (k == 1)
            memset(tile->layer_count, 0, sizeof tile->layer_count);
        else if (k == 2)
            tile->layer_count[0]++;
        else if (k == 3)
            tile->one_ring_slots[0]++;
        else if (k == 4)
            memset(tile->one_ring_slots, 0, sizeof tile->one_ring_slots);
        else
            tile->prediction[0] = WIRE_PREDICTION_ENTRIES;
        test_context("variant %u", k);
        CHECK(!is_accepted(&l, bytes));
    }
    free(bytes);
    lifted_clip_free(&l);
}

TEST_MAIN(TEST(lift_cache_plays_as_it_was_encoded),
          TEST(lift_cache_loses_tiles_that_refer_to_damage),
          TEST(lift_cache_refuses_truncations),
          TEST(lift_cache_refuses_truncations_with_matching_sizes),
          TEST(lift_cache_decoder_survives_damage_with_checksums),
          TEST(lift_cache_decoder_survives_some_damage_with_checksums),
          TEST(lift_cache_plays_mended_damage_to_the_end),
          TEST(lift_cache_has_rings_of_both_kinds),
          TEST(lift_cache_refuses_inconsistent_tiles))
