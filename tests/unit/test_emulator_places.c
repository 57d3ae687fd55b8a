/* test_emulator_places.c
 *
 * Goal: a path gets the first place that matches it. Files of one pattern lie
 *   one behind the other and keep their places.
 * Method: tables of places and paths in all relevant orders, up to the last
 *   byte of the disc.
 */
/* SPDX-License-Identifier: MIT */
#include "emulator/emulator_places.h"
#include "harness.h"

#include <stdalign.h>
#include <string.h>

#define DISC 1000000u

static struct emulator_places places;
static alignas(64) uint8_t block[65536];

static void make(const spn_emulator_place *table, uint32_t count,
                 uint32_t capacity)
{
    struct carve carve = {.base = block, .limit = sizeof block};
    spn_drive_profile profile = *spn_drive_profile_find("x360_dvd12x");
    spn_emulator_drive drives[2] = {{.profile = &profile},
                                    {.profile = &profile}};
    spn_emulator_config config = {.drives = drives,
                                  .drive_count = 2,
                                  .places = table,
                                  .place_count = count};

    profile.layers = 1;
    profile.layer_bytes = DISC;
    memset(&places, 0, sizeof places);
    spn__places_init(&places, &carve, &config, capacity);
    CHECK(!carve.is_over);
}

static void check_at(const char *path, uint64_t bytes, uint32_t drive,
                     uint64_t offset)
{
    struct emulator_place place;

    test_context("%s", path);
    CHECK_EQ(spn__places_find(&places, path, bytes, &place), SPN_OK);
    CHECK_EQ_U(place.drive, drive);
    CHECK_EQ_U(place.offset, offset);
}

static void check_refused(const char *path, uint64_t bytes, spn_status status)
{
    struct emulator_place place = {4711, 0};

    test_context("%s", path);
    CHECK_EQ(spn__places_find(&places, path, bytes, &place), status);
    CHECK_EQ_U(place.drive, 4711);
}

static void patterns_match_whole_paths_and_ends_of_paths(void)
{
    CHECK(spn__places_match("a.ogg", "a.ogg"));
    CHECK(spn__places_match("a.ogg", "game/music/a.ogg"));
    CHECK(spn__places_match("music/a.ogg", "game/music/a.ogg"));
    CHECK(spn__places_match("music/a.ogg", "/music/a.ogg"));
    CHECK(spn__places_match("a.ogg", "c:\\music\\a.ogg"));
    CHECK(spn__places_match("/game/a.ogg", "/game/a.ogg"));
    CHECK(!spn__places_match("/game/a.ogg", "game/a.ogg"));
    CHECK(!spn__places_match("a.ogg", "aa.ogg"));
    CHECK(!spn__places_match("a.ogg", "a.ogg2"));
    CHECK(!spn__places_match("a.ogg", "a.og"));
    CHECK(!spn__places_match("a.ogg", "a.ogg/b"));
    CHECK(!spn__places_match("a", ""));
}

static void patterns_with_a_star_match_prefixes(void)
{
    CHECK(spn__places_match("*", "a"));
    CHECK(spn__places_match("*", ""));
    CHECK(spn__places_match("music/*", "game/music/b"));
    CHECK(spn__places_match("music/*", "music/b/c"));
    CHECK(spn__places_match("music/a*", "music/a"));
    CHECK(!spn__places_match("music/*", "game/musik/b"));
    CHECK(!spn__places_match("music/*", "game/xmusic/b"));
    /* A star is a wildcard only at the end of a pattern. */
    CHECK(!spn__places_match("a*c", "abc"));
    CHECK(spn__places_match("a*c", "a*c"));
}

static void files_lie_at_the_first_matching_place(void)
{
    static const spn_emulator_place table[] = {
        {"a", 1, 5000},
        {"in_memory/*", SPN_EMULATOR_NO_DRIVE, 0},
        {"a", 0, 7000},
        {"b", 0, 7001},
        {"x*", 1, 3000}};
    struct emulator_place place;

    make(table, 5, 8);
    check_at("a", 100, 1, 5000);
    check_at("b", 100, 0, 7001);
    check_at("dir/b", 100, 0, 7001);
    check_at("x1", 100, 1, 3000);
    check_at("other", 100, 0, 0);
    CHECK_EQ(spn__places_find(&places, "in_memory/c", DISC * 9, &place),
             SPN_OK);
    CHECK_EQ_U(place.drive, SPN_EMULATOR_NO_DRIVE);
}

static void files_of_a_pattern_lie_one_behind_the_other(void)
{
    static const spn_emulator_place table[] = {{"x/*", 0, 4097},
                                               {"y/*", 0, 4097}};

    make(table, 2, 8);
    check_at("x/2", 2048, 0, 4097);
    check_at("x/1", 1, 0, 4097 + 2048);
    check_at("y/1", 0, 0, 4097);
    check_at("y/2", 2049, 0, 4097);
    check_at("y/3", 1, 0, 4097 + 4096);
    check_at("x/3", 1, 0, 4097 + 4096);
    /* The same files in another order get the same places. */
    check_at("x/1", 1, 0, 4097 + 2048);
    check_at("x/2", 2048, 0, 4097);
    check_at("rest", 5000, 0, 0);
    check_at("more", 5000, 0, 6144);
}

static void files_end_on_the_disc(void)
{
    static const spn_emulator_place table[] = {{"last", 0, DISC - 10},
                                               {"x/*", 0, DISC - 4000}};

    make(table, 2, 8);
    check_at("last", 10, 0, DISC - 10);
    check_refused("last", 11, SPN_ERR_RANGE);
    check_refused("last", UINT64_MAX, SPN_ERR_RANGE);
    check_refused("x/1", 4001, SPN_ERR_RANGE);
    /* A refused file occupies no room. */
    check_at("x/2", 3000, 0, DISC - 4000);
    check_refused("x/3", 1, SPN_ERR_RANGE);
    /* The file has grown. */
    check_refused("x/2", 4001, SPN_ERR_RANGE);
    check_at("all", DISC, 0, 0);
    check_refused("more", 1, SPN_ERR_RANGE);
}

static void files_are_as_many_as_the_table_holds(void)
{
    static const spn_emulator_place table[] = {{"exact", 0, 1}};

    make(table, 1, 2);
    check_at("a", 1, 0, 0);
    check_at("b", 1, 0, 2048);
    check_refused("c", 1, SPN_ERR_TABLE_FULL);
    check_at("a", 1, 0, 0);
    /* Files with an exact place need no entry. */
    check_at("exact", 1, 0, 1);
}

TEST_MAIN(TEST(patterns_match_whole_paths_and_ends_of_paths),
          TEST(patterns_with_a_star_match_prefixes),
          TEST(files_lie_at_the_first_matching_place),
          TEST(files_of_a_pattern_lie_one_behind_the_other),
          TEST(files_end_on_the_disc),
          TEST(files_are_as_many_as_the_table_holds))
