/* test_decode_status.c
 *
 * Goal: a listener gets the real status of each decompression of a frame and
 *   of each decoding of a part of a frame. A frame that is not decoded, because
 *   it was not read or refers to a lost one, causes no events.
 * Method: a clip of two meshes with one damaged or unreadable frame, or a
 *   clip that is stopped while its jobs wait. Every status is compared with the
 *   effect of the damage on that frame and part. Virtual time.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/event_log.h"
#include "support/stage.h"

#define FRAMES 21u /* index frames are 0, 10 and 20 */

static struct event_log event_log;
static struct stage stage;

static struct tiny_cache *build_clip(void)
{
    const struct tiny_options o = {.frame_count = FRAMES,
                                   .mesh_count = 2,
                                   .vertices = 1000,
                                   .is_noisy = true};
    struct tiny_cache *t = tiny_build(&o);

    stage_init(&stage, t);
    event_log_init(&event_log);
    event_log.listener.decode_end = event_log.listener.decompress_end;
    stage.config.listener = &event_log.listener;
    return t;
}

/* Play the whole clip, so that each frame is decoded once. */
static void play_clip(void)
{
    spn_node node;

    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (uint32_t f = 0; f < FRAMES; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        for (int i = 0; i < 10; i++)
            stage_tick(&stage, STAGE_TICK_US);
    }
    stage_stop(&stage, node);
}

/* The status in the event `kind` of a part of a frame. */
static spn_status status_of(spn_event_kind kind, uint32_t frame, uint32_t part)
{
    spn_status status = SPN_PENDING;

    for (uint32_t i = 0; i < event_log_count(&event_log, kind); i++) {
        const spn_event *e = event_log_at(&event_log, kind, i);

        if (e->node == 0 || e->frame != frame || e->part != part)
            continue;
        CHECK_EQ(status, SPN_PENDING);
        status = e->status;
    }
    return status;
}

static void check_frame(uint32_t f, spn_status frame, spn_status first,
                        spn_status second)
{
    test_context("frame %u", f);
    CHECK_EQ(status_of(SPN_EVENT_DECOMPRESS_END, f, 0), frame);
    CHECK_EQ(status_of(SPN_EVENT_DECODE_END, f, 0), first);
    CHECK_EQ(status_of(SPN_EVENT_DECODE_END, f, 1), second);
}

/* Frame 10 must have ended with `frame`, and its parts with `first` and
 * `second`. All frames between index frames refer to it. Four frames are
 * launched at first: 0, 10, 1 and 2. These end in the same way; after the loss
 * of frame 10 the others are not launched. */
static void check_told(spn_status frame, spn_status first, spn_status second)
{
    for (uint32_t f = 0; f < FRAMES; f++) {
        const bool is_launched = frame == SPN_OK || f <= 2;

        if (f == 10)
            check_frame(f, frame, first, second);
        else if (f % 10 == 0)
            check_frame(f, SPN_OK, SPN_OK, SPN_OK);
        else if (is_launched)
            check_frame(f, SPN_OK, first, second);
        else
            check_frame(f, SPN_PENDING, SPN_PENDING, SPN_PENDING);
    }
}

static void a_good_clip_ends_well(void)
{
    (void)build_clip();
    play_clip();
    check_told(SPN_OK, SPN_OK, SPN_OK);
}

/* The last block belongs to the second mesh. */
static void a_bad_block_fails_its_part_and_those_that_refer_to_it(void)
{
    struct tiny_cache *t = build_clip();

    t->bytes[t->frame_offset[10] + t->frame_bytes[10] - 1] ^= 1;
    play_clip();
    check_told(SPN_ERR_CHECKSUM, SPN_OK, SPN_ERR_CHECKSUM);
}

static void a_bad_directory_fails_all_parts(void)
{
    struct tiny_cache *t = build_clip();

    t->bytes[t->frame_offset[10] + 9] ^= 4;
    play_clip();
    check_told(SPN_ERR_CHECKSUM, SPN_ERR_CHECKSUM, SPN_ERR_CHECKSUM);
}

static void an_unreadable_frame_and_those_that_refer_to_it_are_skipped(void)
{
    const struct tiny_cache *t = build_clip();
    const struct slow_fault fault = {.kind = SLOW_ERROR,
                                     .path = "a",
                                     .offset = t->frame_offset[10] + 4096,
                                     .bytes = 1};

    /* One page lies entirely within this frame. */
    CHECK(t->frame_bytes[10] >= 2 * 4096);
    slow_platform_fault(&stage.disc, &fault);
    play_clip();
    for (uint32_t f = 0; f < FRAMES; f++) {
        const spn_status status = f == 0 || f == 20 ? SPN_OK : SPN_PENDING;

        check_frame(f, status, status, status);
    }
}

/* -- stopped -- */

/* The stream was stopped before the jobs of its first four frames ran: they run
 * all the same. */
static void launched_frames_are_decoded_after_a_stop(void)
{
    spn_node node;

    (void)build_clip();
    stage_open_late(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_DECODE_END), 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_run_jobs(&stage);
    for (uint32_t f = 0; f < FRAMES; f++) {
        const spn_status status = f <= 2 || f == 10 ? SPN_OK : SPN_PENDING;

        check_frame(f, status, status, status);
    }
    stage_close(&stage);
}

TEST_MAIN(TEST(a_good_clip_ends_well),
          TEST(a_bad_block_fails_its_part_and_those_that_refer_to_it),
          TEST(a_bad_directory_fails_all_parts),
          TEST(an_unreadable_frame_and_those_that_refer_to_it_are_skipped),
          TEST(launched_frames_are_decoded_after_a_stop))
