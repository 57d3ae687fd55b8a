/* test_io_unpack_copies.c
 *
 * Goal: of an entry with several copies in a pak, the nearest one is read:
 *   nearest to the head, or to a read that waits.
 * Method: the fixture's pak, two of whose entries have copies; the disc's log.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "support/packed_fixture.h"

static uint64_t head_of_disc(void)
{
    return packed.rig.slow.log[packed.rig.slow.reads - 1].offset +
           packed.rig.slow.log[packed.rig.slow.reads - 1].bytes;
}

/* The head seeks to the nearest copy. */
static uint64_t least_distance(const struct pak_content *content, uint64_t head)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < content->copy_count; i++) {
        uint64_t at = spn__pak_copy_offset(&packed.rig.io->paks.mounts[0].index,
                                           content->first_copy + i, NULL);
        uint64_t far = at < head ? head - at : at - head;

        least = far < least ? far : least;
    }
    return least;
}

static void unpack_reads_the_copy_next_to_the_head(void)
{
    static const char *const all[] = {"twice", "zstd"};

    for (uint32_t n = 0; n < 2; n++)
        for (uint64_t from = 0; from < 5; from++) {
            struct pak_content content;
            uint64_t head;
            uint64_t chosen;

            packed_open(&(struct rig_config){.piece_bytes = 1 << 20});
            packed_mount();
            content = packed_content(all[n]);
            /* Move the head to a place in the pak. */
            packed_begin(0, "store", from * 90000, 10, SPN_PRIORITY_URGENT);
            if (from == 4)
                packed_begin(1, "mixed", PACKED_BYTES - 9, 9,
                             SPN_PRIORITY_ABOVE_NORMAL);
            rig_run(&packed.rig);
            head = head_of_disc();
            packed_begin(2, all[n], 0, 100, SPN_PRIORITY_NORMAL);
            rig_run(&packed.rig);
            chosen = packed.rig.slow.log[packed.rig.slow.reads - 1].offset;
            CHECK_EQ_U(chosen < head ? head - chosen : chosen - head,
                       least_distance(&content, head));
            packed_close();
        }
}

/* -- in the order of the scheduler -- */

static void unpack_reads_the_nearest_copy_in_the_order_of_deadlines(void)
{
    packed_by_deadline(unpack_reads_the_copy_next_to_the_head);
}

enum waits { NOTHING, ABORTED, WAITING };

/* Return the place where "twice" is read while another read waits or was
 * aborted. */
static uint64_t place_beside(enum waits waits)
{
    spn_read_desc descs[2];
    spn_file files[2];
    uint64_t due_us;
    uint32_t begun;
    uint32_t i;
    uint64_t at;

    packed_open(&(struct rig_config){.piece_bytes = 1 << 20});
    slow_platform_add(&packed.rig.slow, "behind", packed_bytes("store"),
                      PACKED_BYTES);
    packed_mount();
    files[0] = rig_file(&packed.rig, "a");
    files[1] = rig_file(&packed.rig, "behind");
    /* The files stay open from here on. */
    for (i = 0; i < 2; i++) {
        descs[i] = rig_desc(&packed.rig, &packed.reads[i], files[i], 0, 11,
                            packed.buffers[i]);
        rig_start(&packed.rig, &descs[i], &packed.reads[i]);
        rig_run(&packed.rig);
        descs[i] = rig_desc(&packed.rig, &packed.reads[2 + i], files[i], 0, 11,
                            packed.buffers[2 + i]);
    }
    packed_begin(4, "store", 0, 10, SPN_PRIORITY_URGENT);
    rig_step_io(&packed.rig);
    packed_begin(5, "twice", 0, 100, SPN_PRIORITY_NORMAL);
    descs[0].priority = SPN_PRIORITY_URGENT;
    rig_start(&packed.rig, &descs[0], &packed.reads[2]);
    if (waits != NOTHING)
        rig_start(&packed.rig, &descs[1], &packed.reads[3]);
    begun = packed.rig.slow.reads;
    while (packed.rig.slow.reads == begun)
        if (!spn__io_step(packed.rig.io, &due_us))
            CHECK(slow_platform_advance(&packed.rig.slow));
    CHECK_EQ_U(packed.rig.slow.log[begun].bytes, 11);
    if (waits == ABORTED)
        CHECK_EQ(spn__io_abort(packed.rig.io, packed.reads[3].handle), SPN_OK);
    rig_run(&packed.rig);
    CHECK_EQ(packed.reads[5].status, SPN_OK);
    for (i = begun;
         i + 1 < packed.rig.slow.reads && packed.rig.slow.log[i].bytes != 100;)
        i++;
    CHECK_EQ_U(packed.rig.slow.log[i].bytes, 100);
    at = packed.rig.slow.log[i].offset;
    for (i = 0; i < 2; i++)
        CHECK_EQ(spn__io_file_close(packed.rig.io, files[i]), SPN_OK);
    packed_close();
    return at;
}

/* The copy near a waiting read is chosen. If that read is aborted before, the
 * copy nearest to the head is. */
static void unpack_reads_the_copy_near_waiting_reads(void)
{
    packed.is_deadline_order = true;
    CHECK(place_beside(WAITING) != place_beside(NOTHING));
    CHECK_EQ_U(place_beside(ABORTED), place_beside(NOTHING));
    packed.is_deadline_order = false;
}

TEST_MAIN(TEST(unpack_reads_the_copy_next_to_the_head),
          TEST(unpack_reads_the_nearest_copy_in_the_order_of_deadlines),
          TEST(unpack_reads_the_copy_near_waiting_reads))
