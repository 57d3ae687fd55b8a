/* test_lift_hostile.c
 *
 * Goal: for any bytes of a block or blob of a lifted cache, nothing crashes.
 *   What the runtime refuses is refused at its place, and data that was not
 *   damaged is shown as it was encoded.
 * Method: caches with one-rings. One block or one blob becomes random,
 *   becomes random from some byte on, or is replaced by other bytes of the
 *   file, under correct checksums. They are read by the decoder, and played by
 *   the runtime to the end.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "harness.h"
#include "support/lifted_clip.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_US 41667

/* The ranges of checksums: blocks and directories of frames, then blobs, then
 * three more (cache_checksums.h). */
struct hit {
    struct cache_checksum sum;
    uint32_t frame; /* frame of the block */
};

struct rig {
    struct lifted_clip clip;
    struct hit *blocks;
    uint32_t block_count;
    const struct cache_checksum *blobs;
    uint32_t blob_count;
    uint8_t *bytes;
    struct test_random random;
};

/* With `is_noisy` most blocks are plain, so that any bytes are valid values. */
static void rig_make(struct rig *rig, uint64_t seed, bool is_noisy)
{
    const struct cache_checksums *p = &rig->clip.places;
    struct synthetic_options options = lifted_clip_options;
    const struct wire_header *wire;
    uint32_t frame = 0;

    memset(rig, 0, sizeof *rig);
    rig->random.state = seed;
    options.is_noisy = is_noisy;
    lifted_clip_make(&rig->clip, &options, 8, true);
    wire = (const void *)rig->clip.memory.bytes;
    rig->blob_count = spn_load_u32le(wire->blob_count);
    rig->blobs = p->list + p->count - 3 - rig->blob_count;
    rig->blocks = calloc(p->count, sizeof *rig->blocks);
    for (const struct cache_checksum *s = p->list; s < rig->blobs; s++)
        if (s->at == p->directories[frame])
            frame++;
        else
            rig->blocks[rig->block_count++] = (struct hit){*s, frame};
    CHECK_EQ_U(frame, rig->clip.clip.clip.frame_count);
    for (uint32_t i = 0; i < rig->blob_count; i++)
        CHECK(rig->blobs[i].offset >= p->parts.blobs &&
              rig->blobs[i].offset + rig->blobs[i].bytes <= p->parts.frames);
    rig->bytes = malloc(rig->clip.memory.size);
}

static void rig_free(struct rig *rig)
{
    free(rig->bytes);
    free(rig->blocks);
    lifted_clip_free(&rig->clip);
}

/* Replace the whole range, all but its first bytes, or its end by random bytes;
 * or copy bytes from elsewhere in the file. */
static void damage_range(struct rig *rig, const struct cache_checksum *sum)
{
    struct test_random *random = &rig->random;
    uint8_t *bytes = rig->bytes + sum->offset;
    const uint32_t count = (uint32_t)sum->bytes;
    const uint32_t kind = test_random_below(random, 4);
    uint32_t first = 0;

    memcpy(rig->bytes, rig->clip.memory.bytes, rig->clip.memory.size);
    if (kind == 1)
        first = 1 + test_random_below(random, count < 24 ? count : 24);
    else if (kind == 2)
        first = test_random_below(random, count);
    if (kind == 3)
        memmove(bytes,
                rig->bytes +
                    test_random_below(random, (uint32_t)rig->clip.memory.size -
                                                  count + 1),
                count);
    for (uint32_t i = first; kind < 3 && i < count; i++)
        bytes[i] = (uint8_t)test_random_u64(random);
    cache_checksums_apply(&rig->clip.places, rig->bytes);
}

/* -- the decoder -- */

static bool decode_all(const struct rig *rig)
{
    struct spn_fault fault = {0};
    const spn_status status =
        cache_walk_all(rig->bytes, rig->clip.memory.size, &fault);

    if (status == SPN_OK || status == SPN_ERR_CODEC)
        return status == SPN_OK;
    CHECK_EQ(status, SPN_ERR_FORMAT);
    CHECK(fault.what != NULL);
    return false;
}

static void decoder_survives_random_blocks(void)
{
    struct rig rig;
    uint32_t passed = 0;

    rig_make(&rig, 11, false);
    for (uint32_t round = 0; round < 300; round++) {
        test_context("round %u", round);
        damage_range(
            &rig,
            &rig.blocks[test_random_below(&rig.random, rig.block_count)].sum);
        passed += decode_all(&rig);
    }
    CHECK(passed > 0 && passed < 300);
    rig_free(&rig);
}

static void decoder_survives_random_blobs(void)
{
    struct rig rig;
    uint32_t passed = 0;

    rig_make(&rig, 12, false);
    for (uint32_t round = 0; round < 300; round++) {
        test_context("round %u", round);
        damage_range(
            &rig, &rig.blobs[test_random_below(&rig.random, rig.blob_count)]);
        passed += decode_all(&rig);
    }
    CHECK(passed > 0 && passed < 300);
    rig_free(&rig);
}

/* -- the runtime -- */

/* A refusal must name a format or codec error with a place inside the damaged
 * range. */
static void check_fault(spn_status status, const spn_fault *fault,
                        const struct cache_checksum *hit)
{
    CHECK(status == SPN_ERR_FORMAT || status == SPN_ERR_CODEC);
    CHECK_EQ(fault->status, status);
    CHECK(fault->what != NULL);
    CHECK(fault->offset >= hit->offset &&
          fault->offset - hit->offset < hit->bytes);
}

/* Return false if the cache was refused. */
static bool open_damaged(struct rig *rig, const struct cache_checksum *hit,
                         struct stage *s)
{
    spn_status status = SPN_PENDING;
    spn_fault fault = {0};

    stage_init(s, NULL);
    slow_platform_add(&s->disc, "a", rig->bytes, rig->clip.memory.size);
    s->config.heap_bytes = 2u << 20;
    stage_start(s);
    CHECK_EQ(spn_cache_open(s->rt, "a", &s->cache), SPN_OK);
    for (int i = 0; i < 2000 && status == SPN_PENDING; i++) {
        stage_tick(s, STAGE_TICK_US);
        status = spn_cache_get_status(s->rt, s->cache, &fault);
    }
    if (status == SPN_OK)
        return true;
    check_fault(status, &fault, hit);
    return false;
}

/* Show a frame, or the frame shown in its place, and return its number. */
static uint32_t show(const struct rig *rig, struct stage *s, spn_node node,
                     uint32_t frame)
{
    CHECK_EQ(spn_node_set_playback_time(s->rt, node,
                                        lifted_clip_time(&rig->clip, frame)),
             SPN_OK);
    stage_tick(s, FRAME_US);
    return stage_state(s, node).shown_frame;
}

/* Return whether the runtime reported damage. */
static bool check_state(const spn_node_state *state, const struct hit *hit)
{
    if (state->status == SPN_OK)
        return false;
    check_fault(state->status, &state->fault, &hit->sum);
    CHECK_EQ_U(state->fault_frame, hit->frame);
    return true;
}

/* Frames that were not damaged and do not refer to a damaged one must have
 * their values. */
static uint32_t play_random_blocks(bool is_noisy, uint32_t rounds)
{
    struct rig rig;
    uint32_t damaged = 0;

    rig_make(&rig, 13, is_noisy);
    for (uint32_t round = 0; round < rounds; round++) {
        const struct hit *hit =
            &rig.blocks[test_random_below(&rig.random, rig.block_count)];
        spn_node_state state;
        struct stage s;
        spn_node node;

        test_context("round %u", round);
        damage_range(&rig, &hit->sum);
        CHECK(open_damaged(&rig, &hit->sum, &s));
        node = stage_node(&s, false);
        CHECK_EQ(spn_node_start_streaming(s.rt, node, 0), SPN_OK);
        for (int i = 0; i < 60; i++)
            stage_tick(&s, STAGE_TICK_US);
        for (uint32_t f = 0; f < rig.clip.clip.clip.frame_count; f++) {
            const uint32_t shown = show(&rig, &s, node, f);

            test_context("round %u, frame %u, block of frame %u", round, f,
                         hit->frame);
            if (lifted_clip_is_lost(&rig.clip, hit->frame, f))
                continue;
            CHECK_EQ_U(shown, f);
            lifted_clip_check(&rig.clip, &s, node, f);
        }
        state = stage_state(&s, node);
        damaged += check_state(&state, hit);
        CHECK_EQ(spn_node_destroy(s.rt, node), SPN_OK);
        stage_until_empty(&s);
        stage_close(&s);
    }
    rig_free(&rig);
    return damaged;
}

/* A damaged frame is refused or shows other values, which does no more harm. */
static void random_blocks_lose_only_the_frames_that_use_them(void)
{
    const uint32_t rounds = 150;
    const uint32_t damaged = play_random_blocks(true, rounds);

    CHECK(damaged > rounds / 20 && damaged < rounds / 2);
    CHECK(play_random_blocks(false, rounds) > rounds / 2);
}

/* A blob serves all frames. If it is accepted, the clip plays to its end with
 * any values. */
static void random_blobs_are_refused_or_played(void)
{
    struct rig rig;
    uint32_t refused = 0;
    const uint32_t rounds = 300;

    rig_make(&rig, 14, false);
    for (uint32_t round = 0; round < rounds; round++) {
        const struct cache_checksum *hit =
            &rig.blobs[test_random_below(&rig.random, rig.blob_count)];
        struct stage s;
        spn_node node;

        test_context("round %u", round);
        damage_range(&rig, hit);
        if (!open_damaged(&rig, hit, &s)) {
            refused++;
            stage_close(&s);
            continue;
        }
        node = stage_node(&s, false);
        CHECK_EQ(spn_node_start_streaming(s.rt, node, 0), SPN_OK);
        for (uint32_t f = 0; f < rig.clip.clip.clip.frame_count; f++)
            (void)show(&rig, &s, node, f);
        CHECK_EQ(spn_node_destroy(s.rt, node), SPN_OK);
        stage_until_empty(&s);
        stage_close(&s);
    }
    CHECK(refused > rounds / 4 && refused < rounds);
    rig_free(&rig);
}

TEST_MAIN(TEST(decoder_survives_random_blocks),
          TEST(decoder_survives_random_blobs),
          TEST(random_blocks_lose_only_the_frames_that_use_them),
          TEST(random_blobs_are_refused_or_played))
