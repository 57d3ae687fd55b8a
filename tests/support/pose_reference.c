/* pose_reference.c - see pose_reference.h. */
/* SPDX-License-Identifier: MIT */
#include "support/pose_reference.h"

#include "harness.h"

#include "anim/anim_segment.h"
#include "anim/pose/anim_reference.h"

#include <stdlib.h>
#include <string.h>

#define RATE 30

static void *need(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);

    CHECK(memory != NULL);
    return memory;
}

static void open_clip(struct pose_reference *r, const struct anim_file *file)
{
    struct anim_head_models *models = need(sizeof *models);
    struct anim_clip_header h;
    size_t bytes;

    CHECK_EQ(spn__anim_clip_read_header(file->bytes, &h, NULL), SPN_OK);
    CHECK_EQ(spn__anim_clip_measure(&h, file->bytes, models, &bytes, NULL),
             SPN_OK);
    r->tracks = need(bytes);
    spn__anim_clip_open(&h, file->bytes, models, r->tracks, &r->clip);
    free(models);
}

static void decode(struct pose_reference *r, const struct anim_file *file)
{
    const struct anim_tracks *t = &r->clip.tracks;
    const uint32_t count = r->clip.header.segment_count;
    const uint32_t frames = r->clip.header.segment_frames;
    const size_t bytes = spn__anim_window_bytes(t, frames);
    struct anim_decoder_tables *tables = need(sizeof *tables);
    void *workspace = need(spn__anim_segment_workspace(t));

    spn__anim_decoder_tables_init(tables, 0);
    r->windows = need((count + 1) * sizeof *r->windows);
    r->rows = need((count + 1) * bytes);
    for (uint32_t s = 0; s < count; s++) {
        spn__anim_window_place(&r->windows[s], t, frames,
                               (uint8_t *)r->rows + s * bytes);
        CHECK_EQ(spn__anim_segment_decode(
                     &r->clip, tables, s,
                     file->bytes + spn__anim_clip_segment(&r->clip, s).offset,
                     workspace, &r->windows[s], NULL),
                 SPN_OK);
    }
    if (count == 0)
        spn__anim_window_place(&r->windows[0], t, frames, r->rows);
    free(workspace);
    free(tables);
}

static void open_skeleton(struct pose_reference *r,
                          const struct anim_file *file)
{
    struct anim_skeleton_models *models = need(sizeof *models);
    struct anim_skeleton_header h;

    CHECK_EQ(spn__anim_skeleton_read_header(file->bytes, &h, NULL), SPN_OK);
    r->joints = need(spn__anim_skeleton_bytes(&h));
    CHECK_EQ(spn__anim_skeleton_open(&h, file->bytes, models, r->joints,
                                     &r->skeleton, NULL),
             SPN_OK);
    free(models);
}

void pose_reference_open(struct pose_reference *r, const struct anim_file *clip,
                         const struct anim_file *skeleton)
{
    memset(r, 0, sizeof *r);
    open_clip(r, clip);
    decode(r, clip);
    open_skeleton(r, skeleton);
    r->pose = need(r->skeleton.joint_count * sizeof *r->pose);
    r->numbers = need(r->clip.tracks.float_track_count * sizeof(float));
}

void pose_reference_close(struct pose_reference *r)
{
    free(r->tracks);
    free(r->rows);
    free(r->windows);
    free(r->joints);
    free(r->pose);
    free(r->numbers);
}

static struct anim_frame frame_at(const struct pose_reference *r,
                                  uint32_t frame)
{
    const struct anim_clip_header *h = &r->clip.header;

    return h->segment_count > 0
               ? (struct anim_frame){&r->windows[frame / h->segment_frames],
                                     frame % h->segment_frames}
               : (struct anim_frame){&r->windows[0], 0};
}

void pose_reference_between(struct pose_reference *r, uint32_t frame,
                            uint32_t next, float between)
{
    memcpy(r->pose, r->skeleton.rest,
           r->skeleton.joint_count * sizeof *r->pose);
    spn__anim_pose(&r->clip.tracks, frame_at(r, frame), frame_at(r, next),
                   between, r->pose, r->numbers);
}

void pose_reference_at(struct pose_reference *r, bool loops, int64_t time_us)
{
    const struct anim_clip_header *h = &r->clip.header;
    const int64_t frames = h->frame_count;
    const int64_t period =
        (h->loop_closes ? frames - 1 : frames) * INT64_C(1000000);
    int64_t units = time_us * RATE;
    int64_t frame;

    CHECK_EQ_U(h->rate_numerator, RATE);
    CHECK_EQ_U(h->rate_denominator, 1);
    if (loops)
        units = (units % period + period) % period;
    else
        units = units < 0 ? 0 : units;
    if (!loops && units > (frames - 1) * 1000000)
        units = (frames - 1) * 1000000;
    frame = units / 1000000;
    pose_reference_between(r, (uint32_t)frame,
                           frame + 1 < frames ? (uint32_t)frame + 1
                           : loops            ? 0
                                              : (uint32_t)frame,
                           (float)(units % 1000000 * 16777216 / 1000000) /
                               16777216.0f);
}

void pose_reference_check(const struct pose_reference *r,
                          const spn_anim_pose *pose)
{
    CHECK_EQ_U(pose->joint_count, r->skeleton.joint_count);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        const spn_anim_transform *t = &r->pose[j];
        float found[10];

        for (uint32_t k = 0; k < 10; k++)
            found[k] = pose->values[k * pose->stride + j];
        CHECK_MEM(found, t->rotation, 4 * sizeof(float));
        CHECK_MEM(found + 4, t->translation, 3 * sizeof(float));
        CHECK_MEM(found + 7, t->scale, 3 * sizeof(float));
    }
}
