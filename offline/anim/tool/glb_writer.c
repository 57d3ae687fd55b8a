/* glb_writer.c - the container of glTF, and its arrays. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/glb_writer.h"

#include "base/endian.h"
#include "common/report.h"
#include "host/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GLB_CHUNK_JSON 0x4E4F534Au
#define GLB_CHUNK_BIN 0x004E4942u
#define GLB_FLOAT 5126

void glb_writer_init(struct glb_writer *writer)
{
    cJSON *asset;

    memset(writer, 0, sizeof *writer);
    arena_init(&writer->arena);
    writer->json = arena_require(cJSON_CreateObject());
    asset = report_object(writer->json, "asset");
    report_text(asset, "version", "2.0");
    report_text(asset, "generator", "spindle");
    writer->views = report_array(writer->json, "bufferViews");
    writer->accessors = report_array(writer->json, "accessors");
}

void glb_writer_free(struct glb_writer *writer)
{
    cJSON_Delete(writer->json);
    arena_free(&writer->arena);
}

static uint8_t *reserve(struct glb_writer *writer, size_t bytes)
{
    if (bytes > writer->capacity - writer->bytes) {
        uint8_t *more;

        writer->capacity = 2 * writer->capacity + bytes + 65536;
        more = arena_alloc(&writer->arena, writer->capacity, 1);
        if (writer->bytes > 0)
            memcpy(more, writer->data, writer->bytes);
        writer->data = more;
    }
    writer->bytes += bytes;
    return writer->data + writer->bytes - bytes;
}

static void add_limits(cJSON *accessor, const float *values, uint32_t count,
                       uint32_t width)
{
    cJSON *low = report_array(accessor, "min");
    cJSON *high = report_array(accessor, "max");

    for (uint32_t i = 0; i < width; i++) {
        float least = values[i];
        float most = values[i];

        for (size_t k = i; k < (size_t)count * width; k += width) {
            least = fminf(least, values[k]);
            most = fmaxf(most, values[k]);
        }
        report_add_number(low, (double)least);
        report_add_number(high, (double)most);
    }
}

uint32_t glb_writer_add(struct glb_writer *writer, const float *values,
                        uint32_t count, uint32_t width, bool has_limits)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const size_t offset = writer->bytes;
    const size_t numbers = (size_t)count * width;
    uint8_t *at = reserve(writer, numbers * sizeof(float));
    cJSON *view = report_item(writer->views);
    cJSON *accessor = report_item(writer->accessors);

    for (size_t i = 0; i < numbers; i++)
        spn_store_f32le(at + 4 * i, values[i]);
    report_number(view, "buffer", 0);
    report_number(view, "byteOffset", (double)offset);
    report_number(view, "byteLength", (double)(numbers * sizeof(float)));
    report_number(accessor, "bufferView", writer->accessor_count);
    report_number(accessor, "componentType", GLB_FLOAT);
    report_number(accessor, "count", count);
    report_text(accessor, "type", types[width]);
    if (has_limits)
        add_limits(accessor, values, count, width);
    return writer->accessor_count++;
}

static bool write_chunk(struct host_output *output, uint32_t kind,
                        const void *data, size_t bytes, size_t padded,
                        char padding)
{
    uint8_t head[8];
    char rest[4];

    spn_store_u32le(head, (uint32_t)padded);
    spn_store_u32le(head + 4, kind);
    memset(rest, padding, sizeof rest);
    return host_output_append(output, head, sizeof head) &&
           host_output_append(output, data, bytes) &&
           host_output_append(output, rest, padded - bytes);
}

static bool write_file(const struct glb_writer *writer, const char *text,
                       size_t text_bytes, struct host_output *output)
{
    const size_t padded = (text_bytes + 3) & ~(size_t)3;
    uint8_t head[12] = {'g', 'l', 'T', 'F'};

    spn_store_u32le(head + 4, 2);
    spn_store_u32le(head + 8,
                    (uint32_t)(sizeof head + 8 + padded + 8 + writer->bytes));
    return host_output_append(output, head, sizeof head) &&
           write_chunk(output, GLB_CHUNK_JSON, text, text_bytes, padded, ' ') &&
           write_chunk(output, GLB_CHUNK_BIN, writer->data, writer->bytes,
                       writer->bytes, 0);
}

bool glb_writer_write(struct glb_writer *writer, const char *path,
                      struct diag *diag)
{
    struct host_output *output;
    cJSON *buffer = report_item(report_array(writer->json, "buffers"));
    size_t text_bytes;
    bool is_good;
    char *text;

    report_number(buffer, "byteLength", (double)writer->bytes);
    text = arena_require(cJSON_PrintUnformatted(writer->json));
    text_bytes = strlen(text);
    output = host_output_open(path, diag);
    is_good = output != NULL;
    if (is_good && (uint64_t)writer->bytes + text_bytes > UINT32_MAX - 64)
        is_good = diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                              "a .glb file cannot have 4 GiB");
    is_good = host_output_finish(
        output, is_good && write_file(writer, text, text_bytes, output));
    cJSON_free(text);
    return is_good;
}
