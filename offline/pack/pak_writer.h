/* pak_writer.h - write a pak file.
 *
 *   header (zero) | index (zero) | copies ...
 *
 * A copy is the stored bytes of a content at one position; a content can have
 * several. The copies are written first, then the index, the header and the
 * signature. Before the signature is written, the runtime's checks run over the
 * index: a pak that the runtime would refuse is never completed. Blocks are
 * compressed on all threads and written in order: the bytes do not depend on
 * the number of threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_WRITER_H
#define OFFLINE_PACK_PAK_WRITER_H

#include "pack/pack_order.h"
#include "pack/pack_rule.h"

/* A content is stored uncompressed unless compression saves at least 1 /
 * PAK_SAVES_LEAST of its bytes: decoding would cost more time than it saves. */
#define PAK_SAVES_LEAST 16u

struct pak_writing {
    const struct pack_files *files;
    const struct pack_contents *contents;
    const struct pack_layout *layout;
    uint32_t codec; /* SPN_CODEC_STORE ...: one that the tool can compress */
    uint32_t level; /* of codecs that have levels (compress/compress.h) */
    const struct pack_rule *rules; /* codecs of the files that they match */
    uint32_t rule_count;
    struct workers *workers;
    struct host_output *output;
    const char *path; /* of the output, for messages */
    struct diag *diag;
    void (*progress)(void *user, double done); /* 0..1, rising; NULL: none */
    void *progress_user;
};

/* Its memory is in the arena of the files. */
struct pak_written {
    struct pak_header header;
    struct pak_index index; /* as the runtime reads it */
    uint64_t bytes;         /* of all contents, uncompressed */
    uint64_t stored_bytes;  /* of all contents, each once */
    uint64_t extra_bytes;   /* stored, of all extra copies */
};

/* Write the pak. Returns false after a refusal. */
bool pak_write(const struct pak_writing *writing, struct pak_written *out);

#endif
