/* test_admission.c
 *
 * Goal: streams are admitted to a drive with a profile while it has time for
 *   them. Further streams are refused or degraded as their nodes request,
 *   report this, and are admitted when there is room.
 * Method: more nodes than the drive of the Xbox 360 has time for, on a disc
 *   as slow as that drive.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/admission.h"
#include "play/node/node.h"
#include "read/engine.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_pak.h"

#define NODES 16u
#define SEEK_US 115000u

static struct stage stage;
static spn_node nodes[NODES];
/* One cache for each node: nodes of the same one share what is read. */
static const char *const paths[NODES] = {
    "c0", "c1", "c2",  "c3",  "c4",  "c5",  "c6",  "c7",
    "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15"};
static spn_cache caches[NODES];

static void tick(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        CHECK(spn__admission_check(&stage.rt->manager));
    }
}

static void open_caches(void)
{
    for (uint32_t i = 0; i < NODES; i++) {
        CHECK_EQ(spn_cache_open(stage.rt, paths[i], &caches[i]), SPN_OK);
        while (spn_cache_get_status(stage.rt, caches[i], NULL) == SPN_PENDING)
            tick(1);
        CHECK_EQ(spn_cache_get_status(stage.rt, caches[i], NULL), SPN_OK);
    }
}

static void open_clip_on(const char *drive, uint32_t frame_count,
                         uint32_t heap_mib)
{
    const struct tiny_options o = {.frame_count = frame_count,
                                   .is_noisy = true};

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = heap_mib << 20;
    stage.disc.seek_us = SEEK_US;
    stage.disc.bytes_per_second = 6800000;
    if (drive)
        stage.config.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find(drive);
    for (uint32_t i = 0; i < NODES; i++)
        slow_platform_add(&stage.disc, paths[i], stage.tiny->bytes,
                          stage.tiny->size);
    stage_start(&stage);
    open_caches();
}

/* 41 frames in 1.37 s: each loop costs one read and one typical seek. */
static void open_on(const char *drive)
{
    open_clip_on(drive, 41, 8);
}

static void play(uint32_t i, spn_overload overload)
{
    const spn_node_desc desc = {.is_looping = 1, .overload = overload};

    CHECK_EQ(spn_node_create(stage.rt, caches[i], &desc, &nodes[i]), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], 0), SPN_OK);
}

static spn_node_state state_of(uint32_t i)
{
    return stage_state(&stage, nodes[i]);
}

static uint32_t count_of(spn_admission admission)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < NODES; i++)
        count += state_of(i).admission == admission;
    return count;
}

/* As many streams are admitted as have room in this part of the drive's time:
 * one at least, and not all. */
static void check_admitted(uint32_t permille)
{
    const uint32_t share = state_of(0).drive_permille;

    CHECK(share > 0 && share <= permille);
    CHECK(permille / share < NODES);
    CHECK_EQ(count_of(SPN_ADMITTED), permille / share);
}

static void admission_ends_where_the_drive_is_busy(void)
{
    static const spn_overload overloads[] = {SPN_OVERLOAD_DEGRADE,
                                             SPN_OVERLOAD_REFUSE};

    for (uint32_t o = 0; o < 2; o++) {
        spn_admission then = o == 0 ? SPN_DEGRADED : SPN_REFUSED;
        uint32_t share;
        uint32_t admitted;

        open_on("x360_dvd12x");
        for (uint32_t i = 0; i < NODES; i++)
            play(i, overloads[o]);
        tick(1);
        share = state_of(0).drive_permille;
        admitted = count_of(SPN_ADMITTED);
        test_context("%u, share %u, admitted %u", o, share, admitted);
        CHECK(share > SEEK_US / 1400 && share < 2 * SEEK_US / 1400);
        check_admitted(900);
        CHECK(admitted > 2 && admitted < NODES - 2);
        stage.rt->manager.drive_permille[SPN_MEDIUM_HARD_DISK]++;
        CHECK(!spn__admission_check(&stage.rt->manager));
        stage.rt->manager.drive_permille[SPN_MEDIUM_HARD_DISK]--;
        for (uint32_t i = 0; i < NODES; i++) {
            spn_node_state state = state_of(i);

            CHECK_EQ(state.drive_permille, share);
            if (i < admitted) {
                CHECK_EQ(state.status, SPN_OK);
                continue;
            }
            CHECK_EQ(state.admission, then);
            CHECK_EQ(state.status, SPN_NO_TIME_NOW);
            CHECK_EQ_U(state.fault.value, (admitted + 1) * share);
            CHECK_EQ_U(state.fault.expected, 900);
            CHECK_EQ(state.fault.status, SPN_NO_TIME_NOW);
        }
        stage_close(&stage);
    }
}

static void admission_refuses_without_taking_memory(void)
{
    uint32_t admitted;

    open_on("x360_dvd12x");
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_REFUSE);
    tick(600);
    admitted = count_of(SPN_ADMITTED);
    CHECK(admitted > 2 && admitted < NODES - 2);
    for (uint32_t i = 0; i < NODES; i++) {
        spn_node_state state = state_of(i);

        CHECK_EQ(state.is_ready, i < admitted);
        CHECK_EQ(state.bytes_read > 0, i < admitted);
    }
    /* A stream that stops makes room for the stream that has waited longest. */
    CHECK_EQ(spn_node_stop_streaming(stage.rt, nodes[1]), SPN_OK);
    tick(2);
    CHECK_EQ(state_of(admitted).admission, SPN_ADMITTED);
    CHECK_EQ(state_of(admitted + 1).admission, SPN_REFUSED);
    stage_until_ready(&stage, nodes[admitted]);
    CHECK_EQ(spn_node_destroy(stage.rt, nodes[2]), SPN_OK);
    tick(2);
    CHECK_EQ(state_of(admitted + 1).admission, SPN_ADMITTED);
    /* When it starts again, it waits behind the others. */
    CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[1], 0), SPN_OK);
    tick(2);
    CHECK_EQ(state_of(1).admission, SPN_REFUSED);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, nodes[0]), SPN_OK);
    tick(2);
    CHECK_EQ(state_of(admitted + 2).admission, SPN_ADMITTED);
    CHECK_EQ(state_of(1).admission, SPN_REFUSED);
    stage_close(&stage);
}

static bool is_read_of(const struct node *node, const void *context)
{
    for (const struct group_read *r = stage.rt->manager.group_reads.pending; r;
         r = r->next)
        if (r == context)
            return r->owner == &node->cursor.account;
    return false;
}

/* Number of started reads of a node with this priority. */
static uint32_t count_reads(uint32_t i, spn_priority priority)
{
    const struct io *io = stage.rt->io;
    const struct node *node = spn__manager_node(&stage.rt->manager, nodes[i]);
    uint32_t count = 0;

    for (uint32_t r = 0; r < io->read_count; r++)
        count += (atomic_load_relaxed(&io->states[r]) & STATE_IN_USE) != 0 &&
                 is_read_of(node, io->requests[r].context) &&
                 io->requests[r].ticket.priority == (uint32_t)priority;
    return count;
}

static void admission_degrades_to_the_remaining_drive_time(void)
{
    uint32_t idle = 0;
    uint32_t in_time = 0;

    open_on("x360_dvd12x");
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_DEGRADE);
    for (uint32_t t = 0; t < 600; t++) {
        tick(1);
        for (uint32_t i = 0; i < NODES; i++) {
            bool is_degraded = state_of(i).admission == SPN_DEGRADED;
            uint32_t idle_reads = count_reads(i, SPN_PRIORITY_IDLE);
            uint32_t others = count_reads(i, SPN_PRIORITY_ABOVE_NORMAL);

            CHECK_EQ_U(is_degraded ? others : idle_reads, 0);
            idle += idle_reads;
            in_time += others;
        }
    }
    CHECK(idle > 0);
    CHECK(in_time > 0);
    /* All playback times stand still, so all nodes get their frames. */
    for (uint32_t i = 0; i < NODES; i++)
        stage_until_ready(&stage, nodes[i]);
    stage_close(&stage);
}

/* Start a node on a file of its own, because equal reads would be coalesced. */
static void play_file(uint32_t i)
{
    const char name[] = {(char)('A' + (int)i), 0};
    const spn_node_desc desc = {.is_looping = 1};
    spn_cache cache;

    slow_platform_add(&stage.disc, name, stage.tiny->bytes, stage.tiny->size);
    CHECK_EQ(spn_cache_open(stage.rt, name, &cache), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, cache, &desc, &nodes[i]), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], 0), SPN_OK);
}

static uint32_t count_late(void)
{
    uint32_t late = 0;

    for (uint32_t i = 0; i < NODES; i++)
        late += state_of(i).frames_late;
    return late;
}

/* Loops of the same length end together, so all streams would read at the same
 * times. One after the other, they need longer than the two seconds that each
 * has buffered. */
static void admitted_streams_that_start_together_are_in_time(void)
{
    uint32_t late;

    open_clip_on("x360_dvd12x", 121, 64);
    stage.disc.seek_us = 90000;
    for (uint32_t i = 0; i < NODES; i++)
        play_file(i);
    for (uint32_t i = 0; i < NODES; i++)
        stage_until_ready(&stage, nodes[i]);
    CHECK_EQ(count_of(SPN_ADMITTED), NODES);
    late = count_late();
    for (uint32_t t = 0; t < 40 * 1000000; t += STAGE_TICK_US) {
        for (uint32_t i = 0; i < NODES; i++)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], t), SPN_OK);
        tick(1);
    }
    CHECK_EQ(count_late(), late);
    stage_close(&stage);
}

static void admission_is_kept_over_seeks(void)
{
    open_clip_on("x360_dvd12x", 1001, 24);
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_REFUSE);
    for (uint32_t t = 0; t < 300; t++) {
        tick(1);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[0],
                                            (int64_t)(t * 170 % 1000) * 33333),
                 SPN_OK);
        CHECK_EQ(state_of(0).admission, SPN_ADMITTED);
    }
    /* Most of these are seeks: the clip does not fit the heap. */
    CHECK(state_of(0).seeks > 200);
    stage_close(&stage);
}

static void admission_may_be_ignored(void)
{
    uint32_t share;

    open_on("x360_dvd12x");
    for (uint32_t i = 0; i < NODES - 1; i++)
        play(i, SPN_OVERLOAD_IGNORE);
    play(NODES - 1, SPN_OVERLOAD_REFUSE);
    tick(1);
    share = state_of(0).drive_permille;
    CHECK_EQ(count_of(SPN_ADMITTED), NODES - 1);
    CHECK_EQ(state_of(NODES - 1).admission, SPN_REFUSED);
    CHECK_EQ_U(state_of(NODES - 1).fault.value, NODES * share);
    stage_close(&stage);
}

static void admission_follows_its_tuning_variable(void)
{
    open_on("x360_dvd12x");
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_REFUSE);
    CHECK_EQ(spn_tuning_set(stage.rt, "drive_permille_max", "200"), SPN_OK);
    tick(1);
    check_admitted(200);
    CHECK_EQ(spn_tuning_set(stage.rt, "drive_permille_max", "400"), SPN_OK);
    tick(1);
    check_admitted(400);
    /* An admitted stream stays admitted. */
    CHECK_EQ(spn_tuning_set(stage.rt, "drive_permille_max", "1"), SPN_OK);
    tick(1);
    check_admitted(400);
    stage_close(&stage);
}

static void admission_needs_a_drive_profile(void)
{
    open_on(NULL);
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_REFUSE);
    tick(1);
    CHECK_EQ(count_of(SPN_ADMITTED), NODES);
    CHECK_EQ(state_of(0).drive_permille, 0);
    CHECK_EQ(state_of(NODES - 1).status, SPN_OK);
    stage_close(&stage);
}

static void admission_reserves_more_of_a_slower_drive(void)
{
    uint32_t shares[2];

    for (uint32_t i = 0; i < 2; i++) {
        open_on(i == 0 ? "hdd_5400" : "ps1_cd2x");
        play(0, SPN_OVERLOAD_DEGRADE);
        tick(1);
        shares[i] = state_of(0).drive_permille;
        stage_close(&stage);
    }
    CHECK(shares[0] > 0 && shares[0] < 40);
    CHECK(shares[1] > 200);
}

/* A clip without a loop keeps its share until all of it is read. Then other
 * streams get the share. The clip needs admission again before it is read
 * again. */
static void admission_ends_with_the_clip(void)
{
    const spn_node_desc desc = {.overload = SPN_OVERLOAD_REFUSE};
    uint32_t admitted;

    open_on("x360_dvd12x");
    CHECK_EQ(spn_tuning_set(stage.rt, "drive_permille_max", "300"), SPN_OK);
    for (uint32_t i = 0; i < NODES; i++) {
        CHECK_EQ(spn_node_create(stage.rt, caches[i], &desc, &nodes[i]),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], 0), SPN_OK);
    }
    tick(1);
    admitted = count_of(SPN_ADMITTED);
    CHECK(admitted > 0 && admitted < NODES);
    for (uint32_t i = 0; i < NODES; i++) {
        stage_until_ready(&stage, nodes[i]);
        for (uint32_t t = 0; t < 90; t++) {
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                                (int64_t)t * STAGE_TICK_US),
                     SPN_OK);
            tick(1);
        }
        CHECK_EQ(state_of(i).admission, SPN_ADMITTED);
        CHECK_EQ(state_of(i).drive_permille, 0);
    }
    CHECK_EQ(count_of(SPN_ADMITTED), NODES);
    stage_close(&stage);
}

/* A clip that is fully read needs no drive, whichever stream read it. Its state
 * shows this also while the drive has no time for others. */
static void a_fully_read_clip_is_no_longer_degraded(void)
{
    const spn_node_desc desc = {.overload = SPN_OVERLOAD_DEGRADE};

    open_on("x360_dvd12x");
    CHECK_EQ(spn_tuning_set(stage.rt, "drive_permille_max", "1"), SPN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(spn_node_create(stage.rt, caches[i], &desc, &nodes[i]),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], 0), SPN_OK);
    }
    tick(1);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(state_of(i).admission, SPN_DEGRADED);
        CHECK_EQ(state_of(i).status, SPN_NO_TIME_NOW);
    }
    for (uint32_t i = 0; i < 2; i++) {
        stage_until_ready(&stage, nodes[i]);
        for (uint32_t t = 0; t < 90; t++) {
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                                (int64_t)t * STAGE_TICK_US),
                     SPN_OK);
            tick(1);
        }
        CHECK_EQ(state_of(i).shown_frame, 40);
        CHECK_EQ(state_of(i).admission, SPN_ADMITTED);
        CHECK_EQ(state_of(i).drive_permille, 0);
        CHECK_EQ(state_of(i).status, SPN_OK);
    }
    /* Played once more it is in memory, and asks for nothing. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[0], 0), SPN_OK);
    tick(1);
    CHECK_EQ(state_of(0).admission, SPN_ADMITTED);
    CHECK_EQ(state_of(0).drive_permille, 0);
    stage_close(&stage);
}

/* Open a clip on a drive on which a read takes more than a minute. */
static uint32_t share_on_the_slowest(const struct tiny_options *o,
                                     const char *ahead_ms)
{
    spn_drive_profile drive = *spn_drive_profile_find("ps1_cd2x");
    const char *what = "";
    uint32_t share;

    drive.rate_in = 1000;
    drive.rate_out = 1000;
    CHECK_EQ(spn_drive_profile_check(&drive, &what), SPN_OK);
    stage_init(&stage, tiny_build(o));
    stage.config.media[SPN_MEDIUM_HARD_DISK].drive = &drive;
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", ahead_ms), SPN_OK);
    play(0, SPN_OVERLOAD_DEGRADE);
    tick(1);
    share = state_of(0).drive_permille;
    stage_close(&stage);
    return share;
}

/* A read counts as one minute at most, a share as a thousand drives at most. A
 * clip of which one read delivers less than a microsecond also has a share. */
static void shares_are_bounded(void)
{
    const struct tiny_options slow = {.frame_count = 41, .is_noisy = true};
    const struct tiny_options fast = {
        .frame_count = 41, .distance = 1, .frame_us = 1};
    const uint32_t loop_us = 41 * 33333;

    CHECK_EQ_U(share_on_the_slowest(&slow, "2000"),
               (60000000ull * 1000 + loop_us - 1) / loop_us);
    CHECK_EQ_U(share_on_the_slowest(&fast, "5000"), 1000000);
}

/* With little read ahead, reads are small and seeks frequent. */
static void admission_counts_reads_of_their_real_size(void)
{
    static const char *const aheads[] = {"5000", "2300", "2000"};
    uint32_t shares[3];

    for (uint32_t i = 0; i < 3; i++) {
        open_on("x360_dvd12x");
        CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", aheads[i]),
                 SPN_OK);
        play(0, SPN_OVERLOAD_DEGRADE);
        tick(1);
        shares[i] = state_of(0).drive_permille;
        stage_close(&stage);
    }
    /* First 0.3 s of 1.37 s, then one read for each group. */
    CHECK(shares[1] > 3 * shares[0] && shares[1] < 5 * shares[0]);
    CHECK(shares[2] > shares[1]);
}

/* -- a pak that is loaded and unloaded -- */

static struct tiny_pak tiny_pak;

/* Clips of 7 s, of which no node reads all at once, in a pak that is mounted.
 */
static spn_pak mount_on(const char *drive)
{
    const struct tiny_options o = {.frame_count = 201, .is_noisy = true};
    struct tiny_cache *tiny = tiny_build(&o);
    struct tiny_pak_file files[NODES];
    spn_pak pak = 0;

    for (uint32_t i = 0; i < NODES; i++)
        files[i] = (struct tiny_pak_file){
            .name = paths[i], .data = tiny->bytes, .bytes = tiny->size};
    tiny_pak_free(&tiny_pak);
    tiny_pak_make(&tiny_pak, files, NODES);
    stage_init(&stage, NULL);
    stage.tiny = tiny;
    slow_platform_add(&stage.disc, "p", tiny_pak.bytes, tiny_pak.size);
    stage.disc.seek_us = SEEK_US;
    stage.disc.bytes_per_second = 6800000;
    stage.config.heap_bytes = 48u << 20;
    stage.config.pak_count = 1;
    stage.config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find(drive);
    stage_start(&stage);
    /* Small reads, so that the drive has not time for all. */
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "2300"), SPN_OK);
    CHECK_EQ(spn_pak_mount(stage.rt, "p", &pak), SPN_OK);
    while (spn_pak_get_status(stage.rt, pak, NULL) == SPN_PENDING)
        tick(1);
    CHECK_EQ(spn_pak_get_status(stage.rt, pak, NULL), SPN_OK);
    return pak;
}

static void load(spn_pak pak)
{
    CHECK_EQ(spn_pak_load(stage.rt, pak, SPN_PRIORITY_NORMAL), SPN_OK);
    while (spn_pak_get_load_status(stage.rt, pak) == SPN_PENDING)
        tick(1);
    CHECK_EQ(spn_pak_get_load_status(stage.rt, pak), SPN_OK);
    tick(1);
}

static void open_and_play(void)
{
    open_caches();
    for (uint32_t i = 0; i < NODES; i++)
        play(i, SPN_OVERLOAD_REFUSE);
    tick(1);
}

static void check_on_disc(void)
{
    check_admitted(900);
    CHECK_EQ(count_of(SPN_REFUSED), NODES - count_of(SPN_ADMITTED));
}

static void check_in_memory(void)
{
    CHECK_EQ(count_of(SPN_ADMITTED), NODES);
    for (uint32_t i = 0; i < NODES; i++)
        CHECK_EQ(state_of(i).drive_permille, 0);
}

static void admission_follows_a_pak_out_of_memory_and_into_it(void)
{
    for (uint32_t is_first = 0; is_first < 2; is_first++) {
        spn_pak pak = mount_on("x360_dvd12x");

        if (is_first)
            load(pak);
        open_and_play();
        if (!is_first) {
            check_on_disc();
            load(pak);
        }
        check_in_memory();
        tick(60);
        check_in_memory();
        CHECK_EQ(spn_pak_unload(stage.rt, pak), SPN_OK);
        tick(1);
        /* A refused stream frees all its memory. */
        tick(60);
        check_on_disc();
        for (uint32_t i = 0; i < NODES; i++)
            CHECK_EQ(state_of(i).buffered_us > 0,
                     state_of(i).admission == SPN_ADMITTED);
        load(pak);
        check_in_memory();
        for (uint32_t i = 0; i < NODES; i++)
            CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
        stage_close(&stage);
    }
}

TEST_MAIN(TEST(admission_ends_where_the_drive_is_busy),
          TEST(admission_refuses_without_taking_memory),
          TEST(admission_degrades_to_the_remaining_drive_time),
          TEST(admitted_streams_that_start_together_are_in_time),
          TEST(admission_is_kept_over_seeks), TEST(admission_may_be_ignored),
          TEST(admission_follows_its_tuning_variable),
          TEST(admission_needs_a_drive_profile),
          TEST(admission_reserves_more_of_a_slower_drive),
          TEST(admission_ends_with_the_clip),
          TEST(a_fully_read_clip_is_no_longer_degraded),
          TEST(admission_follows_a_pak_out_of_memory_and_into_it),
          TEST(shares_are_bounded),
          TEST(admission_counts_reads_of_their_real_size))
