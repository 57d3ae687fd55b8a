/* ogawa_writer.h - write Ogawa archives, also malformed ones. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_OGAWA_WRITER_H
#define TESTS_SUPPORT_OGAWA_WRITER_H

#include <stddef.h>
#include <stdint.h>

/* A growing file. Blocks are appended, children before the blocks that point to
 * them. */
struct ogawa_writer {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    uint64_t samplings; /* block of time samplings; 0: only the default
                         * sampling */
};

#define WRITER_EMPTY_GROUP ((uint64_t)0)
#define WRITER_EMPTY_DATA ((uint64_t)1 << 63)

void writer_open(struct ogawa_writer *writer);
/* A data block whose header claims `claimed` bytes. */
void writer_claim(struct ogawa_writer *writer, uint64_t claimed,
                  const void *bytes, size_t count);
/* These functions return the pointer to the new block. */
uint64_t writer_data(struct ogawa_writer *writer, const void *bytes,
                     size_t count);
uint64_t writer_group(struct ogawa_writer *writer, const uint64_t *children,
                      size_t count);
/* A sample: a key without meaning, and the values. */
uint64_t writer_sample(struct ogawa_writer *writer, const void *bytes,
                       size_t count);
/* Numbers, or a sample of words (any type of 4 bytes), given in this machine's
 * byte order and stored in little-endian order. */
uint64_t writer_numbers(struct ogawa_writer *writer, const uint64_t *numbers,
                        size_t count);
uint64_t writer_words(struct ogawa_writer *writer, const void *words,
                      size_t count);

/* The `info` of a property, from its bits. */
#define INFO_SCALAR 1u
#define INFO_ARRAY 2u
#define INFO_POD(pod) ((uint32_t)(pod) << 4)
#define INFO_HAS_SAMPLING (1u << 8)
#define INFO_FIRST_LAST (1u << 9)
#define INFO_CONSTANT (1u << 11)
#define INFO_EXTENT(extent) ((uint32_t)(extent) << 12)
#define INFO_METADATA_HERE (0xffu << 20)

/* Property or object headers in the last block of a group. */
struct header_block {
    uint8_t bytes[1 << 24];
    size_t count;
};
void header_object(struct header_block *block, const char *name,
                   const char *metadata);
/* `info` without the size hint. Numbers are written in 4 bytes. */
void header_property(struct header_block *block, uint32_t info,
                     const uint32_t *numbers, size_t number_count,
                     const char *name);
/* Metadata after a property whose `info` says that metadata is inline. */
void header_metadata(struct header_block *block, const char *metadata);

/* An object group: properties, children, headers of the children. */
uint64_t writer_object(struct ogawa_writer *writer, uint64_t properties,
                       const uint64_t *children, size_t count,
                       struct header_block *headers);
/* The top object, with one mesh.
 *
 * properties  its face counts, face indices and positions
 * headers     their headers; empty afterwards */
uint64_t writer_one_mesh(struct ogawa_writer *writer,
                         const uint64_t properties[3],
                         struct header_block *headers);
/* An instance of the object `source`. */
uint64_t writer_instance(struct ogawa_writer *writer, const char *source);

/* Write the root group and the header, then the file at `path`; free the
 * writer. */
void writer_close(struct ogawa_writer *writer, uint64_t top, const char *path);

#endif
