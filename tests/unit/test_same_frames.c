/* test_same_frames.c
 *
 * Goal: every platform shows the same frames: with threads and real files,
 *   cooperative on the stub platform (there also the same trace), and from
 *   emulated drives on both.
 * Method: one play-through as a function. The bytes of every ready frame are
 *   hashed, and the hashes of the runs are compared.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/tiny_cache.h"

#include "../../platform/consoles_stub/platform_stub.h"
#include "base/checksum.h"
#include "host/host.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 700u
#define STEPS 120u

static struct tiny_cache *build(void)
{
    struct tiny_options o = {.frame_count = 301,
                             .mesh_count = 2,
                             .vertices = VERTICES,
                             .has_uvs = true};

    return tiny_build(&o);
}

static const spn_vertex_layout layout = {
    .stride = 64,
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3},
    .normal = {24, SPN_FORMAT_F32X3},
    .tangent = {36, SPN_FORMAT_F32X4},
    .uv = {52, SPN_FORMAT_F32X2},
    .color = {60, SPN_FORMAT_UNORM8X4},
};

/* Times of the play-through: forward, through the loop, two seeks. */
static int64_t time_of(uint32_t step)
{
    int64_t jump = step < 40 ? 0 : step < 80 ? 5000000 : 1000000;

    return jump + (int64_t)step * 21000;
}

/* `tick` advances the time between updates. */
static uint32_t play(const spn_config *config, const char *path,
                     void (*tick)(void *user), void *user, uint32_t *trace)
{
    static uint8_t vertices[VERTICES * 64];
    size_t bytes = spn_memory_needed(config);
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    struct checksum sum;
    spn_runtime *rt;
    spn_cache cache;
    spn_node node;
    spn_node_desc desc = {.is_looping = 1};
    uint32_t hash;

    spn__checksum_begin(&sum, 0);
    CHECK_EQ(spn_init(config, memory, bytes, &rt), SPN_OK);
    /* The same on machines of any speed: no frame is left out, and the jump
     * forward leads to frames that no read ahead has reached. */
    CHECK_EQ(spn_tuning_set(rt, "leave_out", "0"), SPN_OK);
    CHECK_EQ(spn_tuning_set(rt, "buffer_ahead_min_ms", "500"), SPN_OK);
    CHECK_EQ(spn_tuning_set(rt, "buffer_ahead_max_ms", "1000"), SPN_OK);
    CHECK_EQ(spn_cache_open(rt, path, &cache), SPN_OK);
    while (spn_cache_get_status(rt, cache, NULL) == SPN_PENDING) {
        spn_update(rt);
        tick(user);
    }
    CHECK_EQ(spn_cache_get_status(rt, cache, NULL), SPN_OK);
    CHECK_EQ(spn_node_create(rt, cache, &desc, &node), SPN_OK);
    CHECK_EQ(spn_node_set_rate(rt, node, 1000), SPN_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        spn_node_state state = {0};
        spn_fill_result shown;

        CHECK_EQ(spn_node_set_playback_time(rt, node, time_of(step)), SPN_OK);
        while (!state.is_ready) {
            spn_update(rt);
            tick(user);
            CHECK_EQ(spn_node_get_state(rt, node, &state), SPN_OK);
        }
        for (uint32_t mesh = 0; mesh < 2; mesh++) {
            CHECK_EQ(spn_node_fill(rt, node, mesh, &layout, vertices,
                                   sizeof vertices, &shown),
                     SPN_OK);
            spn__checksum_add(&sum, vertices, sizeof vertices);
        }
    }
    hash = spn__checksum_end(&sum);
    if (trace)
        *trace = spn_trace_hash(rt);
    spn_shutdown(rt);
    free(memory);
    return hash;
}

static void move_clock(void *user)
{
    spn_platform_stub *stub = user;

    stub->clock_us += 4000;
}

/* -- a drive around a platform -- */

static spn_emulator *emulator; /* the last one created */
static spn_emulator_stats did; /* its drive's work at the end */
static const spn_emulator_fault *faults;
static uint32_t fault_count;

/* Replaces the table by an emulator's. Returns the emulator's memory; NULL:
 * none. */
static void *emulate(const char *drive, spn_platform *platform)
{
    spn_drive_profile profile = *spn_drive_profile_find("x360_dvd12x");
    const spn_drive_profile *known = spn_drive_profile_find(drive);
    spn_emulator_drive drives = {.profile = known ? known : &profile};
    spn_emulator_config config = {.platform = platform,
                                  .drives = &drives,
                                  .drive_count = 1,
                                  .faults = faults,
                                  .fault_count = fault_count};
    spn_platform table;
    size_t bytes;
    void *memory;

    /* So fast that no read needs to be waited for. */
    profile.seek.near_piece = (spn_drive_piece){100, 0, 0};
    profile.seek.far_piece = (spn_drive_piece){300, 0, 0};
    profile.turns_mhz = 10000000;
    profile.rate_in = profile.rate_out = 100000000;
    bytes = spn_emulator_bytes(&config);
    CHECK(bytes > 0);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_emulator_init(&config, memory, bytes, &emulator, &table),
             SPN_OK);
    *platform = table;
    return memory;
}

/* `memory` NULL: no emulator. */
static void end_emulation(void *memory)
{
    if (memory)
        CHECK_EQ(spn_emulator_get_stats(emulator, 0, &did), SPN_OK);
    free(memory);
}

/* -- runs -- */

/* `drive` NULL: the stub's own disc. */
static uint32_t play_on_stub(struct tiny_cache *t, const char *drive,
                             uint32_t *trace)
{
    static spn_platform_stub stub;
    spn_platform platform;
    void *memory = NULL;
    uint32_t hash;
    spn_config config = {
        .platform = &platform, .heap_bytes = 4 << 20, .node_count = 2};

    memset(&stub, 0, sizeof stub);
    stub.files[0] = (spn_stub_file){"clip", t->bytes, t->size};
    stub.file_count = 1;
    stub.bytes_per_second = 8 << 20;
    stub.seek_us = 30000;
    if (drive)
        stub.bytes_per_second = 0;
    if (drive)
        stub.seek_us = 0;
    spn_platform_stub_init(&stub, &platform);
    if (drive)
        memory = emulate(drive, &platform);
    hash = play(&config, "clip", move_clock, &stub, trace);
    end_emulation(memory);
    return hash;
}

static void rest(void *user)
{
    (void)user;
}

/* While the io thread counts. */
static void look_at_the_drive(void *user)
{
    spn_emulator_stats stats;

    (void)user;
    CHECK_EQ(spn_emulator_get_stats(emulator, 0, &stats), SPN_OK);
    CHECK_EQ_U(stats.busy_us, stats.command_us + stats.seek_us +
                                  stats.rotate_us + stats.gap_us +
                                  stats.transfer_us + stats.retry_us +
                                  stats.spin_us);
}

static uint32_t play_on_posix(struct tiny_cache *t, uint32_t workers,
                              bool is_emulated)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 4 << 20,
                         .node_count = 2,
                         .worker_count = workers};
    void *memory = NULL;
    char path[512];
    uint32_t hash;

    snprintf(path, sizeof path, "%s/clip.sgc", test_temp());
    tiny_write(t, path);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    if (is_emulated)
        memory = emulate("none: a fast one", &platform);
    hash =
        play(&config, path, is_emulated ? look_at_the_drive : rest, NULL, NULL);
    free(memory);
    free(state);
    return hash;
}

static void same_frames_with_threads_and_without(void)
{
    struct tiny_cache *t = build();
    uint32_t stub = play_on_stub(t, NULL, NULL);

    CHECK_EQ_U(play_on_posix(t, 1, false), stub);
    CHECK_EQ_U(play_on_posix(t, 4, false), stub);
    CHECK_EQ_U(play_on_posix(t, SPN_NO_WORKERS, false), stub);
    tiny_free(t);
}

static void same_frames_from_every_drive(void)
{
    struct tiny_cache *t = build();
    uint32_t stub = play_on_stub(t, NULL, NULL);
    const spn_drive_profile *profile;

    for (uint32_t i = 0; (profile = spn_drive_profile_at(i)) != NULL; i++) {
        test_context("%s", profile->name);
        CHECK_EQ_U(play_on_stub(t, profile->name, NULL), stub);
        CHECK(did.reads > 10);
        CHECK(did.busy_us > 0);
    }
    CHECK_EQ_U(play_on_posix(t, 2, true), stub);
    CHECK(did.reads > 10);
    CHECK(did.seeks > 0);
    CHECK_EQ_U(play_on_posix(t, SPN_NO_WORKERS, true), stub);
    tiny_free(t);
}

/* Temporary faults cost time only. */
static void same_frames_after_faults_that_pass(void)
{
    static const spn_emulator_fault passing[] = {
        {.kind = SPN_EMULATOR_TRAY_OPEN,
         .begin_us = 2000000,
         .length_us = 1500000},
        {.kind = SPN_EMULATOR_STALL, .begin_us = 6000000, .length_us = 500000},
        {.kind = SPN_EMULATOR_BAD_SECTORS, .bytes = 65536, .retries = 2},
        {.kind = SPN_EMULATOR_UNREADABLE,
         .offset = 65536,
         .retries = 1,
         .times = 2},
    };
    struct tiny_cache *t = build();
    uint32_t stub = play_on_stub(t, NULL, NULL);

    faults = passing;
    fault_count = sizeof passing / sizeof passing[0];
    CHECK_EQ_U(play_on_stub(t, "x360_dvd12x", NULL), stub);
    CHECK_EQ_U(did.failed, 2);
    CHECK(did.retries > 2);
    CHECK(did.wait_us > 0);
    fault_count = 0;
    tiny_free(t);
}

static void same_trace_in_every_run(void)
{
    struct tiny_cache *t = build();
    uint32_t first = 0;
    uint32_t second = 0;

    CHECK_EQ_U(play_on_stub(t, NULL, &first), play_on_stub(t, NULL, &second));
    CHECK(first != 0);
    CHECK_EQ_U(first, second);
    CHECK_EQ_U(play_on_stub(t, "wii_dvd6x", &first),
               play_on_stub(t, "wii_dvd6x", &second));
    CHECK_EQ_U(first, second);
    tiny_free(t);
}

TEST_MAIN(TEST(same_frames_with_threads_and_without),
          TEST(same_frames_from_every_drive),
          TEST(same_frames_after_faults_that_pass),
          TEST(same_trace_in_every_run))
