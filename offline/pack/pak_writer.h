/* pak_writer.h - the bytes of a pak, in the order of the file.
 *
 *   header (zero) | index (zero) | places ...
 *
 * and at the end the index, the header, the signature. The runtime judges
 * what was written before it is signed, so a pak that it would refuse is
 * never finished. Blocks are compressed on all threads and written in order:
 * the bytes do not depend on how many threads there are.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_WRITER_H
#define OFFLINE_PACK_PAK_WRITER_H

#include "pack/pack_order.h"
#include "pack/pack_rule.h"

/* A content whose blocks together save less than one part in so many is
 * stored as it is: unpacking would cost more than reading. */
#define PAK_SAVES_LEAST 16u

struct pak_writing {
    const struct pack_files *files;
    const struct pack_contents *contents;
    const struct pack_layout *layout;
    uint32_t codec; /* SPN_CODEC_STORE ...: one that can be made */
    uint32_t level; /* of codecs that have levels (compress/compress.h) */
    const struct pack_rule *rules; /* what they name has its own */
    uint32_t rule_count;
    struct workers *workers;
    struct host_output *output;
    const char *path; /* of the output, for messages */
    struct diag *diag;
    void (*progress)(void *user, double done); /* 0..1, rising; NULL */
    void *progress_user;
};

/* What became of it; lies in the arena of the files. */
struct pak_written {
    struct pak_header header;
    struct pak_index index; /* what it says, in memory */
    uint64_t bytes;         /* of all contents */
    uint64_t stored_bytes;  /* of all contents, each once */
    uint64_t copy_bytes;    /* stored, of all copies beyond the first */
};

bool pak_write(const struct pak_writing *writing, struct pak_written *out);

#endif
