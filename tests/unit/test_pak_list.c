/* test_pak_list.c
 *
 * Goal: names in a pak cannot send control characters to the terminal that
 *   lists it.
 * Method: list a pak with names that pack would refuse.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/report.h"
#include "pack/pak_list.h"
#include "pack/pak_reader.h"
#include "support/tiny_pak.h"

#include <stdio.h>
#include <string.h>

static void write_pak(const char *path, const struct tiny_pak_file *files,
                      uint32_t count)
{
    FILE *file = fopen(path, "wb");
    struct tiny_pak pak;

    CHECK(file != NULL);
    tiny_pak_make(&pak, files, count);
    CHECK_EQ(fwrite(pak.bytes, 1, pak.size, file), pak.size);
    CHECK_EQ(fclose(file), 0);
    tiny_pak_free(&pak);
}

static void names_are_printed_escaped(void)
{
    static const struct tiny_pak_file files[] = {
        {"a\xc2\x9b"
         "31mb",
         "x", 1, 0, 0, NULL},
        {"c\xe2\x80\xae"
         "d",
         "y", 1, 0, 0, NULL},
        {"e\xc3\xa4", "", 0, 0, 0, NULL}};
    FILE *list = tmpfile();
    struct pak_reader reader;
    struct diag diag;
    char path[512];
    char text[1024];

    snprintf(path, sizeof path, "%s/odd.spk", test_temp());
    write_pak(path, files, 3);
    diag_init(&diag);
    CHECK(pak_reader_open(&reader, path, &diag));
    CHECK(list != NULL);
    pak_list_print(&reader.index, list);
    pak_reader_close(&reader);
    diag_finish(&diag);
    rewind(list);
    text[fread(text, 1, sizeof text - 1, list)] = 0;
    fclose(list);
    CHECK(strstr(text, " a\\xc2\\x9b31mb\n") != NULL);
    CHECK(strstr(text, " c\\xe2\\x80\\xaed\n") != NULL);
    CHECK(strstr(text, " e\xc3\xa4\n") != NULL);
}

static void unprintable_characters_become_question_marks(void)
{
    char text[16];

    CHECK_STR(report_name("a\033b\x7f", text, sizeof text), "a?b?");
    CHECK_STR(report_name("a\xc2\x9b"
                          "b\xe2\x80\xae\xc3\xa4",
                          text, sizeof text),
              "a?b?\xc3\xa4");
    CHECK_STR(report_name("abcdef", text, 4), "abc");
}

TEST_MAIN(TEST(names_are_printed_escaped),
          TEST(unprintable_characters_become_question_marks))
