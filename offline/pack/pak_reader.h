/* pak_reader.h - read a pak in the tool: map the file, check it, decode blocks.
 *
 * The index is checked by the runtime's own pak_index. An open reader does not
 * change: any thread may read through it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_READER_H
#define OFFLINE_PACK_PAK_READER_H

#include "host/host.h"
#include "pak/pak_index.h"

#include <stdbool.h>
#include <stdint.h>

struct pak_reader {
    const char *path;
    struct host_map map;
    struct pak_index index;
};

/* `path` must outlive the reader. Returns false after a refusal. */
bool pak_reader_open(struct pak_reader *reader, const char *path,
                     struct diag *diag);
void pak_reader_close(struct pak_reader *reader);

/* Return whether the file begins with the signature of a pak. Also returns
 * false after a refusal, which is then in `diag`. */
bool pak_reader_is_pak(const char *path, struct diag *diag);

/* Workspaces of the codecs; one decoder per thread. Zeroed before its first
 * use. */
#define PAK_DECODER_CODECS 8u
struct pak_decoder {
    void *workspace[PAK_DECODER_CODECS];
    uint32_t replaced_count; /* blocks that pak_reader_read took from another
                              * copy because the first copy was damaged */
};
void pak_decoder_free(struct pak_decoder *decoder);

/* Decode block `block` of a content, pak_block.bytes long, from the copy that
 * begins at file offset `copy`. Returns false after a refusal with its place: a
 * bad checksum, an unknown codec, data that the codec refuses. Any thread, with
 * a decoder of its own. */
bool pak_reader_block(const struct pak_reader *reader,
                      struct pak_decoder *decoder,
                      const struct pak_content *content, uint64_t copy,
                      uint32_t block, uint8_t *raw, struct diag *diag);

/* Decode `bytes` of a content from `offset`, a multiple of PAK_BLOCK_BYTES. The
 * range ends at the end of a block. Each block comes from the first copy in
 * which it is undamaged. Returns false after a refusal. */
bool pak_reader_read(const struct pak_reader *reader,
                     struct pak_decoder *decoder, uint32_t content,
                     uint64_t offset, uint8_t *target, size_t bytes,
                     struct diag *diag);

/* Read the first bytes of an entry: at most `capacity`, which is at most
 * PAK_BLOCK_BYTES. Stores the size of the entry. Returns false after a refusal.
 */
bool pak_reader_begin(const struct pak_reader *reader, uint32_t entry,
                      uint8_t *target, size_t capacity, uint64_t *entry_bytes,
                      struct diag *diag);

/* Name of the codec with this number: "none", "lz4hc", ..., "unknown". */
const char *pak_codec_name(uint32_t codec);

#endif
