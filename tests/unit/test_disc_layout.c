/* test_disc_layout.c
 *
 * Goal: a layout text gives the places that its lines state, or one line
 *   about its error. No bytes do harm.
 * Method: each kind of line, each kind of error, every truncation and many
 *   flipped bits of a good text. An emulator validates each layout that was
 *   read.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/disc_layout.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag diag;
static struct arena arena; /* of the layout */
static struct disc_layout layout;

static bool parse_bytes(const char *text, size_t bytes)
{
    diag_init(&diag);
    diag.is_silent = true;
    return disc_layout_parse("l.txt", text, bytes,
                             spn_drive_profile_find("wii_dvd6x"), &arena,
                             &layout, &diag);
}

static void check_place(uint32_t index, const char *pattern, uint32_t drive,
                        uint64_t offset)
{
    CHECK(index < layout.count);
    CHECK_STR(layout.places[index].pattern, pattern);
    CHECK_EQ_U(layout.places[index].drive, drive);
    CHECK_EQ_U(layout.places[index].offset, offset);
}

static void end(void)
{
    arena_free(&arena);
    diag_finish(&diag);
}

static void check_parsed(const char *text, uint32_t count)
{
    test_context("%s", text);
    CHECK(parse_bytes(text, strlen(text)));
    CHECK_EQ_U(layout.count, count);
    CHECK_EQ(diag.code, EXIT_DONE);
}

static void check_refused(const char *text, const char *word)
{
    test_context("%s", text);
    CHECK(!parse_bytes(text, strlen(text)));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    if (!strstr(diag.text, word))
        test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", word, diag.text);
    CHECK(layout.places == NULL);
    CHECK_EQ_U(layout.count, 0);
    end();
}

static void layouts_are_places_in_order(void)
{
    check_parsed("# a level\n"
                 "\n"
                 "0 intro.sgc\n"
                 "  300000000\tlevels/1/*\r\n"
                 "-  saves/*\n"
                 "9399959551 two words # and more \t\n"
                 "   # another\n"
                 "12 last",
                 5);
    check_place(0, "intro.sgc", 0, 0);
    check_place(1, "levels/1/*", 0, 300000000);
    check_place(2, "saves/*", SPN_EMULATOR_NO_DRIVE, 0);
    check_place(3, "two words # and more", 0, 9399959551);
    check_place(4, "last", 0, 12);
    end();
    check_parsed("1 a", 1);
    end();
    check_parsed("1 ä/ö*\n\n", 1);
    end();
}

static void layouts_are_refused_with_the_place(void)
{
    check_refused("", "no place");
    check_refused("# nothing\n\n", "no place");
    check_refused("0 a\n  b 0\n", "line 2, column 3: a line is");
    check_refused("0 a\nb 0\n", "byte of the disc");
    check_refused("+1 a\n", "byte of the disc");
    check_refused("--1 a\n", "byte of the disc");
    check_refused("0x10 a\n", "byte of the disc");
    check_refused("1.5 a\n", "byte of the disc");
    check_refused("18446744073709551616 a\n", "byte of the disc");
    check_refused("\n9399959552 a\n",
                  "line 2, column 1: byte 9399959552 of a disc of 9399959552");
    check_refused("0\n", "no pattern");
    check_refused("0 a\n-  \t\n", "line 2, column 5: no pattern");
    check_refused("0 a\n5 b\n7 a\n7 a\n", "\"a\" is there twice");
    check_refused("0 a\n5 b\n7 a\n", "line 3, column 3: \"a\" is there");
    test_context("a byte of 0");
    CHECK(!parse_bytes("0 a\n1 b\0c\n", 10));
    CHECK(strstr(diag.text, "line 2, column 4: a byte of 0") != NULL);
    end();
}

static void layouts_of_files_are_read(void)
{
    char path[512];
    FILE *file;

    diag_init(&diag);
    diag.is_silent = true;
    snprintf(path, sizeof path, "%s/layout", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs("4096 x*\n", file);
    fclose(file);
    CHECK(disc_layout_read(path, spn_drive_profile_find("wii_dvd6x"), &arena,
                           &layout, &diag));
    check_place(0, "x*", 0, 4096);
    arena_free(&arena);
    strcat(path, "2");
    CHECK(!disc_layout_read(path, spn_drive_profile_find("wii_dvd6x"), &arena,
                            &layout, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    arena_free(&arena);
    file = fopen(path, "wb");
    CHECK(file != NULL);
    fclose(file);
    CHECK(!disc_layout_read(path, spn_drive_profile_find("wii_dvd6x"), &arena,
                            &layout, &diag));
    end();
}

static void check_harmless(const char *text, size_t bytes)
{
    if (parse_bytes(text, bytes)) {
        CHECK(layout.count > 0);
        for (uint32_t i = 0; i < layout.count; i++)
            CHECK(layout.places[i].pattern[0] != '\0');
    }
    end();
}

static void layouts_of_random_bytes_do_no_harm(void)
{
    static const char good[] = "# l\n0 a/*\n123456 b c\n- d*\n\t77 e\n";
    struct test_random random = {41};
    char text[sizeof good];

    for (size_t bytes = 0; bytes < sizeof good; bytes++) {
        test_context("%zu bytes", bytes);
        check_harmless(good, bytes);
    }
    for (uint32_t round = 0; round < 20000; round++) {
        size_t bytes = 1 + test_random_below(&random, sizeof good - 1);

        test_context("seed 41, round %u", round);
        memcpy(text, good, sizeof good);
        for (uint32_t flips = 1 + test_random_below(&random, 3); flips > 0;
             flips--)
            text[test_random_below(&random, (uint32_t)bytes)] =
                (char)test_random_below(&random, 256);
        check_harmless(text, bytes);
    }
}

TEST_MAIN(TEST(layouts_are_places_in_order),
          TEST(layouts_are_refused_with_the_place),
          TEST(layouts_of_files_are_read),
          TEST(layouts_of_random_bytes_do_no_harm))
