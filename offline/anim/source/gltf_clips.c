/* gltf_clips.c - the animations of a glTF file as clips.
 *
 * A channel without a target node, or of a path that glTF 2.0 does not name, is
 * ignored with a warning: it belongs to an extension.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_file.h"
#include "anim/source/motion_build.h"

#include <inttypes.h>
#include <string.h>

/* What is the same for all channels of an animation. */
struct animation {
    struct gltf_file *file;
    struct gltf_list samplers;
    uint8_t *used; /* [joint]: a bit for each path that has a channel */
};

static bool find_word(const char *text, const char *(*name)(int), int count,
                      int *out)
{
    for (int i = 0; text && i < count; i++)
        if (strcmp(text, name(i)) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static const char *path_name(int path)
{
    return motion_path_name((enum motion_path)path);
}

static const char *interpolation_name(int interpolation)
{
    return motion_interpolation_name((enum motion_interpolation)interpolation);
}

/* -- keys -- */

static bool check_times(const struct gltf_value *value,
                        struct gltf_accessor *accessor)
{
    const double *times = accessor->values;

    if (accessor->are_times)
        return true;
    if (times[0] < 0)
        return gltf_refuse(value, "the time of key 0 is %g s: negative",
                           times[0]);
    for (uint32_t i = 1; i < accessor->count; i++)
        if (times[i] <= times[i - 1])
            return gltf_refuse(value,
                               "the time of key %u is %.9g s, not above that "
                               "of the key before, %.9g s",
                               i, times[i], times[i - 1]);
    accessor->are_times = true;
    return true;
}

static bool read_times(struct gltf_file *file, const struct gltf_value *sampler,
                       struct motion_channel *channel)
{
    struct gltf_value value = gltf_get(sampler, "input");
    struct gltf_accessor *accessor = gltf_accessor(file, &value);

    if (!accessor)
        return false;
    if (strcmp(accessor->type, "SCALAR") != 0 ||
        strcmp(gltf_component_name(accessor->component), "float") != 0)
        return gltf_refuse(&value, "an accessor of %s %s, not float SCALAR",
                           gltf_component_name(accessor->component),
                           accessor->type);
    if (!gltf_decode(file, &value, accessor) || !check_times(&value, accessor))
        return false;
    channel->key_count = accessor->count;
    channel->times = accessor->values;
    return channel->interpolation != MOTION_CUBIC || channel->key_count >= 2 ||
           gltf_refuse(&value, "a cubic channel with one key");
}

/* Refuse a rotation at a key that is no rotation. */
static bool check_rotations(const struct gltf_value *value,
                            struct gltf_accessor *accessor,
                            const struct motion_channel *channel)
{
    const bool is_cubic = channel->interpolation == MOTION_CUBIC;
    const uint64_t stride = is_cubic ? 12 : 4;
    const double *key = accessor->values + (is_cubic ? 4 : 0);

    if (is_cubic ? accessor->are_cubic : accessor->are_quaternions)
        return true;
    for (uint32_t i = 0; i < channel->key_count; i++, key += stride)
        if (key[0] == 0 && key[1] == 0 && key[2] == 0 && key[3] == 0)
            return gltf_refuse(value,
                               "the rotation of key %u is 0, 0, 0, 0: a "
                               "quaternion of length 0",
                               i);
    if (is_cubic)
        accessor->are_cubic = true;
    else
        accessor->are_quaternions = true;
    return true;
}

static bool read_values(struct gltf_file *file,
                        const struct gltf_value *sampler,
                        struct motion_channel *channel)
{
    static const char *const types[MOTION_PATHS] = {"VEC3", "VEC4", "VEC3",
                                                    "SCALAR"};
    struct gltf_value value = gltf_get(sampler, "output");
    struct gltf_accessor *accessor = gltf_accessor(file, &value);
    const uint64_t elements = (uint64_t)channel->key_count *
                              (channel->interpolation == MOTION_CUBIC ? 3 : 1);

    if (!accessor)
        return false;
    if (strcmp(accessor->type, types[channel->path]) != 0)
        return gltf_refuse(&value, "an accessor of %s for %s, not %s",
                           accessor->type, motion_path_name(channel->path),
                           types[channel->path]);
    channel->width = accessor->width;
    if (channel->path == MOTION_WEIGHTS) {
        if (accessor->count % elements != 0)
            return gltf_refuse(&value,
                               "%u weights for %u keys, which is no multiple",
                               accessor->count, channel->key_count);
        channel->width = (uint32_t)(accessor->count / elements);
    } else if (accessor->count != elements) {
        return gltf_refuse(&value, "%u elements, but %u keys need %" PRIu64,
                           accessor->count, channel->key_count, elements);
    }
    if (!gltf_decode(file, &value, accessor) ||
        (channel->path == MOTION_ROTATION &&
         !check_rotations(&value, accessor, channel)))
        return false;
    channel->values = accessor->values;
    channel->component = gltf_component_name(accessor->component);
    channel->is_sparse = accessor->is_sparse;
    return true;
}

/* -- channels -- */

static bool read_sampler(struct animation *animation,
                         const struct gltf_value *value,
                         struct motion_channel *channel)
{
    struct gltf_value index_value = gltf_get(value, "sampler");
    struct gltf_value sampler;
    struct gltf_value interpolation;
    const char *text;
    uint32_t index;
    int kind = MOTION_LINEAR;

    if (!gltf_index(&index_value, animation->samplers.count, "samplers",
                    &index))
        return false;
    sampler = gltf_item(&animation->samplers, index);
    interpolation = gltf_get(&sampler, "interpolation");
    text = gltf_text(&interpolation);
    if (interpolation.json && !find_word(text, interpolation_name, 3, &kind)) {
        char name[64];

        diag_name(text ? text : "", name, sizeof name);
        return gltf_refuse(&interpolation,
                           "\"%s\" is not STEP, LINEAR or CUBICSPLINE", name);
    }
    channel->interpolation = (enum motion_interpolation)kind;
    return read_times(animation->file, &sampler, channel) &&
           read_values(animation->file, &sampler, channel);
}

/* Read a channel; *is_ignored is set if it belongs to an extension. */
static bool read_channel(struct animation *animation,
                         const struct gltf_value *value,
                         struct motion_channel *channel, bool *is_ignored)
{
    const struct motion *motion = animation->file->motion;
    struct gltf_value target = gltf_get(value, "target");
    struct gltf_value node = gltf_get(&target, "node");
    struct gltf_value path_value = gltf_get(&target, "path");
    const char *text = gltf_text(&path_value);
    int path = 0;
    uint8_t bit;

    *is_ignored = true;
    if (!text)
        return gltf_refuse(&path_value, "missing");
    if (!node.json || !find_word(text, path_name, (int)MOTION_PATHS, &path)) {
        char name[64];

        diag_name(text, name, sizeof name);
        gltf_warn(&target, "a channel of \"%s\"%s is ignored", name,
                  node.json ? "" : " without a node");
        return true;
    }
    *is_ignored = false;
    if (!gltf_index(&node, motion->joint_count, "nodes", &channel->joint))
        return false;
    channel->path = (enum motion_path)path;
    bit = (uint8_t)(1u << path);
    if (animation->used[channel->joint] & bit)
        return gltf_refuse(&target, "a second channel for the %s of node %u",
                           text, channel->joint);
    animation->used[channel->joint] |= bit;
    if (path != MOTION_WEIGHTS && motion->joints[channel->joint].matrix)
        return gltf_refuse(&target,
                           "node %u has a matrix, which no channel can change",
                           channel->joint);
    return read_sampler(animation, value, channel);
}

/* Extras belong to applications: a value of another type is ignored with a
 * warning. Blender writes numbers for true and false, too. */
static enum motion_said read_said(const struct gltf_value *extras,
                                  const char *key)
{
    struct gltf_value value = gltf_get(extras, key);

    if (!value.json)
        return MOTION_UNSAID;
    if (cJSON_IsBool(value.json))
        return gltf_is_true(&value) ? MOTION_YES : MOTION_NO;
    if (cJSON_IsNumber(value.json) &&
        (value.json->valuedouble == 0 || value.json->valuedouble == 1))
        return value.json->valuedouble == 1 ? MOTION_YES : MOTION_NO;
    gltf_warn(&value, "is ignored: not true, false, 1 or 0");
    return MOTION_UNSAID;
}

static void read_extras(const struct gltf_value *value,
                        struct motion_clip *clip)
{
    struct gltf_value extras = gltf_get(value, "extras");

    clip->loops = read_said(&extras, "loop");
    clip->closes = read_said(&extras, "closes");
    clip->is_additive = read_said(&extras, "additive");
    clip->has_root_motion = read_said(&extras, "root_motion");
}

static bool read_clip(struct animation *animation,
                      const struct gltf_value *value, struct motion_clip *clip)
{
    struct gltf_file *file = animation->file;
    struct motion_channel *channels;
    struct gltf_list list;
    bool is_good = true;

    if (!gltf_list(value, "samplers", &file->scratch, &animation->samplers) ||
        !gltf_list(value, "channels", &file->scratch, &list))
        return false;
    clip->name = gltf_name(file, value);
    read_extras(value, clip);
    channels =
        ARENA_NEW(&file->motion->arena, struct motion_channel, list.count);
    for (uint32_t i = 0; is_good && i < list.count; i++) {
        struct gltf_value item = gltf_item(&list, i);
        bool is_ignored;

        is_good = read_channel(animation, &item, &channels[clip->channel_count],
                               &is_ignored);
        if (is_good && !is_ignored)
            clip->channel_count++;
    }
    /* Only these joints have bits: the next animation finds none. */
    for (uint32_t i = 0; i < clip->channel_count; i++)
        animation->used[channels[i].joint] = 0;
    clip->channels = channels;
    motion_set_span(clip);
    return is_good;
}

bool gltf_read_clips(struct gltf_file *file)
{
    struct motion *motion = file->motion;
    struct animation animation = {.file = file};
    struct motion_clip *clips;
    struct gltf_list list;

    if (!gltf_list(&file->root, "animations", &file->scratch, &list))
        return false;
    animation.used = ARENA_NEW(&file->scratch, uint8_t, motion->joint_count);
    clips = ARENA_NEW(&motion->arena, struct motion_clip, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        struct gltf_value value = gltf_item(&list, i);

        if (!read_clip(&animation, &value, &clips[i]))
            return false;
    }
    motion->clip_count = list.count;
    motion->clips = clips;
    return true;
}
