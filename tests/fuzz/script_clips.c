/* script_clips.c - see script_clips.h. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/script_clips.h"

#include "anim/clip_packing.h"
#include "anim/encode/anim_encode.h"
#include "harness.h"
#include "support/made_motion.h"
#include "support/pose_stage.h"
#include "support/tiny_pak.h"

#include <string.h>

/* Clips, database, image, skeleton. */
#define FILES (SCRIPT_CLIPS + 3u)

static const char *const names[SCRIPT_CLIPS] = {"0.sac", "1.sac", "2.sac",
                                                "3.sac", "4.sac", "5.sac"};

static struct tiny_pak_file files[FILES];
static struct tiny_pak pak;
static struct pose_reference references[SCRIPT_CLIPS];
static struct clip_input inputs[SCRIPT_CLIPS];

static void make_clip(struct arena *arena, uint32_t clip)
{
    const struct made_motion made = {.joints = SCRIPT_JOINTS,
                                     .frames = 1 + clip * 13,
                                     .float_tracks = clip % 2 * SCRIPT_FLOATS,
                                     .seed = 1,
                                     .swing = 1,
                                     .travel = 0.02,
                                     .has_cuts = clip == 4,
                                     .has_steps = clip == 5};
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct dense_clip dense;
    struct anim_file file;
    struct anim_file skeleton;

    made_motion(&made, arena, &dense);
    dense.loops = clip % 2 == 0;
    CHECK(!anim_encode_refusal(&dense, &options));
    anim_encode_clip(&dense, &options, arena, &file);
    anim_encode_skeleton(&dense, arena, &skeleton);
    pose_reference_open(&references[clip], &file, &skeleton);
    inputs[clip] = pose_clip_input(arena, &file, names[clip],
                                   dense.loops ? CLIP_LOOPS : 0);
    files[clip] = (struct tiny_pak_file){.name = names[clip],
                                         .data = file.bytes,
                                         .bytes = file.size,
                                         .codec = clip % 2};
    files[FILES - 1] = (struct tiny_pak_file){.name = SCRIPT_SKELETON_PATH,
                                              .data = skeleton.bytes,
                                              .bytes = skeleton.size,
                                              .codec = 1};
}

static void make_files(void)
{
    /* Its memory is that of the process. */
    static struct arena arena;
    struct clip_input packed[SCRIPT_CLIPS_PACKED];
    struct clip_index_file database;
    struct clip_index_file image;
    struct clip_database_source source = {SCRIPT_DATABASE_PATH, NULL};
    struct diag diag;

    arena_init(&arena);
    diag_init(&diag);
    for (uint32_t i = 0; i < SCRIPT_CLIPS; i++)
        make_clip(&arena, i);
    for (uint32_t i = 0; i < SCRIPT_CLIPS_PACKED; i++)
        clip_packing_make(&inputs[i], &arena, &packed[i]);
    CHECK(clip_database_make(&arena, &diag, SCRIPT_DATABASE_PATH, packed,
                             SCRIPT_CLIPS_PACKED, &database));
    source.index = &database.index;
    CHECK(clip_image_make(&arena, &diag, SCRIPT_IMAGE_PATH, &source, 1,
                          &inputs[SCRIPT_CLIPS_PACKED],
                          SCRIPT_CLIPS - SCRIPT_CLIPS_PACKED, &image));
    files[SCRIPT_CLIPS] = (struct tiny_pak_file){.name = SCRIPT_DATABASE_PATH,
                                                 .data = database.bytes,
                                                 .bytes = database.size};
    files[SCRIPT_CLIPS + 1] = (struct tiny_pak_file){.name = SCRIPT_IMAGE_PATH,
                                                     .data = image.bytes,
                                                     .bytes = image.size,
                                                     .codec = 1};
    tiny_pak_make(&pak, files, FILES);
    diag_finish(&diag);
}

void script_clips_add(struct slow_platform *disc, bool only_in_pak)
{
    if (!pak.bytes)
        make_files();
    for (uint32_t i = 0; !only_in_pak && i < FILES; i++)
        slow_platform_add(disc, files[i].name, files[i].data, files[i].bytes);
    slow_platform_add(disc, SCRIPT_CLIPS_PAK_PATH, pak.bytes, pak.size);
}

const char *script_clips_name(uint32_t clip)
{
    return names[clip];
}

uint32_t script_clips_find(const char *name)
{
    uint32_t i = 0;

    while (i < SCRIPT_CLIPS && strcmp(names[i], name) != 0)
        i++;
    CHECK(i < SCRIPT_CLIPS);
    return i;
}

struct pose_reference *script_clips_reference(uint32_t clip)
{
    return &references[clip];
}

bool script_clips_loops(uint32_t clip)
{
    return inputs[clip].flags & CLIP_LOOPS;
}
