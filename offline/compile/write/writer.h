/* writer.h - the bytes of a cache, in the order of the file.
 *
 *   header (zero) | frame table (zero) | tables | blobs | frames ...
 *
 * and at the end the frame table, the header, the signature. The writer fills
 * the runtime's structs and has the runtime judge what it wrote, so a file
 * that the runtime would refuse is never finished.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_WRITE_WRITER_H
#define OFFLINE_COMPILE_WRITE_WRITER_H

#include "cache/cache_frame_table.h"
#include "compile/clip/clip.h"
#include "compile/layout/parts.h"

#include <stddef.h>

/* Where the bytes go: a host_output, or memory. */
struct cache_sink {
    void *user;
    bool (*append)(void *user, const void *data, size_t bytes);
    bool (*write_at)(void *user, uint64_t offset, const void *data,
                     size_t bytes);
};

struct cache_writer {
    struct cache_sink sink;
    struct arena *arena;
    struct diag *diag;
    const char *file; /* for messages */
    struct cache_header header;
    uint8_t *frame_table;
    uint64_t offset; /* end of what was appended */
    uint32_t stored; /* frames so far */
    uint32_t group;
    uint64_t group_bytes;
};

/* Write all that comes before the frames. `header` has counts, codec and the
 * numbers that the options name; the layout's blobs have their sizes and
 * checksums; `blobs` are their bytes. False after a refusal. */
bool cache_writer_begin(struct cache_writer *writer,
                        const struct cache_header *header,
                        const struct clip *clip, const struct layout *layout,
                        const struct clip_node_frame *initial,
                        const void *blobs, uint64_t blobs_bytes);

/* Append one frame, in stored order. `frame` has type, references, wait mask,
 * group, time and box; `bytes` are its directory and its blocks. */
bool cache_writer_frame(struct cache_writer *writer, uint32_t number,
                        double seconds, const struct cache_frame *frame,
                        const void *bytes, uint32_t count);

bool cache_writer_finish(struct cache_writer *writer);

/* The encoder's own mistake, or a number that the format cannot hold: ends
 * the run with EXIT_INTERNAL. Always false. */
__attribute__((format(printf, 3, 4))) bool cache_writer_internal(
    struct diag *diag, const char *file, const char *format, ...);

#endif
