/* test_packed_clip.c
 *
 * Goal: a clip in a database has the poses of its file, its file follows from
 *   it byte by byte, and no damaged header or table of it is accepted with
 *   another meaning.
 * Method: compiled clips of all kinds, brought to the form of a database and
 *   back; played by a runtime from a database, with the bits of the scalar
 *   reference of the file. Damage: every byte before the coded head, and every
 *   number of the index.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_segment.h"
#include "anim/anim_system.h"
#include "anim/anim_wire.h"
#include "anim/clip_packing.h"
#include "anim/packed_clip.h"
#include "anim/tool/clip_file_input.h"
#include "base/endian.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_walk.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"

#include <stdalign.h>
#include <string.h>

enum { JOINTS_MAX = 104, FRAMES = 100, PAGE = 4096, PAGES_MAX = 1024 };

static const struct made_motion motions[] = {
    {.joints = 13,
     .frames = FRAMES,
     .float_tracks = 4,
     .swing = 0.6,
     .travel = 0.01,
     .has_scale = true,
     .has_steps = true,
     .has_cuts = true},
    {.joints = 13, .frames = FRAMES, .swing = 0.6, .travel = 5},
    /* Segments of 8 frames. */
    {.joints = 13, .frames = 30, .float_tracks = 400, .swing = 0.6},
    {.joints = 13, .frames = 1, .swing = 0.6},
    {.joints = 13, .frames = 40, .is_at_rest = true},
    /* Above 64 KiB: a table of wide ends, and a first part. */
    {.joints = 100, .frames = 600, .swing = 0.6, .has_all = true},
};
#define MOTIONS (sizeof motions / sizeof motions[0])

/* -- a clip file, and what a database has of it -- */

struct packed {
    struct arena arena;
    struct anim_file file;
    struct clip_input input; /* of the file */
    struct clip_input packed;
    struct clip_facts facts; /* of a database */
};

static void start(struct packed *p, const struct made_motion *made)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct clip_file *opened;
    struct dense_clip clip;
    struct diag diag;

    arena_init(&p->arena);
    diag_init(&diag);
    opened = ARENA_NEW(&p->arena, struct clip_file, 1);
    made_motion(made, &p->arena, &clip);
    clip.loops = made->has_cuts;
    anim_encode_clip(&clip, &options, &p->arena, &p->file);
    CHECK(clip_file_read(opened, "made", p->file.bytes, p->file.size, &p->arena,
                         &diag));
    clip_file_input(opened, "made", &p->arena, &p->input);
    clip_packing_make(&p->input, &p->arena, &p->packed);
    p->facts = clip_input_facts(&p->packed);
    diag_finish(&diag);
}

static void end(struct packed *p)
{
    arena_free(&p->arena);
}

static void file_follows_from_the_packed_form(void)
{
    for (size_t i = 0; i < MOTIONS; i++) {
        struct packed p;
        uint32_t entry;
        uint32_t hash;
        uint32_t packed_hash = 0;
        uint8_t *again;
        size_t size;

        test_context("motion %u", (unsigned)i);
        start(&p, &motions[i]);
        entry = p.packed.byte_count < 65536 ? 2 : 4;
        CHECK_EQ_U(p.packed.byte_count,
                   p.file.size - ANIM_CLIP_HEADER_BYTES +
                       PACKED_CLIP_HEADER_BYTES -
                       (sizeof(struct anim_wire_segment) - entry) *
                           p.input.segment_count);
        again = clip_packing_undo(&p.facts, p.packed.bytes, &p.arena, &size);
        CHECK_EQ_U(size, p.file.size);
        CHECK_MEM(again, p.file.bytes, size);
        CHECK_EQ(anim_walk_clip(p.file.bytes, p.file.size, &hash, NULL),
                 SPN_OK);
        CHECK_EQ(anim_walk_packed(p.packed.bytes, &p.facts, &packed_hash, NULL),
                 SPN_OK);
        CHECK_EQ_U(packed_hash, hash);
        end(&p);
    }
}

/* The last motion has a wide table. */
static void both_widths_of_the_table_are_there(void)
{
    struct packed p;

    start(&p, &motions[0]);
    CHECK(p.packed.byte_count < 65536);
    end(&p);
    start(&p, &motions[MOTIONS - 1]);
    CHECK(p.packed.byte_count >= 65536);
    CHECK(p.facts.first_bytes < p.facts.bytes);
    end(&p);
}

/* -- damage -- */

/* A wrong end of a segment can give segments that are damaged only. */
static void every_byte_before_the_coded_head_counts(void)
{
    struct packed p;
    uint8_t *bytes;
    uint32_t limit;

    start(&p, &motions[0]);
    bytes = ARENA_NEW(&p.arena, uint8_t, p.packed.byte_count);
    limit = PACKED_CLIP_HEADER_BYTES + 2 * p.packed.segment_count;
    for (uint32_t at = 0; at < limit; at++)
        for (uint32_t bit = 0; bit < 8; bit++) {
            spn_fault fault = {0};
            spn_status status;

            test_context("byte %u, bit %u", at, bit);
            memcpy(bytes, p.packed.bytes, p.packed.byte_count);
            bytes[at] ^= (uint8_t)(1u << bit);
            status = anim_walk_packed(bytes, &p.facts, NULL, &fault);
            CHECK(status == SPN_ERR_FORMAT || status == SPN_ERR_CHECKSUM);
            CHECK(fault.what != NULL);
            CHECK(fault.offset < p.packed.byte_count);
        }
    end(&p);
}

static void refuse(struct packed *p, const char *what)
{
    spn_fault fault = {.what = ""};
    struct anim_clip_header h;

    test_context("%s", what);
    CHECK(spn__packed_clip_read_header(p->packed.bytes, &p->facts, &h, &fault) <
          SPN_OK);
    CHECK_STR(fault.what, what);
    CHECK_EQ_U(fault.offset, 0);
}

/* The checksum of the header holds for the numbers of the index. */
static void clips_of_another_index_are_refused(void)
{
    static const char sum[] = "checksum of the header";
    struct packed p;
    struct clip_facts good;

    start(&p, &motions[0]);
    good = p.facts;
#define TRY(change)                                                            \
    p.facts = good;                                                            \
    change;                                                                    \
    refuse(&p, sum)
    TRY(p.facts.frame_count++);
    TRY(p.facts.joint_count--);
    TRY(p.facts.rate_numerator++);
    TRY(p.facts.rate_denominator++);
    TRY(p.facts.skeleton ^= 1);
    TRY(p.facts.rest_pose_hash ^= 1);
    TRY(p.facts.bytes--);
    TRY(p.facts.flags ^= CLIP_LOOPS);
    TRY(p.facts.flags ^= CLIP_IS_ADDITIVE);
    TRY(p.facts.flags ^= CLIP_LOOP_CLOSES);
    TRY(p.facts.flags ^= CLIP_HAS_SCALE);
    TRY(p.facts.flags ^= CLIP_HAS_ROOT_MOTION);
#undef TRY
    end(&p);
}

/* With repaired checksums. */
static void wrong_numbers_of_the_header_are_refused(void)
{
    static const struct {
        uint32_t at;
        uint32_t value; /* of 16 bits */
        uint32_t offset;
        const char *what;
    } rows[] = {{0, 11, 0, "head size"},
                {2, 0xffff, 0, "head size"},
                {4, 4097, 0, "float track count"},
                {6, 1, 6, "flags"},
                {6, 64, 6, "flags"}};
    struct packed p;
    uint8_t *bytes;

    start(&p, &motions[0]);
    bytes = ARENA_NEW(&p.arena, uint8_t, p.packed.byte_count);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_fault fault = {.what = ""};

        test_context("row %u", (unsigned)i);
        memcpy(bytes, p.packed.bytes, p.packed.byte_count);
        spn_store_u16le(bytes + rows[i].at, (uint16_t)rows[i].value);
        anim_mend_packed(bytes, &p.facts);
        CHECK_EQ(anim_walk_packed(bytes, &p.facts, NULL, &fault),
                 SPN_ERR_FORMAT);
        CHECK_STR(fault.what, rows[i].what);
        CHECK_EQ_U(fault.offset, rows[i].offset);
    }
    for (uint32_t bytes_left = 0; bytes_left < PACKED_CLIP_HEADER_BYTES;
         bytes_left++) {
        p.facts.bytes = bytes_left;
        CHECK_EQ(anim_walk_packed(p.packed.bytes, &p.facts, NULL, NULL),
                 SPN_ERR_FORMAT);
    }
    end(&p);
}

/* Random bytes with repaired checksums; what is accepted is decoded within its
 * memory. */
static void random_damage_is_refused_or_decoded(void)
{
    struct test_random random = {5};
    struct packed p;
    uint8_t *bytes;

    start(&p, &motions[0]);
    bytes = ARENA_NEW(&p.arena, uint8_t, p.packed.byte_count);
    for (uint32_t round = 0; round < 4000; round++) {
        spn_fault fault = {0};
        spn_status status;

        test_context("round %u", round);
        memcpy(bytes, p.packed.bytes, p.packed.byte_count);
        for (uint32_t i = 0; i <= round % 3; i++) {
            const uint32_t limit =
                round % 2 ? p.packed.header_bytes : p.packed.byte_count;

            bytes[test_random_below(&random, limit)] =
                (uint8_t)test_random_u64(&random);
        }
        anim_mend_packed(bytes, &p.facts);
        status = anim_walk_packed(bytes, &p.facts, NULL, &fault);
        CHECK(status == SPN_OK || fault.what != NULL);
    }
    end(&p);
}

/* -- a runtime -- */

static struct pose_stage stage;
static alignas(32) float values[10 * JOINTS_MAX];

/* Whether the one clip that plays has a copy of its table of segments. */
static bool table_is_copied(void)
{
    const struct playing_table *t = &stage.stage.rt->anim->playing;

    for (uint32_t i = 0; i < t->clip_count; i++)
        if (t->clips[i].state == PLAYING_OPEN && t->clips[i].table_bytes > 0)
            return true;
    return false;
}

/* Play a clip by steps, and compare each pose with the reference of its file.
 * Returns whether its table was copied. */
static bool play(uint32_t clip, spn_anim_skeleton skeleton,
                 struct pose_reference *reference)
{
    const int64_t end_us = (int64_t)stage.dense[clip].frame_count * 33333;
    spn_anim_play_state state = {.pose = SPN_PENDING};
    spn_anim_play handle = 0;
    spn_anim_pose pose;
    bool is_copied;

    CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton, values,
                                         sizeof values, &pose),
             SPN_OK);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, clip),
                                 &handle),
             SPN_OK);
    for (int i = 0; i < 100 && state.pose == SPN_PENDING; i++) {
        pose_stage_tick(&stage);
        CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, handle, &state),
                 SPN_OK);
    }
    for (int64_t us = 0; us < end_us; us += 16667) {
        test_context("clip %u, %lld us", clip, (long long)us);
        CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, handle, us), SPN_OK);
        pose_stage_tick(&stage);
        CHECK_EQ(spn_anim_play_sample(stage.stage.rt, handle, us, skeleton,
                                      &pose, NULL, 0),
                 SPN_OK);
        pose_reference_at(reference, false, us);
        pose_reference_check(reference, &pose);
    }
    is_copied = table_is_copied();
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, handle), SPN_OK);
    pose_stage_tick(&stage);
    return is_copied;
}

static void play_all(uint32_t first, uint32_t count)
{
    pose_stage_init(&stage);
    for (uint32_t i = 0; i < count; i++)
        pose_stage_add(&stage, &motions[first + i], 0);
    pose_stage_pack(&stage);
    pose_stage_open(&stage);
    for (uint32_t i = 0; i < count; i++) {
        struct pose_reference reference;

        pose_reference_open(&reference, &stage.clips[i], &stage.skeletons[i]);
        (void)play(i, pose_stage_skeleton(&stage, i), &reference);
        pose_reference_close(&reference);
    }
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_DAMAGED), 0);
    pose_stage_close(&stage);
}

static void databases_have_the_poses_of_their_files(void)
{
    play_all(0, MOTIONS - 1);
    play_all(MOTIONS - 1, 1);
}

static spn_block pages[PAGES_MAX];

/* Leave no two free pages beside each other. Returns the number of pages, of
 * which those with odd numbers are in use. */
static uint32_t scatter_free_pages(void)
{
    spn_runtime *rt = stage.stage.rt;
    uint32_t count = 0;

    while (count < PAGES_MAX &&
           spn_block_alloc(rt, PAGE, 0, &pages[count]) == SPN_OK)
        count++;
    CHECK(count > 100 && count < PAGES_MAX);
    for (uint32_t i = 0; i < count; i += 2)
        CHECK_EQ(spn_block_free(rt, pages[i]), SPN_OK);
    return count;
}

/* The heads of some clips of a database lie on two pages, which are apart. */
static void tables_on_two_extents_are_copied(void)
{
    enum { CLIPS = POSE_STAGE_CLIPS_MAX };
    struct made_motion made = motions[0];
    spn_anim_database database = 0;
    spn_anim_skeleton skeleton;
    uint32_t copies = 0;
    uint32_t count;

    pose_stage_init(&stage);
    stage.stage.config.heap_bytes = 1 << 20;
    stage.stage.config.anim_reserve_bytes = PAGE;
    for (uint32_t i = 0; i < CLIPS; i++) {
        made.frames = 2 + 2 * i;
        pose_stage_add(&stage, &made, 0);
    }
    pose_stage_pack(&stage);
    pose_stage_open(&stage);
    count = scatter_free_pages();
    CHECK_EQ(spn_anim_database_find(stage.stage.rt, "d.sad", &database),
             SPN_OK);
    CHECK_EQ(spn_anim_database_preload(stage.stage.rt, database,
                                       SPN_PRIORITY_NORMAL),
             SPN_OK);
    for (int i = 0; i < 50; i++)
        pose_stage_tick(&stage);
    for (uint32_t i = 1; i < count; i += 2)
        CHECK_EQ(spn_block_free(stage.stage.rt, pages[i]), SPN_OK);
    skeleton = pose_stage_skeleton(&stage, 0);
    for (uint32_t i = 0; i < CLIPS; i++) {
        struct pose_reference reference;

        pose_reference_open(&reference, &stage.clips[i], &stage.skeletons[i]);
        copies += play(i, skeleton, &reference);
        pose_reference_close(&reference);
    }
    CHECK(copies > 0);
    pose_stage_close(&stage);
}

static void damaged_header_costs_the_clip(void)
{
    spn_anim_play_state state;
    spn_anim_play handle = 0;
    uint8_t *bytes;

    pose_stage_init(&stage);
    pose_stage_add(&stage, &motions[0], 0);
    pose_stage_pack(&stage);
    /* The database is made of damaged bytes, so its checksums are right. */
    bytes = ARENA_NEW(&stage.arena, uint8_t, stage.inputs[0].byte_count);
    memcpy(bytes, stage.inputs[0].bytes, stage.inputs[0].byte_count);
    bytes[4] ^= 1;
    stage.inputs[0].bytes = bytes;
    pose_stage_open(&stage);
    CHECK_EQ(spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, 0),
                                 &handle),
             SPN_OK);
    for (int i = 0; i < 20; i++)
        pose_stage_tick(&stage);
    CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, handle, &state), SPN_OK);
    CHECK_EQ(state.pose, SPN_ERR_CHECKSUM);
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_DAMAGED), 1);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, handle), SPN_OK);
    pose_stage_close(&stage);
}

TEST_MAIN(TEST(file_follows_from_the_packed_form),
          TEST(both_widths_of_the_table_are_there),
          TEST(every_byte_before_the_coded_head_counts),
          TEST(clips_of_another_index_are_refused),
          TEST(wrong_numbers_of_the_header_are_refused),
          TEST(random_damage_is_refused_or_decoded),
          TEST(databases_have_the_poses_of_their_files),
          TEST(tables_on_two_extents_are_copied),
          TEST(damaged_header_costs_the_clip))
