/* test_strace.c
 *
 * Goal: an import finds files, offsets, threads and think times of all reads; a
 * wrong line is refused with its place; no text is read beyond its end.
 * Method: lines by hand, in the formats of strace's options; every truncation
 * and every byte replaced.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "trace/strace_files.h"
#include "trace/strace_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE READ_TRACE_NO_READ

static struct arena arena;
static struct diag diag;
static struct read_trace trace;
static struct strace_report report;
static const struct strace_scene whole = {"all", 0};
static struct strace_options options;

static void begin(void)
{
    arena_free(&arena);
    arena_init(&arena);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    options = (struct strace_options){
        .scenes = &whole, .scene_count = 1, .merge_us = 50000};
}

static bool import(const char *text)
{
    return strace_import("a.strace", text, strlen(text), &options, &arena,
                         &trace, &report, &diag);
}

struct expected {
    const char *path;
    uint64_t offset;
    uint64_t bytes;
    uint64_t at_us;
    uint32_t thread;
    uint32_t after;
    uint64_t think_us;
};

static void check(const struct expected *expected, uint32_t count)
{
    CHECK(!diag_has_failed(&diag));
    CHECK_EQ(trace.read_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct traced_read *read = &trace.reads[i];

        test_context("read %u", (unsigned)i);
        CHECK_STR(trace.paths[read->file], expected[i].path);
        CHECK_EQ_U(read->offset, expected[i].offset);
        CHECK_EQ_U(read->bytes, expected[i].bytes);
        CHECK_EQ_U(read->at_us, expected[i].at_us);
        CHECK_EQ(read->thread, expected[i].thread);
        CHECK_EQ_U(read->after, expected[i].after);
        CHECK_EQ_U(read->think_us, expected[i].think_us);
    }
}
#define CHECK_READS(expected)                                                  \
    check((expected), sizeof(expected) / sizeof(expected)[0])

/* strace -f -ttt -y: two threads, one of which is interrupted. */
static const char two_threads[] =
    "7 100.000000 openat(AT_FDCWD, \"/g/a\", O_RDONLY) = 5</g/a>\n"
    "7 100.001000 read(5</g/a>, \"x\\\"),\"..., 100) = 100\n"
    "7 100.002000 read(5</g/a>, \"\", 100) = 0\n"
    "9 100.003000 openat(AT_FDCWD, \"/g/b\", O_RDONLY <unfinished ...>\n"
    "7 100.004000 close(5</g/a> <unfinished ...>\n"
    "9 100.004500 <... openat resumed>) = 5</g/b>\n"
    "7 100.005000 <... close resumed>) = 0\n"
    "9 100.006000 lseek(5</g/b>, 4096, SEEK_SET) = 4096\n"
    "9 100.007000 read(5</g/b>,  <unfinished ...>\n"
    "7 100.008000 openat(AT_FDCWD, \"/g/none\", O_RDONLY) = -1 ENOENT (No such "
    "file or directory)\n"
    "9 100.009000 <... read resumed>\"\\0\"..., 8192) = 8192\n"
    "9 100.010000 pread64(5</g/b>, \"\"..., 10, 0) = 10\n"
    "7 100.020000 mmap(NULL, 300, PROT_READ, MAP_PRIVATE, 5</g/b>, 4096) = "
    "0x7f03f1e00000\n"
    "7 100.021000 --- SIGCHLD {si_signo=SIGCHLD, si_pid=9} ---\n"
    "9 100.022000 +++ exited with 0 +++\n"
    "7 100.023000 read(0<pipe:[77]>, \"\"..., 10) = 10\n"
    "7 100.030000 read(5</g/b>, \"tor";

static void calls_become_reads(void)
{
    static const struct expected reads[] = {
        {"/g/a", 0, 100, 0, 0, NONE, 0},
        {"/g/b", 4096, 8192, 6000, 1, NONE, 0},
        {"/g/b", 0, 10, 9000, 1, 1, 1000},
    };

    begin();
    CHECK(import(two_threads));
    CHECK_READS(reads);
    CHECK_EQ(report.thread_count, 2);
    CHECK_EQ(report.line_count, 16);
    CHECK_EQ(report.outside_count, 1); /* the read of the pipe */
    CHECK_EQ(report.again_count, 1);   /* the mapped bytes were read before */
    CHECK_STR(trace.scenes[0], "all");
}

static void pieces_of_a_file_are_one_read(void)
{
    static const char text[] =
        "1 5.000000 read(3</a>, \"\"..., 10) = 10\n"
        "1 5.001000 read(3</a>, \"\"..., 10) = 10 <0.000400>\n"
        "1 5.002000 lseek(3</a>, 0, SEEK_SET) = 0\n"
        "1 5.002500 read(3</a>, \"\"..., 10) = 10\n" /* was read */
        "1 5.003000 lseek(3</a>, 20, SEEK_SET) = 20\n"
        "1 5.004000 read(3</a>, \"\"..., 5) = 5\n"
        "1 5.060000 read(3</a>, \"\"..., 5) = 5\n" /* after a pause */
        "1 5.061000 close(3</a>) = 0\n"
        "1 5.062000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3</a>\n"
        "1 5.063000 read(3</a>, \"\"..., 10) = 10\n"; /* opened again */
    static const struct expected merged[] = {
        {"/a", 0, 25, 0, 0, NONE, 0},
        /* Pauses: 0.9 ms within the merged read, 2.6 and 56 ms between reads.
         */
        {"/a", 25, 5, 60000, 0, 0, 1000 + 2600 + 56000},
        {"/a", 0, 10, 63000, 0, 1, 3000},
    };
    static const struct expected single[] = {
        {"/a", 0, 10, 0, 0, NONE, 0},     {"/a", 10, 10, 1000, 0, 0, 1000},
        {"/a", 20, 5, 4000, 0, 1, 2600},  {"/a", 25, 5, 60000, 0, 2, 56000},
        {"/a", 0, 10, 63000, 0, 3, 3000},
    };

    begin();
    CHECK(import(text));
    CHECK_READS(merged);
    begin();
    options.merge_us = 0;
    CHECK(import(text));
    CHECK_READS(single);
}

/* strace -tt, on a terminal, without -y: past midnight. */
static void files_are_known_by_their_numbers(void)
{
    static const char text[] =
        "strace: Process 12 attached\r\n"
        "23:59:59.5 open(\"a b\\t\\303\\244\", O_RDONLY|O_CLOEXEC) = 3\r\n"
        "23:59:59.6 dup2(3, 4) = 4\r\n"
        "23:59:59.7 read(3, \"\"..., 10) = 10\r\n"
        "[pid 12] 00:00:00.200000 _llseek(4, 4096, [4096], SEEK_SET) = 0\r\n"
        "[pid 12] 00:00:00.300000 readv(3, [{iov_base=\"\", iov_len=5}, "
        "{iov_base=\"\", iov_len=5}], 2) = 10\r\n"
        "00:00:00.400000 read(9, \"\"..., 10) = 10\r\n"
        "00:00:00.500000 read(3, 0x7ffe, 10) = ? ERESTARTSYS (To be "
        "restarted)\r\n"
        "00:00:00.600000 exit_group(0) = ?\r\n";
    static const struct expected reads[] = {
        {"a b\t\xc3\xa4", 0, 10, 0, 0, NONE, 0},
        {"a b\t\xc3\xa4", 4096, 10, 600000, 1, NONE, 0},
    };

    begin();
    CHECK(import(text));
    CHECK_READS(reads);
    CHECK_EQ(report.unknown_count, 1);
}

/* With and without -y; new and old formats of an offset. */
static void sendfile_counts_as_a_read(void)
{
    static const char text[] =
        "1 5.0 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
        "1 5.1 sendfile(7, 3, NULL, 100) = 100\n"
        "1 5.2 sendfile64(7, 3, [1000] => [1050], 100) = 50\n"
        "1 5.3 read(3, \"\"..., 10) = 10\n" /* after the first */
        "1 5.4 copy_file_range(4</b>, [8], 7</c>, NULL, 30, 0) = 20\n"
        "1 5.5 splice(4</b>, NULL, 8<pipe:[1]>, NULL, 8, SPLICE_F_MOVE) = 8\n"
        "1 5.6 splice(9<pipe:[1]>, NULL, 7<socket:[2]>, NULL, 8, 0) = 8\n"
        "1 5.7 sendfile(7, 3, NULL, 100) = 0\n"
        "1 5.8 sendfile(7, 3, NULL, 100) = -1 EAGAIN (Resource temporarily "
        "unavailable)\n"
        "1 5.9 sendfile(7, 6, NULL, 100) = 100\n";
    static const struct expected reads[] = {
        {"/a", 0, 100, 0, 0, NONE, 0},
        {"/a", 1000, 50, 100000, 0, 0, 100000},
        {"/a", 100, 10, 200000, 0, 1, 100000},
        {"/b", 8, 20, 300000, 0, 2, 100000},
        {"/b", 0, 8, 400000, 0, 3, 100000},
    };

    begin();
    CHECK(import(text));
    CHECK_READS(reads);
    CHECK_EQ(report.outside_count, 1); /* the read of the pipe */
    CHECK_EQ(report.unknown_count, 1);
}

/* Without -y. */
static void relative_paths_continue_from_their_folder(void)
{
    static const char text[] =
        "1 5.0 open(\"first\", O_RDONLY) = 3\n"
        "1 5.1 read(3, \"\"..., 10) = 10\n"
        "1 5.2 chdir(\"/g/bin/..//data/./\") = 0\n"
        "1 5.3 chdir(\"/none\") = -1 ENOENT (No such file or directory)\n"
        "1 5.4 openat(AT_FDCWD, \"./x/../a\", O_RDONLY) = 4\n"
        "1 5.5 read(4, \"\"..., 10) = 10\n"
        "1 5.6 openat(AT_FDCWD, \"tex\", O_RDONLY|O_DIRECTORY) = 5\n"
        "1 5.7 openat(5, \"b\", O_RDONLY) = 6\n"
        "1 5.8 read(6, \"\"..., 10) = 10\n"
        "1 5.9 fchdir(5) = 0\n"
        "1 6.0 openat(AT_FDCWD, \"../../../../c\", O_RDONLY) = 4\n"
        "1 6.1 read(4, \"\"..., 10) = 10\n"
        "1 6.2 openat(AT_FDCWD</h>, \"d\", O_RDONLY) = 4</h/d>\n"
        "1 6.3 read(4</h/d>, \"\"..., 10) = 10\n"
        "1 6.4 chdir(\"..\") = 0\n"
        "1 6.5 creat(\"e\", 0666) = 4\n"
        "1 6.6 read(4, \"\"..., 10) = 10\n"
        "1 6.7 openat(99, \"f\", O_RDONLY) = 4\n"
        "1 6.8 read(4, \"\"..., 10) = 10\n";
    static const char *const paths[] = {
        "first", "/g/data/a", "/g/data/tex/b", "/c", "/h/d", "/g/data/e", "f"};

    begin();
    CHECK(import(text));
    CHECK(!diag_has_failed(&diag));
    CHECK_EQ(trace.read_count, 7);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_STR(trace.paths[trace.reads[i].file], paths[i]);
}

static void dots_of_a_path_are_followed(void)
{
    static const struct {
        const char *folder;
        const char *path;
        const char *is;
    } paths[] = {
        {NULL, "a", "a"},
        {NULL, "../a", "../a"},
        {"..", "../a", "../../a"},
        {"b", "../../a", "../a"},
        {"/", "a", "/a"},
        {"/", "..", "/"},
        {"/b/", "", "/b"},
        {"/b", "..a/...", "/b/..a/..."},
        {"/b", "/a/", "/a"},
        {"b/..", "a", "a"},
        {NULL, "", ""},
        {"/..", "../a/..", "/"},
    };

    begin();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        test_context("%u", (unsigned)i);
        CHECK_STR(strace_path_from(paths[i].folder, paths[i].path, &arena),
                  paths[i].is);
    }
}

static void a_ring_of_requests_is_reported_with_its_line(void)
{
    begin();
    CHECK(import("1 5.0 read(3</a>, \"\"..., 10) = 10\n"
                 "1 5.1 io_uring_setup(8, {flags=0}) = -1 EPERM (Operation not "
                 "permitted)\n"));
    CHECK_EQ(report.io_uring_line, 0);
    begin();
    CHECK(import("1 5.0 read(3</a>, \"\"..., 10) = 10\n"
                 "1 5.1 io_uring_setup(8, {flags=0, sq_off={head=0}}) = "
                 "4<anon_inode:[io_uring]>\n"
                 "1 5.2 io_uring_setup(8, {flags=0}) = 5\n"));
    CHECK_EQ(report.io_uring_line, 2);
}

static void only_files_below_the_root_are_imported(void)
{
    static const char text[] =
        "1 5.0 read(3</g/data/x/a.png>, \"\"..., 10) = 10\n"
        "1 5.1 read(4</g/database/b>, \"\"..., 10) = 10\n"
        "1 5.2 read(4</g/data>, \"\"..., 10) = 10\n"
        "1 7.3 read(4</g/data/c.ogg>, \"\"..., 10) = 10\n";
    static const struct expected reads[] = {
        {"x/a.png", 0, 10, 0, 0, NONE, 0},
        {"c.ogg", 0, 10, 2300000, 0, 0, 2300000},
    };
    static const struct strace_scene scenes[] = {
        {"menu", 0}, {"race", 2300000}, {"never", 2300001}};

    begin();
    options.root = "/g/data/";
    options.scenes = scenes;
    options.scene_count = 3;
    CHECK(import(text));
    CHECK_READS(reads);
    CHECK_EQ(report.outside_count, 2);
    CHECK_EQ(trace.scene_count, 2);
    CHECK_STR(trace.scenes[trace.reads[0].scene], "menu");
    CHECK_STR(trace.scenes[trace.reads[1].scene], "race");
    CHECK_EQ(trace.reads[0].task, SPN_TASK_TEXTURE);
    CHECK_EQ(trace.reads[1].task, SPN_TASK_SOUND);
}

/* Thread numbers far apart and close together. */
static void many_threads_are_kept_apart(void)
{
    const uint32_t count = 3000;
    const size_t capacity = (size_t)count * 128;
    char *text;
    size_t used = 0;

    begin();
    text = arena_alloc(&arena, capacity, 1);
    for (uint32_t i = 0; i < 2 * count; i++)
        used += (size_t)snprintf(
            text + used, capacity - used,
            "%llu %u.0 pread64(3</a>, \"\"..., 1, %u) = 1\n",
            (unsigned long long)(i % count) * (i % count % 2 ? 1 : 1 << 20), i,
            i * 2);
    CHECK(import(text));
    CHECK_EQ(report.thread_count, count);
    CHECK_EQ(trace.read_count, 2 * count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_EQ(trace.reads[i].after, NONE);
        CHECK_EQ(trace.reads[count + i].after, i);
        CHECK_EQ(trace.reads[count + i].thread, i);
    }
}

static void wrong_lines_are_refused_with_their_place(void)
{
    static const struct {
        const char *text;
        const char *says;
    } wrongs[] = {
        {"openat(AT_FDCWD, \"a\", 0) = 3\n",
         "a.strace: line 1, column 1: no time of a call"},
        {"7 openat(AT_FDCWD, \"a\", 0) = 3\n", "line 1, column 3: no time"},
        {"7 1.0 close(3) = 0\n\n7 24:00:00 close(3) = 0\n",
         "line 3, column 3: no time"},
        {"[pid x] 1.0 close(3) = 0\n", "line 1, column 6: no number of a"},
        {"7 1.0 read(3</a>, \"\"..., 10\n",
         "line 1, column 28: the call's arguments do not end"},
        {"7 1.0 read(3</a>, \"\"..., 10) 10\n",
         "line 1, column 30: no result of the call"},
        {"7 1.0 read(3</a>, \"\"..., 10) = \n", "no result of the call"},
        {"7 1.0 pread64(3</a>, \"\"..., 10) = 10\n", "no offset of the read"},
        {"7 1.0 sendfile(7, 3</a>) = 10\n", "no offset of the read"},
        {"7 1.0 sendfile(7, 3</a>, 0x7ffe10, 10) = 10\n",
         "no offset of the read"},
    };

    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        test_context("%s", wrongs[i].text);
        begin();
        CHECK(!import(wrongs[i].text));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        if (!strstr(diag.text, wrongs[i].says))
            CHECK_STR(diag.text, wrongs[i].says);
    }
}

/* Copied into a block of its own, so that ASan notices reads beyond it. */
static void any_text_is_read_within_its_bounds(void)
{
    static const char other[] = "\"<>()[]{},=. \\0\n";
    const size_t bytes = sizeof two_threads - 1;

    for (size_t i = 0; i < bytes; i++) {
        char *text = malloc(i + 1);

        memcpy(text, two_threads, i);
        begin();
        (void)strace_import("a", text, i, &options, &arena, &trace, &report,
                            &diag);
        free(text);
        text = malloc(bytes);
        memcpy(text, two_threads, bytes);
        text[i] = other[i % (sizeof other - 1)];
        begin();
        (void)strace_import("a", text, bytes, &options, &arena, &trace, &report,
                            &diag);
        free(text);
    }
}

TEST_MAIN(TEST(calls_become_reads), TEST(pieces_of_a_file_are_one_read),
          TEST(files_are_known_by_their_numbers),
          TEST(sendfile_counts_as_a_read),
          TEST(relative_paths_continue_from_their_folder),
          TEST(dots_of_a_path_are_followed),
          TEST(a_ring_of_requests_is_reported_with_its_line),
          TEST(only_files_below_the_root_are_imported),
          TEST(many_threads_are_kept_apart),
          TEST(wrong_lines_are_refused_with_their_place),
          TEST(any_text_is_read_within_its_bounds))
