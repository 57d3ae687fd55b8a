/* clip_info.c - print what a clip or a skeleton contains. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_info.h"

#include "anim/tool/clip_file.h"
#include "anim/tool/clip_file_input.h"
#include "anim/tool/clip_flags.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdio.h>

/* What is counted of a clip's tracks. */
static const char *const kinds[] = {"rotations", "translations", "scales",
                                    "floats"};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

struct counts {
    uint32_t animated[KIND_COUNT];
    uint32_t step[KIND_COUNT]; /* of the animated ones */
    uint32_t constant[KIND_COUNT];
};

static void count_tracks(const struct anim_tracks *tracks,
                         struct counts *counts)
{
    const struct anim_list *lists[KIND_COUNT] = {
        &tracks->rotations, &tracks->translations, &tracks->scales,
        &tracks->floats};
    const struct anim_list *wide = &tracks->wide_translations;

    for (size_t i = 0; i < KIND_COUNT; i++) {
        counts->animated[i] = lists[i]->count;
        counts->step[i] = lists[i]->count - lists[i]->linear_count;
    }
    counts->animated[1] += wide->count;
    counts->step[1] += wide->count - wide->linear_count;
    counts->constant[0] = tracks->constants.rotation_count;
    counts->constant[1] = tracks->constants.translation_count;
    counts->constant[2] = tracks->constants.scale_count;
    counts->constant[3] = tracks->constants.float_count;
}

static double rate_of(const struct anim_clip_header *header)
{
    return (double)header->rate_numerator / header->rate_denominator;
}

static void print_clip(const struct clip_file *file,
                       const struct counts *counts)
{
    const struct anim_clip_header *h = &file->clip.header;
    const double poses = (double)h->frame_count * h->joint_count;

    printf("%s: clip; joints %u, frames %u, %.6g a second, %.3f s\n",
           file->path, h->joint_count, h->frame_count, rate_of(h),
           (h->frame_count - 1) / rate_of(h));
    printf("  bytes       %zu; head %u; segments %u of %u frames, largest %u\n",
           file->bytes, h->head_bytes, h->segment_count, h->segment_frames,
           file->windows.segment_bytes_max);
    printf("  of a joint in a frame  %.2f bits\n",
           (double)file->bytes * 8 / poses);
    for (size_t i = 0; i < KIND_COUNT; i++)
        printf("  %-13s animated %u (step %u), constant %u\n", kinds[i],
               counts->animated[i], counts->step[i], counts->constant[i]);
    fputs("  flags        ", stdout);
    clip_flags_print(clip_file_flags(&file->clip));
    printf("\n  loop closes %s; cuts %s; skeleton %016" PRIx64
           ", rest pose %08" PRIx32 "\n",
           h->loop_closes ? "yes" : "no", h->has_cuts ? "yes" : "no",
           h->skeleton, h->rest_pose_hash);
}

static void report_float_names(cJSON *json, const struct clip_file *file,
                               struct arena *arena)
{
    const char **names = clip_file_float_names(file, arena);
    cJSON *list = report_array(json, "float_names");

    for (uint32_t i = 0; i < file->clip.header.float_track_count; i++)
        report_add_text(list, names[i]);
}

static void report_clip(const struct clip_file *file,
                        const struct counts *counts, struct arena *arena,
                        cJSON *json)
{
    const struct anim_clip_header *h = &file->clip.header;

    report_text(json, "kind", "clip");
    report_text(json, "file", file->path);
    report_number(json, "bytes", (double)file->bytes);
    report_number(json, "head_bytes", h->head_bytes);
    report_number(json, "segments", h->segment_count);
    report_number(json, "segment_frames", h->segment_frames);
    report_number(json, "segment_bytes_max", file->windows.segment_bytes_max);
    report_number(json, "joints", h->joint_count);
    report_number(json, "float_tracks", h->float_track_count);
    report_number(json, "frames", h->frame_count);
    report_number(json, "rate", rate_of(h));
    report_number(json, "rate_numerator", h->rate_numerator);
    report_number(json, "rate_denominator", h->rate_denominator);
    report_bool(json, "loop_closes", h->loop_closes);
    report_bool(json, "has_cuts", h->has_cuts);
    clip_flags_report(json, clip_file_flags(&file->clip));
    report_hash(json, "skeleton", h->skeleton);
    report_hash_32(json, "rest_pose", h->rest_pose_hash);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        cJSON *kind = report_object(json, kinds[i]);

        report_number(kind, "animated", counts->animated[i]);
        report_number(kind, "step", counts->step[i]);
        report_number(kind, "constant", counts->constant[i]);
    }
    report_float_names(json, file, arena);
}

bool clip_info(const char *path, cJSON *json, struct diag *diag)
{
    struct arena arena;
    struct clip_file file;
    struct counts counts;
    bool is_good;

    arena_init(&arena);
    is_good = clip_file_open(&file, path, &arena, diag);
    if (is_good)
        count_tracks(&file.clip.tracks, &counts);
    if (is_good && json)
        report_clip(&file, &counts, &arena, json);
    else if (is_good)
        print_clip(&file, &counts);
    arena_free(&arena);
    return is_good;
}

static int32_t parent_of(const struct anim_skeleton *skeleton, uint32_t joint)
{
    return skeleton->parent[joint] == ANIM_NO_PARENT ? -1
                                                     : skeleton->parent[joint];
}

static void print_skeleton(const struct skeleton_file *file, bool is_tree,
                           struct arena *arena)
{
    const struct anim_skeleton *s = &file->skeleton;
    uint32_t *depths = ARENA_NEW(arena, uint32_t, s->joint_count);
    char name[256];

    printf("%s: skeleton; joints %u, bytes %zu, hash %016" PRIx64
           ", rest pose %08" PRIx32 "\n",
           file->path, s->joint_count, file->bytes, s->hash, s->rest_pose_hash);
    for (uint32_t i = 0; is_tree && i < s->joint_count; i++) {
        const int32_t parent = parent_of(s, i);

        depths[i] = parent < 0 ? 0 : depths[parent] + 1;
        printf("  %5u  %*s%s\n", i,
               (int)(2 * (depths[i] < 40 ? depths[i] : 40)), "",
               report_name(s->names + s->name[i], name, sizeof name));
    }
}

static void report_skeleton(const struct skeleton_file *file, cJSON *json)
{
    const struct anim_skeleton *s = &file->skeleton;
    cJSON *joints;

    report_text(json, "kind", "skeleton");
    report_text(json, "file", file->path);
    report_number(json, "bytes", (double)file->bytes);
    report_hash(json, "hash", s->hash);
    report_hash_32(json, "rest_pose", s->rest_pose_hash);
    joints = report_array(json, "joints");
    for (uint32_t i = 0; i < s->joint_count; i++) {
        cJSON *item = report_item(joints);

        report_text(item, "name", s->names + s->name[i]);
        report_number(item, "parent", parent_of(s, i));
        report_floats(item, "rotation", s->rest[i].rotation, 4);
        report_floats(item, "translation", s->rest[i].translation, 3);
        report_floats(item, "scale", s->rest[i].scale, 3);
    }
}

bool skeleton_info(const char *path, bool is_tree, cJSON *json,
                   struct diag *diag)
{
    struct arena arena;
    struct skeleton_file file;
    bool is_good;

    arena_init(&arena);
    is_good = skeleton_file_open(&file, path, &arena, diag);
    if (is_good && json)
        report_skeleton(&file, json);
    else if (is_good)
        print_skeleton(&file, is_tree, &arena);
    arena_free(&arena);
    return is_good;
}
