/* bvh.c - read BVH: a tree of joints, and a table of numbers with a row for
 * each frame.
 *
 * A joint has up to six channels: positions, which are added to its OFFSET, and
 * rotations about its axes in degrees. The rotation of a joint is the product
 * of its rotations in the order of its CHANNELS line, on column vectors. Frame
 * k is at k * Frame Time.
 *
 * A joint becomes one channel for its translation, if it has positions, and one
 * for its rotation. The tree is read with an explicit stack, which is the chain
 * of parents, so its depth has no limit.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/bvh_text.h"
#include "anim/source/motion_build.h"
#include "anim/source/rotation.h"
#include "base/text.h"
#include "common/degrees.h"

#include <inttypes.h>
#include <string.h>

#define CHANNELS_MAX 6u

static const char *const channel_names[CHANNELS_MAX] = {
    "Xposition", "Yposition", "Zposition",
    "Xrotation", "Yrotation", "Zrotation",
};

/* A joint while it is read. */
struct bvh_joint {
    bool has_offset;
    bool has_channels;
    uint8_t channel_count;
    uint8_t channels[CHANNELS_MAX]; /* index in channel_names */
    double *end_sites;              /* x y z each */
    uint64_t end_capacity;
};

struct bvh {
    struct bvh_text text;
    struct motion *motion;
    struct motion_joint *joints;
    struct bvh_joint *states;
    uint64_t joint_capacity;
    uint64_t state_capacity;
    uint32_t joint_count;
    uint64_t channel_count; /* of all joints */
    double frame_seconds;
    uint64_t frame_count;
};

/* Read a joint's name, which may have spaces, up to its brace. */
static bool open_joint(struct bvh *bvh, int64_t parent)
{
    struct arena *arena = &bvh->motion->arena;
    struct bvh_text *text = &bvh->text;
    struct motion_joint *joint;
    size_t begin = 0;
    size_t end = 0;

    if (bvh->joint_count == INT32_MAX)
        return bvh_refuse(text, "more than %d joints", INT32_MAX);
    for (;;) {
        if (!bvh_word(text, "\"{\" of a joint"))
            return false;
        if (text->text[text->begin] == '{')
            break;
        if (text->text[text->begin] == '}')
            return bvh_refuse(text, "\"}\" where \"{\" is expected");
        begin = end == 0 ? text->begin : begin;
        end = text->at;
    }
    bvh->joints = arena_grow(arena, bvh->joints, bvh->joint_count,
                             &bvh->joint_capacity, sizeof *bvh->joints);
    bvh->states = arena_grow(arena, bvh->states, bvh->joint_count,
                             &bvh->state_capacity, sizeof *bvh->states);
    memset(&bvh->states[bvh->joint_count], 0, sizeof *bvh->states);
    joint = &bvh->joints[bvh->joint_count++];
    memset(joint, 0, sizeof *joint);
    joint->name = motion_name(arena, text->text + begin, end - begin);
    joint->parent = (int32_t)parent;
    joint->rest.rotation[3] = 1;
    for (int i = 0; i < 3; i++)
        joint->rest.scale[i] = 1;
    return true;
}

static bool read_offset(struct bvh_text *text, double out[3])
{
    for (int i = 0; i < 3; i++)
        if (!bvh_number(text, "OFFSET", &out[i]))
            return false;
    return true;
}

static bool read_channels(struct bvh *bvh, struct bvh_joint *state)
{
    struct bvh_text *text = &bvh->text;
    uint64_t count;

    if (state->has_channels)
        return bvh_refuse(text, "a second CHANNELS of a joint");
    state->has_channels = true;
    if (!bvh_whole(text, "number of CHANNELS", UINT32_MAX, &count))
        return false;
    if (count > CHANNELS_MAX)
        return bvh_refuse(text, "%" PRIu64 " CHANNELS of a joint, at most %u",
                          count, CHANNELS_MAX);
    for (uint64_t i = 0; i < count; i++) {
        uint8_t kind = 0;

        if (!bvh_word(text, "a channel"))
            return false;
        while (kind < CHANNELS_MAX && !bvh_is(text, channel_names[kind]))
            kind++;
        if (kind == CHANNELS_MAX) {
            char name[64];

            diag_name(arena_string(&bvh->motion->arena,
                                   text->text + text->begin,
                                   text->length < 40 ? text->length : 40),
                      name, sizeof name);
            return bvh_refuse(text, "unknown channel \"%s\"", name);
        }
        state->channels[state->channel_count++] = kind;
    }
    bvh->channel_count += count;
    return true;
}

/* Read the end of a last bone: a block that has an OFFSET only. */
static bool read_end_site(struct bvh *bvh, uint32_t joint)
{
    struct motion_joint *owner = &bvh->joints[joint];
    struct bvh_joint *state = &bvh->states[joint];
    struct bvh_text *text = &bvh->text;

    do {
        if (!bvh_word(text, "\"{\" of an End Site"))
            return false;
    } while (text->text[text->begin] != '{');
    if (!bvh_expect(text, "OFFSET"))
        return false;
    state->end_sites =
        arena_grow(&bvh->motion->arena, state->end_sites, owner->end_site_count,
                   &state->end_capacity, 3 * sizeof *state->end_sites);
    owner->end_sites = state->end_sites;
    if (!read_offset(text,
                     state->end_sites + 3 * (size_t)owner->end_site_count))
        return false;
    owner->end_site_count++;
    return bvh_expect(text, "}");
}

/* Read the content of a root and of all joints below it. */
static bool read_tree(struct bvh *bvh)
{
    struct bvh_text *text = &bvh->text;
    int64_t joint = bvh->joint_count - 1;

    while (joint >= 0) {
        struct bvh_joint *state = &bvh->states[joint];

        if (!bvh_word(text, "\"}\" of a joint"))
            return false;
        if (bvh_is(text, "OFFSET")) {
            if (state->has_offset)
                return bvh_refuse(text, "a second OFFSET of a joint");
            state->has_offset = true;
            if (!read_offset(text, bvh->joints[joint].rest.translation))
                return false;
        } else if (bvh_is(text, "CHANNELS")) {
            if (!read_channels(bvh, state))
                return false;
        } else if (bvh_is(text, "END")) {
            if (!read_end_site(bvh, (uint32_t)joint))
                return false;
        } else if (bvh_is(text, "JOINT")) {
            if (!open_joint(bvh, joint))
                return false;
            joint = bvh->joint_count - 1;
        } else if (bvh_is(text, "}")) {
            if (!state->has_offset)
                return bvh_refuse(text, "a joint without OFFSET ends here");
            joint = bvh->joints[joint].parent;
        } else {
            return bvh_refuse(text, "OFFSET, CHANNELS, JOINT, End Site or "
                                    "\"}\" of a joint is expected here");
        }
    }
    return true;
}

static bool read_hierarchy(struct bvh *bvh)
{
    struct bvh_text *text = &bvh->text;

    if (!bvh_expect(text, "HIERARCHY") || !bvh_expect(text, "ROOT"))
        return false;
    do {
        if (!open_joint(bvh, -1) || !read_tree(bvh) ||
            !bvh_word(text, "MOTION"))
            return false;
    } while (bvh_is(text, "ROOT"));
    if (!bvh_is(text, "MOTION"))
        return bvh_refuse(text, "MOTION or ROOT is expected here");
    if (bvh->channel_count == 0)
        return bvh_refuse(text, "no joint has CHANNELS");
    return true;
}

/* Read a word and its colon, which a space may separate. */
static bool expect_with_colon(struct bvh_text *text, const char *word,
                              const char *word_and_colon)
{
    if (!bvh_word(text, word_and_colon))
        return false;
    if (bvh_is(text, word_and_colon))
        return true;
    if (!bvh_is(text, word))
        return bvh_refuse(text, "\"%s\" is expected here", word_and_colon);
    return bvh_expect(text, ":");
}

static bool read_motion_head(struct bvh *bvh)
{
    struct bvh_text *text = &bvh->text;
    uint64_t numbers;

    if (!expect_with_colon(text, "Frames", "Frames:") ||
        !bvh_whole(text, "Frames", UINT32_MAX, &bvh->frame_count))
        return false;
    /* A number and its space take two bytes, the last one only one. */
    numbers = (text->size - text->at) / 2 + 1;
    if (bvh->frame_count == 0 ||
        bvh->frame_count > numbers / bvh->channel_count)
        return bvh_refuse(text,
                          "%" PRIu64 " frames of %" PRIu64
                          " numbers each are more than the file has",
                          bvh->frame_count, bvh->channel_count);
    if (bvh->frame_count * bvh->channel_count > MOTION_NUMBERS_MAX)
        return bvh_refuse(text, "more than %" PRIu64 " numbers",
                          MOTION_NUMBERS_MAX);
    if (!bvh_expect(text, "Frame") ||
        !expect_with_colon(text, "Time", "Time:") ||
        !bvh_number(text, "Frame Time", &bvh->frame_seconds))
        return false;
    if (!(bvh->frame_seconds >= MOTION_FRAME_SECONDS_MIN &&
          bvh->frame_seconds <= MOTION_FRAME_SECONDS_MAX))
        return bvh_refuse(text, "Frame Time: %g s, not %g to %g",
                          bvh->frame_seconds, MOTION_FRAME_SECONDS_MIN,
                          MOTION_FRAME_SECONDS_MAX);
    return true;
}

/* The channels of the motion that a joint's numbers go to. */
struct bvh_targets {
    double *translations; /* NULL: none */
    double *rotations;
};

static struct motion_channel *add_channel(struct bvh *bvh,
                                          struct motion_channel *channel,
                                          uint32_t joint, enum motion_path path,
                                          const double *times, double **values)
{
    channel->joint = joint;
    channel->path = path;
    channel->interpolation = MOTION_LINEAR;
    channel->width = path == MOTION_ROTATION ? 4 : 3;
    channel->key_count = (uint32_t)bvh->frame_count;
    channel->times = times;
    channel->component = "decimal";
    *values = ARENA_NEW(&bvh->motion->arena, double,
                        bvh->frame_count * channel->width);
    channel->values = *values;
    return channel + 1;
}

static void add_channels(struct bvh *bvh, struct motion_clip *clip,
                         struct bvh_targets *targets)
{
    struct arena *arena = &bvh->motion->arena;
    double *times = ARENA_NEW(arena, double, bvh->frame_count);
    struct motion_channel *first =
        ARENA_NEW(arena, struct motion_channel, 2 * (uint64_t)bvh->joint_count);
    struct motion_channel *next = first;

    for (uint64_t f = 0; f < bvh->frame_count; f++)
        times[f] = (double)f * bvh->frame_seconds;
    for (uint32_t i = 0; i < bvh->joint_count; i++) {
        const struct bvh_joint *state = &bvh->states[i];
        bool has_position = false;
        bool has_rotation = false;

        for (uint32_t k = 0; k < state->channel_count; k++) {
            has_position = has_position || state->channels[k] < 3;
            has_rotation = has_rotation || state->channels[k] >= 3;
        }
        if (has_position)
            next = add_channel(bvh, next, i, MOTION_TRANSLATION, times,
                               &targets[i].translations);
        if (has_rotation)
            next = add_channel(bvh, next, i, MOTION_ROTATION, times,
                               &targets[i].rotations);
    }
    clip->channels = first;
    clip->channel_count = (uint32_t)(next - first);
}

static bool read_frame_of(struct bvh *bvh, uint32_t index, uint64_t frame,
                          const struct bvh_targets *targets)
{
    const struct bvh_joint *state = &bvh->states[index];
    double translation[3];
    double rotation[4] = {0, 0, 0, 1};

    memcpy(translation, bvh->joints[index].rest.translation,
           sizeof translation);
    for (uint32_t k = 0; k < state->channel_count; k++) {
        const uint8_t kind = state->channels[k];
        double turn[4] = {0, 0, 0, 0};
        double value;

        if (!bvh_number(&bvh->text, channel_names[kind], &value))
            return false;
        if (kind < 3) {
            translation[kind] += value;
            continue;
        }
        degrees_sin_cos(value / 2, &turn[kind - 3], &turn[3]);
        rotation_multiply(rotation, turn, rotation);
    }
    rotation_normalize(rotation);
    if (targets->translations)
        memcpy(targets->translations + 3 * frame, translation,
               sizeof translation);
    if (targets->rotations)
        memcpy(targets->rotations + 4 * frame, rotation, sizeof rotation);
    return true;
}

static bool read_frames(struct bvh *bvh, struct motion_clip *clip)
{
    struct bvh_targets *targets =
        ARENA_NEW(&bvh->motion->arena, struct bvh_targets, bvh->joint_count);

    add_channels(bvh, clip, targets);
    for (uint64_t f = 0; f < bvh->frame_count; f++)
        for (uint32_t i = 0; i < bvh->joint_count; i++)
            if (!read_frame_of(bvh, i, f, &targets[i]))
                return false;
    if (bvh_next(&bvh->text))
        diag_warn(bvh->text.diag, bvh->text.path, NULL,
                  "text after the last of %" PRIu64 " frames is ignored",
                  bvh->frame_count);
    clip->frame_seconds = bvh->frame_seconds;
    motion_set_span(clip);
    return true;
}

/* The clip has the name of the file. */
static const char *clip_name(struct arena *arena, const char *path)
{
    size_t length;
    const char *name = motion_file_stem(path, &length);

    return motion_name(arena, name, length);
}

bool bvh_read(struct motion *motion, const char *path, const char *text,
              size_t size, struct diag *diag)
{
    struct motion_clip *clip = ARENA_NEW(&motion->arena, struct motion_clip, 1);
    struct bvh bvh = {
        .text = {.path = path, .text = text, .size = size, .diag = diag},
        .motion = motion,
    };

    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        bvh.text.at = 3;
    if (!read_hierarchy(&bvh) || !read_motion_head(&bvh) ||
        !read_frames(&bvh, clip))
        return false;
    motion->format = MOTION_BVH;
    motion->joint_count = bvh.joint_count;
    motion->joints = bvh.joints;
    clip->name = clip_name(&motion->arena, path);
    motion->clip_count = 1;
    motion->clips = clip;
    motion_sort_joints(motion); /* a tree: no cycle */
    return true;
}
