/* tiny_clips.c - see tiny_clips.h. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_clips.h"

#include "anim/clip_index_wire.h"
#include "base/checksum.h"
#include "harness.h"

#include <stddef.h>

#define SEGMENTS 4u

static struct clip_input make(struct arena *arena, const char *prefix,
                              uint32_t number, uint32_t bytes)
{
    struct test_random random = {number + 1};
    uint8_t *data = ARENA_NEW(arena, uint8_t, bytes);
    uint32_t *ends = ARENA_NEW(arena, uint32_t, SEGMENTS);

    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)test_random_u64(&random);
    for (uint32_t i = 0; i < SEGMENTS; i++)
        ends[i] = TINY_CLIPS_HEADER_BYTES +
                  (bytes - TINY_CLIPS_HEADER_BYTES) * (i + 1) / SEGMENTS;
    return (struct clip_input){
        .name = arena_format(arena, "%s/%05u.sac", prefix, number),
        .bytes = data,
        .byte_count = bytes,
        .header_bytes = TINY_CLIPS_HEADER_BYTES,
        .segment_ends = ends,
        .segment_count = SEGMENTS,
        .skeleton = 0x123456789abcdef0u,
        .joint_count = 67,
        .frame_count = 40,
        .rate_numerator = 30,
        .rate_denominator = 1,
        .flags = CLIP_LOOPS,
    };
}

void tiny_clips_init(struct tiny_clips *clips, const char *prefix,
                     uint32_t count, uint32_t bytes)
{
    arena_init(&clips->arena);
    diag_init(&clips->diag);
    clips->diag.is_silent = true;
    clips->count = count;
    clips->sources = ARENA_NEW(&clips->arena, struct clip_input, count);
    for (uint32_t i = 0; i < count; i++)
        clips->sources[i] = make(&clips->arena, prefix, i, bytes);
}

void tiny_clips_free(struct tiny_clips *clips)
{
    diag_finish(&clips->diag);
    arena_free(&clips->arena);
}

struct clip_index_file tiny_clips_database(struct tiny_clips *clips)
{
    struct clip_index_file out = {0};

    CHECK(clip_database_make(&clips->arena, &clips->diag, "d.sad",
                             clips->sources, clips->count, &out));
    return out;
}

struct clip_index_file tiny_clips_image(struct tiny_clips *clips)
{
    struct clip_index_file out = {0};

    CHECK(clip_image_make(&clips->arena, &clips->diag, "i.sai", NULL, 0,
                          clips->sources, clips->count, &out));
    return out;
}

struct clip_index_file tiny_clips_image_of(struct tiny_clips *clips,
                                           const char *path,
                                           const struct clip_index_file *file)
{
    const struct clip_database_source source = {path, &file->index};
    struct clip_index_file out = {0};

    CHECK(clip_image_make(&clips->arena, &clips->diag, "i.sai", &source, 1,
                          NULL, 0, &out));
    return out;
}

void tiny_clips_correct(uint8_t *bytes, size_t size)
{
    struct clip_wire_header *wire = (void *)bytes;
    uint32_t index_bytes;

    if (size < CLIP_INDEX_HEADER_BYTES)
        return;
    index_bytes = spn_load_u32le(wire->index_bytes);
    if (index_bytes <= size - CLIP_INDEX_HEADER_BYTES)
        spn_store_u32le(wire->index_checksum,
                        spn__checksum(bytes + CLIP_INDEX_HEADER_BYTES,
                                      index_bytes, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(bytes,
                                  offsetof(struct clip_wire_header, checksum),
                                  WIRE_SEED));
}
