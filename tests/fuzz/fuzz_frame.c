/* fuzz_frame.c - one frame of a good cache, decoded on every instruction set.
 *
 *   u8 cache | u8 frame | directory, blocks: the frame as in a file
 *
 * The caches are made once: classic ones by each block codec, and lifted ones
 * with and without one-rings. All instruction sets give the same bytes and the
 * same refusals.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "base/endian.h"
#include "cache/cache_wire.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/synthetic_clip.h"
#include "support/tiny_cache.h"

#include <spindle/codec.h>
#include <stdlib.h>
#include <string.h>

#define CACHES 6u
#define HEAD_BYTES 2u

static struct cache_walk *caches[CACHES];

static void make_classic(uint32_t index, uint32_t codec)
{
    struct tiny_cache *tiny = tiny_build(&(struct tiny_options){
        .frame_count = 5,
        .distance = 3,
        .mesh_count = 2,
        .vertices = 40 + 9 * index,
        .has_uvs = true,
        .has_static_mesh = index % 2 == 1,
        .codec = codec,
    });

    caches[index] = cache_walk_open(tiny->bytes, tiny->size);
    tiny_free(tiny);
}

static void make_lifted(uint32_t index, bool has_rings)
{
    const struct synthetic_options o = {.frame_count = 6,
                                        .vertices = 260,
                                        .has_colors = true,
                                        .has_uvs = true,
                                        .mesh_count = has_rings ? 1 : 2};
    struct memory_sink memory = {0};

    synthetic_lift(&o, 4, has_rings, &memory);
    caches[index] = cache_walk_open(memory.bytes, memory.size);
    CHECK(cache_walk_has_lifted(caches[index]));
    memory_sink_free(&memory);
}

static void make_caches(void)
{
    for (uint32_t codec = SPN_CODEC_STORE; codec <= SPN_CODEC_ZSTD; codec++)
        make_classic(codec, codec);
    make_lifted(4, false);
    make_lifted(5, true);
}

static struct cache_walk *find_cache(const uint8_t *data, uint32_t *number)
{
    struct cache_walk *walk;

    if (!caches[0])
        make_caches();
    walk = caches[data[0] % CACHES];
    *number = data[1] % cache_walk_header(walk)->frame_count;
    return walk;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t levels[FUZZ_LEVELS_MAX];
    uint32_t sum[FUZZ_LEVELS_MAX];
    static uint32_t level_count;
    static uint32_t found_levels[FUZZ_LEVELS_MAX];
    struct spn_fault fault[FUZZ_LEVELS_MAX];
    spn_status status[FUZZ_LEVELS_MAX];
    struct cache_walk *walk;
    uint32_t number;
    uint8_t *frame;

    if (level_count == 0)
        level_count = fuzz_levels(found_levels);
    memcpy(levels, found_levels, sizeof levels);
    if (size < HEAD_BYTES)
        return 0;
    walk = find_cache(data, &number);
    size -= HEAD_BYTES;
    if (size < spn__cache_directory_bytes(cache_walk_header(walk)))
        return 0;
    frame = fuzz_copy(data + HEAD_BYTES, size);
    for (uint32_t i = 0; i < level_count; i++) {
        memset(&fault[i], 0, sizeof fault[i]);
        status[i] = cache_walk_frame(walk, number, frame, size, levels[i],
                                     &sum[i], &fault[i]);
        CHECK_EQ(status[i], status[0]);
        CHECK_EQ_U(sum[i], sum[0]);
        CHECK(fuzz_is_same_fault(&fault[i], &fault[0]));
        if (sum[0] == 0)
            break;
    }
    free(frame);
    return 0;
}

/* -- mutation -- */

struct directory {
    uint8_t *frame;
    size_t bytes;     /* bytes of the frame */
    size_t bytes_max; /* allowed bytes of the frame */
    uint32_t block_count;
    size_t directory_bytes;
};

static struct wire_directory_entry *entry_of(const struct directory *d,
                                             uint32_t block)
{
    return (void *)(d->frame + CACHE_DIRECTORY_HEAD_BYTES +
                    block * CACHE_DIRECTORY_ENTRY_BYTES);
}

static uint32_t stored_of(const struct directory *d, uint32_t block)
{
    return spn_load_u32le(entry_of(d, block)->stored) & ~WIRE_RAW_BIT;
}

/* Find the start of a block; false: it lies outside of the frame. */
static bool find_block(const struct directory *d, uint32_t block, size_t *at)
{
    *at = d->directory_bytes;
    for (uint32_t i = 0; i < block; i++) {
        if (stored_of(d, i) > d->bytes - *at)
            return false;
        *at += stored_of(d, i);
    }
    return stored_of(d, block) <= d->bytes - *at;
}

/* Change the content and size of a block. Without room for any byte, libFuzzer
 * would still write one. */
static void mutate_block(struct directory *d, uint32_t block)
{
    const uint32_t raw =
        spn_load_u32le(entry_of(d, block)->stored) & WIRE_RAW_BIT;
    const uint32_t before = stored_of(d, block);
    size_t room;
    size_t after;
    uint8_t *part;
    size_t at;

    if (!find_block(d, block, &at))
        return;
    room = raw ? before : before + (d->bytes_max - d->bytes);
    if (room == 0)
        return;
    part = malloc(room);
    CHECK(part != NULL);
    memcpy(part, d->frame + at, before);
    after = LLVMFuzzerMutate(part, before, room);
    CHECK(after <= room);
    memmove(d->frame + at + after, d->frame + at + before,
            d->bytes - at - before);
    memcpy(d->frame + at, part, after);
    free(part);
    d->bytes = d->bytes - before + after;
    spn_store_u32le(entry_of(d, block)->stored, (uint32_t)after | raw);
}

/* Set the size of the frame to the end of its last block. */
static void mend_size(struct directory *d)
{
    size_t bytes = d->directory_bytes;

    for (uint32_t i = 0; i < d->block_count; i++) {
        if (stored_of(d, i) > d->bytes_max - bytes)
            return;
        bytes += stored_of(d, i);
    }
    if (bytes > d->bytes)
        memset(d->frame + d->bytes, 0, bytes - d->bytes);
    d->bytes = bytes;
}

/* Start again from a good frame. */
static size_t take_good(uint8_t *data, size_t size_max, unsigned *seed)
{
    const uint8_t *good;
    uint32_t number = 0;
    uint32_t bytes;

    data[0] = (uint8_t)fuzz_pick(seed, CACHES);
    data[1] = (uint8_t)fuzz_pick(seed, 8);
    good = cache_walk_good_frame(find_cache(data, &number), number, &bytes);
    if (bytes > size_max - HEAD_BYTES)
        return HEAD_BYTES;
    memcpy(data + HEAD_BYTES, good, bytes);
    return HEAD_BYTES + bytes;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    const struct cache_header *header;
    struct directory d = {0};
    uint32_t way = fuzz_pick(&seed, 16);
    uint32_t number;

    if (size_max < 64)
        return LLVMFuzzerMutate(data, size, size_max);
    if (size < HEAD_BYTES || way == 0)
        size = take_good(data, size_max, &seed);
    header = cache_walk_header(find_cache(data, &number));
    d.block_count = header->block_count;
    d.directory_bytes = spn__cache_directory_bytes(header);
    d.frame = data + HEAD_BYTES;
    d.bytes = size - HEAD_BYTES;
    d.bytes_max = size_max - HEAD_BYTES;
    if (d.bytes < d.directory_bytes)
        return LLVMFuzzerMutate(data, size, size_max);
    if (way == 1)
        d.bytes = LLVMFuzzerMutate(d.frame, d.bytes, d.bytes_max);
    else if (way < 5)
        fuzz_mutate_inside(d.frame, 0, d.directory_bytes);
    else if (d.block_count > 0)
        mutate_block(&d, fuzz_pick(&seed, d.block_count));
    if (d.bytes < d.directory_bytes)
        return HEAD_BYTES + d.bytes;
    if (fuzz_pick(&seed, 16) > 0)
        mend_size(&d);
    if (fuzz_pick(&seed, 32) > 0) {
        spn_store_u32le(d.frame + 4, number);
        cache_checksums_correct_frame(d.frame, d.bytes, d.block_count,
                                      d.directory_bytes);
    }
    return HEAD_BYTES + d.bytes;
}
