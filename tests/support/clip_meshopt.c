/* clip_meshopt.c - vertex records, their differences, meshoptimizer and
 * zstd. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_meshopt.h"

#include "support/bench.h"
#include "support/clip_times.h"

#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    POSITION_AT = 0,
    QTANGENT_AT = 8,
    UV_AT = 16,
    RECORD_BYTES = 16,
    RECORD_BYTES_UV = 20
};

struct clip_meshopt_frame {
    uint8_t *stored;
    size_t stored_bytes;
    size_t coded_bytes;
    uint8_t *records;
};

static void stop(const char *what)
{
    fprintf(stderr, "meshoptimizer: %s\n", what);
    exit(1);
}

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);

    if (memory == NULL)
        stop("no memory");
    return memory;
}

/* -- records -- */

static void shape_records(struct clip_meshopt *coding,
                          const struct whole_clip *clip)
{
    coding->record_bytes = RECORD_BYTES;
    for (uint32_t t = 0; t < clip->header.tile_count; t++) {
        const struct cache_tile *tile = &clip->tables.tiles[t];

        if (tile->animated_mask != 0)
            coding->record_count += tile->vertex_count;
        if (tile->animated_mask & CHANNEL_BIT(CHANNEL_UV))
            coding->record_bytes = RECORD_BYTES_UV;
    }
}

static void gather_channel(const struct clip_meshopt *coding,
                           const struct whole_clip *clip, uint32_t frame,
                           uint32_t index, size_t at, uint8_t *records)
{
    const struct cache_block *block = &clip->tables.blocks[index];
    const size_t bytes = channel_vertex_bytes((enum channel)block->channel);
    const uint8_t *from = clip->data[frame] + clip->block_offset[index];

    for (uint32_t v = 0; v < block->count; v++)
        memcpy(records + (size_t)v * coding->record_bytes + at,
               from + v * bytes, bytes);
}

/* Copy the records tile by tile. */
static void gather(const struct clip_meshopt *coding,
                   const struct whole_clip *clip, uint32_t frame,
                   uint8_t *records)
{
    static const struct {
        enum channel channel;
        size_t at;
    } fields[] = {{CHANNEL_POSITION, POSITION_AT},
                  {CHANNEL_QTANGENT, QTANGENT_AT},
                  {CHANNEL_UV, UV_AT}};

    for (uint32_t t = 0; t < clip->header.tile_count; t++) {
        const struct cache_tile *tile = &clip->tables.tiles[t];

        if (tile->animated_mask == 0)
            continue;
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            const uint32_t block = tile->block[fields[i].channel];

            if (block != CACHE_NONE)
                gather_channel(coding, clip, frame, block, fields[i].at,
                               records);
        }
        records += (size_t)tile->vertex_count * coding->record_bytes;
    }
}

static size_t records_bytes(const struct clip_meshopt *coding)
{
    return coding->record_count * coding->record_bytes;
}

/* Eight 16-bit numbers; GCC and clang have this extension. */
typedef uint16_t lanes __attribute__((vector_size(16)));

/* Bytes for the records of a frame, rounded up to whole lanes. */
static size_t room_bytes(const struct clip_meshopt *coding)
{
    return (records_bytes(coding) + sizeof(lanes) + 63) / 64 * 64;
}

static uint8_t *get_records(const struct clip_meshopt *coding)
{
    return get(room_bytes(coding));
}

/* Add or subtract two frames. */
static inline void combine_u16(const struct clip_meshopt *coding,
                               uint8_t *records, const uint8_t *others,
                               bool is_difference)
{
    for (size_t at = 0; at < records_bytes(coding); at += sizeof(lanes)) {
        lanes value;
        lanes other;

        memcpy(&value, records + at, sizeof value);
        memcpy(&other, others + at, sizeof other);
        value = is_difference ? value - other : value + other;
        memcpy(records + at, &value, sizeof value);
    }
}

/* -- encoding -- */

static void encode_frame(struct clip_meshopt *coding,
                         struct clip_meshopt_frame *frame,
                         const uint8_t *records, uint8_t *packed,
                         size_t packed_room)
{
    const uint8_t *stored = coding->coded;

    frame->coded_bytes =
        meshopt_encodeVertexBuffer(coding->coded, coding->coded_room, records,
                                   coding->record_count, coding->record_bytes);
    frame->stored_bytes = frame->coded_bytes;
    if (coding->has_zstd) {
        frame->stored_bytes =
            ZSTD_compress(packed, packed_room, coding->coded,
                          frame->coded_bytes, CLIP_MESHOPT_ZSTD_LEVEL);
        stored = packed;
    }
    if (frame->coded_bytes == 0 || ZSTD_isError(frame->stored_bytes))
        stop("a frame cannot be encoded");
    frame->stored = get(frame->stored_bytes);
    memcpy(frame->stored, stored, frame->stored_bytes);
}

static void encode_all(struct clip_meshopt *coding,
                       const struct whole_clip *clip)
{
    const size_t bytes = records_bytes(coding);
    const size_t packed_room = ZSTD_compressBound(coding->coded_room);
    uint8_t *packed = get(packed_room);
    uint8_t *records = get_records(coding);
    uint8_t *before = get_records(coding);

    meshopt_encodeVertexVersion(CLIP_MESHOPT_VERSION);
    for (uint32_t f = 0; f < coding->frame_count; f++) {
        struct clip_meshopt_frame *frame = &coding->frames[f];
        double start;

        frame->records = coding->records + f * room_bytes(coding);
        gather(coding, clip, f, records);
        start = bench_cpu_us();
        if (coding->is_delta) {
            memcpy(frame->records, records, bytes);
            combine_u16(coding, records, before, true);
            memcpy(before, frame->records, bytes);
        }
        encode_frame(coding, frame, records, packed, packed_room);
        coding->encode_us += (bench_cpu_us() - start) / coding->frame_count;
        coding->bytes += (double)frame->stored_bytes / coding->frame_count;
    }
    free(before);
    free(records);
    free(packed);
}

/* -- decoding -- */

static void decode_frame(struct clip_meshopt *coding, uint32_t number)
{
    const struct clip_meshopt_frame *frame = &coding->frames[number];
    const uint8_t *coded = frame->stored;

    if (coding->has_zstd) {
        if (ZSTD_decompressDCtx(coding->zstd, coding->coded, coding->coded_room,
                                frame->stored,
                                frame->stored_bytes) != frame->coded_bytes)
            stop("zstd refuses a frame");
        coded = coding->coded;
    }
    if (meshopt_decodeVertexBuffer(frame->records, coding->record_count,
                                   coding->record_bytes, coded,
                                   frame->coded_bytes) != 0)
        stop("a frame is refused");
    if (coding->is_delta && number > 0)
        combine_u16(coding, frame->records, coding->frames[number - 1].records,
                    false);
}

void clip_meshopt_decode(struct clip_meshopt *coding, double *least)
{
    for (uint32_t f = 0; f < coding->frame_count; f++) {
        const double start = bench_cpu_us();

        decode_frame(coding, f);
        clip_times_keep(&least[f], start);
    }
}

static void compare(struct clip_meshopt *coding, const struct whole_clip *clip)
{
    uint8_t *records = get_records(coding);

    for (uint32_t f = 0; f < coding->frame_count; f++) {
        decode_frame(coding, f);
        gather(coding, clip, f, records);
        if (memcmp(records, coding->frames[f].records, records_bytes(coding)) !=
            0)
            stop("a frame comes back as another");
    }
    free(records);
}

/* -- a clip -- */

bool clip_meshopt_open(struct clip_meshopt *coding,
                       const struct whole_clip *clip, bool is_delta,
                       bool has_zstd)
{
    *coding = (struct clip_meshopt){.is_delta = is_delta,
                                    .has_zstd = has_zstd,
                                    .frame_count = clip->header.frame_count};
    shape_records(coding, clip);
    if (coding->record_count == 0)
        return false;
    coding->frames = get(coding->frame_count * sizeof *coding->frames);
    coding->memory = get(64 + coding->frame_count * room_bytes(coding));
    coding->records =
        coding->memory + (64 - (uintptr_t)coding->memory % 64) % 64;
    coding->coded_room = meshopt_encodeVertexBufferBound(coding->record_count,
                                                         coding->record_bytes);
    coding->coded = get(coding->coded_room);
    coding->zstd = ZSTD_createDCtx();
    if (coding->zstd == NULL)
        stop("no memory");
    encode_all(coding, clip);
    compare(coding, clip);
    return true;
}

void clip_meshopt_close(struct clip_meshopt *coding)
{
    for (uint32_t f = 0; f < coding->frame_count; f++)
        free(coding->frames[f].stored);
    free(coding->frames);
    free(coding->memory);
    free(coding->coded);
    ZSTD_freeDCtx(coding->zstd);
}
