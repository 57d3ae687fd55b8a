/* test_host_folder.c
 *
 * Goal: a folder lists each file below it once, in a fixed order, and reports
 *   entries that are not files. A file that changes while it is read is
 *   refused.
 * Method: a small tree with links and a pipe in it.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include "host/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct diag diag;
static char folder[512];

static void start(void)
{
    static unsigned number;

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    CHECK_EQ(mkdir(folder, 0777), 0);
    diag_init(&diag);
    diag.is_silent = true;
}

static const char *path_of(const char *name)
{
    static char path[2][1024];
    static unsigned calls;
    char *out = path[calls++ % 2];

    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void put(const char *name, const char *text)
{
    FILE *file;

    CHECK(host_make_folders(path_of(name), &diag));
    file = fopen(path_of(name), "wb");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static char seen[2048];

static bool see(void *user, const struct host_found *found)
{
    size_t used = strlen(seen);

    CHECK(user == &seen);
    CHECK_STR(found->path + strlen(found->path) - strlen(found->name),
              found->name);
    snprintf(seen + used, sizeof seen - used, "%s%s:%llu ", found->name,
             found->kind == HOST_FILE ? "" : "!",
             (unsigned long long)found->bytes);
    return strcmp(found->name, "stop") != 0;
}

static void a_folder_gives_its_files_in_one_order(void)
{
    start();
    put("b/two", "22");
    put("a", "1");
    put("b/one/deep", "");
    put("c", "333");
    CHECK_EQ(symlink("c", path_of("link")), 0);
    CHECK_EQ(symlink("b", path_of("way")), 0);
    CHECK_EQ(symlink("..", path_of("b/round")), 0);
    CHECK_EQ(symlink("nowhere", path_of("lost")), 0);
    CHECK_EQ(mkfifo(path_of("pipe"), 0666), 0);
    seen[0] = 0;
    CHECK(host_folder_walk(folder, see, &seen, &diag));
    CHECK_STR(seen, "a:1 b/one/deep:0 b/round!:0 b/two:2 c:3 link:3 lost!:0 "
                    "pipe!:0 way!:0 ");
    /* Slashes behind the folder are ignored. */
    seen[0] = 0;
    CHECK(host_folder_walk(path_of("b//"), see, &seen, &diag));
    CHECK_STR(seen, "one/deep:0 round!:0 two:2 ");
    seen[0] = 0;
    CHECK(host_folder_list(path_of("b//"), see, &seen, &diag));
    CHECK_STR(seen, "round!:0 two:2 ");
}

static void a_walk_ends_when_its_callback_returns_false(void)
{
    start();
    put("first", "");
    put("stop", "");
    put("then", "");
    seen[0] = 0;
    CHECK(!host_folder_walk(folder, see, &seen, &diag));
    CHECK_STR(seen, "first:0 stop:0 ");
    CHECK(!diag_has_failed(&diag));
}

static void folders_that_cannot_be_walked_are_refused(void)
{
    start();
    CHECK(!host_folder_walk(path_of("none"), see, &seen, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void folder_depth_is_bounded(void)
{
    char deep[400] = "";

    start();
    for (int i = 0; i < 80; i++)
        strcat(deep, "d/");
    strcat(deep, "file");
    put(deep, "");
    CHECK(!host_folder_walk(folder, see, &seen, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CHECK(strstr(diag.text, "folders deep") != NULL);
}

static void paths_lead_to_files_folders_and_others(void)
{
    enum host_kind kind;
    uint64_t bytes;

    start();
    put("f", "12345");
    CHECK_EQ(mkfifo(path_of("pipe"), 0666), 0);
    CHECK_EQ(symlink(".", path_of("here")), 0);
    CHECK(host_stat(path_of("f"), &kind, &bytes, &diag));
    CHECK_EQ(kind, HOST_FILE);
    CHECK_EQ_U(bytes, 5);
    CHECK(host_stat(path_of("here"), &kind, &bytes, &diag));
    CHECK_EQ(kind, HOST_FOLDER);
    CHECK_EQ_U(bytes, 0);
    CHECK(host_stat(path_of("pipe"), &kind, &bytes, &diag));
    CHECK_EQ(kind, HOST_OTHER);
    CHECK(!host_stat(path_of("none"), &kind, &bytes, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void pieces_of_files_are_read(void)
{
    char text[4] = "...";

    start();
    put("f", "abcdefgh");
    CHECK(host_read_at(path_of("f"), 8, 5, text, 3, &diag));
    CHECK_STR(text, "fgh");
    CHECK(host_read_at(path_of("f"), 8, 8, text, 0, &diag));
    CHECK(!diag_has_failed(&diag));
    CHECK(!host_read_at(path_of("f"), 9, 0, text, 1, &diag));
    CHECK(strstr(diag.text, "has changed while it was read") != NULL);
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void reads_past_the_end_are_refused(void)
{
    char text[4];

    start();
    put("f", "abc");
    CHECK(!host_read_at(path_of("f"), 3, 2, text, 2, &diag));
    CHECK(strstr(diag.text, "became shorter") != NULL);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!host_read_at(path_of("none"), 3, 0, text, 2, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!host_read_at(folder, 0, 0, text, 0, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void folders_are_made_for_a_file(void)
{
    struct stat info;

    start();
    CHECK(host_make_folders(path_of("x/y/z"), &diag));
    CHECK_EQ(stat(path_of("x/y"), &info), 0);
    CHECK(S_ISDIR(info.st_mode));
    CHECK(stat(path_of("x/y/z"), &info) != 0);
    CHECK(host_make_folders(path_of("x/y/z"), &diag));
    put("file", "");
    CHECK(!host_make_folders(path_of("file/y/z"), &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void outputs_are_read_back(void)
{
    struct host_output *output;
    char text[6] = "";

    start();
    output = host_output_open(path_of("out"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "hello world", 11));
    CHECK(host_output_read_at(output, 6, text, 5));
    CHECK_STR(text, "world");
    CHECK(!host_output_read_at(output, 7, text, 5));
    CHECK(diag_has_failed(&diag));
    CHECK(!host_output_commit(output));
}

TEST_MAIN(TEST(a_folder_gives_its_files_in_one_order),
          TEST(a_walk_ends_when_its_callback_returns_false),
          TEST(folders_that_cannot_be_walked_are_refused),
          TEST(folder_depth_is_bounded),
          TEST(paths_lead_to_files_folders_and_others),
          TEST(pieces_of_files_are_read), TEST(reads_past_the_end_are_refused),
          TEST(folders_are_made_for_a_file), TEST(outputs_are_read_back))
