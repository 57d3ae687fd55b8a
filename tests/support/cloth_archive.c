/* cloth_archive.c - positions of every frame, topology once. */
/* SPDX-License-Identifier: MIT */
#include "support/cloth_archive.h"

#include "abc/archive.h"
#include "base/endian.h"
#include "harness.h"
#include "support/ogawa_writer.h"

#include <stdlib.h>

static struct header_block headers;

static void *must(void *memory)
{
    CHECK(memory != NULL);
    return memory;
}

/* A wave of parabolas, up and down; period 256, height 64 * 64. */
static int32_t wave(uint32_t x)
{
    int32_t half = (int32_t)(x & 127);
    int32_t height = half * (128 - half);

    return x & 128 ? -height : height;
}

static void place_cloth(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                        float out[3])
{
    const int32_t z = wave(5 * x + 3 * frame) + wave(3 * y + 7 * frame + 40);

    (void)side;
    out[0] = (float)x / 64;
    out[1] = (float)y / 64;
    out[2] = (float)z / 32768;
}

/* Array properties have two blocks a sample: values and dimensions. */
static uint64_t positions(struct ogawa_writer *writer, uint32_t side,
                          uint32_t frames, cloth_place place)
{
    size_t bytes = 12 * (size_t)side * side;
    uint8_t *values = must(malloc(bytes));
    uint64_t *blocks = must(malloc(2 * (size_t)frames * sizeof *blocks));
    uint64_t group;

    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t i = 0; i < side * side; i++) {
            float at[3];

            place(side, f, i % side, i / side, at);
            for (uint32_t k = 0; k < 3; k++)
                spn_store_f32le(values + 12 * (size_t)i + 4 * (size_t)k, at[k]);
        }
        blocks[2 * f] = writer_sample(writer, values, bytes);
        blocks[2 * f + 1] = WRITER_EMPTY_DATA;
    }
    group = writer_group(writer, blocks, 2 * (size_t)frames);
    free(blocks);
    free(values);
    return group;
}

static uint64_t one_sample(struct ogawa_writer *writer, const uint8_t *values,
                           size_t bytes)
{
    uint64_t blocks[2] = {writer_sample(writer, values, bytes),
                          WRITER_EMPTY_DATA};

    return writer_group(writer, blocks, 2);
}

static void topology(struct ogawa_writer *writer, uint32_t side,
                     uint64_t children[2])
{
    uint32_t quads = (side - 1) * (side - 1);
    uint8_t *counts = must(malloc(4 * (size_t)quads));
    uint8_t *indices = must(malloc(16 * (size_t)quads));

    for (uint32_t q = 0; q < quads; q++) {
        uint32_t at = q / (side - 1) * side + q % (side - 1);
        uint8_t *index = indices + 16 * (size_t)q;

        spn_store_u32le(counts + 4 * (size_t)q, 4);
        spn_store_u32le(index, at);
        spn_store_u32le(index + 4, at + side);
        spn_store_u32le(index + 8, at + side + 1);
        spn_store_u32le(index + 12, at + 1);
    }
    children[0] = one_sample(writer, counts, 4 * (size_t)quads);
    children[1] = one_sample(writer, indices, 16 * (size_t)quads);
    free(indices);
    free(counts);
}

/* A compound of what the headers name. */
static uint64_t compound(struct ogawa_writer *writer, uint64_t *children,
                         size_t count)
{
    children[count] = writer_data(writer, headers.bytes, headers.count);
    headers.count = 0;
    return writer_group(writer, children, count + 1);
}

void cloth_archive_write(const char *path, uint32_t side, uint32_t frames)
{
    grid_archive_write(path, side, frames, place_cloth);
}

void grid_archive_write(const char *path, uint32_t side, uint32_t frames,
                        cloth_place place)
{
    struct ogawa_writer writer;
    uint64_t children[4];
    uint64_t mesh;

    writer_open(&writer);
    headers.count = 0;
    children[0] = positions(&writer, side, frames, place);
    topology(&writer, side, children + 1);
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_F32) | INFO_EXTENT(3),
                    (const uint32_t[]){frames}, 1, "P");
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1) |
                        INFO_CONSTANT,
                    (const uint32_t[]){1}, 1, ".faceCounts");
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1) |
                        INFO_CONSTANT,
                    (const uint32_t[]){1}, 1, ".faceIndices");
    children[0] = compound(&writer, children, 3);
    header_property(&headers, 0, NULL, 0, ".geom");
    children[0] = compound(&writer, children, 1);
    mesh = writer_object(&writer, children[0], NULL, 0, &headers);
    header_object(&headers, "cloth", "schema=AbcGeom_PolyMesh_v1");
    writer_close(&writer,
                 writer_object(&writer, WRITER_EMPTY_GROUP, &mesh, 1, &headers),
                 path);
}
