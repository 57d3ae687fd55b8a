/* motion.c - recognize the format of a file; what all readers share. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/motion.h"

#include "anim/source/motion_build.h"
#include "base/text.h"
#include "host/host.h"

#include <string.h>

const char *motion_format_name(enum motion_format format)
{
    static const char *const names[] = {"bvh", "gltf", "glb"};

    return names[format];
}

const char *motion_path_name(enum motion_path path)
{
    static const char *const names[] = {"translation", "rotation", "scale",
                                        "weights"};

    return names[path];
}

const char *motion_interpolation_name(enum motion_interpolation interpolation)
{
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};

    return names[interpolation];
}

const char *motion_file_stem(const char *path, size_t *length)
{
    const char *name = path;
    const char *dot;

    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    dot = strrchr(name, '.');
    *length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return name;
}

static bool is_utf8(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length) {
        uint32_t bytes = spn__text_sequence(text + at, length - at);

        if (bytes == 0)
            return false;
        at += bytes;
    }
    return true;
}

const char *motion_name(struct arena *arena, const char *text, size_t length)
{
    char *name;
    size_t bytes = 0;

    if (length == 0)
        return NULL;
    if (is_utf8(text, length))
        return arena_string(arena, text, length);
    name = arena_alloc(arena, 2 * (uint64_t)length + 1, 1);
    for (size_t i = 0; i < length; i++) {
        uint8_t c = (uint8_t)text[i];

        if (c >= 0x80)
            name[bytes++] = (char)(0xC0 | c >> 6);
        name[bytes++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3F) : c);
    }
    return name;
}

/* Walk from each joint towards its root until a joint that has its place, then
 * give the joints of this walk their places from the top down. A joint of the
 * walk that is met again closes a cycle. */
int64_t motion_sort_joints(struct motion *motion)
{
    const uint32_t count = motion->joint_count;
    uint32_t *order = ARENA_NEW(&motion->arena, uint32_t, count);
    uint32_t *walk = ARENA_NEW(&motion->arena, uint32_t, count);
    uint8_t *is_met = ARENA_NEW(&motion->arena, uint8_t, count);
    uint32_t sorted = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t steps = 0;
        int64_t joint = i;

        while (joint >= 0 && !is_met[joint]) {
            is_met[joint] = 1;
            walk[steps++] = (uint32_t)joint;
            joint = motion->joints[joint].parent;
        }
        for (uint32_t k = 0; joint >= 0 && k < steps; k++)
            if (walk[k] == (uint32_t)joint)
                return joint;
        while (steps > 0)
            order[sorted++] = walk[--steps];
    }
    motion->order = order;
    return -1;
}

void motion_set_span(struct motion_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];
        const double first = channel->times[0];
        const double last = channel->times[channel->key_count - 1];

        if (i == 0 || first < clip->start)
            clip->start = first;
        if (i == 0 || last > clip->end)
            clip->end = last;
    }
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Does the text begin with the word of BVH files, after spaces and a byte order
 * mark? */
static bool is_bvh(const uint8_t *bytes, size_t size)
{
    static const char word[] = "hierarchy";
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (at < size && is_space(bytes[at]))
        at++;
    if (size - at < sizeof word - 1)
        return false;
    for (size_t i = 0; i < sizeof word - 1; i++)
        if ((bytes[at + i] | 0x20) != word[i])
            return false;
    return true;
}

static bool ends_with_bvh(const char *path)
{
    const size_t length = strlen(path);

    if (length < 4)
        return false;
    for (size_t i = 0; i < 4; i++)
        if ((path[length - 4 + i] | 0x20) != ".bvh"[i])
            return false;
    return true;
}

bool motion_read_bytes(struct motion *motion, const char *path,
                       const void *bytes, size_t size, bool is_alone,
                       struct diag *diag)
{
    bool is_good;

    memset(motion, 0, sizeof *motion);
    arena_init(&motion->arena);
    if (is_bvh(bytes, size) || ends_with_bvh(path))
        is_good = bvh_read(motion, path, bytes, size, diag);
    else
        is_good = gltf_read(motion, path, bytes, size, is_alone, diag);
    if (!is_good)
        arena_free(&motion->arena);
    return is_good;
}

bool motion_read(struct motion *motion, const char *path, struct diag *diag)
{
    static const uint8_t nothing;
    struct host_map map;
    bool is_good;

    if (!host_map_open(&map, path, diag))
        return false;
    is_good =
        map.bytes <= SIZE_MAX
            ? motion_read_bytes(motion, path, map.data ? map.data : &nothing,
                                (size_t)map.bytes, false, diag)
            : diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                          "larger than this machine's memory");
    host_map_close(&map);
    return is_good;
}

void motion_free(struct motion *motion)
{
    arena_free(&motion->arena);
}
