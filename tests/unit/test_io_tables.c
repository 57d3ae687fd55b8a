/* test_io_tables.c
 *
 * Goal: files open late and close early. The tables of files and reads are
 *   bounded, and their slots are reused.
 * Method: the disc's opens and closes; tables filled to the last slot.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_fixture.h"

static void io_files_open_late_and_close_when_no_read_needs_them(void)
{
    spn_file file;

    rig_open(&rig, NULL);
    rig.slow.command_us = 100;
    file = rig_file(&rig, "a");
    rig_run(&rig);
    CHECK_EQ(rig.slow.opens, 0);
    begin_normal(0, file, 0, 9000);
    begin_normal(1, file, 20000, 9000);
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.opens, 1);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_ERR_HANDLE);
    {
        spn_read_desc desc =
            rig_desc(&rig, &reads[2], file, 0, 100, buffers[2]);

        CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[2].handle),
                 SPN_ERR_HANDLE);
    }
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.closes, 0);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 9000);
    rig_check_bytes(&reads[1], 0, 20000, 9000);
    CHECK_EQ(rig.slow.opens, 1);
    CHECK_EQ(rig.slow.closes, 1);
    CHECK(spn__io_is_idle(rig.io));
    rig_close(&rig);
}

static void io_file_table_is_bounded_and_reused(void)
{
    spn_file files[3];
    spn_file extra = 99;

    rig_open(&rig, &(struct rig_config){.file_count = 3});
    for (uint32_t i = 0; i < 3; i++)
        files[i] = rig_file(&rig, "a");
    CHECK_EQ(spn__io_file_open(rig.io, "b", &extra), SPN_ERR_TABLE_FULL);
    CHECK_EQ(extra, 99);
    for (uint32_t i = 0; i < 70000; i++) {
        CHECK_EQ(spn__io_file_close(rig.io, files[1]), SPN_OK);
        rig_step_io(&rig);
        extra = rig_file(&rig, "b");
        CHECK(extra != files[1]);
        files[1] = extra;
    }
    rig_close(&rig);
}

static void io_file_size_is_known_after_its_first_read(void)
{
    struct file_facts facts;
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    CHECK_EQ(spn__io_file_facts(rig.io, file, &facts), SPN_PENDING);
    /* the read fails, but the size is known */
    begin_normal(0, file, RIG_FILE_BYTES, 1);
    rig_run(&rig);
    CHECK_EQ(spn__io_file_facts(rig.io, file, &facts), SPN_OK);
    CHECK_EQ_U(facts.bytes, RIG_FILE_BYTES);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    CHECK_EQ(spn__io_file_facts(rig.io, file, &facts), SPN_ERR_HANDLE);
    rig_run(&rig);
    file = rig_file(&rig, "b");
    CHECK_EQ(spn__io_file_facts(rig.io, file, &facts), SPN_PENDING);
    rig_close(&rig);
}

static void io_read_table_is_bounded_and_reused(void)
{
    spn_read_desc desc;
    spn_file file;

    rig_open(&rig, &(struct rig_config){.read_count = 5});
    file = rig_file(&rig, "a");
    for (uint32_t round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < 5; i++)
            begin_normal(i, file, i * 100, 100);
        desc = rig_desc(&rig, &reads[5], file, 0, 100, buffers[5]);
        CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[5].handle), SPN_FULL);
        rig_run(&rig);
        for (uint32_t i = 0; i < 5; i++)
            rig_check_bytes(&reads[i], 0, i * 100, 100);
        CHECK_EQ(reads[5].async_count + reads[5].done_count, 0);
    }
    /* The refused reads no longer hold the file. */
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(rig.slow.closes, 1);
    rig_close(&rig);
}

TEST_MAIN(TEST(io_files_open_late_and_close_when_no_read_needs_them),
          TEST(io_file_table_is_bounded_and_reused),
          TEST(io_file_size_is_known_after_its_first_read),
          TEST(io_read_table_is_bounded_and_reused))
