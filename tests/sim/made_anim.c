/* made_anim.c - clips, databases and the image, by the tool's writers. */
/* SPDX-License-Identifier: MIT */
#include "sim/made_anim.h"

#include "anim/anim_clip.h"
#include "anim/clip_packing.h"
#include "anim/encode/anim_encode.h"
#include "harness.h"
#include "sim/made_disc.h"
#include "support/made_motion.h"
#include "support/pose_reference.h"
#include "support/tiny_pak.h"

#include <stdio.h>
#include <string.h>

#define SEGMENTS 5u
#define HEADER_BYTES 24u
#define SKELETON UINT64_C(0x5eed)
#define RATE 30

/* Bytes of clips that mean nothing; 0: encoded motion. */
static const uint32_t sizes[MADE_ANIM_CLIPS] = {
    /* files of their own */
    0, 0, 0, 9000, 70001, 150000,
    /* the first database */
    0, 700, 4096, 33333, 66000, 120000,
    /* the second */
    5000, 20000, 40000, 3};

static struct pose_reference references[MADE_ANIM_REAL];
static struct anim_file skeletons[MADE_ANIM_REAL];

struct pose_reference *made_anim_reference(uint32_t clip)
{
    return &references[clip];
}

static uint32_t database_of(uint32_t clip)
{
    return clip < MADE_ANIM_FILES ? 0 : clip < 12 ? 1 : 2;
}

static struct clip_input make_noise(struct arena *arena, uint32_t clip)
{
    struct test_random random = {clip + 77};
    const uint32_t bytes = sizes[clip] + HEADER_BYTES + SEGMENTS;
    uint8_t *data = ARENA_NEW(arena, uint8_t, bytes);
    uint32_t *ends = ARENA_NEW(arena, uint32_t, SEGMENTS);

    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)test_random_u64(&random);
    for (uint32_t i = 0; i < SEGMENTS; i++)
        ends[i] = HEADER_BYTES + (bytes - HEADER_BYTES) * (i + 1) / SEGMENTS;
    return (struct clip_input){.bytes = data,
                               .byte_count = bytes,
                               .header_bytes = HEADER_BYTES,
                               .segment_ends = ends,
                               .segment_count = SEGMENTS,
                               .skeleton = SKELETON + database_of(clip),
                               .joint_count = 20,
                               .frame_count = 16 * SEGMENTS,
                               .rate_numerator = RATE,
                               .rate_denominator = 1,
                               .flags = CLIP_LOOPS};
}

/* Where the segments of an encoded clip end. */
static uint32_t *ends_of(struct arena *arena, const struct anim_file *file,
                         const struct anim_clip_header *h)
{
    struct anim_head_models *models =
        ARENA_NEW(arena, struct anim_head_models, 1);
    uint32_t *ends = ARENA_NEW(arena, uint32_t, h->segment_count + 1);
    struct anim_clip clip;
    size_t memory;

    CHECK_EQ(spn__anim_clip_measure(h, file->bytes, models, &memory, NULL),
             SPN_OK);
    spn__anim_clip_open(h, file->bytes, models, arena_alloc(arena, memory, 1),
                        &clip);
    for (uint32_t i = 0; i < h->segment_count; i++) {
        const struct anim_segment_place place =
            spn__anim_clip_segment(&clip, i);

        ends[i] = place.offset + place.bytes;
    }
    return ends;
}

/* The last frame becomes the first one, apart from the travel of the root. */
static void close_loop(struct arena *arena, struct dense_clip *dense)
{
    const uint32_t joints = dense->joint_count;
    const uint32_t last = dense->frame_count - 1;
    struct joint_transform *locals = ARENA_NEW(
        arena, struct joint_transform, (uint64_t)joints * dense->frame_count);
    struct joint_transform *end = &locals[(size_t)last * joints];
    double travel[3];

    memcpy(locals, dense->locals,
           (size_t)joints * dense->frame_count * sizeof *locals);
    memcpy(travel, end->translation, sizeof travel);
    memcpy(end, locals, joints * sizeof *locals);
    memcpy(end->translation, travel, sizeof travel);
    dense->locals = locals;
    dense->loop_closes = true;
}

static uint32_t flags_of(const struct anim_clip_header *h)
{
    return (h->loops ? CLIP_LOOPS : 0) |
           (h->loop_closes ? CLIP_LOOP_CLOSES : 0) |
           (h->has_scale ? CLIP_HAS_SCALE : 0);
}

static struct clip_input make_motion(struct arena *arena, uint32_t clip)
{
    static const struct made_motion motions[] = {
        {.joints = 6,
         .frames = 40,
         .float_tracks = 3,
         .seed = 3,
         .swing = 0.8,
         .travel = 0.02},
        {.joints = 20,
         .frames = 120,
         .seed = 4,
         .swing = 1.2,
         .has_cuts = true},
        /* Segments of 8 frames. */
        {.joints = 6,
         .frames = 35,
         .float_tracks = 400,
         .seed = 5,
         .swing = 0.3,
         .travel = 0.01,
         .has_scale = true},
        {.joints = 11, .frames = 90, .seed = 6, .swing = 2, .has_steps = true}};
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct dense_clip dense;
    struct anim_clip_header h;
    struct anim_file file;

    made_motion(&motions[clip < MADE_ANIM_REAL ? clip : MADE_ANIM_REAL], arena,
                &dense);
    dense.loops = clip == 0 || clip == 2;
    if (clip == 2)
        close_loop(arena, &dense);
    CHECK(!anim_encode_refusal(&dense, &options));
    anim_encode_clip(&dense, &options, arena, &file);
    CHECK_EQ(spn__anim_clip_read_header(file.bytes, &h, NULL), SPN_OK);
    if (clip < MADE_ANIM_REAL) {
        anim_encode_skeleton(&dense, arena, &skeletons[clip]);
        pose_reference_open(&references[clip], &file, &skeletons[clip]);
    }
    return (struct clip_input){.bytes = file.bytes,
                               .byte_count = (uint32_t)file.size,
                               .header_bytes = h.head_bytes,
                               .segment_ends = ends_of(arena, &file, &h),
                               .segment_count = h.segment_count,
                               .skeleton = clip < MADE_ANIM_FILES
                                               ? h.skeleton
                                               : SKELETON + database_of(clip),
                               .joint_count = h.joint_count,
                               .frame_count = h.frame_count,
                               .rate_numerator = h.rate_numerator,
                               .rate_denominator = h.rate_denominator,
                               .flags = flags_of(&h)};
}

/* The number of a clip is that of its source. */
static void add_clip(struct made_disc *disc, uint32_t clip,
                     const struct clip_input *input)
{
    const uint32_t database = database_of(clip);
    const bool closes = input->flags & CLIP_LOOP_CLOSES;
    const int64_t intervals = input->frame_count - 1;
    struct made_anim *made = &disc->anims[clip];

    *made = (struct made_anim){
        .name = input->name,
        .data = input->bytes,
        .bytes = input->byte_count,
        .database = database,
        .file = database ? MADE_ANIM + database : MADE_ANIM_OWN + clip,
        .is_real = sizes[clip] == 0,
        .loops = input->flags & CLIP_LOOPS,
        .last_us = intervals * 1000000 / RATE,
        .period_us = (intervals + (closes ? 0 : 1)) * 1000000 / RATE};
    if (database == 0)
        disc->files[made->file] = (struct made_file){
            .path = made->name, .bytes = made->bytes, .data = made->data};
}

static void add_file(struct made_disc *disc, uint32_t file, const char *path,
                     const struct clip_index_file *made)
{
    disc->files[file] = (struct made_file){
        .path = path, .bytes = made->size, .data = made->bytes};
}

/* Stored, or compressed by each codec; the image and databases have copies. */
static void add_pak(struct made_disc *disc)
{
    enum { FILES = MADE_ANIM_PAK - MADE_ANIM };
    struct tiny_pak_file files[FILES];
    struct tiny_pak pak;

    for (uint32_t i = 0; i < FILES; i++) {
        const struct made_file *f = &disc->files[MADE_ANIM + i];

        files[i] = (struct tiny_pak_file){.name = f->path,
                                          .data = f->data,
                                          .bytes = (size_t)f->bytes,
                                          .codec = i % 4,
                                          .copy_count =
                                              i <= MADE_ANIM_DATABASES ? 2 : 1};
    }
    tiny_pak_make(&pak, files, FILES);
    disc->files[MADE_ANIM_PAK] =
        (struct made_file){.path = "pa", .bytes = pak.size, .data = pak.bytes};
}

void made_anim_make(struct made_disc *disc)
{
    static struct arena arena;
    static const char *const paths[MADE_ANIM_DATABASES] = {"d0.sad", "d1.sad"};
    struct clip_input inputs[MADE_ANIM_CLIPS];
    struct clip_index_file files[MADE_ANIM_DATABASES];
    struct clip_database_source sources[MADE_ANIM_DATABASES];
    struct clip_index_file image;
    struct diag diag;

    arena_init(&arena);
    diag_init(&diag);
    for (uint32_t i = 0; i < MADE_ANIM_CLIPS; i++) {
        inputs[i] =
            sizes[i] > 0 ? make_noise(&arena, i) : make_motion(&arena, i);
        if (sizes[i] == 0 && database_of(i) != 0) {
            const struct clip_input file = inputs[i];

            clip_packing_make(&file, &arena, &inputs[i]);
        }
        inputs[i].name = arena_format(&arena, "anim/%02u.sac", i);
        CHECK(inputs[i].byte_count <= MADE_ANIM_BYTES_MAX);
        add_clip(disc, i, &inputs[i]);
    }
    for (uint32_t i = 0; i < MADE_ANIM_DATABASES; i++) {
        const uint32_t first = i == 0 ? MADE_ANIM_FILES : 12;

        CHECK(clip_database_make(&arena, &diag, paths[i], &inputs[first],
                                 i == 0 ? 12 - first : MADE_ANIM_CLIPS - first,
                                 &files[i]));
        CHECK(files[i].size <= MADE_ANIM_DATABASE_BYTES_MAX);
        add_file(disc, MADE_ANIM + 1 + i, paths[i], &files[i]);
        sources[i] = (struct clip_database_source){paths[i], &files[i].index};
    }
    for (uint32_t i = 0; i < MADE_ANIM_REAL; i++)
        disc->files[MADE_ANIM_SKELETON + i] =
            (struct made_file){.path = arena_format(&arena, "anim/%02u.sas", i),
                               .bytes = skeletons[i].size,
                               .data = skeletons[i].bytes};
    CHECK(clip_image_make(&arena, &diag, "a.sai", sources, MADE_ANIM_DATABASES,
                          inputs, MADE_ANIM_FILES, &image));
    add_file(disc, MADE_ANIM, "a.sai", &image);
    add_pak(disc);
    diag_finish(&diag);
}
