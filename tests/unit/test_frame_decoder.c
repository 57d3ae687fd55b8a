/* test_frame_decoder.c
 *
 * Goal: the frame decoder reports why a tile is lost and where in the file,
 *   and changes nothing else.
 * Method: the frames of a small cache are decoded tile by tile, as the
 *   runtime does, with missing references, failed references, and one damaged
 *   block.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/frame_decoder.h"

#include "cachefile/cache_reader_state.h"
#include "harness.h"
#include "support/tiny_cache.h"

#include <stdlib.h>
#include <string.h>

struct rig {
    struct tiny_cache *tiny;
    struct diag diag;
    struct cache_reader *reader;
    const struct cache_decoder *cache;
    struct decode_scratch scratch;
    uint8_t *values[CHANNEL_COUNT]; /* decoded values of tile 0 */
    /* decoded values of a referenced frame */
    uint8_t *others[CHANNEL_COUNT];
};

static void *get(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);

    CHECK(memory != NULL);
    memset(memory, 0x5a, bytes);
    return memory;
}

static void rig_make(struct rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig->tiny = tiny_build(&(struct tiny_options){.vertices = 50});
    diag_init(&rig->diag);
    rig->reader = cache_reader_open_memory("tiny", rig->tiny->bytes,
                                           rig->tiny->size, &rig->diag);
    CHECK(rig->reader != NULL);
    rig->cache = &rig->reader->decoder;
    rig->scratch.memory = get(DECODE_SCRATCH_BYTES);
    rig->scratch.codec_workspace = get(rig->cache->codec->workspace_bytes);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        rig->values[c] = get(50 * 8);
        rig->others[c] = get(50 * 8);
    }
}

static void rig_free(struct rig *rig)
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        free(rig->values[c]);
        free(rig->others[c]);
    }
    free(rig->scratch.memory);
    free(rig->scratch.codec_workspace);
    cache_reader_close(rig->reader);
    diag_finish(&rig->diag);
    tiny_free(rig->tiny);
}

static struct frame_decoder decoder_of(const struct rig *rig, uint32_t number)
{
    const struct cache_frame *frame = &cache_reader_frames(rig->reader)[number];

    return (struct frame_decoder){.cache = rig->cache,
                                  .frame = frame,
                                  .number = number,
                                  .directory =
                                      rig->tiny->bytes + frame->offset};
}

/* Unpack the blocks of tile 0. Returns the first error. */
static spn_status unpack(const struct rig *rig, const struct frame_decoder *d,
                         struct spn_fault *fault)
{
    struct frame_walk walk = frame_walk_begin(d);
    spn_status status = spn__frame_validate(d, fault);

    while (status == SPN_OK && spn__frame_walk_next(&walk)) {
        const struct cache_block *b = &rig->cache->tables->blocks[walk.block];

        if (b->kind == CACHE_BLOCK_CHANNEL && b->tile == 0)
            status = spn__frame_unpack(&walk, d->directory + walk.entry.offset,
                                       rig->values[b->channel], &rig->scratch,
                                       fault);
    }
    return status;
}

static struct tile_job job_of(const struct rig *rig,
                              const struct frame_decoder *d)
{
    struct tile_job job = {.decoder = d};

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        job.values[c] = rig->values[c];
        for (uint32_t r = 0; r < d->frame->reference_count; r++)
            job.references[r].values[c] = rig->others[c];
    }
    return job;
}

/* Frame 1 is a B frame with four references. */
static void decoder_reports_lost_references(void)
{
    struct rig rig;
    struct frame_decoder d;
    struct spn_fault fault = {0};
    struct tile_job job;

    rig_make(&rig);
    d = decoder_of(&rig, 1);
    CHECK_EQ_U(d.frame->reference_count, CACHE_REFERENCES_MAX);
    for (uint32_t r = 0; r < CACHE_REFERENCES_MAX; r++) {
        const uint32_t block =
            rig.cache->tables->tiles[0].block[CHANNEL_POSITION];
        struct frame_walk walk = frame_walk_begin(&d);

        test_context("reference %u", r);
        CHECK_EQ(unpack(&rig, &d, &fault), SPN_OK);
        job = job_of(&rig, &d);
        CHECK_EQ(spn__tile_decode(&job, &rig.scratch, &fault), SPN_OK);
        CHECK(fault.what == NULL);

        memset(&job.references[r].values, 0, sizeof job.references[r].values);
        job.references[r].status = SPN_ERR_CHECKSUM;
        CHECK_EQ(spn__tile_decode(&job, &rig.scratch, &fault),
                 SPN_ERR_CHECKSUM);
        CHECK(fault.what == NULL);

        job.references[r].status = SPN_OK;
        CHECK_EQ(spn__tile_decode(&job, &rig.scratch, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "reference to an absent block");
        while (spn__frame_walk_next(&walk) && walk.block < block)
            continue;
        CHECK_EQ_U(fault.offset, d.frame->offset + walk.entry.offset);
        memset(&fault, 0, sizeof fault);
    }
    rig_free(&rig);
}

static void decoder_names_the_damaged_block(void)
{
    struct rig rig;
    struct frame_decoder d;
    struct frame_walk walk;

    rig_make(&rig);
    d = decoder_of(&rig, 2);
    walk = frame_walk_begin(&d);
    while (spn__frame_walk_next(&walk)) {
        const struct cache_block *b = &rig.cache->tables->blocks[walk.block];
        const uint64_t offset = d.frame->offset + walk.entry.offset;
        struct spn_fault fault = {0};

        if (b->kind != CACHE_BLOCK_CHANNEL || b->tile != 0)
            continue;
        test_context("block %u", walk.block);
        rig.tiny->bytes[offset + walk.entry.stored_bytes - 1] ^= 1;
        CHECK_EQ(unpack(&rig, &d, &fault), SPN_ERR_CHECKSUM);
        CHECK_EQ_U(fault.offset, offset);
        rig.tiny->bytes[offset + walk.entry.stored_bytes - 1] ^= 1;
    }
    rig_free(&rig);
}

static void decoder_refuses_the_directory_of_another_frame(void)
{
    struct rig rig;
    struct frame_decoder d;
    struct spn_fault fault = {0};

    rig_make(&rig);
    d = decoder_of(&rig, 2);
    d.number = 3;
    CHECK_EQ(spn__frame_validate(&d, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "frame number of a directory");
    CHECK_EQ_U(fault.offset, d.frame->offset + 4);
    rig_free(&rig);
}

TEST_MAIN(TEST(decoder_reports_lost_references),
          TEST(decoder_names_the_damaged_block),
          TEST(decoder_refuses_the_directory_of_another_frame))
