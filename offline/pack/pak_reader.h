/* pak_reader.h - paks for the tool: mapped, judged, their blocks decoded. */
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

/* The path must outlive the reader. False after a refusal. */
bool pak_reader_open(struct pak_reader *reader, const char *path,
                     struct diag *diag);
void pak_reader_close(struct pak_reader *reader);

/* Does the file begin with the signature of a pak? False also after a
 * refusal: look at diag. */
bool pak_reader_knows(const char *path, struct diag *diag);

/* Workspaces of the codecs: one decoder a thread. Zero to begin with. */
#define PAK_DECODER_CODECS 8u
struct pak_decoder {
    void *workspace[PAK_DECODER_CODECS];
    uint32_t replaced_count; /* blocks that pak_reader_read took from another
                              * copy, for they are damaged in the first */
};
void pak_decoder_free(struct pak_decoder *decoder);

/* Decode block `block` of a content from the copy that begins at `copy`:
 * pak_block.bytes of them. A bad checksum, a codec that is unknown or refuses
 * is refused with its place. Any thread, with a decoder of its own. */
bool pak_reader_block(const struct pak_reader *reader,
                      struct pak_decoder *decoder,
                      const struct pak_content *content, uint64_t copy,
                      uint32_t block, uint8_t *raw, struct diag *diag);

/* `bytes` of a content from `offset`, a multiple of PAK_BLOCK_BYTES, on, to
 * the end of a block: of its first copy, or, block by block, of the next one
 * that is whole. */
bool pak_reader_read(const struct pak_reader *reader,
                     struct pak_decoder *decoder, uint32_t content,
                     uint64_t offset, uint8_t *target, size_t bytes,
                     struct diag *diag);

/* Name of the codec with this number: "none", "lz4hc", ..., "unknown". */
const char *pak_codec_name(uint32_t codec);

#endif
