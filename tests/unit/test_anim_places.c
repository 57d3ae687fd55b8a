/* test_anim_places.c
 *
 * Goal: damage of the coded parts of clips and skeletons is reported where it
 *   is: with the number that was decoded, or that of the joint, float track or
 *   segment, and with the place that the decoder has reached.
 * Method: each bit of each coded part is changed, and the checksums are made
 *   right. What is refused then must name a place behind the change, and in the
 *   same segment; each kind of fault occurs.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clip.h"
#include "anim/anim_skeleton.h"
#include "anim/anim_symbols.h"
#include "anim/anim_wire.h"
#include "anim/encode/anim_encode.h"
#include "base/endian.h"
#include "harness.h"
#include "support/anim_walk.h"
#include "support/made_motion.h"

#include <string.h>

enum { JOINTS = 9, FLOATS = 4 };

static const struct made_motion moving = {.joints = JOINTS,
                                          .frames = 70,
                                          .float_tracks = FLOATS,
                                          .swing = 1,
                                          .travel = 0.1,
                                          .has_scale = true,
                                          .has_shift = true,
                                          .has_cuts = true};

struct files {
    struct arena arena;
    struct anim_file skeleton;
    struct anim_file clip;
};

static void encode(struct files *f)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct dense_clip dense;

    arena_init(&f->arena);
    made_motion(&moving, &f->arena, &dense);
    anim_encode_skeleton(&dense, &f->arena, &f->skeleton);
    anim_encode_clip(&dense, &options, &f->arena, &f->clip);
}

/* A kind of fault, and how often it occurred. */
struct kind {
    const char *what;
    uint32_t value_limit; /* values are smaller; 0: any */
    uint32_t count;
};

static void count_fault(struct kind *kinds, uint32_t count,
                        const spn_fault *fault)
{
    uint32_t i = 0;

    while (i < count && strcmp(kinds[i].what, fault->what) != 0)
        i++;
    test_context("what: %s", fault->what);
    CHECK(i < count);
    kinds[i].count++;
    CHECK(kinds[i].value_limit == 0 || fault->value < kinds[i].value_limit);
    CHECK(!fault->has_expected || fault->value != fault->expected);
}

static void check_all_occurred(const struct kind *kinds, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        test_context("what: %s", kinds[i].what);
        CHECK(kinds[i].count > 0);
    }
}

#define KINDS(kinds) (kinds), (uint32_t)(sizeof(kinds) / sizeof(kinds)[0])

/* Change a bit of a file. Changing it again restores the file. */
static void change(struct anim_file *file, size_t bit)
{
    file->bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

/* -- clips -- */

struct opened {
    struct anim_head_models models;
    struct anim_clip_header header;
    struct anim_clip clip;
    size_t bytes; /* of tracks */
};

static spn_status measure(const struct anim_file *file, struct opened *o,
                          spn_fault *fault)
{
    CHECK_EQ(spn__anim_clip_read_header(file->bytes, &o->header, fault),
             SPN_OK);
    return spn__anim_clip_measure(&o->header, file->bytes, &o->models,
                                  &o->bytes, fault);
}

static void damage_of_the_head_has_a_place(void)
{
    static struct opened o;
    struct kind kinds[] = {{"joint with a damaged rotation", JOINTS, 0},
                           {"joint with a damaged translation", JOINTS, 0},
                           {"joint with a damaged scale", JOINTS, 0},
                           {"damaged float track", FLOATS, 0},
                           {"float track with a damaged name", FLOATS, 0}};
    spn_fault fault = {0};
    struct files f;
    size_t first;

    encode(&f);
    CHECK_EQ(measure(&f.clip, &o, &fault), SPN_OK);
    first = ANIM_CLIP_HEADER_BYTES +
            o.header.segment_count * sizeof(struct anim_wire_segment);
    for (size_t bit = 8 * first; bit < (size_t)8 * o.header.head_bytes; bit++) {
        change(&f.clip, bit);
        anim_mend_clip(f.clip.bytes, f.clip.size);
        fault = (spn_fault){0};
        test_context("bit %zu", bit);
        if (measure(&f.clip, &o, &fault) != SPN_OK &&
            strcmp(fault.what, "the flag of scales") != 0) {
            CHECK(fault.offset > bit / 8 &&
                  fault.offset <= o.header.head_bytes);
            count_fault(KINDS(kinds), &fault);
        }
        change(&f.clip, bit);
    }
    check_all_occurred(KINDS(kinds));
    arena_free(&f.arena);
}

/* A head of one byte less or more. */
static void the_end_of_the_head_is_checked(void)
{
    static struct opened o;
    struct anim_wire_clip *wire;
    spn_fault fault = {0};
    struct files f;
    uint32_t right;

    encode(&f);
    wire = (void *)f.clip.bytes;
    right = spn_load_u32le(wire->head_bytes);
    for (uint32_t more = 0; more < 2; more++) {
        const uint32_t wrong = more ? right + 1 : right - 1;

        spn_store_u32le(wire->head_bytes, wrong);
        anim_mend_clip(f.clip.bytes, f.clip.size);
        CHECK_EQ(measure(&f.clip, &o, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "end of the codes of the head");
        CHECK_EQ_U(fault.value, right);
        CHECK_EQ_U(fault.expected, wrong);
        CHECK_EQ_U(fault.offset, more ? right : wrong);
    }
    arena_free(&f.arena);
}

static void damage_of_a_segment_has_a_place(void)
{
    struct kind kinds[] = {{"joint with a damaged translation", JOINTS, 0},
                           {"cuts of a segment", 1u << 16, 0},
                           {"bytes of codes in a segment", 0, 0},
                           {"last state of a decoder", 0, 0},
                           {"last byte of raw bits", 256, 0}};
    static struct opened o;
    spn_fault fault = {0};
    struct files f;

    encode(&f);
    CHECK_EQ(measure(&f.clip, &o, &fault), SPN_OK);
    spn__anim_clip_open(&o.header, f.clip.bytes, &o.models,
                        ARENA_NEW(&f.arena, uint32_t, o.bytes / 4 + 1),
                        &o.clip);
    for (uint32_t s = 0; s < o.header.segment_count; s++) {
        const struct anim_segment_place place =
            spn__anim_clip_segment(&o.clip, s);
        const size_t end = place.offset + place.bytes;

        for (size_t bit = 8 * (size_t)place.offset; bit < 8 * end; bit++) {
            change(&f.clip, bit);
            anim_mend_clip(f.clip.bytes, f.clip.size);
            fault = (spn_fault){0};
            test_context("bit %zu", bit);
            if (anim_walk_clip(f.clip.bytes, f.clip.size, NULL, &fault) !=
                SPN_OK) {
                CHECK(fault.offset >= place.offset && fault.offset < end);
                count_fault(KINDS(kinds), &fault);
            }
            change(&f.clip, bit);
        }
    }
    check_all_occurred(KINDS(kinds));
    arena_free(&f.arena);
}

/* -- skeletons -- */

static void damage_of_a_skeleton_has_a_place(void)
{
    struct kind kinds[] = {{"distance from a joint to its parent", 0, 0},
                           {"joint with a damaged name", JOINTS, 0},
                           {"joint with a damaged rest pose", JOINTS, 0},
                           {"bytes of names", 0, 0},
                           {"hash of names and parents", 0, 0},
                           {"end of the codes of the skeleton", 0, 0}};
    struct files f;

    encode(&f);
    for (size_t bit = 8 * (size_t)ANIM_SKELETON_HEADER_BYTES;
         bit < 8 * f.skeleton.size; bit++) {
        spn_fault fault = {0};

        change(&f.skeleton, bit);
        anim_mend_skeleton(f.skeleton.bytes, f.skeleton.size);
        test_context("bit %zu", bit);
        if (anim_walk_skeleton(f.skeleton.bytes, f.skeleton.size, &fault) !=
            SPN_OK) {
            /* Fields of the header that the body contradicts. */
            CHECK((fault.offset > bit / 8 && fault.offset <= f.skeleton.size) ||
                  (fault.offset < ANIM_SKELETON_HEADER_BYTES &&
                   fault.has_expected));
            count_fault(KINDS(kinds), &fault);
        }
        change(&f.skeleton, bit);
    }
    check_all_occurred(KINDS(kinds));
    arena_free(&f.arena);
}

TEST_MAIN(TEST(damage_of_the_head_has_a_place),
          TEST(the_end_of_the_head_is_checked),
          TEST(damage_of_a_segment_has_a_place),
          TEST(damage_of_a_skeleton_has_a_place))
