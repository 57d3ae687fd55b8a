/* packed_fixture.c - see packed_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/packed_fixture.h"

#include "harness.h"
#include "read/engine.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/unpack_reads.h"

#include <string.h>

struct packed packed;

static uint8_t big[PACKED_BYTES];
static uint8_t noise[PACKED_BYTES];

/* In each block one half compresses. In "mixed" every second block does not. */
static void make_data(void)
{
    struct test_random random = {3};

    for (uint32_t i = 0; i < PACKED_BYTES; i++) {
        noise[i] = (uint8_t)test_random_below(&random, 256);
        big[i] = i / 300 % 2 ? noise[i] : (uint8_t)(i >> 6);
    }
    for (uint32_t i = 0; i < PACKED_BYTES; i++)
        if (i / PAK_BLOCK_BYTES % 2 == 0)
            noise[i] = (uint8_t)(i >> 5);
}

void packed_open(const struct rig_config *config)
{
    static const struct tiny_pak_file files[] = {
        {.name = "store", .data = big, .bytes = PACKED_BYTES},
        {.name = "lz4",
         .data = big,
         .bytes = PACKED_BYTES,
         .codec = SPN_CODEC_LZ4},
        {.name = "deflate",
         .data = big,
         .bytes = PACKED_BYTES,
         .codec = SPN_CODEC_DEFLATE},
        {.name = "zstd",
         .data = big,
         .bytes = PACKED_BYTES,
         .codec = SPN_CODEC_ZSTD,
         .copy_count = 3},
        {.name = "mixed",
         .data = noise,
         .bytes = PACKED_BYTES,
         .codec = SPN_CODEC_LZ4},
        {.name = "twice", .data = noise + 9, .bytes = 9000, .copy_count = 4},
    };
    struct rig_config c = config ? *config : (struct rig_config){0};

    c.pak_count = 2;
    if (!c.read_count)
        c.read_count = PACKED_READS;
    if (!c.heap_pages)
        c.heap_pages = 700;
    if (packed.is_deadline_order) {
        c.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("x360_dvd12x");
        c.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    }
    make_data();
    rig_open(&packed.rig, &c);
    tiny_pak_free(&packed.tiny);
    tiny_pak_make(&packed.tiny, files, 6);
    slow_platform_add(&packed.rig.slow, "p", packed.tiny.bytes,
                      packed.tiny.size);
    memset(packed.buffers, 0, sizeof packed.buffers);
}

void packed_mount(void)
{
    CHECK_EQ(spn__pak_mount(packed.rig.io, "p", &packed.pak), SPN_OK);
    rig_run(&packed.rig);
    CHECK_EQ(spn__pak_status(packed.rig.io, packed.pak, NULL), SPN_OK);
}

void packed_close(void)
{
    struct rig *rig = &packed.rig;

    (void)spn__pak_unmount(rig->io, packed.pak);
    rig_run(rig);
    CHECK(spn__unpack_is_idle(&rig->io->unpack));
    CHECK_EQ(spn__heap_free_pages(&rig->heap), rig->heap.page_count);
    CHECK_EQ_U(spn__budget_bytes(&rig->io->budget), 0);
    rig_close(rig);
}

void packed_by_deadline(void (*claim)(void))
{
    packed.is_deadline_order = true;
    claim();
    packed.is_deadline_order = false;
}

void packed_begin(uint32_t i, const char *name, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc = rig_desc(&packed.rig, &packed.reads[i], 0, offset,
                                  bytes, packed.buffers[i]);

    CHECK_EQ(spn__io_find_entry(packed.rig.io, packed.pak, name, &desc.entry),
             SPN_OK);
    desc.priority = priority;
    desc.buffer_bytes = PACKED_BYTES;
    desc.on_async = NULL;
    desc.on_done = rig_end;
    rig_start(&packed.rig, &desc, &packed.reads[i]);
}

void packed_check(uint32_t i, const char *name, uint64_t offset, uint64_t bytes)
{
    rig_check(&packed.reads[i], SPN_OK);
    CHECK_EQ_U(packed.reads[i].bytes, bytes);
    CHECK_MEM(packed.buffers[i], packed_bytes(name) + offset, bytes);
    CHECK_EQ(packed.buffers[i][bytes], 0);
    CHECK(packed.reads[i].fault.what == NULL);
}

const uint8_t *packed_bytes(const char *name)
{
    return strcmp(name, "mixed") == 0 ? noise : big;
}

struct pak_content packed_content(const char *name)
{
    const struct pak_index *index = &packed.rig.io->paks.mounts[0].index;
    uint32_t entry = spn__pak_find(index, name, (uint32_t)strlen(name));

    return spn__pak_content(index, spn__pak_entry(index, entry).content);
}
