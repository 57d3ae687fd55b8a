/* test_burst.c
 *
 * Goal: the reads that a scene starts at once take little more time than the
 *   transfer of their bytes, for every kind of storage, if the bytes lie
 *   together.
 * Method: the burst of tests/support/burst.h in virtual time, which is the
 *   same on every machine.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/burst.h"

/* In the middle of a disc layer. */
#define SCENE 8u
/* A sanitizer needs only a third of the cases to see the same code. */
#define CASE_STEP (TEST_IS_SANITIZED ? 3u : 1u)

static uint64_t permille(const struct burst_config *config)
{
    struct burst b;

    burst_run(config, &b);
    test_context("%s: %u of %u us", burst_names[config->kind],
                 (unsigned)b.read_us, (unsigned)b.transfer_us);
    CHECK(b.read_us >= b.transfer_us);
    return b.read_us * 1000 / b.transfer_us;
}

static void burst_from_a_pak_takes_little_more_than_its_transfer(void)
{
    CHECK(permille(&(struct burst_config){.kind = BURST_PLAIN,
                                          .scene = SCENE}) <= 1050);
    CHECK(permille(&(struct burst_config){.kind = BURST_PLAIN,
                                          .scene = SCENE,
                                          .comes_from_outside = true,
                                          .has_others = true}) <= 1060);
}

/* The drive transfers half the bytes. Seeks and commands take as long as
 * before. */
static void burst_from_a_compressed_pak_is_coalesced(void)
{
    CHECK(permille(&(struct burst_config){.kind = BURST_PACKED,
                                          .scene = SCENE}) <= 1100);
    CHECK(permille(&(struct burst_config){
              .kind = BURST_PACKED, .scene = SCENE, .is_typed = true}) <= 1100);
    CHECK(permille(&(struct burst_config){.kind = BURST_PACKED,
                                          .scene = SCENE,
                                          .comes_from_outside = true,
                                          .has_others = true}) <= 1130);
}

/* Sounds are first, other types in no order, some entries are never read. Also
 * with deadlines that no drive can keep. All entries are read in one sweep. */
static void burst_of_several_types_is_one_sweep_as_packed_by_its_trace(void)
{
    for (uint32_t i = 0; i < 8; i += CASE_STEP) {
        struct burst_config config = {.kind =
                                          i & 1 ? BURST_PACKED : BURST_PLAIN,
                                      .scene = SCENE,
                                      .is_typed = true,
                                      .comes_from_outside = i & 2,
                                      .has_deadlines = i & 2,
                                      .has_others = i & 4,
                                      .is_packed_by_trace = true};

        CHECK(permille(&config) <= (i & 1 ? 1100 : 1050));
    }
    /* Near the outer edge some sounds were left behind. */
    CHECK(permille(&(struct burst_config){.kind = BURST_PACKED,
                                          .scene = 16,
                                          .is_typed = true,
                                          .is_packed_by_trace = true}) <= 1120);
}

/* Entries shared with the neighbouring scenes have a copy in each of the three
 * scenes. The head stays in this scene's range, and uses some of the copies
 * that it passes on its way. */
static void burst_reads_the_copies_of_its_own_scene(void)
{
    for (uint32_t i = 0; i < 6; i += CASE_STEP) {
        struct burst_config config = {.kind =
                                          i & 1 ? BURST_PACKED : BURST_PLAIN,
                                      .scene = SCENE,
                                      .is_typed = i < 2 || i >= 4,
                                      .comes_from_outside = i >= 2,
                                      .has_deadlines = i >= 4,
                                      .has_neighbours = true};
        uint64_t bound = config.comes_from_outside ? 1220 : 1110;

        CHECK(permille(&config) <= bound);
    }
}

/* Each file needs a command of its own. With the 60 other files between them,
 * the head must also cross two gaps. */
static void burst_of_loose_files_takes_little_more_than_its_transfer(void)
{
    for (uint32_t i = 0; i < 8; i += CASE_STEP) {
        struct burst_config config = {.kind = BURST_LOOSE,
                                      .scene = SCENE,
                                      .is_typed = i & 1,
                                      .comes_from_outside = i & 2,
                                      .is_packed_by_trace = i & 4};

        CHECK(permille(&config) <= 1100);
    }
    CHECK(permille(&(struct burst_config){.kind = BURST_LOOSE,
                                          .scene = SCENE,
                                          .comes_from_outside = true,
                                          .has_others = true}) <= 1115);
}

TEST_MAIN(TEST(burst_from_a_pak_takes_little_more_than_its_transfer),
          TEST(burst_from_a_compressed_pak_is_coalesced),
          TEST(burst_of_several_types_is_one_sweep_as_packed_by_its_trace),
          TEST(burst_reads_the_copies_of_its_own_scene),
          TEST(burst_of_loose_files_takes_little_more_than_its_transfer))
