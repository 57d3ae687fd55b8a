/* pak_reader.c - map a pak, decode its blocks.
 *
 * The runtime's code validates the index. Parts of the map are released after
 * they were read, so that a pak of many gigabytes does not fill the memory.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_reader.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "common/codecs.h"
#include "common/fault_text.h"
#include "common/system.h"
#include "host/host.h"
#include "pak/pak_validate.h"

#include <string.h>

#define WORKSPACE_ALIGN 64u
#define SIGNATURE_BYTES (sizeof PAK_SIGNATURE - 1)

bool pak_reader_is_pak(const char *path, struct diag *diag)
{
    struct host_map map;
    bool is_pak;

    if (!host_map_open(&map, path, diag))
        return false;
    is_pak = map.bytes >= SIGNATURE_BYTES &&
             memcmp(map.data, PAK_SIGNATURE, SIGNATURE_BYTES) == 0;
    host_map_close(&map);
    return is_pak;
}

bool pak_reader_open(struct pak_reader *reader, const char *path,
                     struct diag *diag)
{
    struct spn_fault fault = {0};
    struct pak_header header;
    spn_status status;

    reader->path = path;
    if (!host_map_open(&reader->map, path, diag))
        return false;
    status = spn__pak_validate_header(reader->map.data, reader->map.bytes,
                                      &header, &fault);
    if (status == SPN_OK)
        status = spn__pak_validate_index(&header,
                                         reader->map.data + PAK_HEADER_BYTES,
                                         &reader->index, &fault);
    if (status == SPN_OK)
        return true;
    host_map_close(&reader->map);
    return fault_refuse(diag, path, FAULT_NO_FRAME, &fault);
}

void pak_reader_close(struct pak_reader *reader)
{
    host_map_close(&reader->map);
}

void pak_decoder_free(struct pak_decoder *decoder)
{
    for (uint32_t i = 0; i < PAK_DECODER_CODECS; i++) {
        system_aligned_free(decoder->workspace[i]);
        decoder->workspace[i] = NULL;
    }
}

/* The workspace of a codec, allocated at its first use; NULL: no memory. */
static void *workspace_of(struct pak_decoder *decoder, const spn_codec *codec)
{
    void **workspace = &decoder->workspace[codec->id];
    size_t bytes = codec->workspace_bytes / WORKSPACE_ALIGN * WORKSPACE_ALIGN +
                   WORKSPACE_ALIGN;

    if (!*workspace) {
        *workspace = system_aligned_alloc(WORKSPACE_ALIGN, bytes);
        if (*workspace)
            memset(*workspace, 0, bytes);
    }
    return *workspace;
}

static bool refuse(const struct pak_reader *reader, struct diag *diag,
                   struct spn_fault fault)
{
    return fault_refuse(diag, reader->path, FAULT_NO_FRAME, &fault);
}

bool pak_reader_block(const struct pak_reader *reader,
                      struct pak_decoder *decoder,
                      const struct pak_content *content, uint64_t copy,
                      uint32_t block, uint8_t *raw, struct diag *diag)
{
    struct pak_block b = spn__pak_block(&reader->index, content, block);
    uint64_t at = copy + b.offset;
    const uint8_t *stored = reader->map.data + at;
    uint32_t found = spn__checksum(stored, b.stored_bytes, WIRE_SEED);
    const spn_codec *codec = codecs_find(
        b.stored_bytes == b.bytes ? SPN_CODEC_STORE : content->codec);
    void *workspace;

    if (found != b.checksum)
        return refuse(reader, diag,
                      (struct spn_fault){.what = "checksum of a block",
                                         .offset = at,
                                         .value = found,
                                         .expected = b.checksum,
                                         .has_expected = 1,
                                         .status = SPN_ERR_CHECKSUM});
    if (!codec || codec->id >= PAK_DECODER_CODECS)
        return refuse(reader, diag,
                      (struct spn_fault){.what = "codec of a block",
                                         .offset = at,
                                         .value = content->codec,
                                         .status = SPN_ERR_NO_CODEC});
    workspace = workspace_of(decoder, codec);
    if (!workspace)
        return diag_io(diag, reader->path, 0, "no memory for a codec");
    if (codec->decode(stored, b.stored_bytes, raw, b.bytes, workspace) !=
        SPN_OK)
        return refuse(reader, diag,
                      (struct spn_fault){.what = "compressed block",
                                         .offset = at,
                                         .value = b.stored_bytes,
                                         .status = SPN_ERR_CODEC});
    return true;
}

/* Decode a block from the first copy in which it is undamaged. If there is
 * none, the refusal is that of the first copy. */
static bool read_block(const struct pak_reader *reader,
                       struct pak_decoder *decoder,
                       const struct pak_content *content, uint32_t block,
                       uint8_t *raw, struct diag *diag)
{
    bool is_whole = false;
    struct diag damage;

    diag_init(&damage);
    damage.is_silent = true;
    for (uint32_t i = 0; i < content->copy_count && !is_whole; i++) {
        uint64_t copy =
            spn__pak_copy_offset(&reader->index, content->first_copy + i, NULL);

        is_whole = pak_reader_block(reader, decoder, content, copy, block, raw,
                                    &damage);
        decoder->replaced_count += is_whole && i > 0;
    }
    if (!is_whole)
        diag_repeat(diag, &damage);
    diag_finish(&damage);
    return is_whole;
}

/* Release the pieces of the map that end within the range. The piece behind
 * them remains: the next small content may lie in it. */
static void forget_ended(const struct pak_reader *reader, uint64_t begin,
                         uint64_t end)
{
    if (begin / HOST_MAP_PIECE_BYTES != end / HOST_MAP_PIECE_BYTES)
        host_map_forget(&reader->map, begin, end - begin);
}

bool pak_reader_read(const struct pak_reader *reader,
                     struct pak_decoder *decoder, uint32_t content,
                     uint64_t offset, uint8_t *target, size_t bytes,
                     struct diag *diag)
{
    struct pak_content c = spn__pak_content(&reader->index, content);
    uint32_t first = (uint32_t)(offset / PAK_BLOCK_BYTES);
    uint32_t count = (uint32_t)pak_block_count(bytes);
    struct pak_block last;
    uint64_t copy;

    if (bytes == 0)
        return true;
    copy = spn__pak_copy_offset(&reader->index, c.first_copy, NULL);
    for (uint32_t i = 0; i < count; i++)
        if (!read_block(reader, decoder, &c, first + i,
                        target + (size_t)i * PAK_BLOCK_BYTES, diag))
            return false;
    last = spn__pak_block(&reader->index, &c, first + count - 1);
    forget_ended(reader,
                 copy + spn__pak_block(&reader->index, &c, first).offset,
                 copy + last.offset + last.stored_bytes);
    return true;
}

bool pak_reader_begin(const struct pak_reader *reader, uint32_t entry,
                      uint8_t *target, size_t capacity, uint64_t *entry_bytes,
                      struct diag *diag)
{
    const uint32_t number = spn__pak_entry(&reader->index, entry).content;
    const struct pak_content content = spn__pak_content(&reader->index, number);
    struct pak_decoder decoder = {.replaced_count = 0};
    uint8_t block[PAK_BLOCK_BYTES]; /* whole blocks are decoded */
    const size_t bytes =
        content.bytes < capacity ? (size_t)content.bytes : capacity;
    const bool is_good =
        pak_reader_read(reader, &decoder, number, 0, block, bytes, diag);

    pak_decoder_free(&decoder);
    if (is_good) {
        memcpy(target, block, bytes);
        *entry_bytes = content.bytes;
    }
    return is_good;
}

const char *pak_codec_name(uint32_t codec)
{
    const spn_codec *found = codecs_find(codec);

    if (codec == SPN_CODEC_STORE)
        return "none";
    return found ? found->name : "unknown";
}
