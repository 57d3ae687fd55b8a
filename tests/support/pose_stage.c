/* pose_stage.c - see pose_stage.h. */
/* SPDX-License-Identifier: MIT */
#include "support/pose_stage.h"

#include "harness.h"

#include "anim/anim_clip.h"
#include "anim/anim_wire.h"
#include "anim/clip_packing.h"
#include "base/endian.h"

#include <string.h>

#define TICKS_MAX 4000

static const struct anim_encode_options options = {ANIM_PRECISION,
                                                   ANIM_FLOAT_PRECISION};

static void keep_event(void *user, const spn_anim_event *event)
{
    struct pose_stage *s = user;

    CHECK(s->event_count < POSE_STAGE_EVENTS_MAX);
    s->events[s->event_count++] = *event;
}

void pose_stage_init(struct pose_stage *s)
{
    memset(s, 0, sizeof *s);
    stage_init(&s->stage, NULL);
    arena_init(&s->arena);
    diag_init(&s->diag);
    s->stage.config.heap_page_bytes = 4096;
}

struct clip_input pose_clip_input(struct arena *arena,
                                  const struct anim_file *file,
                                  const char *name, uint32_t flags)
{
    struct anim_clip_header h;
    uint32_t *ends;

    CHECK_EQ(spn__anim_clip_read_header(file->bytes, &h, NULL), SPN_OK);
    ends = ARENA_NEW(arena, uint32_t, h.segment_count + 1);
    for (uint32_t i = 0; i < h.segment_count; i++)
        ends[i] = spn_load_u32le(file->bytes + ANIM_CLIP_HEADER_BYTES + 8 * i);
    return (struct clip_input){
        .name = name,
        .bytes = file->bytes,
        .byte_count = (uint32_t)file->size,
        .header_bytes = h.head_bytes,
        .segment_ends = ends,
        .segment_count = h.segment_count,
        .skeleton = h.skeleton,
        .rest_pose_hash = h.rest_pose_hash,
        .joint_count = h.joint_count,
        .frame_count = h.frame_count,
        .rate_numerator = h.rate_numerator,
        .rate_denominator = h.rate_denominator,
        .flags = flags | (h.has_scale ? CLIP_HAS_SCALE : 0),
    };
}

uint32_t pose_stage_add(struct pose_stage *s, const struct made_motion *made,
                        uint32_t flags)
{
    const uint32_t clip = s->count++;
    struct dense_clip *dense = &s->dense[clip];

    CHECK(clip < POSE_STAGE_CLIPS_MAX);
    made_motion(made, &s->arena, dense);
    if (flags & SPN_ANIM_CLOSES) {
        struct joint_transform *locals =
            ARENA_NEW(&s->arena, struct joint_transform,
                      (uint64_t)made->joints * made->frames);
        const size_t row = made->joints * sizeof *locals;

        memcpy(locals, dense->locals, made->frames * row);
        memcpy(locals + (size_t)(made->frames - 1) * made->joints, locals, row);
        if (flags & SPN_ANIM_HAS_ROOT_MOTION)
            locals[(size_t)(made->frames - 1) * made->joints].translation[0] +=
                made->travel * (made->frames - 1);
        dense->locals = locals;
        dense->loop_closes = true;
    }
    CHECK(anim_encode_refusal(dense, &options) == NULL);
    anim_encode_clip(dense, &options, &s->arena, &s->clips[clip]);
    anim_encode_skeleton(dense, &s->arena, &s->skeletons[clip]);
    s->inputs[clip] =
        pose_clip_input(&s->arena, &s->clips[clip],
                        arena_format(&s->arena, "%u.sac", clip), flags);
    return clip;
}

uint32_t pose_stage_copy(struct pose_stage *s, uint32_t clip)
{
    const uint32_t copy = s->count++;

    CHECK(copy < POSE_STAGE_CLIPS_MAX);
    s->clips[copy] = s->clips[clip];
    s->skeletons[copy] = s->skeletons[clip];
    s->dense[copy] = s->dense[clip];
    s->inputs[copy] = s->inputs[clip];
    s->inputs[copy].name = arena_format(&s->arena, "%u.sac", copy);
    return copy;
}

void pose_stage_pack(struct pose_stage *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct clip_input file = s->inputs[i];

        clip_packing_make(&file, &s->arena, &s->inputs[i]);
    }
    s->has_database = true;
}

/* Put the clips on the disc, each as a file or all in a database. */
static void add_clips(struct pose_stage *s, struct clip_index_file *image)
{
    struct clip_index_file database = {0};
    const struct clip_database_source source = {"d.sad", &database.index};

    if (s->has_database) {
        CHECK(clip_database_make(&s->arena, &s->diag, source.path, s->inputs,
                                 s->count, &database));
        slow_platform_add(&s->stage.disc, source.path, database.bytes,
                          database.size);
    }
    for (uint32_t i = 0; i < s->count && !s->has_database; i++)
        slow_platform_add(&s->stage.disc, s->inputs[i].name, s->clips[i].bytes,
                          s->clips[i].size);
    CHECK(clip_image_make(&s->arena, &s->diag, "i.sai", &source,
                          s->has_database, s->inputs,
                          s->has_database ? 0 : s->count, image));
}

void pose_stage_open(struct pose_stage *s)
{
    struct clip_index_file image = {0};

    add_clips(s, &image);
    for (uint32_t i = 0; i < s->count; i++)
        slow_platform_add(&s->stage.disc, arena_format(&s->arena, "%u.sas", i),
                          s->skeletons[i].bytes, s->skeletons[i].size);
    slow_platform_add(&s->stage.disc, "i.sai", image.bytes, image.size);
    if (s->stage.config.anim_count == 0)
        s->stage.config.anim_count = s->count;
    stage_start(&s->stage);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->stage.config.anim_has_loose_headers)
            CHECK_EQ(spn_anim_add_file(s->stage.rt, s->inputs[i].name), SPN_OK);
    if (!s->stage.config.anim_has_loose_headers)
        CHECK_EQ(spn_anim_open_image(s->stage.rt, "i.sai"), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++)
        if (spn_anim_get_image_status(s->stage.rt, NULL) == SPN_PENDING)
            pose_stage_tick(s);
    CHECK_EQ(spn_anim_get_image_status(s->stage.rt, NULL), SPN_OK);
    CHECK_EQ(spn_anim_listen(s->stage.rt, keep_event, s), SPN_OK);
}

void pose_stage_close(struct pose_stage *s)
{
    stage_close(&s->stage);
    diag_finish(&s->diag);
    arena_free(&s->arena);
}

void pose_stage_tick(struct pose_stage *s)
{
    stage_tick(&s->stage, STAGE_TICK_US);
    while (s->runs_jobs && spn_job_step(&s->stage.gate, 0))
        ;
}

spn_anim pose_stage_clip(const struct pose_stage *s, uint32_t clip)
{
    spn_anim anim = 0;

    CHECK_EQ(spn_anim_find(s->stage.rt, s->inputs[clip].name, &anim), SPN_OK);
    return anim;
}

spn_anim_skeleton pose_stage_skeleton(struct pose_stage *s, uint32_t clip)
{
    spn_anim_skeleton skeleton = 0;
    char path[16];

    memcpy(path, s->inputs[clip].name, strlen(s->inputs[clip].name) + 1);
    path[strlen(path) - 1] = 's';
    CHECK_EQ(spn_anim_skeleton_open(s->stage.rt, path, &skeleton), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++)
        if (spn_anim_skeleton_get_status(s->stage.rt, skeleton, NULL) ==
            SPN_PENDING)
            pose_stage_tick(s);
    CHECK_EQ(spn_anim_skeleton_get_status(s->stage.rt, skeleton, NULL), SPN_OK);
    return skeleton;
}

uint32_t pose_stage_events(const struct pose_stage *s, spn_anim_event_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->event_count; i++)
        count += s->events[i].kind == kind;
    return count;
}
