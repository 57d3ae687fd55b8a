/* cloth_archive.c - animated positions and UVs; all other data is written
 * once. */
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

/* Parabolas in place of a sine: period 256, height 64 * 64. */
static int32_t wave(uint32_t x)
{
    int32_t half = (int32_t)(x & 127);
    int32_t height = half * (128 - half);

    return x & 128 ? -height : height;
}

void cloth_archive_place(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                         float out[3])
{
    const int32_t z = wave(5 * x + 3 * frame) + wave(3 * y + 7 * frame + 40);

    (void)side;
    out[0] = (float)x / 64;
    out[1] = (float)y / 64;
    out[2] = (float)z / 32768;
}

/* A sample of an array property has two blocks: values and dimensions. */
static void add_floats(struct ogawa_writer *writer, uint64_t blocks[2],
                       const float *values, size_t count)
{
    blocks[0] = writer_words(writer, values, count);
    blocks[1] = WRITER_EMPTY_DATA;
}

/* -- animated data -- */

struct grid {
    uint32_t side;
    uint32_t frames;
    cloth_place place;
    const struct grid_texture *texture; /* NULL: no texture */
};

static uint32_t quad_count(const struct grid *grid)
{
    return (grid->side - 1) * (grid->side - 1);
}

static uint32_t texture_samples(const struct grid *grid)
{
    if (grid->texture == NULL)
        return 0;
    return grid->texture->is_animated ? grid->frames : 1;
}

/* The corners of a quad, in the order of its indices. */
static const uint32_t corner_x[4] = {0, 0, 1, 1};
static const uint32_t corner_y[4] = {0, 1, 1, 0};

static void place_points(const struct grid *grid, uint32_t frame, float *points)
{
    for (uint32_t i = 0; i < grid->side * grid->side; i++)
        grid->place(grid->side, frame, i % grid->side, i / grid->side,
                    points + 3 * (size_t)i);
}

static void place_texture(const struct grid *grid, uint32_t frame,
                          const float *points, float *uvs)
{
    for (uint32_t i = 0; i < 4 * quad_count(grid); i++) {
        const uint32_t quad = i / 4 % (grid->side - 1);
        const uint32_t x = quad + corner_x[i % 4];
        const uint32_t y = i / 4 / (grid->side - 1) + corner_y[i % 4];

        grid->texture->at(grid->side, frame, quad, x, y,
                          points + 3 * ((size_t)y * grid->side + x),
                          uvs + 2 * (size_t)i);
    }
}

/* Property groups of positions and, with a texture, of UVs. */
static void animation(struct ogawa_writer *writer, const struct grid *grid,
                      uint64_t groups[2])
{
    const size_t point_count = (size_t)grid->side * grid->side;
    const size_t uv_count = 4 * (size_t)quad_count(grid);
    const size_t block_count = 2 * (size_t)grid->frames;
    float *points = must(malloc(3 * point_count * sizeof *points));
    float *uvs = must(malloc(2 * uv_count * sizeof *uvs));
    uint64_t *point_blocks = must(malloc(block_count * sizeof *point_blocks));
    uint64_t *uv_blocks = must(malloc(block_count * sizeof *uv_blocks));

    for (uint32_t f = 0; f < grid->frames; f++) {
        place_points(grid, f, points);
        add_floats(writer, point_blocks + 2 * f, points, 3 * point_count);
        if (f >= texture_samples(grid))
            continue;
        place_texture(grid, f, points, uvs);
        add_floats(writer, uv_blocks + 2 * f, uvs, 2 * uv_count);
    }
    groups[0] = writer_group(writer, point_blocks, block_count);
    if (grid->texture)
        groups[1] =
            writer_group(writer, uv_blocks, 2 * (size_t)texture_samples(grid));
    free(uv_blocks);
    free(point_blocks);
    free(uvs);
    free(points);
}

/* -- constant data -- */

static uint64_t one_sample(struct ogawa_writer *writer, const uint8_t *values,
                           size_t bytes)
{
    uint64_t blocks[2] = {writer_sample(writer, values, bytes),
                          WRITER_EMPTY_DATA};

    return writer_group(writer, blocks, 2);
}

static void topology(struct ogawa_writer *writer, const struct grid *grid,
                     uint64_t children[2])
{
    const uint32_t side = grid->side;
    const uint32_t quads = quad_count(grid);
    uint8_t *counts = must(malloc(4 * (size_t)quads));
    uint8_t *indices = must(malloc(16 * (size_t)quads));

    for (uint32_t q = 0; q < quads; q++) {
        const uint32_t at = q / (side - 1) * side + q % (side - 1);

        spn_store_u32le(counts + 4 * (size_t)q, 4);
        for (uint32_t i = 0; i < 4; i++)
            spn_store_u32le(indices + 16 * (size_t)q + 4 * (size_t)i,
                            at + corner_y[i] * side + corner_x[i]);
    }
    children[0] = one_sample(writer, counts, 4 * (size_t)quads);
    children[1] = one_sample(writer, indices, 16 * (size_t)quads);
    free(indices);
    free(counts);
}

/* -- the archive -- */

/* A compound property with the properties that the headers name. */
static uint64_t compound(struct ogawa_writer *writer, uint64_t *children,
                         size_t count)
{
    children[count] = writer_data(writer, headers.bytes, headers.count);
    headers.count = 0;
    return writer_group(writer, children, count + 1);
}

static void name_topology(const char *name)
{
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1) |
                        INFO_CONSTANT,
                    (const uint32_t[]){1}, 1, name);
}

static void name_texture(uint32_t samples)
{
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_F32) | INFO_EXTENT(2) |
                        INFO_METADATA_HERE | (samples < 2 ? INFO_CONSTANT : 0),
                    (const uint32_t[]){samples}, 1, "uv");
    header_metadata(&headers, "geoScope=fvr");
}

void cloth_archive_write(const char *path, uint32_t side, uint32_t frames)
{
    grid_archive_write(path, side, frames, cloth_archive_place);
}

void grid_archive_write(const char *path, uint32_t side, uint32_t frames,
                        cloth_place place)
{
    grid_archive_write_textured(path, side, frames, place, NULL);
}

void grid_archive_write_textured(const char *path, uint32_t side,
                                 uint32_t frames, cloth_place place,
                                 const struct grid_texture *texture)
{
    const struct grid grid = {side, frames, place, texture};
    struct ogawa_writer writer;
    uint64_t moving[2] = {0};
    uint64_t children[5];
    uint64_t mesh;

    writer_open(&writer);
    headers.count = 0;
    animation(&writer, &grid, moving);
    topology(&writer, &grid, children + 1);
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_F32) | INFO_EXTENT(3),
                    (const uint32_t[]){frames}, 1, "P");
    name_topology(".faceCounts");
    name_topology(".faceIndices");
    if (texture)
        name_texture(texture_samples(&grid));
    children[0] = moving[0];
    children[3] = moving[1];
    children[0] = compound(&writer, children, texture ? 4 : 3);
    header_property(&headers, 0, NULL, 0, ".geom");
    children[0] = compound(&writer, children, 1);
    mesh = writer_object(&writer, children[0], NULL, 0, &headers);
    header_object(&headers, "cloth", "schema=AbcGeom_PolyMesh_v1");
    writer_close(&writer,
                 writer_object(&writer, WRITER_EMPTY_GROUP, &mesh, 1, &headers),
                 path);
}
