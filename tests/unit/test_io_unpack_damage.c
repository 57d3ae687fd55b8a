/* test_io_unpack_damage.c
 *
 * Goal: a damaged block of a pak fails its read, reports its place, and
 *   affects no other read. An unreadable sector loses only the bytes behind
 *   it.
 * Method: the fixture's pak; the disc's faults, changed bytes, and an engine
 *   without a codec.
 */
/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"
#include "base/endian.h"
#include "base/heap_view.h"
#include "base/wire.h"
#include "harness.h"
#include "read/engine.h"
#include "read/unpack_reads.h"
#include "support/packed_fixture.h"

#include <string.h>

/* The offset of block `number` of an entry in the file. */
static uint64_t place_of(const char *name, uint32_t number,
                         struct pak_block *block)
{
    const struct pak_index *index = &packed.rig.io->paks.mounts[0].index;
    struct pak_content content = packed_content(name);

    *block = spn__pak_block(index, &content, number);
    return spn__pak_copy_offset(index, content.first_copy, NULL) +
           block->offset;
}

static void damage(const char *name)
{
    struct pak_block block;
    uint64_t at;

    packed_open(
        &(struct rig_config){.piece_bytes = 65536, .unpack_bytes = 1 << 20});
    packed_mount();
    at = place_of(name, 2, &block);
    slow_platform_fault(&packed.rig.slow,
                        &(struct slow_fault){.kind = SLOW_FLIP,
                                             .path = "p",
                                             .offset = at + 9,
                                             .bytes = 1,
                                             .value = 8 * (at + 9) + 3});
    packed_begin(0, name, 0, PACKED_BYTES, SPN_PRIORITY_NORMAL);
    packed_begin(1, name, 5, 2 * PAK_BLOCK_BYTES - 5, SPN_PRIORITY_NORMAL);
    packed_begin(2, name, 3 * PAK_BLOCK_BYTES, 90000, SPN_PRIORITY_NORMAL);
    packed_begin(3, name, PAK_BLOCK_BYTES + 10, 2 * PAK_BLOCK_BYTES,
                 SPN_PRIORITY_IDLE);
    rig_run(&packed.rig);
    rig_check(&packed.reads[0], SPN_ERR_CHECKSUM);
    CHECK_EQ_U(packed.reads[0].bytes, 2 * PAK_BLOCK_BYTES);
    CHECK_MEM(packed.buffers[0], packed_bytes(name), 2 * PAK_BLOCK_BYTES);
    CHECK_EQ_U(packed.reads[0].fault.offset, at);
    CHECK_EQ(packed.reads[0].fault.status, SPN_ERR_CHECKSUM);
    CHECK_EQ_U(packed.reads[0].fault.expected, block.checksum);
    CHECK(packed.reads[0].fault.value != block.checksum &&
          packed.reads[0].fault.has_expected);
    CHECK_STR("checksum of a block", packed.reads[0].fault.what);
    CHECK_STR("p", packed.reads[0].fault.file);
    packed_check(1, name, 5, 2 * PAK_BLOCK_BYTES - 5);
    packed_check(2, name, 3 * PAK_BLOCK_BYTES, 90000);
    rig_check(&packed.reads[3], SPN_ERR_CHECKSUM);
    CHECK_EQ_U(packed.reads[3].bytes, PAK_BLOCK_BYTES - 10);
    CHECK_MEM(packed.buffers[3], packed_bytes(name) + PAK_BLOCK_BYTES + 10,
              packed.reads[3].bytes);
    packed_close();
}

static void unpack_damaged_block_fails_its_reads_alone(void)
{
    damage("lz4");
    damage("deflate");
    damage("store");
}

/* More ended reads than there are slots for verification. */
static void unpack_verifies_all_when_slots_are_few(void)
{
    struct pak_block block;
    uint64_t at;

    packed_open(&(struct rig_config){.job_capacity = 256});
    packed_mount();
    at = place_of("store", 0, &block);
    slow_platform_fault(&packed.rig.slow,
                        &(struct slow_fault){.kind = SLOW_FLIP,
                                             .path = "p",
                                             .offset = at + 9,
                                             .bytes = 1,
                                             .value = 8 * (at + 9)});
    for (uint32_t i = 0; i < 20; i++)
        packed_begin(i, "store", (uint64_t)(i % 2) * PAK_BLOCK_BYTES,
                     PAK_BLOCK_BYTES, SPN_PRIORITY_NORMAL);
    rig_run_io(&packed.rig);
    CHECK_EQ(packed.rig.io->unpack.borrowers.count, 0);
    CHECK(packed.rig.io->unverified.count > 0);
    rig_run(&packed.rig);
    for (uint32_t i = 0; i < 20; i++)
        if (i % 2)
            packed_check(i, "store", PAK_BLOCK_BYTES, PAK_BLOCK_BYTES);
        else
            rig_check(&packed.reads[i], SPN_ERR_CHECKSUM);
    packed_close();
}

/* The checksum is correct, but the bytes are not valid compressed data. */
static void unpack_invalid_data_is_refused_by_its_codec(void)
{
    struct pak_block block;
    uint64_t at;

    packed_open(NULL);
    packed_mount();
    at = place_of("lz4", 1, &block);
    memset(packed.tiny.bytes + at, 0xff, block.stored_bytes);
    /* Change the index in memory. */
    {
        const struct pak_mount *m = &packed.rig.io->paks.mounts[0];
        struct pak_content content = packed_content("lz4");
        uint8_t *wire = spn__heap_data(&packed.rig.heap, m->index_block);

        wire += m->index.blocks - (const uint8_t *)wire;
        wire += (content.first_block + 1) * 10 + 6;
        spn_store_u32le(wire, spn__checksum(packed.tiny.bytes + at,
                                            block.stored_bytes, WIRE_SEED));
    }
    packed_begin(0, "lz4", 0, PACKED_BYTES, SPN_PRIORITY_NORMAL);
    rig_run(&packed.rig);
    rig_check(&packed.reads[0], SPN_ERR_CODEC);
    CHECK_EQ_U(packed.reads[0].bytes, PAK_BLOCK_BYTES);
    CHECK_EQ_U(packed.reads[0].fault.offset, at);
    CHECK_STR("compressed block", packed.reads[0].fault.what);
    packed_close();
}

/* An unreadable sector loses the bytes behind it, not those before it. */
static void unpack_reads_up_to_a_bad_sector(void)
{
    static const char *const all[] = {"lz4", "deflate", "mixed"};

    for (uint32_t n = 0; n < 3; n++) {
        struct pak_block block;
        uint64_t at;

        packed_open(&(struct rig_config){.piece_bytes = 262144,
                                         .unpack_bytes = 1 << 20});
        packed.rig.slow.align_bytes = 512;
        packed_mount();
        at = place_of(all[n], 3, &block);
        slow_platform_fault(&packed.rig.slow,
                            &(struct slow_fault){.kind = SLOW_ERROR,
                                                 .path = "p",
                                                 .offset = at + 4000,
                                                 .bytes = 1});
        packed_begin(0, all[n], 100, PACKED_BYTES - 100, SPN_PRIORITY_NORMAL);
        packed_begin(1, all[n], 4 * PAK_BLOCK_BYTES, 90000,
                     SPN_PRIORITY_NORMAL);
        rig_run(&packed.rig);
        rig_check(&packed.reads[0], SPN_ERR_IO);
        CHECK_EQ_U(packed.reads[0].bytes, 3 * PAK_BLOCK_BYTES - 100);
        CHECK_MEM(packed.buffers[0], packed_bytes(all[n]) + 100,
                  packed.reads[0].bytes);
        packed_check(1, all[n], 4 * PAK_BLOCK_BYTES, 90000);
        packed_close();
    }
}

static void unpack_accepts_short_pieces(void)
{
    packed_open(
        &(struct rig_config){.piece_bytes = 262144, .unpack_bytes = 1 << 20});
    packed_mount();
    slow_platform_fault(
        &packed.rig.slow,
        &(struct slow_fault){
            .kind = SLOW_SHORT, .path = "p", .times = 2, .value = 100000});
    packed_begin(0, "lz4", 1, PACKED_BYTES - 1, SPN_PRIORITY_NORMAL);
    rig_run(&packed.rig);
    packed_check(0, "lz4", 1, PACKED_BYTES - 1);
    packed_close();
}

static void unpack_refuses_a_missing_codec(void)
{
    packed_open(NULL);
    packed_mount();
    packed.rig.io->unpack.codec_count = 0;
    packed_begin(0, "zstd", 0, 100, SPN_PRIORITY_NORMAL);
    packed_begin(1, "lz4", 0, 100, SPN_PRIORITY_NORMAL);
    rig_run(&packed.rig);
    rig_check(&packed.reads[0], SPN_ERR_NO_CODEC);
    CHECK_STR("block codec zstd", packed.reads[0].fault.what);
    packed_check(1, "lz4", 0, 100);
    packed_close();
}

/* -- in the order of the scheduler -- */

static void unpack_finds_damage_in_the_order_of_deadlines(void)
{
    packed_by_deadline(unpack_damaged_block_fails_its_reads_alone);
    packed_by_deadline(unpack_invalid_data_is_refused_by_its_codec);
    packed_by_deadline(unpack_reads_up_to_a_bad_sector);
    packed_by_deadline(unpack_accepts_short_pieces);
    packed_by_deadline(unpack_refuses_a_missing_codec);
}

TEST_MAIN(TEST(unpack_damaged_block_fails_its_reads_alone),
          TEST(unpack_verifies_all_when_slots_are_few),
          TEST(unpack_invalid_data_is_refused_by_its_codec),
          TEST(unpack_reads_up_to_a_bad_sector),
          TEST(unpack_accepts_short_pieces),
          TEST(unpack_refuses_a_missing_codec),
          TEST(unpack_finds_damage_in_the_order_of_deadlines))
