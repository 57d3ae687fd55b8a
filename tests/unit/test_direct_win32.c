/* test_direct_win32.c
 *
 * Goal: a runtime that bypasses the system's cache reads whole sectors into
 *   memory aligned to sectors, from files of any size, and shows the same
 *   frames as without the bypass.
 * Method: a platform table in front of that of Windows refuses what a strict
 *   disk would refuse, because not every system that runs these tests has one.
 *   A cache plays from a file and from a pak whose last sectors are short.
 */
/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"
#include "harness.h"
#include "support/table_win32.h"
#include "support/tiny_cache.h"
#include "support/tiny_pak.h"

#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 61u
#define VERTICES 300u
#define SECTOR_BYTES 4096u

/* -- a strict disk -- */

static uint32_t reads;
static uint32_t refused;

static spn_status strict_submit(void *user, spn_platform_file file,
                                uint64_t offset, const spn_extent *extents,
                                uint32_t extent_count, uint32_t tag)
{
    bool is_aligned = offset % SECTOR_BYTES == 0;

    for (uint32_t i = 0; i < extent_count; i++)
        is_aligned &= extents[i].bytes % SECTOR_BYTES == 0 &&
                      (uintptr_t)extents[i].data % SECTOR_BYTES == 0;
    reads++;
    refused += !is_aligned;
    if (!is_aligned)
        return SPN_ERR_IO;
    return table.read_submit(user, file, offset, extents, extent_count, tag);
}

/* -- playback -- */

static const char *path_of(const char *name)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    return path;
}

static void write_bytes(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(path_of(name), "wb");

    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, count, file), count);
    CHECK_EQ(fclose(file), 0);
    CHECK(count % SECTOR_BYTES != 0);
}

static uint32_t hash_all(spn_runtime *rt, spn_node node)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[VERTICES * 12];
    uint32_t hash = 0;

    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        spn_node_state state = {0};
        spn_fill_result shown;

        CHECK_EQ(spn_node_set_playback_time(rt, node, (int64_t)frame * 33333),
                 SPN_OK);
        while (!state.is_ready) {
            spn_update(rt);
            CHECK_EQ(spn_node_get_state(rt, node, &state), SPN_OK);
            CHECK_EQ(refused, 0);
        }
        CHECK_EQ(state.shown_frame, frame);
        CHECK_EQ(spn_node_fill(rt, node, 0, &layout, vertices, sizeof vertices,
                               &shown),
                 SPN_OK);
        hash = spn__checksum(vertices, sizeof vertices, hash);
    }
    return hash;
}

/* Play the frames of `cache_path`, from a pak if `pak_name` is not NULL. */
static uint32_t play(const spn_platform *platform, const char *cache_path,
                     const char *pak_name)
{
    const spn_node_desc desc = {.is_looping = 1};
    spn_config config = {.platform = platform,
                         .heap_bytes = 4 << 20,
                         .node_count = 1,
                         .pak_count = 1,
                         .worker_count = 1};
    size_t bytes = spn_memory_needed(&config);
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    spn_runtime *rt;
    spn_cache cache;
    spn_node node;
    spn_pak pak;
    uint32_t hash;

    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    if (pak_name) {
        CHECK_EQ(spn_pak_mount(rt, path_of(pak_name), &pak), SPN_OK);
        while (spn_pak_get_status(rt, pak, NULL) == SPN_PENDING)
            spn_update(rt);
        CHECK_EQ(spn_pak_get_status(rt, pak, NULL), SPN_OK);
    }
    CHECK_EQ(spn_cache_open(rt, cache_path, &cache), SPN_OK);
    while (spn_cache_get_status(rt, cache, NULL) == SPN_PENDING)
        spn_update(rt);
    CHECK_EQ(spn_cache_get_status(rt, cache, NULL), SPN_OK);
    CHECK_EQ(spn_node_create(rt, cache, &desc, &node), SPN_OK);
    CHECK_EQ(spn_node_start_streaming(rt, node, 0), SPN_OK);
    hash = hash_all(rt, node);
    spn_shutdown(rt);
    free(memory);
    return hash;
}

static void win32_a_runtime_reads_whole_sectors(void)
{
    struct tiny_options o = {.frame_count = FRAMES,
                             .vertices = VERTICES,
                             .is_stored = true,
                             .is_noisy = true};
    struct tiny_cache *cache = tiny_build(&o);
    struct tiny_pak_file file = {
        .name = "clip", .data = cache->bytes, .bytes = cache->size};
    struct tiny_pak pak = {0};
    spn_platform strict;
    uint32_t wanted;

    tiny_pak_make(&pak, &file, 1);
    write_bytes("direct.sgc", cache->bytes, cache->size);
    write_bytes("direct.spk", pak.bytes, pak.size);
    open_table(0);
    wanted = play(&table, path_of("direct.sgc"), NULL);
    open_table(SPN_WIN32_DIRECT);
    strict = table;
    strict.read_submit = strict_submit;
    CHECK_EQ_U(play(&strict, path_of("direct.sgc"), NULL), wanted);
    CHECK(reads > 3);
    reads = 0;
    CHECK_EQ_U(play(&strict, "clip", "direct.spk"), wanted);
    CHECK(reads > 3);
    CHECK_EQ(refused, 0);
    tiny_pak_free(&pak);
    tiny_free(cache);
}

TEST_MAIN(TEST(win32_a_runtime_reads_whole_sectors))
