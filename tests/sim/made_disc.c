/* made_disc.c - loose files as functions, and paks of small files. */
/* SPDX-License-Identifier: MIT */
#include "sim/made_disc.h"

#include "base/endian.h"
#include "harness.h"
#include "sim/made_clips.h"
#include "sim/made_shared.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>

#include <stdlib.h>
#include <string.h>

#define ENTRY_FILE 100u /* entries are functions, too, with numbers from here */
#define MEMORY_BYTES 200003u
#define WORD 8u
#define CHUNK 4096u

static struct made_disc disc;

/* Compute eight bytes at a time. Those of entries repeat, so that they
 * compress. */
static uint64_t word_of(uint32_t file, uint64_t word)
{
    uint64_t z;

    if (file >= ENTRY_FILE && word % 64 >= 8)
        word -= word % 8 + 8;
    z = (word + 1) * UINT64_C(0x9e3779b97f4a7c15) + file;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ z >> 27;
}

static void make_bytes(uint32_t file, uint64_t offset, uint64_t bytes,
                       uint8_t *out)
{
    while (bytes > 0) {
        uint64_t value = word_of(file, offset / WORD);
        uint64_t skip = offset % WORD;
        uint64_t part = WORD - skip < bytes ? WORD - skip : bytes;

        if (part == WORD)
            spn_store_u64le(out, value);
        else
            for (uint64_t i = 0; i < part; i++)
                out[i] = (uint8_t)(value >> (skip + i) * 8);
        out += part;
        offset += part;
        bytes -= part;
    }
}

void made_disc_read(uint32_t file, uint64_t offset, uint64_t bytes, bool is_bad,
                    void *out)
{
    const struct made_file *f = &disc.files[file];

    CHECK(offset <= f->bytes && bytes <= f->bytes - offset);
    if (!f->data)
        make_bytes(file, offset, bytes, out);
    else
        memcpy(out, (is_bad && f->bad_data ? f->bad_data : f->data) + offset,
               (size_t)bytes);
}

uint64_t made_disc_differs(uint32_t file, uint64_t offset, uint64_t bytes,
                           const void *data)
{
    uint8_t truth[CHUNK];
    const uint8_t *found = data;

    for (uint64_t at = 0; at < bytes;) {
        uint64_t part = bytes - at < CHUNK ? bytes - at : CHUNK;

        made_disc_read(file, offset + at, part, false, truth);
        if (memcmp(truth, found + at, (size_t)part) != 0)
            for (uint64_t i = 0; i < part; i++)
                if (truth[i] != found[at + i])
                    return at + i;
        at += part;
    }
    return bytes;
}

/* -- making -- */

static uint8_t *allocate(size_t bytes)
{
    uint8_t *memory = malloc(bytes);

    if (!memory)
        abort();
    return memory;
}

static void make_raw(void)
{
    static const char *const paths[MADE_RAW] = {"raw0", "raw1", "raw2", "raw3"};
    static const uint64_t sizes[MADE_RAW] = {
        40000, (1u << 20) + 3, (8u << 20) + 77, (UINT64_C(5) << 30) + 4097};
    uint8_t *memory = allocate(MEMORY_BYTES);

    for (uint32_t i = 0; i < MADE_RAW; i++)
        disc.files[i] = (struct made_file){.path = paths[i], .bytes = sizes[i]};
    make_bytes(MADE_MEMORY, 0, MEMORY_BYTES, memory);
    disc.files[MADE_MEMORY] = (struct made_file){
        .path = "mem", .bytes = MEMORY_BYTES, .data = memory};
}

static void make_entries(void)
{
    static const struct {
        const char *name;
        uint32_t bytes;
        bool is_stored;
    } rows[MADE_ENTRIES] = {{"lz", 200000, false}, {"zs", 150001, false},
                            {"df", 70000, false},  {"st", 180000, true},
                            {"s2", 100000, true},  {"tiny", 3000, false}};

    for (uint32_t i = 0; i < MADE_ENTRIES; i++) {
        uint8_t *data = allocate(rows[i].bytes);

        make_bytes(ENTRY_FILE + i, 0, rows[i].bytes, data);
        disc.entries[i] = (struct made_entry){rows[i].name, data, rows[i].bytes,
                                              rows[i].is_stored};
    }
}

static void make_pak(uint32_t file, const char *path,
                     const struct tiny_pak_file *files, uint32_t count)
{
    struct made_file *f = &disc.files[file];
    struct tiny_pak_file others[MADE_ENTRIES + 1];
    struct tiny_pak good;
    struct tiny_pak bad;

    tiny_pak_make(&good, files, count);
    /* Only stored entries get bad bytes, because others would change their
     * size. */
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *data = allocate(files[i].bytes);

        memcpy(data, files[i].data, files[i].bytes);
        for (uint32_t at = 512; at < files[i].bytes; at += 4096)
            data[at] ^= files[i].codec == SPN_CODEC_STORE;
        others[i] = files[i];
        others[i].data = data;
    }
    tiny_pak_make(&bad, others, count);
    for (uint32_t i = 0; i < count; i++)
        free((void *)(uintptr_t)others[i].data);
    CHECK_EQ_U(bad.size, good.size);
    *f = (struct made_file){.path = path,
                            .bytes = good.size,
                            .data = good.bytes,
                            .bad_data = bad.bytes};
    disc.pak_heap_bytes += 65536;
}

/* The entry "lz" is the same in both paks. */
static void make_paks(const struct clip_file *clip)
{
    const struct made_entry *e = disc.entries;
    const struct tiny_pak_file first[] = {
        {.name = e[0].name, .data = e[0].data, .bytes = e[0].bytes, .codec = 1},
        {.name = e[1].name, .data = e[1].data, .bytes = e[1].bytes, .codec = 3},
        {.name = e[3].name, .data = e[3].data, .bytes = e[3].bytes}};
    const struct tiny_pak_file second[] = {
        {.name = e[0].name, .data = e[0].data, .bytes = e[0].bytes, .codec = 1},
        {.name = e[2].name, .data = e[2].data, .bytes = e[2].bytes, .codec = 2},
        {.name = e[4].name,
         .data = e[4].data,
         .bytes = e[4].bytes,
         .copy_count = 2},
        {.name = e[5].name, .data = e[5].data, .bytes = e[5].bytes, .codec = 1},
        {.name = clip->path,
         .data = clip->data,
         .bytes = clip->bytes,
         .codec = 3}};

    make_pak(MADE_PAK, "p0", first, 3);
    make_pak(MADE_PAK + 1, "p1", second, 5);
}

const struct made_disc *made_disc(void)
{
    static bool is_made;
    struct clip_file clips[MADE_CLIPS];

    if (is_made)
        return &disc;
    is_made = true;
    make_raw();
    make_entries();
    made_clips_make(clips, disc.clips);
    for (uint32_t i = 0; MADE_CLIP + i < MADE_SHARED; i++)
        disc.files[MADE_CLIP + i] =
            (struct made_file){.path = clips[i].path,
                               .bytes = clips[i].bytes,
                               .data = clips[i].data,
                               .bad_data = clips[i].bad_data};
    make_paks(&clips[MADE_CLIPS - 1]);
    made_shared_make(&disc);
    made_anim_make(&disc);
    return &disc;
}
