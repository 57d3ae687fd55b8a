/* fuzz_clips.c - bytes as a script of calls of animation, in one thread, on a
 * slow disc with scripted faults.
 *
 * Clips are in a database or in files of their own, on the disc or in a pak;
 * headers come from an image, or from clip files. Handles may be stale. After
 * each call spn_check holds. References that the script holds are counted. A
 * pose that can be sampled is that of a direct decode, bit by bit. At the end
 * the runtime is shut down with everything in use, or faults stop, everything
 * is released, and soon no clip is in memory.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "fuzz/script_clips.h"
#include "fuzz/script_poses.h"

#include <spindle/spindle.h>
#include <stdlib.h>
#include <string.h>

#define PLAYS 3u
#define CUES 4u
#define STEPS_MAX 200u
#define CALM_TICKS_MAX 4000u
/* Clips have the numbers 1 to SCRIPT_CLIPS; one behind them does not exist. */
#define NUMBERS (SCRIPT_CLIPS + 2u)

static struct slow_platform disc;
static spn_status (*wrapped_poll)(void *user, spn_platform_completion *out,
                                  uint64_t *due_us);
static uint32_t step_us; /* time that passes with each reading of the clock */
static spn_runtime *rt;
static struct fuzz_input in;
static bool is_calm;
static bool is_loose;
static spn_pak pak;
static uint32_t refs[NUMBERS];
static struct script_play plays[PLAYS];
static spn_anim_skeleton skeleton;
static spn_anim_timeline timeline;
/* The runtime borrows those of now. */
static spn_anim_cue cues[2][CUES];
static uint32_t now;
static int64_t timeline_us;
static uint32_t owners;
static bool is_locked;

static bool exists(spn_anim anim)
{
    return anim > 0 && anim <= spn_anim_get_count(rt);
}

/* -- references and databases -- */

static void use_refs(spn_anim anim, uint8_t what)
{
    spn_status status;

    switch (what % 4) {
    case 0:
    case 1:
        status = spn_anim_add_ref(rt, anim);
        refs[anim] += status == SPN_OK;
        CHECK_EQ(status, exists(anim) ? SPN_OK : SPN_ERR_HANDLE);
        break;
    case 2:
        if (refs[anim] > 0) {
            CHECK_EQ(spn_anim_release(rt, anim), SPN_OK);
            refs[anim]--;
        } else if (spn_anim_get_ref_count(rt, anim) == 0) {
            CHECK_EQ(spn_anim_release(rt, anim),
                     exists(anim) ? SPN_ERR_STATE : SPN_ERR_HANDLE);
        }
        break;
    default:
        CHECK_EQ(spn_anim_lock(rt, anim, what >> 7),
                 exists(anim) ? SPN_OK : SPN_ERR_HANDLE);
    }
    CHECK(spn_anim_get_ref_count(rt, anim) >= refs[anim]);
}

static void use_bytes(spn_anim anim, uint8_t what)
{
    spn_fault fault;
    spn_status status;

    if (what % 4 == 0) {
        status = spn_anim_unload(rt, anim);
        CHECK(status != SPN_OK || refs[anim] == 0);
    } else if (what % 4 == 1) {
        step_us = 200;
        status = spn_anim_load_synchronously(rt, anim, fuzz_u16(&in) * 16u);
        step_us = 0;
        CHECK((status == SPN_OK) <= (spn_anim_is_loaded(rt, anim) == 1));
    } else {
        status = spn_anim_get_status(rt, anim, &fault);
        CHECK_EQ(status == SPN_OK, spn_anim_is_loaded(rt, anim) == 1);
        CHECK(status != SPN_EMPTY || refs[anim] == 0);
    }
    CHECK(exists(anim) || status == SPN_ERR_HANDLE);
}

static void use_database(uint8_t what)
{
    spn_anim_database_state state;
    spn_anim_database d = 0;
    uint32_t left;

    if (spn_anim_database_find(rt, SCRIPT_DATABASE_PATH, &d) != SPN_OK) {
        CHECK_EQ(spn_anim_database_preload(rt, what, 0), SPN_ERR_HANDLE);
        return;
    }
    switch (what % 8) {
    case 0:
        is_locked = what & 8;
        CHECK_EQ(spn_anim_database_lock(rt, d, is_locked, 0), SPN_OK);
        break;
    case 1:
        CHECK_EQ(spn_anim_database_add_owner(rt, d), SPN_OK);
        owners++;
        break;
    case 2:
        CHECK_EQ(spn_anim_database_remove_owner(rt, d),
                 owners > 0 ? SPN_OK : SPN_ERR_STATE);
        owners -= owners > 0;
        break;
    case 3:
        if (spn_anim_database_unload(rt, d) == SPN_OK)
            CHECK(owners == 0 && !is_locked);
        break;
    case 4:
        CHECK_EQ(spn_anim_database_unload_all(rt, &left), SPN_OK);
        break;
    case 5:
        CHECK_EQ(spn_anim_database_get_state(rt, d, &state), SPN_OK);
        CHECK_EQ_U(state.owner_count, owners);
        CHECK_EQ_U(state.is_locked, is_locked);
        break;
    default:
        (void)spn_anim_database_preload(rt, d, (spn_priority)(what / 8 % 8));
    }
}

/* -- plays -- */

static void use_play(struct script_play *p, uint8_t what)
{
    const spn_anim anim = 1 + what / 8 % SCRIPT_CLIPS;

    if (p->handle == 0) {
        if (spn_anim_play_start(rt, anim, &p->handle) != SPN_OK)
            p->handle = 0;
        p->anim = anim;
        p->loop = SPN_ANIM_LOOP_AS_CLIP;
        return;
    }
    switch (what % 4) {
    case 0:
        CHECK_EQ(spn_anim_play_stop(rt, p->handle), SPN_OK);
        CHECK_EQ(spn_anim_play_stop(rt, p->handle), SPN_ERR_HANDLE);
        p->handle = 0;
        break;
    case 1:
        p->loop = (spn_anim_loop)(what / 8 % 3);
        CHECK_EQ(spn_anim_play_set_mode(rt, p->handle, p->loop,
                                        (int32_t)(what >> 6) - 1),
                 SPN_OK);
        break;
    default:
        CHECK_EQ(spn_anim_play_set_time(rt, p->handle,
                                        (int64_t)fuzz_u16(&in) * 100 - 1000000),
                 SPN_OK);
    }
}

static void swap_skeleton(void)
{
    if (skeleton != 0) {
        CHECK_EQ(spn_anim_skeleton_close(rt, skeleton), SPN_OK);
        CHECK_EQ(spn_anim_skeleton_close(rt, skeleton), SPN_ERR_HANDLE);
        skeleton = 0;
    } else if (spn_anim_skeleton_open(rt, SCRIPT_SKELETON_PATH, &skeleton) !=
               SPN_OK) {
        skeleton = 0;
    }
}

/* -- timelines -- */

static void set_cues(void)
{
    const uint32_t other = !now;
    int64_t time_us = timeline_us - fuzz_u8(&in) * 1000;
    uint32_t used = fuzz_u8(&in) % (CUES + 1);

    for (uint32_t i = 0; i < used; i++) {
        time_us += fuzz_u8(&in) * 4000 - 1000;
        cues[other][i] = (spn_anim_cue){
            .time_us = time_us, .anim = 1 + fuzz_u8(&in) % (NUMBERS - 1)};
    }
    if (spn_anim_timeline_set_cues(rt, timeline, cues[other], used) == SPN_OK)
        now = other;
}

static void use_timeline(uint8_t what)
{
    spn_anim_timeline_state state;

    if (timeline == 0) {
        if (spn_anim_timeline_create(rt, &timeline) != SPN_OK)
            timeline = 0;
        timeline_us = 0;
        return;
    }
    switch (what % 8) {
    case 0:
        CHECK_EQ(spn_anim_timeline_destroy(rt, timeline), SPN_OK);
        CHECK_EQ(spn_anim_timeline_destroy(rt, timeline), SPN_ERR_HANDLE);
        timeline = 0;
        return;
    case 1:
        timeline_us = (int64_t)fuzz_u16(&in) * 100 - 1000000;
        CHECK_EQ(spn_anim_timeline_jump(rt, timeline, timeline_us), SPN_OK);
        break;
    case 2:
    case 3:
        timeline_us += what * 1000;
        CHECK_EQ(spn_anim_timeline_set_time(rt, timeline, timeline_us), SPN_OK);
        break;
    default:
        set_cues();
    }
    CHECK_EQ(spn_anim_timeline_get_state(rt, timeline, &state), SPN_OK);
    CHECK(state.time_us == timeline_us);
}

/* -- the disc -- */

static void swap_pak(void)
{
    if (pak != 0) {
        CHECK_EQ(spn_pak_unmount(rt, pak), SPN_OK);
        pak = 0;
    } else if (spn_pak_mount(rt, SCRIPT_CLIPS_PAK_PATH, &pak) != SPN_OK) {
        pak = 0;
    }
}

static void break_disc(uint8_t what)
{
    static const enum slow_kind kinds[] = {
        SLOW_ERROR, SLOW_REFUSE,     SLOW_SHORT,       SLOW_STALL,
        SLOW_FLIP,  SLOW_OPEN_ERROR, SLOW_OPEN_MISSING};
    struct slow_fault fault = {.kind = kinds[what % 7],
                               .times = 1 + what / 8 % 8,
                               .value = fuzz_u16(&in)};

    if (fault.kind == SLOW_STALL)
        fault.value *= 64;
    if (fault.kind == SLOW_SHORT)
        fault.value++;
    if (disc.fault_count == SLOW_FAULTS_MAX)
        slow_platform_clear_faults(&disc);
    slow_platform_fault(&disc, &fault);
}

static void open_headers(uint8_t what)
{
    if (is_loose)
        (void)spn_anim_add_file(
            rt, what < 16 ? "none" : script_clips_name(what % SCRIPT_CLIPS));
    else
        (void)!spn_anim_open_image(rt, SCRIPT_IMAGE_PATH);
}

static void set_tuning(uint8_t what)
{
    static const char *const names[] = {
        "anim_grace_ms",          "anim_unregister_ms", "anim_remove_ms",
        "anim_retry_ms",          "anim_ahead_ms",      "anim_reads_max",
        "anim_disable_unloading", "anim_memory_kib",    "anim_unload_clips",
        "anim_decode_now"};
    static const char *const values[] = {"0", "1", "7", "100", "2000", "90000"};

    (void)spn_tuning_set(rt, names[what % 10], values[fuzz_u8(&in) % 6]);
}

static void tick(uint32_t us)
{
    disc.clock_us += us;
    spn_update(rt);
}

static void step(void)
{
    const uint8_t call = fuzz_u8(&in);
    const uint8_t what = fuzz_u8(&in);
    const spn_anim anim = call / 16 % NUMBERS;

    switch (call % 16) {
    case 0:
    case 1:
        use_refs(anim, what);
        break;
    case 2:
        use_bytes(anim, what);
        break;
    case 3:
    case 4:
        use_play(&plays[call / 16 % PLAYS], what);
        break;
    case 5:
    case 6:
        script_poses_sample(rt, &plays[call / 16 % PLAYS], skeleton,
                            (int64_t)fuzz_u16(&in) * 100 - 1000000, what);
        break;
    case 7:
        use_database(what);
        break;
    case 8:
        use_timeline(what);
        break;
    case 9:
        swap_skeleton();
        break;
    case 10:
        swap_pak();
        break;
    case 11:
        break_disc(what);
        break;
    case 12:
        set_tuning(what);
        break;
    case 13:
        open_headers(what);
        break;
    default:
        tick(what < 128 ? what * 256u : what * 8192u);
    }
    CHECK(spn_check(rt));
}

static void on_event(void *user, const spn_anim_event *event)
{
    (void)user;
    CHECK((event->anim != 0) + (event->database != 0) +
              (event->skeleton != 0) ==
          1);
    CHECK_EQ(event->status < SPN_OK,
             event->kind == SPN_ANIM_FAILED || event->kind == SPN_ANIM_DAMAGED);
    if (!is_calm && event->anim != 0)
        use_refs(event->anim, fuzz_u8(&in));
}

/* -- begin and end -- */

static uint64_t now_us(void *user)
{
    (void)user;
    disc.clock_us += step_us;
    return disc.clock_us;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    disc.clock_us += step_us;
    return wrapped_poll(user, out, due_us);
}

static void open_disc(uint8_t bits)
{
    slow_platform_init(&disc);
    script_clips_add(&disc, bits & 1);
    if (bits & 2)
        slow_platform_place(&disc, SCRIPT_CLIPS_PAK_PATH, SPN_MEDIUM_OPTICAL);
    wrapped_poll = disc.table.read_poll;
    disc.table.read_poll = read_poll;
    disc.table.now_us = now_us;
    disc.align_bytes = bits & 4 ? 512 : 0;
    disc.bytes_per_second = bits & 8 ? 2u << 20 : 0;
    disc.seek_us = bits & 16 ? 100000 : 0;
    is_loose = bits & 32;
}

static void begin(void)
{
    static void *memory;
    static size_t held;
    spn_config config = {.platform = &disc.table};
    size_t bytes;

    is_calm = false;
    step_us = 0;
    pak = 0;
    memset(refs, 0, sizeof refs);
    memset(plays, 0, sizeof plays);
    skeleton = 0;
    timeline = 0;
    owners = 0;
    is_locked = false;
    open_disc(fuzz_u8(&in));
    config.heap_bytes = 65536u * (1 + fuzz_u8(&in) % 8);
    config.heap_page_bytes = 4096;
    config.read_count = 4 + fuzz_u8(&in) % 8;
    config.anim_count = SCRIPT_CLIPS;
    config.anim_loaded_count = 1 + fuzz_u8(&in) % 8;
    config.anim_database_count = 1;
    config.anim_play_count = PLAYS - 1;
    config.anim_timeline_count = 1;
    config.anim_skeleton_count = 1;
    config.anim_has_loose_headers = is_loose;
    config.anim_reserve_bytes = fuzz_u8(&in) * 1024u;
    if (config.anim_reserve_bytes > config.heap_bytes / 2)
        config.anim_reserve_bytes = config.heap_bytes / 2;
    config.pak_count = 2;
    config.file_count = 4 + fuzz_u8(&in) % 8;
    config.job_count = 16;
    bytes = spn_memory_needed(&config);
    CHECK(bytes > 0);
    if (bytes > held) {
        free(memory);
        held = (bytes + 63) / 64 * 64;
        memory = aligned_alloc(64, held);
        CHECK(memory != NULL);
    }
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    CHECK_EQ(spn_anim_listen(rt, on_event, NULL), SPN_OK);
}

static void release_all(void)
{
    for (uint32_t i = 0; i < PLAYS; i++)
        if (plays[i].handle != 0)
            CHECK_EQ(spn_anim_play_stop(rt, plays[i].handle), SPN_OK);
    if (timeline != 0)
        CHECK_EQ(spn_anim_timeline_destroy(rt, timeline), SPN_OK);
    if (skeleton != 0)
        CHECK_EQ(spn_anim_skeleton_close(rt, skeleton), SPN_OK);
    for (spn_anim anim = 1; anim <= spn_anim_get_count(rt); anim++) {
        for (; refs[anim] > 0; refs[anim]--)
            CHECK_EQ(spn_anim_release(rt, anim), SPN_OK);
        CHECK_EQ(spn_anim_lock(rt, anim, 0), SPN_OK);
    }
    for (; owners > 0; owners--)
        CHECK_EQ(spn_anim_database_remove_owner(rt, 1), SPN_OK);
    if (is_locked)
        CHECK_EQ(spn_anim_database_lock(rt, 1, 0, 0), SPN_OK);
    if (pak != 0)
        CHECK_EQ(spn_pak_unmount(rt, pak), SPN_OK);
}

/* Faults stop, and nothing is wanted: soon nothing is in memory. */
static void come_to_rest(void)
{
    static const char *const names[] = {"anim_disable_unloading",
                                        "anim_grace_ms", "anim_unregister_ms",
                                        "anim_remove_ms"};
    spn_anim_stats stats;

    is_calm = true;
    slow_platform_clear_faults(&disc);
    release_all();
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(spn_tuning_set(rt, names[i], "0"), SPN_OK);
    CHECK_EQ(spn_tuning_set(rt, "anim_unload_clips", "1"), SPN_OK);
    for (uint32_t i = 0; i < CALM_TICKS_MAX; i++) {
        tick(50000);
        CHECK_EQ(spn_anim_get_stats(rt, &stats), SPN_OK);
        if (stats.loaded_bytes == 0 && stats.loading == 0)
            break;
    }
    CHECK_EQ_U(stats.loaded_bytes, 0);
    CHECK_EQ_U(stats.loading, 0);
    CHECK_EQ_U(stats.plays, 0);
    CHECK(spn_check(rt));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    bool comes_to_rest;

    in = (struct fuzz_input){copy, size};
    begin();
    comes_to_rest = fuzz_u8(&in) & 1;
    for (uint32_t i = 0; i < STEPS_MAX && in.left > 0; i++)
        step();
    if (comes_to_rest)
        come_to_rest();
    is_calm = true;
    step_us = 1000;
    spn_shutdown(rt);
    CHECK_EQ_U(disc.opens, disc.closes);
    free(copy);
    return 0;
}
