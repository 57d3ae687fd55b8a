/* tiny_pak.c - write small paks by hand, and walk through paks. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_pak.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "common/codecs.h"
#include "compress/compress.h"
#include "harness.h"
#include "pak/pak_validate.h"
#include "pak/pak_wire.h"

#include <stdlib.h>
#include <string.h>

/* -- writing -- */

#define COPIES_MAX 4u

struct made_content {
    const struct tiny_pak_file *file;
    uint8_t *stored;
    uint64_t stored_bytes;
    uint32_t codec;
    uint32_t copy_count;
    struct pak_wire_block *blocks;
    uint32_t block_count;
    uint32_t number; /* in order of first entries */
    uint64_t offsets[COPIES_MAX];
};

struct making {
    const struct tiny_pak_file *files;
    uint32_t count;
    uint32_t sorted[TINY_PAK_FILES_MAX];  /* files sorted by hash and name */
    uint32_t content[TINY_PAK_FILES_MAX]; /* content of each file */
    struct made_content contents[TINY_PAK_FILES_MAX];
    uint32_t content_count;
    uint32_t numbered[TINY_PAK_FILES_MAX]; /* contents by number */
    const uint32_t *layout; /* indices of files, in the order of the pak */
    uint32_t layout_count;
    struct pak_header header;
};

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);

    if (!memory)
        abort();
    return memory;
}

static void store_end(struct pak_wire_block *wire, uint64_t end)
{
    spn_store_u32le(wire->end, (uint32_t)end);
    spn_store_u16le(wire->end + 4, (uint16_t)(end >> 32));
}

static void store_blocks(struct made_content *c, uint32_t codec)
{
    const struct compressor *compressor = compressor_find(codec);
    void *workspace = compressor->start(0);
    const uint8_t *from = c->file->data;

    c->codec = codec;
    c->stored_bytes = 0;
    for (uint32_t i = 0; i < c->block_count; i++) {
        size_t left = c->file->bytes - (size_t)i * PAK_BLOCK_BYTES;
        uint32_t raw =
            left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES;
        uint8_t *to = c->stored + c->stored_bytes;
        uint32_t bytes = compressor->compress(from, raw, to, workspace);

        if (bytes == 0) {
            memcpy(to, from, raw);
            bytes = raw;
        }
        from += raw;
        c->stored_bytes += bytes;
        store_end(&c->blocks[i], c->stored_bytes);
        spn_store_u32le(c->blocks[i].checksum,
                        spn__checksum(to, bytes, WIRE_SEED));
    }
    compressor->stop(workspace);
}

static void make_content(struct making *m, const struct tiny_pak_file *file)
{
    struct made_content *c = &m->contents[m->content_count++];

    c->file = file;
    c->stored = allocate(file->bytes + PAK_BLOCK_BYTES);
    c->block_count = (uint32_t)pak_block_count(file->bytes);
    c->blocks = allocate(c->block_count * sizeof *c->blocks);
    c->number = PAK_NONE;
    store_blocks(c, file->codec);
    if (c->stored_bytes == file->bytes)
        store_blocks(c, SPN_CODEC_STORE);
}

static bool is_before(const char *a, const char *b)
{
    uint64_t x = spn__hash64(a, strlen(a), 0);
    uint64_t y = spn__hash64(b, strlen(b), 0);

    return x != y ? x < y : strcmp(a, b) < 0;
}

static void sort_names(struct making *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t at = i;

        for (; at > 0 &&
               is_before(m->files[i].name, m->files[m->sorted[at - 1]].name);
             at--)
            m->sorted[at] = m->sorted[at - 1];
        m->sorted[at] = i;
    }
}

static void number_contents(struct making *m)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t content = m->content[m->sorted[i]];

        if (m->contents[content].number != PAK_NONE)
            continue;
        m->contents[content].number = next;
        m->numbered[next++] = content;
    }
    CHECK_EQ(next, m->content_count);
}

static void make_contents(struct making *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        m->content[i] = m->content_count;
        if (!m->files[i].alias)
            make_content(m, &m->files[i]);
        for (uint32_t k = 0; m->files[i].alias && k < i; k++)
            if (strcmp(m->files[k].name, m->files[i].alias) == 0)
                m->content[i] = m->content[k];
    }
    sort_names(m);
    number_contents(m);
}

static void count(struct making *m)
{
    struct pak_header *h = &m->header;

    h->entry_count = m->count;
    h->content_count = m->content_count;
    for (uint32_t i = 0; i < m->count; i++)
        h->name_bytes += (uint32_t)strlen(m->files[i].name) + 1;
    for (uint32_t i = 0; i < m->content_count; i++)
        h->block_count += m->contents[i].block_count;
    h->copy_count = m->layout_count;
    h->index_bytes = spn__pak_index_bytes(h);
    h->data_offset = pak_sector_ceil(PAK_HEADER_BYTES + h->index_bytes);
    h->file_bytes = h->data_offset;
    for (uint32_t i = 0; i < m->layout_count; i++) {
        struct made_content *c = &m->contents[m->content[m->layout[i]]];

        CHECK(c->copy_count < COPIES_MAX);
        c->offsets[c->copy_count++] = h->file_bytes;
        h->file_bytes = pak_sector_ceil(h->file_bytes + c->stored_bytes);
    }
}

static uint8_t *put_entries(const struct making *m, uint8_t *at)
{
    uint32_t name = 0;

    for (uint32_t i = 0; i < m->count; i++, at += 16) {
        const char *text = m->files[m->sorted[i]].name;
        struct pak_wire_entry *wire = (void *)at;

        spn_store_u64le(wire->named.hash, spn__hash64(text, strlen(text), 0));
        spn_store_u32le(wire->named.name, name);
        spn_store_u32le(wire->content,
                        m->contents[m->content[m->sorted[i]]].number);
        name += (uint32_t)strlen(text) + 1;
    }
    return at;
}

static uint8_t *put_contents(const struct making *m, uint8_t *at)
{
    uint32_t blocks = 0;
    uint32_t copies = 0;

    for (uint32_t i = 0; i < m->content_count; i++, at += 32) {
        const struct made_content *c = &m->contents[m->numbered[i]];
        struct pak_wire_content *wire = (void *)at;

        spn_store_u64le(wire->bytes, c->file->bytes);
        spn_store_u64le(wire->stored_bytes, c->stored_bytes);
        spn_store_u32le(wire->first_block, blocks);
        spn_store_u32le(wire->first_copy, copies);
        spn_store_u32le(wire->copy_count, c->copy_count);
        wire->codec[0] = (uint8_t)c->codec;
        blocks += c->block_count;
        copies += c->copy_count;
    }
    return at;
}

static uint8_t *put_copies(const struct making *m, uint8_t *at)
{
    for (uint32_t i = 0; i < m->content_count; i++) {
        const struct made_content *c = &m->contents[m->numbered[i]];

        for (uint32_t k = 0; k < c->copy_count; k++, at += 12) {
            spn_store_u64le(at, c->offsets[k]);
            spn_store_u32le(at + 8, i);
        }
    }
    return at;
}

/* Copies in order of offset: repeatedly take the smallest offset above the
 * last. */
static uint8_t *put_offset_order(const struct making *m, uint8_t *at)
{
    const uint8_t *copies = at - m->header.copy_count * 12;
    uint64_t last = 0;

    for (uint32_t i = 0; i < m->header.copy_count; i++, at += 4) {
        uint64_t least = UINT64_MAX;
        uint32_t found = 0;

        for (uint32_t k = 0; k < m->header.copy_count; k++) {
            uint64_t offset = spn_load_u64le(copies + k * 12);

            if (offset > last && offset < least) {
                least = offset;
                found = k;
            }
        }
        spn_store_u32le(at, found);
        last = least;
    }
    return at;
}

static void put_index(const struct making *m, uint8_t *at)
{
    at = put_entries(m, at);
    at = put_contents(m, at);
    at = put_copies(m, at);
    at = put_offset_order(m, at);
    for (uint32_t i = 0; i < m->content_count; i++) {
        const struct made_content *c = &m->contents[m->numbered[i]];

        memcpy(at, c->blocks, c->block_count * sizeof *c->blocks);
        at += c->block_count * sizeof *c->blocks;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        const char *name = m->files[m->sorted[i]].name;

        memcpy(at, name, strlen(name) + 1);
        at += strlen(name) + 1;
    }
}

static void put_header(const struct making *m, struct pak_wire_header *wire)
{
    const struct pak_header *h = &m->header;

    memcpy(wire->signature, PAK_SIGNATURE, sizeof wire->signature);
    spn_store_u32le(wire->version, PAK_VERSION);
    spn_store_u32le(wire->entry_count, h->entry_count);
    spn_store_u32le(wire->content_count, h->content_count);
    spn_store_u32le(wire->copy_count, h->copy_count);
    spn_store_u32le(wire->block_count, h->block_count);
    spn_store_u32le(wire->name_bytes, h->name_bytes);
    spn_store_u32le(wire->index_bytes, h->index_bytes);
    spn_store_u64le(wire->file_bytes, h->file_bytes);
    spn_store_u64le(wire->data_offset, h->data_offset);
}

void tiny_pak_lay_out(struct tiny_pak *pak, const struct tiny_pak_file *files,
                      uint32_t file_count, const uint32_t *layout,
                      uint32_t layout_count)
{
    struct making *m = allocate(sizeof *m);

    CHECK(file_count <= TINY_PAK_FILES_MAX);
    m->files = files;
    m->count = file_count;
    m->layout = layout;
    m->layout_count = layout_count;
    make_contents(m);
    count(m);
    pak->size = (size_t)m->header.file_bytes;
    pak->bytes = allocate(pak->size);
    put_header(m, (void *)pak->bytes);
    put_index(m, pak->bytes + PAK_HEADER_BYTES);
    for (uint32_t i = 0; i < m->content_count; i++) {
        struct made_content *c = &m->contents[i];

        CHECK((c->copy_count > 0) == (c->file->bytes > 0));
        for (uint32_t k = 0; k < c->copy_count; k++)
            memcpy(pak->bytes + c->offsets[k], c->stored,
                   (size_t)c->stored_bytes);
        free(c->stored);
        free(c->blocks);
    }
    free(m);
    tiny_pak_correct_checksums(pak->bytes, pak->size);
}

void tiny_pak_make(struct tiny_pak *pak, const struct tiny_pak_file *files,
                   uint32_t file_count)
{
    uint32_t *layout = allocate(file_count * COPIES_MAX * sizeof *layout);
    uint32_t count = 0;

    for (uint32_t round = 0; round < COPIES_MAX; round++)
        for (uint32_t i = 0; i < file_count; i++) {
            const struct tiny_pak_file *file = &files[i];
            uint32_t copies = file->copy_count == 0 ? 1 : file->copy_count;

            CHECK(copies <= COPIES_MAX);
            if (!file->alias && file->bytes > 0 && round < copies)
                layout[count++] = i;
        }
    tiny_pak_lay_out(pak, files, file_count, layout, count);
    free(layout);
}

void tiny_pak_free(struct tiny_pak *pak)
{
    free(pak->bytes);
    *pak = (struct tiny_pak){0};
}

void tiny_pak_correct_checksums(uint8_t *bytes, size_t size)
{
    struct pak_wire_header *wire = (void *)bytes;
    uint32_t index_bytes;

    if (size < PAK_HEADER_BYTES)
        return;
    index_bytes = spn_load_u32le(wire->index_bytes);
    if (index_bytes <= size - PAK_HEADER_BYTES)
        spn_store_u32le(
            wire->index_checksum,
            spn__checksum(bytes + PAK_HEADER_BYTES, index_bytes, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire,
                                  offsetof(struct pak_wire_header, checksum),
                                  WIRE_SEED));
}

static size_t behind(size_t at, const uint8_t count[4], size_t bytes)
{
    return at + (size_t)spn_load_u32le(count) * bytes;
}

bool tiny_pak_find(const uint8_t *bytes, size_t size, struct tiny_pak_tables *t)
{
    const struct pak_wire_header *h = (const void *)bytes;

    if (size < PAK_HEADER_BYTES)
        return false;
    t->entries = PAK_HEADER_BYTES;
    t->contents =
        behind(t->entries, h->entry_count, sizeof(struct pak_wire_entry));
    t->copies =
        behind(t->contents, h->content_count, sizeof(struct pak_wire_content));
    t->offset_order =
        behind(t->copies, h->copy_count, sizeof(struct pak_wire_copy));
    t->blocks = behind(t->offset_order, h->copy_count,
                       sizeof(struct pak_wire_offset_order));
    t->names = behind(t->blocks, h->block_count, sizeof(struct pak_wire_block));
    t->end = behind(t->names, h->name_bytes, 1);
    return t->end <= size;
}

/* -- the walk -- */

struct walk {
    const uint8_t *bytes;
    size_t size;
    struct pak_index index;
    struct spn_fault *fault;
};

/* A heap copy of exact size, so that a sanitizer sees an access after its
 * end. */
static void *copy_of(const void *bytes, size_t size)
{
    void *copy = allocate(size);

    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

/* Decode one block. The caller frees the raw bytes. */
static spn_status unpack(const struct walk *w, const struct pak_content *c,
                         uint64_t copy, uint32_t number, uint8_t **raw)
{
    struct pak_block b = spn__pak_block(&w->index, c, number);
    const spn_codec *codec =
        codecs_find(b.stored_bytes == b.bytes ? SPN_CODEC_STORE : c->codec);
    uint64_t at = copy + b.offset;
    void *workspace;
    uint8_t *stored;
    spn_status status;

    CHECK(b.bytes >= 1 && b.bytes <= PAK_BLOCK_BYTES);
    CHECK(b.stored_bytes >= 1 && b.stored_bytes <= b.bytes);
    CHECK(at <= w->size && b.stored_bytes <= w->size - at);
    if (!codec)
        return wire_refuse_for(w->fault, SPN_ERR_NO_CODEC, "codec", at,
                               c->codec, 0);
    stored = copy_of(w->bytes + at, b.stored_bytes);
    *raw = allocate(b.bytes);
    workspace = aligned_alloc(64, (codec->workspace_bytes + 64) / 64 * 64);
    memset(workspace, 0, codec->workspace_bytes);
    if (spn__checksum(stored, b.stored_bytes, WIRE_SEED) != b.checksum)
        status = wire_refuse_for(w->fault, SPN_ERR_CHECKSUM, "block", at, 0,
                                 b.checksum);
    else
        status =
            codec->decode(stored, b.stored_bytes, *raw, b.bytes, workspace);
    if (status == SPN_ERR_CODEC)
        wire_refuse_for(w->fault, status, "block", at, 0, 0);
    free(workspace);
    free(stored);
    return status;
}

static spn_status walk_content(const struct walk *w, uint32_t number)
{
    struct pak_content c = spn__pak_content(&w->index, number);
    spn_status status = SPN_OK;

    CHECK_EQ_U(c.block_count, pak_block_count(c.bytes));
    CHECK((c.copy_count == 0) == (c.bytes == 0));
    CHECK(c.first_copy <= w->index.header.copy_count);
    CHECK(c.copy_count <= w->index.header.copy_count - c.first_copy);
    for (uint32_t k = 0; k < c.copy_count && status == SPN_OK; k++) {
        uint32_t owner;
        uint64_t offset =
            spn__pak_copy_offset(&w->index, c.first_copy + k, &owner);

        CHECK_EQ(owner, number);
        CHECK(offset >= w->index.header.data_offset);
        CHECK(offset % PAK_SECTOR_BYTES == 0);
        CHECK(offset <= w->size && c.stored_bytes <= w->size - offset);
        for (uint32_t i = 0; i < c.block_count && status == SPN_OK; i++) {
            uint8_t *raw = NULL;

            status = unpack(w, &c, offset, i, &raw);
            free(raw);
        }
    }
    return status;
}

static void check_offset_order(const struct walk *w)
{
    uint64_t end = w->index.header.data_offset;

    for (uint32_t i = 0; i < w->index.header.copy_count; i++) {
        uint32_t copy = spn__pak_copy_by_offset(&w->index, i);
        uint32_t content;
        uint64_t offset;

        CHECK(copy < w->index.header.copy_count);
        offset = spn__pak_copy_offset(&w->index, copy, &content);
        CHECK(offset >= end);
        end = offset + spn__pak_content(&w->index, content).stored_bytes;
    }
    CHECK(end <= w->size);
}

static void check_entries(const struct walk *w)
{
    for (uint32_t i = 0; i < w->index.header.entry_count; i++) {
        struct pak_entry e = spn__pak_entry(&w->index, i);

        CHECK(e.content < w->index.header.content_count);
        CHECK_EQ(spn__pak_find(&w->index, e.name, (uint32_t)strlen(e.name)), i);
    }
}

spn_status tiny_pak_walk(const uint8_t *bytes, size_t size,
                         struct spn_fault *fault)
{
    struct walk w = {.bytes = bytes, .size = size, .fault = fault};
    uint8_t *head =
        copy_of(bytes, size < PAK_HEADER_BYTES ? size : PAK_HEADER_BYTES);
    struct pak_header header;
    spn_status status = spn__pak_validate_header(head, size, &header, fault);
    uint8_t *index;

    free(head);
    if (status != SPN_OK)
        return status;
    CHECK(header.index_bytes <= size - PAK_HEADER_BYTES);
    index = copy_of(bytes + PAK_HEADER_BYTES, header.index_bytes);
    status = spn__pak_validate_index(&header, index, &w.index, fault);
    if (status == SPN_OK) {
        check_entries(&w);
        check_offset_order(&w);
    }
    for (uint32_t i = 0; i < header.content_count && status == SPN_OK; i++)
        status = walk_content(&w, i);
    free(index);
    return status;
}

bool tiny_pak_has(const struct tiny_pak *pak, const char *name,
                  const void *data, size_t bytes)
{
    struct spn_fault fault;
    struct walk w = {.bytes = pak->bytes, .size = pak->size, .fault = &fault};
    struct pak_header header;
    struct pak_content c;
    uint64_t offset;
    uint32_t entry;
    bool is_same = true;

    CHECK_EQ(spn__pak_validate_header(pak->bytes, pak->size, &header, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&header, pak->bytes + PAK_HEADER_BYTES,
                                     &w.index, &fault),
             SPN_OK);
    entry = spn__pak_find(&w.index, name, (uint32_t)strlen(name));
    if (entry == PAK_NONE)
        return false;
    c = spn__pak_content(&w.index, spn__pak_entry(&w.index, entry).content);
    CHECK_EQ_U(c.bytes, bytes);
    if (c.bytes == 0)
        return true;
    offset = spn__pak_copy_offset(&w.index, c.first_copy, NULL);
    for (uint32_t i = 0; i < c.block_count && is_same; i++) {
        uint8_t *raw = NULL;

        CHECK_EQ(unpack(&w, &c, offset, i, &raw), SPN_OK);
        is_same =
            /* -fanalyzer: what is unpacked is there. */
            memcmp(raw, (const uint8_t *)data + (size_t)i * PAK_BLOCK_BYTES,
                   spn__pak_block(&w.index, &c, i).bytes) == 0;
        free(raw);
    }
    return is_same;
}
