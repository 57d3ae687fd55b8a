/* test_host.c
 *
 * Goal: an output appears completely or not at all. A refusal is one line
 *   with the right exit code.
 * Method: outputs are written, damaged and abandoned in a temporary folder,
 *   whose files are then listed. Every kind of path that is not a file is
 *   opened.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include "common/system.h"
#include "host/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct diag diag;
static char folder[512];

/* Each test has a new folder and a new diag. */
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
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");

    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void expect(const char *name, const char *text)
{
    size_t bytes;
    void *data;

    CHECK(host_read_file(path_of(name), &data, &bytes, &diag));
    CHECK_STR(data, text);
    free(data);
}

static unsigned entry_count(void)
{
    DIR *list = opendir(folder);
    unsigned count = 0;

    CHECK(list != NULL);
    for (struct dirent *e; (e = readdir(list)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            count++;
    closedir(list);
    return count;
}

static void output_appears_only_when_committed(void)
{
    struct host_output *output;

    start();
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "....", 4));
    CHECK(host_output_append(output, "efgh", 4));
    CHECK(host_output_write_at(output, 0, "abcd", 4));
    CHECK_EQ_U(host_output_bytes(output), 8);
    CHECK(access(path_of("a"), F_OK) != 0);
    CHECK(host_output_commit(output));
    CHECK_EQ(entry_count(), 1);
    expect("a", "abcdefgh");
    CHECK(!diag_has_failed(&diag));
}

static void abandoned_output_leaves_the_old_file(void)
{
    struct host_output *output;

    start();
    put("a", "old");
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "new", 3));
    host_output_abandon(output);
    host_output_abandon(NULL);
    CHECK_EQ(entry_count(), 1);
    expect("a", "old");
}

static void output_replaces_and_keeps_the_mode(void)
{
    struct host_output *output;
    struct stat info;

    start();
    put("a", "old and longer");
    CHECK_EQ(chmod(path_of("a"), 0640), 0);
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "new", 3));
    CHECK(host_output_commit(output));
    expect("a", "new");
    CHECK_EQ(stat(path_of("a"), &info), 0);
    CHECK_EQ(info.st_mode & 0777, 0640);
}

static void output_writes_through_a_link(void)
{
    struct host_output *output;
    struct stat info;

    start();
    put("real", "old");
    CHECK_EQ(symlink("real", path_of("link")), 0);
    output = host_output_open(path_of("link"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "new", 3));
    CHECK(host_output_commit(output));
    CHECK_EQ(lstat(path_of("link"), &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    expect("real", "new");
}

static void two_outputs_are_independent(void)
{
    struct host_output *first;
    struct host_output *second;

    start();
    first = host_output_open(path_of("a"), &diag);
    second = host_output_open(path_of("b"), &diag);
    CHECK(first != NULL);
    CHECK(second != NULL);
    CHECK(host_output_append(first, "first", 5));
    CHECK(host_output_append(second, "second", 6));
    CHECK(host_output_commit(first));
    CHECK(host_output_commit(second));
    expect("a", "first");
    expect("b", "second");
    CHECK_EQ(entry_count(), 2);
}

static void longest_name_is_writable(void)
{
    struct host_output *output;
    char name[256];

    start();
    memset(name, 'n', 255);
    name[255] = 0;
    output = host_output_open(path_of(name), &diag);
    CHECK(output != NULL);
    CHECK(host_output_commit(output));
    expect(name, "");
}

static void refuse_output(const char *name, const char *words)
{
    struct host_output *output = host_output_open(path_of(name), &diag);

    test_context("output %s", name);
    CHECK(output == NULL);
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    if (!strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"",
                  diag.text, words);
}

static void target_that_is_a_folder_is_refused(void)
{
    start();
    CHECK_EQ(mkdir(path_of("d"), 0777), 0);
    refuse_output("d", "is a folder");
    CHECK_EQ(entry_count(), 1);
}

static void target_that_ends_with_a_slash_is_refused(void)
{
    start();
    refuse_output("d/", "folder");
    CHECK_EQ(entry_count(), 0);
}

static void missing_folder_is_refused(void)
{
    start();
    refuse_output("no/where", "No such file");
    CHECK_EQ(entry_count(), 0);
}

static void folder_that_is_a_file_is_refused(void)
{
    start();
    put("f", "old");
    refuse_output("f/where", "folder");
    expect("f", "old");
}

static void empty_name_is_refused(void)
{
    start();
    CHECK(host_output_open("", &diag) == NULL);
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void read_only_folder_is_refused(void)
{
    start();
    if (geteuid() == 0)
        test_skip("root may write everywhere");
    CHECK_EQ(chmod(folder, 0555), 0);
    refuse_output("a", "ermission");
    CHECK_EQ(chmod(folder, 0777), 0);
    CHECK_EQ(entry_count(), 0);
}

static void device_as_target_is_refused(void)
{
    start();
    CHECK(host_output_open("/dev/null", &diag) == NULL);
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
}

static void full_disc_leaves_the_old_file(void)
{
    struct rlimit limit;
    struct rlimit old;
    struct host_output *output;
    static char block[64 << 10];
    bool is_written;

    start();
    put("a", "old");
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 4096;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    is_written = host_output_append(output, block, sizeof block);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    CHECK(!is_written);
    /* The failure sticks: later writes and the commit do not hide it. */
    CHECK(!host_output_append(output, "x", 1));
    CHECK(!host_output_commit(output));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CHECK_EQ(entry_count(), 1);
    diag.code = EXIT_DONE;
    expect("a", "old");
}

/* A small write is buffered: the commit reports its failure at the latest. */
static void the_commit_reports_a_small_write_on_a_full_disc(void)
{
    struct rlimit limit;
    struct rlimit old;
    struct host_output *output;
    bool is_committed;

    start();
    put("a", "old");
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 2;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    (void)!host_output_append(output, "new", 3);
    is_committed = host_output_commit(output);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    CHECK(!is_committed);
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CHECK_EQ(entry_count(), 1);
    diag.code = EXIT_DONE;
    expect("a", "old");
}

static void commit_that_cannot_rename_leaves_nothing(void)
{
    struct host_output *output;

    start();
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    CHECK_EQ(mkdir(path_of("a"), 0777), 0);
    CHECK(!host_output_commit(output));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CHECK_EQ(entry_count(), 1);
}

static void write_past_the_end_is_refused(void)
{
    struct host_output *output;

    start();
    output = host_output_open(path_of("a"), &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "ab", 2));
    CHECK(!host_output_write_at(output, 3, "c", 1));
    CHECK(!host_output_commit(output));
    CHECK_EQ(entry_count(), 0);
}

static void map_shows_the_bytes(void)
{
    struct host_map map;

    start();
    put("a", "hello");
    CHECK(host_map_open(&map, path_of("a"), &diag));
    CHECK_EQ_U(map.bytes, 5);
    CHECK_MEM(map.data, "hello", 5);
    host_map_close(&map);
    put("empty", "");
    CHECK(host_map_open(&map, path_of("empty"), &diag));
    CHECK_EQ_U(map.bytes, 0);
    CHECK(map.data == NULL);
    host_map_close(&map);
}

/* Read bytes behind the new end of the file, in a process of its own. */
static int look_behind_the_end(const char *path, const char *words)
{
    struct host_map map;
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int file = open(words, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        volatile uint8_t seen;

        host_clean_on_signals();
        if (file < 0 || dup2(file, STDERR_FILENO) < 0 ||
            !host_map_open(&map, path, &diag) || truncate(path, 10) != 0)
            _exit(99);
        seen = map.data[map.bytes - 1];
        (void)seen;
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void map_that_became_shorter_is_named(void)
{
    static char bytes[300000];
    char path[1024];
    char words[1024];
    char *text;
    size_t count;

    start();
    memset(bytes, 'x', sizeof bytes - 1);
    put("a", bytes);
    snprintf(path, sizeof path, "%s", path_of("a"));
    snprintf(words, sizeof words, "%s", path_of("words"));
    CHECK_EQ(look_behind_the_end(path, words), EXIT_IO_FAILED);
    CHECK(host_read_file(words, (void **)&text, &count, &diag));
    CHECK(strstr(text, path) != NULL);
    CHECK(strstr(text, "offset 0x493de: ") != NULL);
    CHECK(strstr(text, "became shorter") != NULL);
    free(text);
}

static void map_refuses_paths_that_are_not_files(void)
{
    const char *names[] = {"", "missing", "pipe"};
    struct host_map map;

    start();
    CHECK_EQ(mkfifo(path_of("pipe"), 0666), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t bytes;
        void *data;

        test_context("name \"%s\"", names[i]);
        diag.code = EXIT_DONE;
        CHECK(!host_map_open(&map, path_of(names[i]), &diag));
        CHECK_EQ(diag.code, EXIT_IO_FAILED);
        diag.code = EXIT_DONE;
        CHECK(!host_read_file(path_of(names[i]), &data, &bytes, &diag));
        CHECK_EQ(diag.code, EXIT_IO_FAILED);
    }
}

static void machine_answers(void)
{
    double before = system_seconds();

    CHECK(system_cpu_count() >= 1);
    CHECK(system_seconds() >= before);
    CHECK(!system_is_terminal(-1));
}

TEST_MAIN(TEST(output_appears_only_when_committed),
          TEST(abandoned_output_leaves_the_old_file),
          TEST(output_replaces_and_keeps_the_mode),
          TEST(output_writes_through_a_link), TEST(two_outputs_are_independent),
          TEST(longest_name_is_writable),
          TEST(target_that_is_a_folder_is_refused),
          TEST(target_that_ends_with_a_slash_is_refused),
          TEST(missing_folder_is_refused),
          TEST(folder_that_is_a_file_is_refused), TEST(empty_name_is_refused),
          TEST(read_only_folder_is_refused), TEST(device_as_target_is_refused),
          TEST(full_disc_leaves_the_old_file),
          TEST(the_commit_reports_a_small_write_on_a_full_disc),
          TEST(commit_that_cannot_rename_leaves_nothing),
          TEST(write_past_the_end_is_refused), TEST(map_shows_the_bytes),
          TEST(map_that_became_shorter_is_named),
          TEST(map_refuses_paths_that_are_not_files), TEST(machine_answers))
