/* segment_clips.c - see segment_clips.h. */
/* SPDX-License-Identifier: MIT */
#include "support/segment_clips.h"

#include "harness.h"
#include "support/made_motion.h"

#include "anim/anim_schedule.h"
#include "anim/anim_wire.h"
#include "base/checksum.h"
#include "base/endian.h"

#include <string.h>

#define SEGMENTS 40u

void segment_clips_init(struct segment_clips *clips)
{
    static const struct anim_encode_options options = {ANIM_PRECISION,
                                                       ANIM_FLOAT_PRECISION};
    const struct made_motion made = {.joints = 100,
                                     .frames =
                                         SEGMENTS * ANIM_SEGMENT_FRAMES_MAX,
                                     .swing = 0.6,
                                     .travel = 0.02,
                                     .seed = 5};
    struct dense_clip dense;

    arena_init(&clips->arena);
    clips->segment_count = SEGMENTS;
    made_motion(&made, &clips->arena, &dense);
    dense.loops = true;
    CHECK(anim_encode_refusal(&dense, &options) == NULL);
    anim_encode_skeleton(&dense, &clips->arena, &clips->skeleton);
    anim_encode_clip(&dense, &options, &clips->arena, &clips->motion);
}

void segment_clips_free(struct segment_clips *clips)
{
    arena_free(&clips->arena);
}

/* -- the file that is copied from -- */

static const struct anim_wire_clip *header_of(const struct anim_file *file)
{
    return (const void *)file->bytes;
}

static const struct anim_wire_segment *table_of(const struct anim_file *file)
{
    return (const void *)(file->bytes + sizeof(struct anim_wire_clip));
}

/* Where a segment begins. */
static uint32_t start_of(const struct anim_file *file, uint32_t segment)
{
    return segment == 0 ? spn_load_u32le(header_of(file)->head_bytes)
                        : spn_load_u32le(table_of(file)[segment - 1].end);
}

static uint32_t bytes_of(const struct anim_file *file, uint32_t segment)
{
    return spn_load_u32le(table_of(file)[segment].end) -
           start_of(file, segment);
}

/* -- a clip -- */

/* The coded head, which follows the table. */
struct head {
    const uint8_t *bytes;
    uint32_t size;
};

static struct head head_of(const struct segment_clips *clips)
{
    const struct anim_file *file = &clips->motion;
    const uint8_t *begin =
        (const uint8_t *)(table_of(file) + clips->segment_count);

    return (struct head){begin,
                         start_of(file, 0) - (uint32_t)(begin - file->bytes)};
}

/* The number of segments of a clip that is about `bytes` long. */
static uint32_t count_of(const struct segment_clips *clips, uint32_t bytes)
{
    const uint32_t size = (uint32_t)clips->motion.size;
    const uint32_t mean =
        (size - start_of(&clips->motion, 0)) / clips->segment_count +
        (uint32_t)sizeof(struct anim_wire_segment);
    const uint32_t head =
        (uint32_t)sizeof(struct anim_wire_clip) + head_of(clips).size;

    return bytes < head + mean ? 1 : (bytes - head + mean / 2) / mean;
}

static void write_header(const struct segment_clips *clips, uint32_t count,
                         uint32_t head_bytes, struct anim_file *file)
{
    struct anim_wire_clip *wire = (void *)file->bytes;

    memcpy(wire, clips->motion.bytes, sizeof *wire);
    spn_store_u32le(wire->frame_count, count * ANIM_SEGMENT_FRAMES_MAX);
    spn_store_u32le(wire->head_bytes, head_bytes);
    spn_store_u32le(wire->file_bytes, (uint32_t)file->size);
    spn_store_u32le(wire->head_checksum,
                    spn__checksum(file->bytes + sizeof *wire,
                                  head_bytes - sizeof *wire, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire, sizeof *wire - 4, WIRE_SEED));
}

void segment_clips_make(const struct segment_clips *clips, uint32_t number,
                        uint32_t bytes, struct arena *arena,
                        struct anim_file *file)
{
    const struct anim_file *motion = &clips->motion;
    const struct head head = head_of(clips);
    const uint32_t count = count_of(clips, bytes);
    uint32_t *chosen = ARENA_NEW(arena, uint32_t, count);
    struct test_random random = {number};
    const uint32_t head_bytes =
        (uint32_t)(sizeof(struct anim_wire_clip) +
                   count * sizeof(struct anim_wire_segment)) +
        head.size;
    struct anim_wire_segment *table;
    uint32_t at = head_bytes;

    file->size = head_bytes;
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = test_random_below(&random, clips->segment_count);
        file->size += bytes_of(motion, chosen[i]);
    }
    file->bytes = ARENA_NEW(arena, uint8_t, file->size);
    table = (void *)(file->bytes + sizeof(struct anim_wire_clip));
    memcpy(file->bytes + head_bytes - head.size, head.bytes, head.size);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = bytes_of(motion, chosen[i]);

        memcpy(file->bytes + at, motion->bytes + start_of(motion, chosen[i]),
               size);
        at += size;
        table[i] = table_of(motion)[chosen[i]];
        spn_store_u32le(table[i].end, at);
    }
    write_header(clips, count, head_bytes, file);
}
