/* made_clips.c - small caches, and the hashes of all their frames.
 *
 * For caches written by hand the hashes are computed from the same functions as
 * the files. The cache of the lifting codec is encoded from a clip of known
 * values. Its order of vertices does not matter here, so its hashes are those
 * that a runtime shows without faults.
 */
/* SPDX-License-Identifier: MIT */
#include "sim/made_clips.h"

#include "base/endian.h"
#include "base/hash64.h"
#include "common/codecs.h"
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_truth.h"

#include <stdlib.h>
#include <string.h>

#define LIFTED 3u
#define LIFTED_DISTANCE 8u /* between its index frames */

uint64_t made_clips_hash(const void *vertices, uint32_t vertex_count)
{
    static uint8_t little[MADE_VERTEX_BYTES_MAX];
    const size_t bytes = (size_t)vertex_count * MADE_STRIDE;

    CHECK(bytes <= sizeof little);
    for (size_t at = 0; at < bytes; at += 2) {
        uint16_t value;

        memcpy(&value, (const uint8_t *)vertices + at, sizeof value);
        spn_store_u16le(little + at, value);
    }
    return spn__hash64(little, bytes, 0);
}

uint32_t made_clips_frame_at(const struct made_clip *clip, int64_t time_us)
{
    uint32_t frame = clip->frame_count - 1;

    while (frame > 0 && clip->times_us[frame] > time_us)
        frame--;
    return frame;
}

static const spn_vertex_layout layout = {.stride = MADE_STRIDE,
                                         .position = {0, SPN_FORMAT_QUANTIZED}};

/* Each frame lasts frame_ns; times are rounded to microseconds. */
static void make_times(struct made_clip *clip, int64_t frame_ns)
{
    uint32_t last = clip->frame_count - 1;

    clip->times_us = calloc(clip->frame_count, sizeof *clip->times_us);
    CHECK(clip->times_us != NULL);
    for (uint32_t i = 0; i < clip->frame_count; i++)
        clip->times_us[i] = (i * frame_ns + 500) / 1000;
    clip->loop_us = 2 * clip->times_us[last] - clip->times_us[last - 1];
}

/* In a group of the classic codecs each frame refers to the one before it: the
 * first level leaves out the last frame of each group, the next level also the
 * one before that. Of a pyramid each level leaves out every second frame.
 *
 * distance  between index frames; the last frame of the clip is one, too */
static void make_levels(struct made_clip *clip, uint32_t distance,
                        bool is_pyramid)
{
    uint8_t count[MADE_INDEX + 1] = {0};
    const uint32_t last = clip->frame_count - 1;

    clip->levels = calloc(clip->frame_count, 1);
    clip->ordinals = calloc(clip->frame_count, 1);
    CHECK(clip->levels && clip->ordinals);
    for (uint32_t f = 0; f <= last; f++) {
        const uint32_t in_group = f % distance;
        const uint32_t end =
            last - (f - in_group) < distance ? last - (f - in_group) : distance;
        uint32_t level = 0;

        if (in_group == 0 || f == last)
            level = MADE_INDEX;
        else if (!is_pyramid)
            level = end - 1 - in_group;
        else
            while ((in_group >> level) % 2 == 0)
                level++;
        clip->levels[f] = (uint8_t)level;
        clip->ordinals[f] = count[level]++;
    }
}

/* Measure the heap that nodes need, and the hashes of the lifted clip, with a
 * runtime that plays it. */
static void look(struct made_clip *clip, struct tiny_cache *tiny)
{
    static struct stage stage;
    static uint8_t vertices[MADE_VERTEX_BYTES_MAX];
    spn_node node;

    stage_init(&stage, tiny);
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage_open(&stage);
    for (uint32_t n = 0; n <= MADE_NODES_MAX; n++)
        CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, n,
                                       &clip->heap_bytes[n]),
                 SPN_OK);
    node = stage_node(&stage, false);
    for (uint32_t i = 0; i < clip->frame_count * clip->mesh_count; i++) {
        uint32_t mesh = i % clip->mesh_count;
        spn_fill_result shown;
        int64_t time_us;

        CHECK_EQ(spn_cache_get_frame_time(stage.rt, stage.cache,
                                          i / clip->mesh_count, &time_us),
                 SPN_OK);
        CHECK_EQ(clip->times_us[i / clip->mesh_count], time_us);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
        stage_until_ready(&stage, node);
        memset(vertices, 0, sizeof vertices);
        CHECK_EQ(spn_node_fill(stage.rt, node, mesh, &layout, vertices,
                               sizeof vertices, &shown),
                 SPN_OK);
        CHECK_EQ(shown.floor_frame, i / clip->mesh_count);
        if (!clip->hashes[i])
            clip->hashes[i] = made_clips_hash(vertices, clip->vertices);
        else if (shown.is_visible)
            CHECK_EQ_U(clip->hashes[i],
                       made_clips_hash(vertices, clip->vertices));
    }
    stage.tiny = NULL;
    stage_close(&stage);
}

static uint64_t true_hash(const struct tiny_options *o, uint32_t frame,
                          uint32_t mesh)
{
    static uint16_t values[9000 * 3];
    static uint8_t vertices[MADE_VERTEX_BYTES_MAX];

    CHECK(o->vertices * MADE_STRIDE <= MADE_VERTEX_BYTES_MAX);
    memset(vertices, 0, sizeof vertices);
    tiny_values(o, frame, mesh, CHANNEL_POSITION, 0, o->vertices, values);
    for (uint32_t v = 0; v < o->vertices; v++)
        for (uint32_t k = 0; k < 6; k++)
            vertices[v * MADE_STRIDE + k] =
                ((const uint8_t *)(values + v * 3))[k];
    return made_clips_hash(vertices, o->vertices);
}

/* Kept until the process ends. */
static struct tiny_cache *kept[2 * MADE_CLIPS];
static uint32_t kept_count;

static void make_tiny(const struct tiny_options *options,
                      struct clip_file *file, struct made_clip *clip)
{
    struct tiny_options other = *options;
    struct tiny_cache *good;
    struct tiny_cache *bad;
    const struct tiny_options *o;

    other.is_same_everywhere = true;
    good = tiny_build(&other);
    o = &good->options;
    other.seed++;
    bad = tiny_build(&other);
    kept[kept_count++] = good;
    kept[kept_count++] = bad;
    /* Good and bad bytes have the same tables, and frames of about the same
     * size. */
    file->data = good->bytes;
    file->bytes = good->size;
    file->bad_data = bad->size == good->size ? bad->bytes : NULL;
    clip->frame_count = o->frame_count;
    clip->mesh_count = o->mesh_count;
    clip->vertices = o->vertices;
    clip->frame_us = o->frame_us;
    clip->hashes =
        calloc((size_t)o->frame_count * o->mesh_count, sizeof *clip->hashes);
    CHECK(clip->hashes != NULL);
    for (uint32_t f = 0; f < o->frame_count; f++)
        for (uint32_t m = 0; m < o->mesh_count; m++)
            clip->hashes[f * o->mesh_count + m] = true_hash(o, f, m);
    make_times(clip, clip->frame_us * 1000);
    make_levels(clip, o->distance, false);
    look(clip, good);
}

static void make_lifted(struct clip_file *file, struct made_clip *clip)
{
    static const struct synthetic_options options = {
        .frame_count = 40, .vertices = 260, .has_colors = true};
    struct memory_sink memory = {0};
    struct tiny_cache tiny = {0};

    synthetic_lift(&options, LIFTED_DISTANCE, true, &memory);
    file->data = memory.bytes;
    file->bytes = memory.size;
    clip->frame_count = options.frame_count;
    clip->mesh_count = 1;
    clip->vertices = synthetic_vertices(&options, 0);
    clip->frame_us = 41667;
    clip->hashes = calloc(clip->frame_count, sizeof *clip->hashes);
    CHECK(clip->hashes != NULL);
    make_times(clip, 1000000000 / 24);
    make_levels(clip, LIFTED_DISTANCE, true);
    tiny.bytes = memory.bytes;
    tiny.size = memory.size;
    look(clip, &tiny);
}

void made_clips_make(struct clip_file *files, struct made_clip *clips)
{
    static const char *const paths[MADE_CLIPS] = {"c0", "c1", "c2", "c3", "c4"};
    static const struct tiny_options options[MADE_CLIPS] = {
        /* Stored noise, so that the bad bytes have the same size */
        {.frame_count = 61, .vertices = 60, .is_stored = true},
        {.frame_count = 91,
         .mesh_count = 2,
         .vertices = 90,
         .has_uvs = true,
         .plays_from_memory = true},
        {.frame_count = 25,
         .distance = 6,
         .vertices = 9000,
         .frame_us = 160000},
        {0},
        {.frame_count = 45, .distance = 7, .vertices = 120, .codec = 3}};

    for (uint32_t i = 0; i < MADE_CLIPS; i++) {
        files[i] = (struct clip_file){.path = paths[i]};
        clips[i] = (struct made_clip){.path = paths[i]};
        if (i == LIFTED)
            make_lifted(&files[i], &clips[i]);
        else
            make_tiny(&options[i], &files[i], &clips[i]);
    }
}
