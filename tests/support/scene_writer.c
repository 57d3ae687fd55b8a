/* scene_writer.c - write tables of objects as Ogawa, children first. */
/* SPDX-License-Identifier: MIT */
#include "support/scene_writer.h"

#include "harness.h"
#include "support/ogawa_writer.h"

#include "base/endian.h"

#include <stdlib.h>
#include <string.h>

/* Header blocks are large, and few are in use at a time. They are reused, and
 * freed at exit. */
static struct header_block *spare[32];
static size_t spare_count;

static struct header_block *take_headers(void)
{
    struct header_block *headers =
        spare_count > 0 ? spare[--spare_count] : malloc(sizeof *headers);

    CHECK(headers != NULL);
    headers->count = 0;
    return headers;
}

static void give_back(struct header_block *headers)
{
    CHECK(spare_count < sizeof spare / sizeof spare[0]);
    spare[spare_count++] = headers;
}

static void store(uint8_t *out, const uint8_t *in, uint32_t bytes)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (bytes) {
    case 2:
        memcpy(&two, in, 2);
        spn_store_u16le(out, two);
        break;
    case 4:
        memcpy(&four, in, 4);
        spn_store_u32le(out, four);
        break;
    case 8:
        memcpy(&eight, in, 8);
        spn_store_u64le(out, eight);
        break;
    default:
        *out = *in;
        break;
    }
}

static uint64_t write_values(struct ogawa_writer *writer,
                             const struct written_property *property)
{
    uint32_t bytes = abc_pod_bytes(property->pod);
    bool is_array = property->kind == ABC_ARRAY;
    uint64_t *blocks = malloc(2 * property->samples * sizeof *blocks + 1);
    const uint8_t *in = property->values;
    size_t count = 0;
    uint64_t group;

    CHECK(blocks != NULL);
    if (property->pod == ABC_STRING) {
        const char *text = property->values;

        blocks[0] = writer_sample(writer, text, strlen(text) + 1);
        count = 1;
        bytes = 0;
    }
    for (uint32_t s = 0; s < property->samples && bytes > 0; s++) {
        size_t elements = !is_array          ? 1
                          : property->counts ? property->counts[s]
                                             : property->count;
        size_t numbers = elements * property->extent;
        uint8_t *sample = malloc(numbers * bytes + 1);

        CHECK(sample != NULL);
        for (size_t i = 0; i < numbers; i++, in += bytes)
            store(sample + i * bytes, in, bytes);
        blocks[count++] = numbers == 0
                              ? WRITER_EMPTY_DATA
                              : writer_sample(writer, sample, numbers * bytes);
        if (is_array)
            blocks[count++] = WRITER_EMPTY_DATA;
        free(sample);
    }
    group = writer_group(writer, blocks, count);
    free(blocks);
    return group;
}

static uint64_t write_properties(struct ogawa_writer *writer,
                                 const struct written_property *properties,
                                 uint32_t count)
{
    struct header_block *headers = take_headers();
    uint64_t *groups = malloc((count + 1) * sizeof *groups);
    uint64_t group;

    for (uint32_t i = 0; i < count; i++) {
        const struct written_property *p = &properties[i];
        uint32_t numbers[2] = {p->samples, p->sampling};
        uint32_t info = (uint32_t)p->kind;

        if (p->metadata)
            info |= INFO_METADATA_HERE;
        if (p->kind == ABC_COMPOUND) {
            groups[i] = write_properties(writer, p->children, p->child_count);
            header_property(headers, info, NULL, 0, p->name);
        } else {
            info |=
                INFO_POD(p->pod) | INFO_EXTENT(p->extent) | INFO_HAS_SAMPLING;
            if (p->samples < 2)
                info |= INFO_CONSTANT;
            groups[i] = write_values(writer, p);
            header_property(headers, info, numbers, 2, p->name);
        }
        if (p->metadata)
            header_metadata(headers, p->metadata);
    }
    groups[count] = writer_data(writer, headers->bytes, headers->count);
    group = writer_group(writer, groups, count + 1);
    free(groups);
    give_back(headers);
    return group;
}

static uint64_t write_object(struct ogawa_writer *writer,
                             const struct written_property *properties,
                             uint32_t property_count,
                             const struct written_object *children,
                             uint32_t child_count)
{
    struct header_block *headers = take_headers();
    uint64_t *groups = malloc((child_count + 1) * sizeof *groups);
    uint64_t group;

    for (uint32_t i = 0; i < child_count; i++) {
        const struct written_object *child = &children[i];

        groups[i] =
            write_object(writer, child->properties, child->property_count,
                         child->children, child->child_count);
        header_object(headers, child->name,
                      child->metadata ? child->metadata : "");
    }
    group = writer_object(writer,
                          write_properties(writer, properties, property_count),
                          groups, child_count, headers);
    free(groups);
    give_back(headers);
    return group;
}

static void write_samplings(struct ogawa_writer *writer,
                            const struct written_scene *scene)
{
    enum { BYTES = 24 };
    size_t count = scene->sampling_count + 1;
    uint8_t *data = calloc(count, BYTES);

    CHECK(data != NULL);
    for (size_t i = 0; i < count; i++) {
        double start = i == 0 ? 0 : scene->samplings[i - 1].start;
        double step = i == 0 ? 1 : scene->samplings[i - 1].step;

        /* Claim a large number of samples. */
        spn_store_u32le(data + i * BYTES, 1000000);
        spn_store_f64le(data + i * BYTES + 4, step);
        spn_store_u32le(data + i * BYTES + 12, 1);
        spn_store_f64le(data + i * BYTES + 16, start);
    }
    writer->samplings = writer_data(writer, data, count * BYTES);
    free(data);
}

void scene_write(const struct written_scene *scene, const char *path)
{
    struct ogawa_writer writer;

    writer_open(&writer);
    write_samplings(&writer, scene);
    writer_close(
        &writer,
        write_object(&writer, NULL, 0, scene->objects, scene->object_count),
        path);
}
