/* ogawa_writer.c - write Ogawa archives, also malformed ones. */
/* SPDX-License-Identifier: MIT */
#include "support/ogawa_writer.h"

#include "harness.h"

#include "base/endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_BIT ((uint64_t)1 << 63)

static void append(struct ogawa_writer *writer, const void *bytes, size_t count)
{
    if (writer->capacity - writer->count < count) {
        writer->capacity = 2 * (writer->count + count);
        writer->bytes = realloc(writer->bytes, writer->capacity);
    }
    if (count > 0)
        memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

static void append_u64(struct ogawa_writer *writer, uint64_t value)
{
    uint8_t bytes[8];

    spn_store_u64le(bytes, value);
    append(writer, bytes, sizeof bytes);
}

void writer_open(struct ogawa_writer *writer)
{
    memset(writer, 0, sizeof *writer);
    append(writer, "Ogawa\xff\0\1", 8);
    append_u64(writer, 0);
}

void writer_claim(struct ogawa_writer *writer, uint64_t claimed,
                  const void *bytes, size_t count)
{
    append_u64(writer, claimed);
    append(writer, bytes, count);
}

uint64_t writer_data(struct ogawa_writer *writer, const void *bytes,
                     size_t count)
{
    uint64_t pointer = writer->count | DATA_BIT;

    writer_claim(writer, count, bytes, count);
    return pointer;
}

uint64_t writer_group(struct ogawa_writer *writer, const uint64_t *children,
                      size_t count)
{
    uint64_t pointer = writer->count;

    append_u64(writer, count);
    for (size_t i = 0; i < count; i++)
        append_u64(writer, children[i]);
    return pointer;
}

uint64_t writer_sample(struct ogawa_writer *writer, const void *bytes,
                       size_t count)
{
    static const uint8_t key[16];
    uint64_t pointer = writer->count | DATA_BIT;

    append_u64(writer, count + sizeof key);
    append(writer, key, sizeof key);
    append(writer, bytes, count);
    return pointer;
}

uint64_t writer_numbers(struct ogawa_writer *writer, const uint64_t *numbers,
                        size_t count)
{
    uint64_t pointer = writer->count | DATA_BIT;

    append_u64(writer, 8 * count);
    for (size_t i = 0; i < count; i++)
        append_u64(writer, numbers[i]);
    return pointer;
}

uint64_t writer_words(struct ogawa_writer *writer, const void *words,
                      size_t count)
{
    uint8_t *bytes = malloc(4 * count);
    uint64_t pointer;

    CHECK(bytes != NULL);
    for (size_t i = 0; i < count; i++) {
        uint32_t word;

        memcpy(&word, (const char *)words + 4 * i, 4);
        spn_store_u32le(bytes + 4 * i, word);
    }
    pointer = writer_sample(writer, bytes, 4 * count);
    free(bytes);
    return pointer;
}

static void put(struct header_block *block, const void *bytes, size_t count)
{
    CHECK(count <= sizeof block->bytes - block->count);
    memcpy(block->bytes + block->count, bytes, count);
    block->count += count;
}

static void put_u32(struct header_block *block, uint32_t value)
{
    uint8_t bytes[4];

    spn_store_u32le(bytes, value);
    put(block, bytes, sizeof bytes);
}

void header_metadata(struct header_block *block, const char *metadata)
{
    put_u32(block, (uint32_t)strlen(metadata));
    put(block, metadata, strlen(metadata));
}

void header_object(struct header_block *block, const char *name,
                   const char *metadata)
{
    put_u32(block, (uint32_t)strlen(name));
    put(block, name, strlen(name));
    put(block, "\xff", 1);
    header_metadata(block, metadata);
}

void header_property(struct header_block *block, uint32_t info,
                     const uint32_t *numbers, size_t number_count,
                     const char *name)
{
    put_u32(block, info | 2u << 2);
    for (size_t i = 0; i < number_count; i++)
        put_u32(block, numbers[i]);
    put_u32(block, (uint32_t)strlen(name));
    put(block, name, strlen(name));
}

uint64_t writer_object(struct ogawa_writer *writer, uint64_t properties,
                       const uint64_t *children, size_t count,
                       struct header_block *headers)
{
    static const uint8_t hashes[32];
    uint64_t *all = malloc((count + 2) * sizeof *all);
    uint64_t pointer;

    all[0] = properties;
    for (size_t i = 0; i < count; i++)
        all[1 + i] = children[i];
    put(headers, hashes, sizeof hashes);
    all[1 + count] = writer_data(writer, headers->bytes, headers->count);
    pointer = writer_group(writer, all, count + 2);
    headers->count = 0;
    free(all);
    return pointer;
}

uint64_t writer_one_mesh(struct ogawa_writer *writer,
                         const uint64_t properties[3],
                         struct header_block *headers)
{
    uint64_t children[4] = {properties[0], properties[1], properties[2]};
    uint64_t mesh;

    children[3] = writer_data(writer, headers->bytes, headers->count);
    headers->count = 0;
    header_property(headers, 0, NULL, 0, ".geom");
    children[0] = writer_group(writer, children, 4);
    children[1] = writer_data(writer, headers->bytes, headers->count);
    headers->count = 0;
    mesh = writer_object(writer, writer_group(writer, children, 2), NULL, 0,
                         headers);
    header_object(headers, "mesh", "schema=AbcGeom_PolyMesh_v1");
    return writer_object(writer, WRITER_EMPTY_GROUP, &mesh, 1, headers);
}

uint64_t writer_instance(struct ogawa_writer *writer, const char *source)
{
    static struct header_block headers;
    uint64_t children[2];
    uint64_t one[1];

    /* scalar, string, constant, extent 1 */
    headers.count = 0;
    header_property(&headers,
                    INFO_SCALAR | INFO_POD(12) | INFO_CONSTANT | INFO_EXTENT(1),
                    (const uint32_t[]){1}, 1, ".instanceSource");
    one[0] = writer_sample(writer, source, strlen(source) + 1);
    children[0] = writer_group(writer, one, 1);
    children[1] = writer_data(writer, headers.bytes, headers.count);
    headers.count = 0;
    return writer_object(writer, writer_group(writer, children, 2), NULL, 0,
                         &headers);
}

void writer_close(struct ogawa_writer *writer, uint64_t top, const char *path)
{
    uint64_t children[6];
    uint8_t sampling[24] = {1};
    uint8_t number[4] = {0};
    FILE *file;

    children[0] = writer_data(writer, number, 4);
    spn_store_u32le(number, 10812);
    children[1] = writer_data(writer, number, 4);
    children[2] = top;
    children[3] = WRITER_EMPTY_DATA;
    spn_store_f64le(sampling + 4, 1.0);
    sampling[12] = 1;
    children[4] = writer->samplings;
    if (writer->samplings == 0)
        children[4] = writer_data(writer, sampling, sizeof sampling);
    children[5] = WRITER_EMPTY_DATA;
    top = writer_group(writer, children, 6);
    spn_store_u64le(writer->bytes + 8, top);
    file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(writer->bytes, 1, writer->count, file), writer->count);
    fclose(file);
    free(writer->bytes);
}
