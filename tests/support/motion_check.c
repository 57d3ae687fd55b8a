/* motion_check.c - check every index, time and pose of a motion. */
/* SPDX-License-Identifier: MIT */
#include "support/motion_check.h"

#include "anim/source/evaluate.h"
#include "harness.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_tree(const struct motion *motion)
{
    uint8_t *is_placed = calloc((size_t)motion->joint_count + 1, 1);

    CHECK(is_placed != NULL);
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const uint32_t joint = motion->order[i];
        int32_t parent;

        CHECK(joint < motion->joint_count);
        parent = motion->joints[joint].parent;
        CHECK(parent >= -1 && parent < (int64_t)motion->joint_count);
        CHECK(!is_placed[joint]);
        CHECK(parent < 0 || is_placed[parent]);
        is_placed[joint] = 1;
    }
    free(is_placed);
}

static void check_channel(const struct motion *motion,
                          const struct motion_clip *clip,
                          const struct motion_channel *channel)
{
    const uint64_t values = channel->interpolation == MOTION_CUBIC ? 3u : 1u;

    CHECK(channel->joint < motion->joint_count);
    CHECK(channel->key_count >= 1);
    CHECK(channel->width >= 1);
    CHECK(channel->times[0] >= 0);
    CHECK(channel->times[0] >= clip->start);
    CHECK(channel->times[channel->key_count - 1] <= clip->end);
    for (uint32_t i = 1; i < channel->key_count; i++)
        CHECK(channel->times[i] > channel->times[i - 1]);
    for (uint64_t i = 0; i < values * channel->key_count * channel->width; i++)
        CHECK(isfinite(channel->values[i]));
}

static void check_pose(const struct motion *motion,
                       const struct joint_transform *locals)
{
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const double *q = locals[i].rotation;

        for (int k = 0; k < 3; k++) {
            CHECK(isfinite(locals[i].translation[k]));
            CHECK(isfinite(locals[i].scale[k]));
        }
        CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1,
                   1e-12);
    }
}

static void check_poses(const struct motion *motion,
                        const struct motion_clip *clip, uint32_t *pose_max)
{
    struct joint_transform *locals =
        malloc(((size_t)motion->joint_count + 1) * sizeof *locals);

    CHECK(locals != NULL);
    for (int i = -1; i <= 9 && *pose_max > 0; i++) {
        const double seconds = clip->start + (clip->end - clip->start) * i / 8;

        evaluate_locals(motion, clip, seconds, locals);
        check_pose(motion, locals);
        (*pose_max)--;
    }
    free(locals);
}

void motion_check(const struct motion *motion, uint32_t pose_max)
{
    check_tree(motion);
    for (uint32_t i = 0; i < motion->skin_count; i++)
        for (uint32_t k = 0; k < motion->skins[i].joint_count; k++)
            CHECK(motion->skins[i].joints[k] < motion->joint_count);
    for (uint32_t i = 0; i < motion->clip_count; i++) {
        const struct motion_clip *clip = &motion->clips[i];

        for (uint32_t k = 0; k < clip->channel_count; k++)
            check_channel(motion, clip, &clip->channels[k]);
        check_poses(motion, clip, &pose_max);
    }
}

void motion_check_refusal(const char *text, const char *path)
{
    const size_t length = strlen(path);
    const char *place = text + length + 2;
    unsigned numbers[2];
    int end = 0;

    if (strncmp(text, path, length) != 0 ||
        strncmp(text + length, ": ", 2) != 0)
        test_fail(__FILE__, __LINE__, "no path: %s", text);
    if (sscanf(place, "line %u, column %u%n", &numbers[0], &numbers[1], &end) <
            2 &&
        sscanf(place, "offset 0x%x%n", &numbers[0], &end) < 1) {
        /* asset.version, nodes[3].name ... */
        while (isalnum((unsigned char)place[end]) ||
               (place[end] && strchr("_.[]", place[end])))
            end++;
    }
    if (end == 0 || strncmp(place + end, ": ", 2) != 0)
        test_fail(__FILE__, __LINE__, "no place: %s", text);
}

bool motion_try(const char *path, const void *bytes, size_t size, char *message)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    struct motion motion;
    struct diag diag;
    bool is_good;

    CHECK(copy != NULL);
    if (size > 0)
        memcpy(copy, bytes, size);
    diag_init(&diag);
    diag.is_silent = true;
    is_good = motion_read_bytes(&motion, path, copy, size, true, &diag);
    free(copy);
    CHECK(is_good == (diag.code == EXIT_DONE));
    if (!is_good)
        motion_check_refusal(diag.text, path);
    if (!is_good && message)
        memcpy(message, diag.text, sizeof diag.text);
    diag_finish(&diag);
    if (is_good) {
        motion_check(&motion, 64);
        motion_free(&motion);
    }
    return is_good;
}
