/* writer.h - writes the bytes of a cache to a sink, in the order of the file:
 *
 *   header (zero) | frame table (zero) | tables | blobs | frames ...
 *
 * At the end it writes the frame table, the header, and last the signature, so
 * an interrupted file is never taken for a cache. The tables are checked by the
 * runtime's own functions before they are written. One thread at a time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_WRITE_WRITER_H
#define OFFLINE_COMPILE_WRITE_WRITER_H

#include "cache/cache_frame_table.h"
#include "compile/clip/clip.h"
#include "compile/layout/parts.h"

#include <stddef.h>

/* Where the bytes go: a file or memory. Functions return false after they have
 * reported an error. */
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
    uint64_t offset; /* end of the bytes so far */
    uint32_t stored; /* frames so far */
    uint32_t group;
    uint64_t group_bytes;
};

/* Write everything that comes before the frames. The caller sets codec, frame
 * count and options in `header`, and sizes and checksums of the layout's blobs;
 * `blobs` are their bytes, one after another. False after a refusal. */
bool cache_writer_begin(struct cache_writer *writer,
                        const struct cache_header *header,
                        const struct clip *clip, const struct layout *layout,
                        const struct clip_node_frame *initial,
                        const void *blobs, uint64_t blobs_bytes);

/* Append a frame; frames come in the order of the file. The caller sets type,
 * references, wait mask, group, time and box of `frame`. `bytes`: its directory
 * and its blocks. */
bool cache_writer_frame(struct cache_writer *writer, uint32_t number,
                        double seconds, const struct cache_frame *frame,
                        const void *bytes, uint32_t count);

/* Write frame table, header and signature. */
bool cache_writer_finish(struct cache_writer *writer);

/* Report an internal error: a defect of the encoder. The tool ends with
 * EXIT_INTERNAL. Returns false. */
__attribute__((format(printf, 3, 4))) bool cache_writer_internal(
    struct diag *diag, const char *file, const char *format, ...);

#endif
