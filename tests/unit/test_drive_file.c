/* test_drive_file.c
 *
 * Goal: a drive's text file gives the stated profile, or one line about its
 *   error. No bytes do harm.
 * Method: every built-in profile is printed and read back. Each kind of wrong
 *   line, every truncation and many flipped bits of a good file.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_file.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static struct diag diag;

static void begin(void)
{
    diag_init(&diag);
    diag.is_silent = true;
}

static bool parse(const char *text, spn_drive_profile *out)
{
    return drive_file_parse("f.txt", text, strlen(text), out, &diag);
}

static char *print(const spn_drive_profile *profile)
{
    char *text = calloc(1, 4096);
    FILE *file = tmpfile();

    CHECK(file != NULL && text != NULL);
    drive_file_print(profile, file);
    rewind(file);
    CHECK(fread(text, 1, 4095, file) > 0);
    fclose(file);
    return text;
}

static void files_come_back_as_they_were_printed(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        spn_drive_profile back;
        char *first = print(p);
        char *second;

        begin();
        memset(&back, 0xaa, sizeof back);
        test_context("%s", p->name);
        CHECK(parse(first, &back));
        second = print(&back);
        CHECK(strcmp(first, second) == 0);
        CHECK_EQ_U(back.layer_bytes, p->layer_bytes);
        CHECK_MEM(&back.seek, &p->seek, sizeof back.seek);
        free(first);
        free(second);
        diag_finish(&diag);
    }
}

static void files_inherit_from_a_named_profile(void)
{
    spn_drive_profile p;
    const spn_drive_profile *wii = spn_drive_profile_find("wii_dvd6x");

    begin();
    CHECK(parse("# mine\r\n\r\n  name=mine  # yes\r\nlike = wii_dvd6x\n"
                "rate_out = 9000000\nseek_far = 1 2 3",
                &p));
    CHECK(strcmp(p.name, "mine") == 0);
    CHECK(strcmp(p.about, wii->about) == 0);
    CHECK_EQ(p.rate_in, wii->rate_in);
    CHECK_EQ(p.rate_out, 9000000);
    CHECK_EQ(p.seek.far_piece.base_us, 1);
    CHECK_EQ(p.seek.far_piece.slope_us, 2);
    CHECK_EQ(p.seek.far_piece.root_us, 3);
    CHECK(!diag_has_failed(&diag));
    diag_finish(&diag);
}

static void check_refused(const char *text, const char *expected)
{
    spn_drive_profile p = {.layers = 4711};

    begin();
    test_context("%s", text);
    CHECK(!parse(text, &p));
    CHECK_EQ(p.layers, 4711);
    CHECK_EQ((int)diag.code, EXIT_INPUT_REFUSED);
    if (!strstr(diag.text, expected))
        test_fail(__FILE__, __LINE__, "the message is %s", diag.text);
    diag_finish(&diag);
}

#define GOOD "name = a\nlike = gc_dvd3x\n"

static void files_are_refused_by_line_and_key(void)
{
    check_refused("", "name: is missing");
    check_refused("like = gc_dvd3x\n",
                  "name: is missing: another drive than gc_dvd3x");
    check_refused("name = a\n", "rate_in: is missing");
    check_refused("name\n", "line 1, column 1: a line is \"key = value\"");
    check_refused(GOOD "  layer = 2\n",
                  "line 3, column 3: layer: unknown key; did "
                  "you mean \"layers\"?");
    check_refused(GOOD "zzzzzzzzz = 2\n", "zzzzzzzzz: unknown key");
    check_refused(GOOD "layers = 2\nlayers = 2\n", "is there twice");
    check_refused(GOOD "like = gc_dvd3x\n", "like: is there twice");
    check_refused("layers = 1\nlike = gc_dvd3x\n", "comes before");
    check_refused("# like\nlike = gc\n",
                  "line 2, column 8: like: no built-in drive \"gc\": ");
    check_refused("like = gc\n", "x360_dvd12x, ");
    check_refused(GOOD "layers = two\n",
                  "line 3, column 10: layers: a whole number");
    check_refused(GOOD "layers = -1\n", "layers: a whole number");
    check_refused(GOOD "layers = 1 2\n", "layers: a whole number");
    check_refused(GOOD "layers =\n", "layers: a whole number");
    check_refused(GOOD "layers = 4294967297\n", "layers: a whole number");
    check_refused(GOOD "layer_bytes = 18446744073709551616\n",
                  "layer_bytes: a whole number");
    check_refused(GOOD "layer_bytes = 18446744073709551615\n",
                  "layer_bytes: is missing, out of range");
    check_refused(GOOD "seek_near = 1 2\n", "seek_near: three whole numbers");
    check_refused(GOOD "seek_near = 1 2 3 4\n", "seek_near: three");
    /* Fields have the names of the file's keys. */
    check_refused(GOOD "seek_unit = 0\n", "seek_unit: is missing");
    check_refused(GOOD "seek_far = 4000000000 0 0\n", "seek_far: is missing");
    check_refused(GOOD "seek_near = 4000000000 0 0\nseek_near_limit = 1\n",
                  "seek_near: is missing");
    check_refused(GOOD "motion = fast\n", "motion: one of: cav clv zones");
    check_refused(GOOD "distance = c\n", "distance: one of: radius bytes");
    check_refused("name = abcdefghijklmnopqrstuvwxyz\n", "1 to 23 bytes");
    check_refused("name =\n", "1 to 23 bytes");
    check_refused("name = a\033[31mb\n", "name: has a control byte");
    check_refused(GOOD "about = a\177b\n", "about: has a control byte");
    check_refused(GOOD "about = a\xc2\x9bm\n", "about: has a control byte");
    check_refused(GOOD "radius_out_um = 24000\n", "radius_out_um:");
}

static void files_survive_every_truncation_and_flip(void)
{
    char *text = print(spn_drive_profile_find("ps4_bd6x"));
    size_t bytes = strlen(text);
    struct test_random random = {12};
    spn_drive_profile p;
    const char *what;

    for (size_t at = 0; at <= bytes; at++) {
        begin();
        if (drive_file_parse("f", text, at, &p, &diag))
            CHECK_EQ(spn_drive_profile_check(&p, &what), SPN_OK);
        diag_finish(&diag);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        size_t at = test_random_below(&random, (uint32_t)bytes);
        char was = text[at];

        text[at] = (char)test_random_below(&random, 256);
        begin();
        test_context("seed 12, round %u", i);
        if (drive_file_parse("f", text, bytes, &p, &diag))
            CHECK_EQ(spn_drive_profile_check(&p, &what), SPN_OK);
        else
            CHECK_EQ((int)diag.code, EXIT_INPUT_REFUSED);
        diag_finish(&diag);
        text[at] = was;
    }
    free(text);
}

static void files_that_are_large_or_long_are_refused(void)
{
    static char text[DRIVE_FILE_BYTES_MAX + 1];
    spn_drive_profile p;

    memset(text, '\n', sizeof text);
    begin();
    CHECK(!drive_file_parse("f", text, sizeof text, &p, &diag));
    CHECK(strstr(diag.text, "too many") != NULL);
    diag_finish(&diag);
    memset(text, 'a', 300);
    begin();
    CHECK(!drive_file_parse("f", text, sizeof text - 1, &p, &diag));
    CHECK(strstr(diag.text, "more than 255") != NULL);
    diag_finish(&diag);
    text[10] = '\0';
    text[20] = '\n';
    begin();
    CHECK(!drive_file_parse("f", text, 40, &p, &diag));
    CHECK(strstr(diag.text, "not a text") != NULL);
    diag_finish(&diag);
}

TEST_MAIN(TEST(files_come_back_as_they_were_printed),
          TEST(files_inherit_from_a_named_profile),
          TEST(files_are_refused_by_line_and_key),
          TEST(files_survive_every_truncation_and_flip),
          TEST(files_that_are_large_or_long_are_refused))
