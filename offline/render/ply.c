/* ply.c - write PLY through a small buffer. */
/* SPDX-License-Identifier: MIT */
#include "render/ply.h"

#include "base/endian.h"

#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES 65536u
/* Largest record: 13 floats and 4 bytes. */
#define RECORD_BYTES_MAX 64u

struct ply {
    struct host_output *output;
    bool has_uvs;
    bool has_colors;
    bool has_second_uvs;
    bool has_velocities;
    bool has_failed;
    size_t used;
    uint8_t buffer[BUFFER_BYTES];
};

static void flush(struct ply *ply)
{
    if (!host_output_append(ply->output, ply->buffer, ply->used))
        ply->has_failed = true;
    ply->used = 0;
}

static void put_float(struct ply *ply, float value)
{
    spn_store_f32le(ply->buffer + ply->used, value);
    ply->used += 4;
}

static void put_vertex(struct ply *ply, const struct surface *s, uint32_t i)
{
    static const uint8_t white[4] = {255, 255, 255, 255};

    if (ply->used > BUFFER_BYTES - RECORD_BYTES_MAX)
        flush(ply);
    for (int c = 0; c < 3; c++)
        put_float(ply, s->positions[i][c]);
    for (int c = 0; c < 3; c++)
        put_float(ply, s->normals[i][c]);
    for (int c = 0; c < 2 && ply->has_uvs; c++)
        put_float(ply, s->uvs ? s->uvs[i][c] : 0);
    if (ply->has_colors) {
        memcpy(ply->buffer + ply->used, s->colors ? s->colors[i] : white, 4);
        ply->used += 4;
    }
    for (int c = 0; c < 2 && ply->has_second_uvs; c++)
        put_float(ply, s->second_uvs ? s->second_uvs[i][c] : 0);
    for (int c = 0; c < 3 && ply->has_velocities; c++)
        put_float(ply, s->velocities ? s->velocities[i][c] : 0);
}

static void put_face(struct ply *ply, const uint32_t *indices, uint32_t first)
{
    if (ply->used > BUFFER_BYTES - RECORD_BYTES_MAX)
        flush(ply);
    ply->buffer[ply->used++] = 3;
    for (int c = 0; c < 3; c++) {
        spn_store_u32le(ply->buffer + ply->used, first + indices[c]);
        ply->used += 4;
    }
}

static void put_header(struct ply *ply, uint64_t vertex_count,
                       uint64_t face_count, const char *comment)
{
    int length = snprintf(
        (char *)ply->buffer, BUFFER_BYTES,
        "ply\nformat binary_little_endian 1.0\n%s%.200s%s"
        "element vertex %llu\n"
        "property float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\n%s%s%s%s"
        "element face %llu\n"
        "property list uchar int vertex_indices\nend_header\n",
        comment ? "comment " : "", comment ? comment : "", comment ? "\n" : "",
        (unsigned long long)vertex_count,
        ply->has_uvs ? "property float s\nproperty float t\n" : "",
        ply->has_colors ? "property uchar red\nproperty uchar green\n"
                          "property uchar blue\nproperty uchar alpha\n"
                        : "",
        ply->has_second_uvs ? "property float s2\nproperty float t2\n" : "",
        ply->has_velocities ? "property float vx\nproperty float vy\n"
                              "property float vz\n"
                            : "",
        (unsigned long long)face_count);

    ply->used = (size_t)length;
}

bool ply_write(struct host_output *output, const struct surface_list *list,
               const char *comment, struct diag *diag)
{
    struct ply ply = {.output = output};
    uint64_t vertex_count = 0;
    uint64_t face_count = 0;
    uint32_t first = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        vertex_count += list->items[i].vertex_count;
        face_count += list->items[i].index_count / 3;
        ply.has_uvs |= list->items[i].uvs != NULL;
        ply.has_colors |= list->items[i].colors != NULL;
        ply.has_second_uvs |= list->items[i].second_uvs != NULL;
        ply.has_velocities |= list->items[i].velocities != NULL;
    }
    if (vertex_count > INT32_MAX || face_count > INT32_MAX)
        return diag_refuse(diag, "PLY", DIAG_NO_OFFSET, NULL,
                           "%llu vertices are more than the format can count",
                           (unsigned long long)vertex_count);
    put_header(&ply, vertex_count, face_count, comment);
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t v = 0; v < list->items[i].vertex_count; v++)
            put_vertex(&ply, &list->items[i], v);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct surface *s = &list->items[i];

        for (uint32_t t = 0; t + 2 < s->index_count; t += 3)
            put_face(&ply, s->indices + t, first);
        first += s->vertex_count;
    }
    flush(&ply);
    return !ply.has_failed;
}
