/* test_pak_names.c
 *
 * Goal: names that cause problems for a host or a terminal are found, each for
 *   its own reason, and no other names.
 * Method: names made by hand, alone and together with others.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "pack/pak_names.h"

#include <string.h>

static void flawed_names_are_found(void)
{
    static const char *const good[] = {
        "a",        "a/b.c",        "console",     "con2/x",   "com",
        "com10",    "lpt",          "nulls.txt",   "a.con",    "a b/c d",
        ".hidden",  "..a",          "auxiliary",   "\xc3\xa4", "conin",
        "\xc2\xa0", "\xe2\x80\x90", "\xe2\x81\xaa"};
    static const struct {
        const char *name;
        const char *flaw;
    } bad[] = {
        {"con", "device"},
        {"CON", "device"},
        {"Con.txt", "device"},
        {"a/b/aux/x", "device"},
        {"prn .txt", "device"},
        {"nul.tar.gz", "device"},
        {"COM1", "device"},
        {"x/lpt9.log", "device"},
        {"com\xc2\xb2", "device"},
        {"conin$", "device"},
        {"CONOUT$", "device"},
        {"a.", "dot or a space"},
        {"a /b", "dot or a space"},
        {"a...", "dot or a space"},
        {"a\xc2\x80", "control character"},
        {"a\xc2\x9f/b", "control character"},
        {"\xe2\x80\xaegnp", "writing direction"},
        {"a\xe2\x81\xa6", "writing direction"},
        {"\xd8\x9c", "writing direction"},
        {"\xe2\x80\x8f", "writing direction"},
        {"a\xe2\x80\xa8", "line separator"},
        {"what?", "Windows does not allow"},
        {"a/*", "Windows does not allow"},
        {"a|b", "Windows does not allow"},
        {"a:b", "no name that a pak can have"},
        {"../a", "no name that a pak can have"},
        {"\xff", "no name that a pak can have"},
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        test_context("%s", good[i]);
        CHECK(pak_name_flaw(good[i]) == NULL);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *flaw = pak_name_flaw(bad[i].name);

        test_context("%s", bad[i].name);
        CHECK(flaw != NULL && strstr(flaw, bad[i].flaw) != NULL);
    }
}

struct found {
    uint32_t count;
    uint32_t names[8];
    char why[8][320];
};

static void note(void *user, uint32_t name, const char *why)
{
    struct found *found = user;

    CHECK(found->count < 8);
    found->names[found->count] = name;
    strncpy(found->why[found->count++], why, 319);
}

static void names_that_differ_only_by_case_are_found(void)
{
    static const char *const alone[] = {"a/b", "a/c", "ab", "b", "a.c", "A1"};
    static const char *const twins[] = {
        "readme",       "x",          "\xc3\x84pfel", "\xd0\x96uk", "README",
        "\xc3\xa4pfel", "\xd0\xb6uk", "\xce\xa9",     "\xcf\x89"};
    struct found found = {0};

    CHECK(pak_names_check(alone, 6, note, &found));
    CHECK_EQ(found.count, 0);
    CHECK(!pak_names_check(twins, 9, note, &found));
    CHECK_EQ(found.count, 4);
    for (uint32_t i = 0; i < found.count; i++)
        CHECK(strstr(found.why[i], "differs only in case from ") != NULL);
    CHECK_EQ(found.names[0], 4);
    CHECK(strstr(found.why[0], "from readme") != NULL);
}

static void a_file_is_no_folder_of_others(void)
{
    static const char *const names[] = {"a/b/c", "A/B", "a!", "d"};
    struct found found = {0};

    CHECK(!pak_names_check(names, 4, note, &found));
    CHECK_EQ(found.count, 1);
    CHECK_EQ(found.names[0], 0);
    CHECK_STR(found.why[0], "lies in what is a file, too: A/B");
    CHECK(pak_names_check(names, 0, note, &found));
}

TEST_MAIN(TEST(flawed_names_are_found),
          TEST(names_that_differ_only_by_case_are_found),
          TEST(a_file_is_no_folder_of_others))
