/* test_drive_read.c
 *
 * Goal: a drive charges each read the cost that follows from its state: seek,
 *   rotation, buffer, gap, blocks, motor, bad blocks.
 * Method: sequences of reads with the profile of the Xbox 360. Each part of
 *   the cost is compared with the disc's arithmetic.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"
#include "disc/drive_disc.h"
#include "harness.h"

#define BLOCK 32768u
#define HOME ((uint64_t)BLOCK * 20000)

static struct drive drive;
static const spn_drive_profile *profile;
static struct drive_cost cost;
static uint64_t end_us;

static void read_at(uint64_t offset, uint64_t bytes, uint64_t now_us)
{
    CHECK_EQ(spn__drive_read(&drive, offset, bytes, now_us, &cost, &end_us),
             SPN_OK);
    CHECK(spn__drive_check(&drive));
}

/* The drive spins. The last read ended at `end_us` with block HOME. */
static void open_drive(void)
{
    profile = spn_drive_profile_find("x360_dvd12x");
    CHECK(profile != NULL);
    spn__drive_init(&drive, profile);
    read_at(HOME - BLOCK, BLOCK, 0);
    CHECK_EQ_U(drive.head, HOME);
}

static void drive_spins_up_once(void)
{
    open_drive();
    CHECK_EQ(cost.spin_us, 2000000);
    CHECK_EQ(cost.command_us, 600);
    CHECK_EQ_U(end_us, spn__drive_cost_us(&cost));
    read_at(0, 1, end_us);
    CHECK_EQ(cost.spin_us, 0);
    spn__drive_stop(&drive);
    read_at(BLOCK, 1, end_us);
    CHECK_EQ(cost.spin_us, 2000000);
    CHECK(!cost.is_buffered);
}

static void drive_check_finds_damage(void)
{
    struct drive whole;

    open_drive();
    CHECK(spn__drive_check(&drive));
    whole = drive;
    drive.head = spn__drive_disc_bytes(profile) + 1;
    CHECK(!spn__drive_check(&drive));
    drive = whole;
    drive.ahead = drive.head - 1;
    CHECK(!spn__drive_check(&drive));
    drive = whole;
    drive.is_spinning = false;
    CHECK(!spn__drive_check(&drive));
    drive = whole;
    drive.profile = NULL;
    CHECK(!spn__drive_check(&drive));
    drive = whole;
    spn__drive_stop(&drive);
    CHECK(spn__drive_check(&drive));
}

static void drive_refuses_ranges_beyond_disc_or_time(void)
{
    uint64_t disc;

    open_drive();
    disc = spn__drive_disc_bytes(profile);
    cost.seek_us = 4711;
    CHECK_EQ(spn__drive_read(&drive, disc, 1, end_us, &cost, &end_us),
             SPN_ERR_ARG);
    CHECK_EQ(spn__drive_read(&drive, 1, disc, end_us, &cost, &end_us),
             SPN_ERR_ARG);
    CHECK_EQ(spn__drive_read(&drive, UINT64_MAX, 2, end_us, &cost, &end_us),
             SPN_ERR_ARG);
    read_at(0, 0, 100);
    CHECK_EQ_U(spn__drive_cost_us(&cost), 0);
    CHECK_EQ(spn__drive_read(&drive, 0, 1, 99, &cost, &end_us), SPN_ERR_ARG);
    CHECK_EQ_U(drive.head, HOME);
    read_at(disc - 1, 1, end_us);
    CHECK_EQ_U(drive.head, disc);
}

static void drive_seeks_and_waits_for_the_sector(void)
{
    uint64_t now;

    open_drive();
    now = end_us; /* nothing is read ahead yet */
    read_at(10 * HOME, BLOCK, now);
    CHECK_EQ(cost.seek_us, spn__drive_seek_us(profile, HOME, 10 * HOME));
    CHECK_EQ(cost.rotate_us, spn__drive_rotate_us(profile, 10 * HOME,
                                                  now + 600 + cost.seek_us));
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, 10 * HOME, BLOCK));
    CHECK_EQ(cost.gap_us, 0);
    CHECK(!cost.is_buffered);
    CHECK_EQ_U(end_us, now + spn__drive_cost_us(&cost));
}

/* Dolphin's seeks include the first block. The others follow at the rates of
 * their places. */
static void drive_charges_a_block_in_a_seek_once(void)
{
    uint64_t far;

    open_drive();
    profile = spn_drive_profile_find("wii_dvd6x");
    spn__drive_init(&drive, profile);
    read_at(0, BLOCK, 0);
    far = 2 * HOME;
    read_at(far + 100, 1, end_us);
    CHECK(cost.seek_us > 0);
    CHECK_EQ(cost.transfer_us, 0);
    CHECK_EQ_U(drive.head, far + BLOCK);
    CHECK_EQ(spn__drive_in_seek_us(profile, far),
             spn__drive_transfer_us(profile, far, BLOCK));
    read_at(2 * far, 3 * BLOCK, end_us);
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, 2 * far + BLOCK, 2 * BLOCK));
    /* Without a seek every block is charged. */
    read_at(2 * far + 3 * BLOCK, 2 * BLOCK, end_us);
    CHECK_EQ(cost.seek_us, 0);
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, 2 * far + 3 * BLOCK, 2 * BLOCK));
}

static void drive_reads_whole_blocks(void)
{
    open_drive();
    read_at(3 * HOME + BLOCK - 1, 2, end_us);
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, 3 * HOME, 2 * BLOCK));
    CHECK_EQ_U(drive.head, 3 * HOME + 2 * BLOCK);
}

static void drive_continues_without_a_seek(void)
{
    open_drive();
    read_at(HOME, 4 * BLOCK, end_us);
    CHECK_EQ(cost.seek_us + cost.rotate_us + cost.gap_us, 0);
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, HOME, 4 * BLOCK));
}

static void drive_reads_ahead_into_its_buffer(void)
{
    uint64_t later;

    open_drive();
    later = end_us + spn__drive_transfer_us(profile, HOME, 8 * BLOCK) + 10;
    /* Eight blocks and a part of the next lie in the buffer. */
    read_at(HOME + 2 * BLOCK, 2 * BLOCK, later);
    CHECK(cost.is_buffered);
    CHECK_EQ(cost.seek_us + cost.rotate_us + cost.gap_us, 0);
    CHECK_NEAR(cost.transfer_us, 2 * BLOCK / 33.0, 2);
    /* Four more blocks are in the buffer, the others come from the disc. */
    read_at(HOME + 4 * BLOCK, 8 * BLOCK, end_us);
    CHECK(cost.is_buffered);
    CHECK(cost.transfer_us < spn__drive_transfer_us(profile, HOME, 8 * BLOCK));
    CHECK(cost.transfer_us > spn__drive_transfer_us(profile, HOME, 3 * BLOCK));
    /* After any wait, the buffer holds no more than its size. */
    read_at(HOME + 12 * BLOCK + profile->buffer_bytes, BLOCK,
            end_us + 60000000);
    CHECK(!cost.is_buffered || cost.transfer_us >= 1000);
}

static void drive_buffers_whole_blocks(void)
{
    uint32_t block_us;
    uint64_t ended;

    open_drive();
    ended = end_us;
    block_us = spn__drive_transfer_us(profile, HOME, BLOCK);
    /* A part of the block was read ahead. The read takes less time, but does
     * not count as buffered. */
    read_at(HOME, BLOCK, ended + block_us / 2);
    CHECK(!cost.is_buffered);
    CHECK(cost.transfer_us > block_us / 2 - 2);
    CHECK(cost.transfer_us < block_us);
    open_drive();
    read_at(HOME, BLOCK, ended + block_us + 2);
    CHECK(cost.is_buffered);
}

/* The interface transfers the requested bytes, not their whole blocks. */
static void drive_copies_single_bytes_out_of_its_buffer(void)
{
    open_drive();
    read_at(HOME - 3300, 3300, end_us);
    CHECK(cost.is_buffered);
    CHECK_EQ(cost.transfer_us, 100);
    open_drive();
    read_at(HOME - 2 * BLOCK + 3300, 6600, end_us);
    CHECK_EQ(cost.transfer_us, 200);
    /* Bytes that are not buffered are read in whole blocks. */
    open_drive();
    read_at(HOME - 3300, 3301, end_us);
    CHECK_EQ(cost.transfer_us,
             100 + spn__drive_transfer_us(profile, HOME, BLOCK));
}

static void drive_keeps_two_blocks_behind_the_head(void)
{
    open_drive();
    read_at(HOME - 2 * BLOCK, BLOCK, end_us);
    CHECK(cost.is_buffered);
    CHECK_EQ(cost.seek_us, 0);
    open_drive();
    read_at(HOME - 3 * BLOCK, BLOCK, end_us);
    CHECK(!cost.is_buffered);
    CHECK(cost.seek_us >= 35000);
}

static void drive_waits_for_sectors_a_little_ahead(void)
{
    open_drive();
    read_at(HOME + 10 * BLOCK, BLOCK, end_us);
    CHECK_EQ(cost.seek_us + cost.rotate_us, 0);
    CHECK_EQ(cost.gap_us, spn__drive_transfer_us(profile, HOME, 10 * BLOCK));
    open_drive();
    read_at(HOME + profile->buffer_bytes + BLOCK, BLOCK, end_us);
    CHECK_EQ(cost.gap_us, 0);
    CHECK(cost.seek_us >= 35000);
}

/* Filling the buffer takes longer than moving the head past it. */
static void drive_seeks_over_a_gap_that_takes_longer(void)
{
    uint64_t far;
    uint64_t now;

    open_drive();
    far = HOME + profile->buffer_bytes;
    now = end_us;
    read_at(far, BLOCK, now);
    CHECK_EQ(cost.gap_us, 0);
    CHECK_EQ(cost.seek_us, spn__drive_seek_us(profile, HOME, far));
    CHECK_EQ(cost.rotate_us,
             spn__drive_rotate_us(profile, far, now + 600 + cost.seek_us));
    CHECK_EQ(cost.transfer_us, spn__drive_transfer_us(profile, far, BLOCK));
    CHECK(!cost.is_buffered);
    /* The seek begins where the head has read to at that time. */
    open_drive();
    now = end_us + spn__drive_transfer_us(profile, HOME, 8 * BLOCK);
    read_at(far, BLOCK, now);
    CHECK(cost.seek_us + cost.rotate_us > 0);
    CHECK_EQ(cost.rotate_us,
             spn__drive_rotate_us(profile, far, now + 600 + cost.seek_us));
}

/* For every drive, any distance ahead, and any time since the last read. */
static void drive_chooses_the_faster_of_seek_and_wait(void)
{
    uint32_t gaps = 0;
    uint32_t seeks = 0;

    for (uint32_t i = 0; (profile = spn_drive_profile_at(i)) != NULL; i++) {
        uint64_t ecc = profile->ecc_bytes;
        uint64_t home = spn__drive_disc_bytes(profile) / 3 / ecc * ecc;

        for (uint64_t gap = ecc; gap <= profile->buffer_bytes; gap += ecc) {
            uint64_t to = home + gap;
            uint32_t through_us = spn__drive_transfer_us(profile, home, gap);
            uint32_t over_us = spn__drive_seek_us(profile, home, to);
            uint32_t block_us = spn__drive_transfer_us(profile, to, ecc);

            test_context("%s: %llu bytes ahead", profile->name,
                         (unsigned long long)gap);
            spn__drive_init(&drive, profile);
            read_at(home - ecc, ecc, 0);
            if (profile->motion != SPN_DRIVE_ZONES)
                over_us += spn__drive_rotate_us(
                    profile, to, end_us + profile->command_us + over_us);
            read_at(to, ecc, end_us);
            /* Where a seek includes the block, nothing is left to transfer. */
            through_us += block_us;
            if (profile->seek_blocks == 0)
                over_us += block_us;
            CHECK_EQ(cost.seek_us + cost.rotate_us + cost.gap_us +
                         cost.transfer_us,
                     through_us < over_us ? through_us : over_us);
            gaps += cost.gap_us > 0;
            seeks += cost.seek_us > 0;
        }
    }
    CHECK(gaps > 20);
    CHECK(seeks > 20);
}

static void drive_queues_a_read_behind_the_last(void)
{
    uint64_t busy_until;

    open_drive();
    read_at(5 * HOME, BLOCK, end_us);
    busy_until = end_us;
    read_at(HOME, BLOCK, drive.now_us);
    CHECK_EQ_U(end_us, busy_until + spn__drive_cost_us(&cost));
}

static void drive_is_slow_after_bad_blocks(void)
{
    spn_drive_profile half;
    uint64_t before;
    uint32_t us;

    open_drive();
    half = *profile;
    half.rate_in /= 2;
    half.rate_out /= 2;
    half.turns_mhz /= 2;
    before = end_us;
    CHECK_EQ(spn__drive_retry(&drive, HOME, 0), 0);
    CHECK_EQ_U(drive.end_us, before);
    us = spn__drive_retry(&drive, HOME, 3);
    CHECK_EQ(us, 3 * 4 * spn__drive_turn_us(profile, HOME));
    CHECK_EQ_U(drive.end_us, before + us);
    /* The disc turns at half the speed. Everything except the head is
     * slower. */
    before = drive.end_us;
    read_at(5 * HOME, 32 * BLOCK, before);
    CHECK_NEAR(cost.transfer_us,
               2.0 * spn__drive_transfer_us(profile, 5 * HOME, 32 * BLOCK), 1);
    CHECK_EQ(cost.seek_us, spn__drive_seek_us(profile, HOME, 5 * HOME));
    CHECK_EQ(cost.rotate_us, spn__drive_rotate_us(&half, 5 * HOME,
                                                  before + 600 + cost.seek_us));
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(&half, 5 * HOME, 32 * BLOCK));
    /* Reading ahead and retries are slower too. */
    before = end_us;
    read_at(drive.head + 12 * BLOCK, BLOCK, before + 20000);
    CHECK_NEAR(cost.gap_us,
               spn__drive_transfer_us(&half, 5 * HOME, 12 * BLOCK) - 20000.0,
               50);
    CHECK_EQ(spn__drive_retry(&drive, HOME, 1),
             4 * spn__drive_turn_us(&half, HOME));
    read_at(8 * HOME, 32 * BLOCK, drive.end_us + 10000000);
    CHECK_EQ(cost.transfer_us,
             spn__drive_transfer_us(profile, 8 * HOME, 32 * BLOCK));
}

static void drive_is_reset_by_a_new_disc(void)
{
    open_drive();
    spn__drive_insert(&drive, end_us + 5000000);
    read_at(0, BLOCK, end_us);
    CHECK_EQ(cost.spin_us, 0);
    CHECK(!cost.is_buffered);
    /* There was no read before that this one could continue. */
    CHECK_EQ(cost.seek_us, spn__drive_seek_us(profile, 0, 0));
    CHECK(cost.seek_us > 0);
    CHECK_EQ_U(end_us - spn__drive_cost_us(&cost), drive.now_us + 5000000);
}

static void drive_keeps_its_buffer_while_it_is_held(void)
{
    uint64_t ended;
    uint64_t later;

    open_drive();
    ended = end_us;
    later = ended + spn__drive_transfer_us(profile, HOME, 8 * BLOCK) + 10;
    spn__drive_hold(&drive, later, later + 5000000);
    /* The buffer holds eight blocks after any length of hold. */
    read_at(HOME + 7 * BLOCK, BLOCK, later);
    CHECK(cost.is_buffered);
    CHECK_EQ_U(end_us, later + 5000000 + spn__drive_cost_us(&cost));
    open_drive();
    spn__drive_hold(&drive, later, later + 5000000);
    read_at(HOME + 9 * BLOCK, BLOCK, later);
    CHECK(!cost.is_buffered);
    /* A hold that ended in the past delays no read. */
    later = end_us;
    spn__drive_hold(&drive, 0, 1);
    read_at(5 * HOME, BLOCK, later);
    CHECK_EQ_U(end_us, later + spn__drive_cost_us(&cost));
}

static void drive_without_rotation_waits_for_no_sector(void)
{
    spn_drive_profile still;

    open_drive();
    still = *profile;
    still.turns_mhz = 0;
    still.rate_out = still.rate_in;
    for (int motion = 0; motion < 2; motion++) {
        still.motion = motion ? SPN_DRIVE_CLV : SPN_DRIVE_CAV;
        spn__drive_init(&drive, &still);
        read_at(5 * HOME, BLOCK, 0);
        CHECK_EQ(cost.rotate_us, 0);
        CHECK_EQ(spn__drive_turn_us(&still, HOME), 0);
        CHECK_EQ(spn__drive_retry(&drive, HOME, 100), 0);
        CHECK_EQ(spn__drive_expect_us(&still, 0, 5 * HOME),
                 spn__drive_seek_us(&still, 0, 5 * HOME));
    }
}

/* A change of layer costs the same once, whether a read ends before it, crosses
 * it or begins behind it, and for any length of reading before. */
static void drive_pays_for_the_layer_once(void)
{
    const uint32_t mib = 1 << 20;
    uint64_t end;

    for (uint32_t wait = 0; wait < 2; wait++) {
        open_drive();
        end = profile->layer_bytes - profile->layer_bytes % BLOCK;
        read_at(end - 2 * mib, mib, end_us);
        read_at(end - mib, mib, end_us);
        CHECK_EQ(cost.seek_us, 0);
        read_at(end, mib, end_us + 1000000 * wait);
        CHECK_EQ(cost.seek_us, profile->layer_us);
        read_at(end + mib, mib, end_us);
        CHECK_EQ(cost.seek_us, 0);
    }
    open_drive();
    read_at(end - 2 * mib, mib, end_us);
    read_at(end - mib, 2 * mib, end_us);
    CHECK_EQ(cost.seek_us, profile->layer_us);
    open_drive();
    read_at(end - 2 * mib, mib, end_us);
    read_at(end + mib, mib, end_us);
    CHECK(cost.seek_us + cost.gap_us >= profile->layer_us);
    CHECK(cost.seek_us + cost.gap_us <
          2 * profile->layer_us + profile->layer_us / 4);
    open_drive();
    read_at(end - HOME, mib, end_us);
    CHECK_EQ(cost.seek_us, spn__drive_seek_us(profile, HOME, end - HOME));
    read_at(end + HOME, mib, end_us);
    CHECK_EQ(cost.seek_us,
             spn__drive_seek_us(profile, end - HOME + mib, end + HOME));
}

TEST_MAIN(TEST(drive_spins_up_once),
          TEST(drive_refuses_ranges_beyond_disc_or_time),
          TEST(drive_seeks_and_waits_for_the_sector),
          TEST(drive_charges_a_block_in_a_seek_once),
          TEST(drive_reads_whole_blocks), TEST(drive_continues_without_a_seek),
          TEST(drive_reads_ahead_into_its_buffer),
          TEST(drive_buffers_whole_blocks),
          TEST(drive_copies_single_bytes_out_of_its_buffer),
          TEST(drive_keeps_two_blocks_behind_the_head),
          TEST(drive_waits_for_sectors_a_little_ahead),
          TEST(drive_seeks_over_a_gap_that_takes_longer),
          TEST(drive_chooses_the_faster_of_seek_and_wait),
          TEST(drive_queues_a_read_behind_the_last),
          TEST(drive_is_slow_after_bad_blocks),
          TEST(drive_is_reset_by_a_new_disc),
          TEST(drive_keeps_its_buffer_while_it_is_held),
          TEST(drive_without_rotation_waits_for_no_sector),
          TEST(drive_pays_for_the_layer_once), TEST(drive_check_finds_damage))
