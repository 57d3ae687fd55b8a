/* motion_files.c - write glTF documents and a BVH text.
 *
 * Quaternions are fractions such as 3/5 and 4/5, so that every machine makes
 * the same files.
 */
/* SPDX-License-Identifier: MIT */
#include "support/motion_files.h"

#include "base/endian.h"

#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES 4096u
#define TEXT_BYTES 16384u

/* A glTF file that is made. */
struct document {
    uint8_t buffer[BUFFER_BYTES];
    uint32_t buffer_bytes;
    uint32_t view_count;
    uint32_t accessor_count;
    char views[TEXT_BYTES];
    char accessors[TEXT_BYTES];
};

static void add_text(char *text, const char *more)
{
    strncat(text, more, TEXT_BYTES - strlen(text) - 1);
}

static uint32_t add_view(struct document *d, uint32_t begin)
{
    char text[128];

    snprintf(text, sizeof text,
             "%s\n    {\"buffer\": 0, \"byteOffset\": %u, \"byteLength\": %u}",
             d->view_count ? "," : "", begin, d->buffer_bytes - begin);
    add_text(d->views, text);
    while (d->buffer_bytes % 4)
        d->buffer[d->buffer_bytes++] = 0;
    return d->view_count++;
}

static uint32_t add_accessor(struct document *d, const char *source,
                             uint32_t component, uint32_t count,
                             const char *type, const char *more)
{
    char text[512];

    snprintf(text, sizeof text,
             "%s\n    {%s\"componentType\": %u, \"count\": %u, \"type\": "
             "\"%s\"%s}",
             d->accessor_count ? "," : "", source, component, count, type,
             more);
    add_text(d->accessors, text);
    return d->accessor_count++;
}

static uint32_t add_floats(struct document *d, const float *values,
                           uint32_t count, uint32_t width, const char *type,
                           const char *more)
{
    const uint32_t begin = d->buffer_bytes;
    char source[64];

    for (uint32_t i = 0; i < count * width; i++) {
        uint32_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        spn_store_u32le(d->buffer + d->buffer_bytes, bits);
        d->buffer_bytes += 4;
    }
    snprintf(source, sizeof source, "\"bufferView\": %u, ", add_view(d, begin));
    return add_accessor(d, source, 5126, count, type, more);
}

/* Rotations about z as normalized 16-bit numbers. */
static uint32_t add_int16_rotations(struct document *d, const float *sines,
                                    const float *cosines, uint32_t count)
{
    const uint32_t begin = d->buffer_bytes;
    char source[64];

    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = d->buffer + d->buffer_bytes;

        memset(at, 0, 4);
        spn_store_u16le(at + 4, (uint16_t)(int16_t)(sines[i] * 32767));
        spn_store_u16le(at + 6, (uint16_t)(int16_t)(cosines[i] * 32767));
        d->buffer_bytes += 8;
    }
    snprintf(source, sizeof source, "\"bufferView\": %u, ", add_view(d, begin));
    return add_accessor(d, source, 5122, count, "VEC4",
                        ", \"normalized\": true");
}

/* Five translations of zero, of which the third and the fifth are not. */
static uint32_t add_sparse_translations(struct document *d)
{
    static const float values[6] = {0, 0.25f, 0, 0.5f, 0, -0.125f};
    const uint32_t begin = d->buffer_bytes;
    char more[256];
    uint32_t indices;

    d->buffer[d->buffer_bytes++] = 2;
    d->buffer[d->buffer_bytes++] = 4;
    indices = add_view(d, begin);
    /* The values are a view of their own; their accessor is not used. */
    add_floats(d, values, 2, 3, "VEC3", "");
    snprintf(more, sizeof more,
             ", \"sparse\": {\"count\": 2, \"indices\": {\"bufferView\": %u, "
             "\"componentType\": 5121}, \"values\": {\"bufferView\": %u}}",
             indices, d->view_count - 1);
    return add_accessor(d, "", 5126, 5, "VEC3", more);
}

static const char nodes[] =
    "  \"nodes\": [\n"
    "    {\"name\": \"root\", \"children\": [1, 4]},\n"
    "    {\"name\": \"upper\", \"children\": [2], \"translation\": [0, 1.5, "
    "0]},\n"
    "    {\"name\": \"lower\", \"children\": [3], \"translation\": [0.25, 0, "
    "0], \"rotation\": [0, 0, 0.6, 0.8]},\n"
    "    {\"name\": \"hand\", \"matrix\": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, "
    "0, 0.25, 0, 0, 1]},\n"
    "    {\"scale\": [1, 1, 0.5]}\n"
    "  ],\n";

/* The channels and samplers of two clips; the numbers are accessors. */
static const char clips[] =
    "  \"skins\": [{\"name\": \"arm\", \"joints\": [1, 2, 3], "
    "\"inverseBindMatrices\": %u}],\n"
    "  \"animations\": [\n"
    "    {\"name\": \"wave\", \"samplers\": [\n"
    "      {\"input\": %u, \"output\": %u},\n"
    "      {\"input\": %u, \"output\": %u, \"interpolation\": \"LINEAR\"},\n"
    "      {\"input\": %u, \"output\": %u},\n"
    "      {\"input\": %u, \"output\": %u, \"interpolation\": \"STEP\"}\n"
    "    ], \"channels\": [\n"
    "      {\"sampler\": 0, \"target\": {\"node\": 1, \"path\": "
    "\"rotation\"}},\n"
    "      {\"sampler\": 1, \"target\": {\"node\": 2, \"path\": "
    "\"rotation\"}},\n"
    "      {\"sampler\": 2, \"target\": {\"node\": 0, \"path\": "
    "\"translation\"}},\n"
    "      {\"sampler\": 3, \"target\": {\"node\": 4, \"path\": \"scale\"}}\n"
    "    ]},\n"
    "    {\"name\": \"spline\", \"samplers\": [\n"
    "      {\"input\": %u, \"output\": %u, \"interpolation\": "
    "\"CUBICSPLINE\"},\n"
    "      {\"input\": %u, \"output\": %u, \"interpolation\": "
    "\"CUBICSPLINE\"},\n"
    "      {\"input\": %u, \"output\": %u}\n"
    "    ], \"channels\": [\n"
    "      {\"sampler\": 0, \"target\": {\"node\": 2, \"path\": "
    "\"rotation\"}},\n"
    "      {\"sampler\": 1, \"target\": {\"node\": 1, \"path\": "
    "\"translation\"}},\n"
    "      {\"sampler\": 2, \"target\": {\"node\": 4, \"path\": "
    "\"weights\"}}\n"
    "    ]}\n"
    "  ]\n"
    "}\n";

/* Fill the buffer, and write everything behind the document's buffers. */
static char *make_content(struct arena *arena, struct document *d)
{
    static const float even[5] = {0, 0.25f, 0.5f, 0.75f, 1};
    static const float uneven[3] = {0.5f, 0.625f, 1.1f};
    static const float sines[5] = {0, 0.6f, 0.8f, 0.6f, 0};
    static const float cosines[5] = {1, 0.8f, 0.6f, 0.8f, 1};
    static const float scales[9] = {1, 1, 1, 1, 2, 1, 1, 1, 0.5f};
    static const float thirds[3] = {0, 0.5f, 0.75f};
    static const float weights[6] = {0, 1, 0.5f, 0.25f, 1, 0};
    float rotations[20] = {0};
    float rotation_spline[36] = {0};
    float spline[27] = {0};
    float bind[48] = {0};
    uint32_t a[10];

    for (int i = 0; i < 5; i++) {
        rotations[4 * i] = i < 3 ? sines[i] : -sines[i];
        rotations[4 * i + 3] = cosines[i];
    }
    for (int i = 0; i < 3; i++) {
        rotation_spline[12 * i + 2] = 0.5f;
        rotation_spline[12 * i + 5] = sines[i];
        rotation_spline[12 * i + 7] = cosines[i];
        rotation_spline[12 * i + 10] = -0.25f;
        spline[9 * i] = (float)i;
        spline[9 * i + 4] = 1.5f + 0.125f * (float)i;
        spline[9 * i + 8] = -1;
        for (int k = 0; k < 4; k++)
            bind[16 * i + 5 * k] = 1;
        bind[16 * i + 13] = -1.5f;
    }
    a[0] = add_floats(d, even, 5, 1, "SCALAR", ", \"min\": [0], \"max\": [1]");
    a[1] = add_floats(d, rotations, 5, 4, "VEC4", "");
    a[2] = add_int16_rotations(d, sines, cosines, 5);
    a[3] = add_sparse_translations(d);
    a[4] = add_floats(d, thirds, 3, 1, "SCALAR",
                      ", \"min\": [0], \"max\": [0.75]");
    a[5] = add_floats(d, scales, 3, 3, "VEC3", "");
    a[6] = add_floats(d, uneven, 3, 1, "SCALAR",
                      ", \"min\": [0.5], \"max\": [1.1]");
    a[7] = add_floats(d, rotation_spline, 9, 4, "VEC4", "");
    a[8] = add_floats(d, spline, 9, 3, "VEC3", "");
    a[9] = add_floats(d, weights, 6, 1, "SCALAR", "");
    return arena_format(arena, clips, add_floats(d, bind, 3, 16, "MAT4", ""),
                        a[0], a[1], a[0], a[2], a[0], a[3], a[4], a[5], a[6],
                        a[7], a[6], a[8], a[6], a[9]);
}

static struct motion_file make_document(struct arena *arena, const char *name,
                                        const struct document *d,
                                        const char *uri, const char *content)
{
    struct motion_file file = {.name = name};
    char *text = arena_format(
        arena,
        "{\n  \"asset\": {\"version\": \"2.0\"},\n"
        "  \"buffers\": [{\"byteLength\": %u%s%s%s}],\n"
        "  \"bufferViews\": [%s\n  ],\n  \"accessors\": [%s\n  ],\n%s%s",
        d->buffer_bytes, uri ? ", \"uri\": \"" : "", uri ? uri : "",
        uri ? "\"" : "", d->views, d->accessors, nodes, content);

    file.bytes = text;
    file.size = strlen(text);
    return file;
}

static const char *data_uri(struct arena *arena, const struct document *d)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char head[] = "data:application/octet-stream;base64,";
    char *uri = arena_alloc(arena, sizeof head + BUFFER_BYTES * 2, 1);
    size_t at = sizeof head - 1;

    memcpy(uri, head, at);
    for (uint32_t i = 0; i < d->buffer_bytes; i += 3) {
        const uint32_t left = d->buffer_bytes - i;
        const uint32_t bits = (uint32_t)d->buffer[i] << 16 |
                              (uint32_t)(left > 1 ? d->buffer[i + 1] : 0) << 8 |
                              (left > 2 ? d->buffer[i + 2] : 0);

        for (uint32_t k = 0; k < 4; k++)
            uri[at++] = k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return uri;
}

static struct motion_file make_glb(struct arena *arena,
                                   const struct document *d,
                                   const char *content)
{
    struct motion_file text = make_document(arena, "", d, NULL, content);
    struct motion_file file = {.name = "arm.glb"};
    const uint32_t text_bytes = ((uint32_t)text.size + 3) & ~3u;
    uint8_t *bytes;

    file.size = 12 + 8 + text_bytes + 8 + d->buffer_bytes;
    bytes = arena_alloc(arena, file.size, 1);
    file.bytes = bytes;
    memcpy(bytes, "glTF", 4);
    spn_store_u32le(bytes + 4, 2);
    spn_store_u32le(bytes + 8, (uint32_t)file.size);
    spn_store_u32le(bytes + 12, text_bytes);
    memcpy(bytes + 16, "JSON", 4);
    memset(bytes + 20, ' ', text_bytes);
    memcpy(bytes + 20, text.bytes, text.size);
    bytes += 20 + text_bytes;
    spn_store_u32le(bytes, d->buffer_bytes);
    memcpy(bytes + 4, "BIN", 4);
    memcpy(bytes + 8, d->buffer, d->buffer_bytes);
    return file;
}

static const char bvh[] = "HIERARCHY\n"
                          "ROOT root\n"
                          "{\n"
                          "\tOFFSET 0.0 1.0 0.0\n"
                          "\tCHANNELS 6 Xposition Yposition Zposition "
                          "Zrotation Xrotation Yrotation\n"
                          "\tJOINT upper arm\n"
                          "\t{\n"
                          "\t\tOFFSET 0.0 0.5 0.0\n"
                          "\t\tCHANNELS 3 Xrotation Yrotation Zrotation\n"
                          "\t\tJOINT lower\n"
                          "\t\t{\n"
                          "\t\t\tOFFSET 0.25 0.0 0.0\n"
                          "\t\t\tCHANNELS 1 Zrotation\n"
                          "\t\t\tEnd Site\n"
                          "\t\t\t{\n"
                          "\t\t\t\tOFFSET 0.25 0.0 0.0\n"
                          "\t\t\t}\n"
                          "\t\t}\n"
                          "\t}\n"
                          "\tJOINT still\n"
                          "\t{\n"
                          "\t\tOFFSET -0.25 0.5 1e-1\n"
                          "\t\tEnd Site\n"
                          "\t\t{\n"
                          "\t\t\tOFFSET 0 0.125 0\n"
                          "\t\t}\n"
                          "\t}\n"
                          "}\n"
                          "MOTION\n"
                          "Frames: 5\n"
                          "Frame Time: 0.04\n";

static struct motion_file make_bvh(struct arena *arena)
{
    struct motion_file file = {.name = "arm.bvh"};
    char *text = arena_string(arena, bvh, sizeof bvh - 1);

    for (int f = 0; f < 5; f++)
        text = arena_format(arena, "%s%d.5 0 %d %d 0 -90 %d 0.25 %d 18%d\n",
                            text, f, -f, 10 * f, 30 * f, 5 * f, f);
    file.bytes = text;
    file.size = strlen(text);
    return file;
}

void motion_files_make(struct arena *arena,
                       struct motion_file files[MOTION_FILE_COUNT])
{
    struct document *d = ARENA_NEW(arena, struct document, 1);
    const char *content = make_content(arena, d);

    files[MOTION_FILE_BVH] = make_bvh(arena);
    files[MOTION_FILE_EMBEDDED] =
        make_document(arena, "arm.gltf", d, data_uri(arena, d), content);
    files[MOTION_FILE_GLB] = make_glb(arena, d, content);
    files[MOTION_FILE_BESIDE] =
        make_document(arena, "arm_beside.gltf", d, "arm.bin", content);
    files[MOTION_FILE_BUFFER].name = "arm.bin";
    files[MOTION_FILE_BUFFER].bytes = d->buffer;
    files[MOTION_FILE_BUFFER].size = d->buffer_bytes;
}
