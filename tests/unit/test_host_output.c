/* test_host_output.c
 *
 * Goal: at any moment the target is the old file or the complete new one, or
 *   none. No other file is left beside it, as far as the system permits.
 * Method: the linker redirects the system's calls to this file (--wrap). A
 *   child process writes an output, or compiles. Its Nth call kills it or
 *   fails, for N = 1, 2, ... until it succeeds. This is repeated for temporary
 *   files without and with a name.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "harness.h"

#include "compile/compile.h"
#include "host/host.h"
#include "support/failing_calls.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- the child process -- */

typedef void job(struct diag *diag);

static char folder[512];
static char target[600];

static void write_output(struct diag *diag)
{
    static uint8_t large[100000];
    struct host_output *output = host_output_open(target, diag);

    memset(large, 'x', sizeof large);
    if (!output)
        return;
    if (host_output_append(output, "....head", 8) &&
        host_output_append(output, large, sizeof large) &&
        host_output_append(output, "tail", 4) &&
        host_output_write_at(output, 0, "sign", 4))
        host_output_commit(output);
    else
        host_output_abandon(output);
}

static void compile(struct diag *diag)
{
    struct compile_options wish;
    struct compile_report report;
    char input[512];

    snprintf(input, sizeof input, "%s/fps-2997.abc", test_data());
    compile_options_default(&wish);
    wish.input = input;
    wish.output = target;
    wish.jobs = 1;
    wish.no_b_frames = true;
    compile_run(&wish, diag, NULL, NULL, &report);
}

/* Return the exit code, or 128 plus the signal's number. */
static int run_child(job *work, enum fault fault, uint32_t at)
{
    int status = 0;
    pid_t child;

    memset(failed_calls(), 0, sizeof *failed_calls());
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        struct diag diag;

        diag_init(&diag);
        diag.is_silent = true;
        failing_calls.fault = fault;
        failing_calls.at = at;
        failing_calls.is_watching = true;
        work(&diag);
        failing_calls.is_watching = false;
        _exit((int)diag.code);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* -- remaining files -- */

struct content {
    char *data; /* NULL if there is no file */
    size_t bytes;
};

static struct content read_target(void)
{
    struct content content = {NULL, 0};
    struct diag diag;
    void *data;

    diag_init(&diag);
    diag.is_silent = true;
    if (access(target, F_OK) == 0) {
        CHECK(host_read_file(target, &data, &content.bytes, &diag));
        content.data = data;
    }
    diag_finish(&diag);
    return content;
}

static bool is_same(const struct content *a, const struct content *b)
{
    if (!a->data || !b->data)
        return a->data == b->data;
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
}

/* The number of files in the folder except the target. With `is_removed` they
 * are removed. */
static uint32_t others(bool is_removed)
{
    DIR *list = opendir(folder);
    uint32_t count = 0;

    CHECK(list != NULL);
    for (struct dirent *e; (e = readdir(list)) != NULL;) {
        char path[1024];

        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            strcmp(e->d_name, "target") == 0)
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (is_removed)
            CHECK_EQ(unlink(path), 0);
    }
    closedir(list);
    return count;
}

static void set_target(bool is_there)
{
    unlink(target);
    others(true);
    if (is_there) {
        FILE *file = fopen(target, "wb");

        CHECK(file != NULL);
        fputs("the old file", file);
        fclose(file);
    }
}

static void start(enum system system)
{
    static unsigned number;

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    snprintf(target, sizeof target, "%s/target", folder);
    CHECK_EQ(mkdir(folder, 0777), 0);
    memset(&failing_calls, 0, sizeof failing_calls);
    failing_calls.system = system;
}

/* Writes smaller and larger than the buffer, and writes at earlier offsets. */
static void small_writes_are_collected(void)
{
    static char all[600000];
    char end[3];
    struct host_output *output;
    struct diag diag;
    size_t used = 0;
    size_t bytes;
    void *data;

    start(ALL_THERE);
    diag_init(&diag);
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)(i % 251);
    failed_calls()->calls = 0;
    failing_calls.is_watching = true;
    output = host_output_open(target, &diag);
    CHECK(output != NULL);
    for (bytes = 1; used < 300000; used += bytes, bytes = bytes * 7 % 1009)
        CHECK(host_output_append(output, all + used, bytes));
    CHECK_EQ_U(host_output_bytes(output), used);
    CHECK(host_output_append(output, all + used, 200000));
    used += 200000;
    CHECK(host_output_append(output, all + used, sizeof all - used - 9));
    CHECK(host_output_append(output, all + sizeof all - 9, 9));
    all[sizeof all - 5] = 'x';
    CHECK(host_output_write_at(output, sizeof all - 5, "x", 1));
    CHECK(host_output_append(output, "end", 3));
    CHECK(host_output_read_at(output, sizeof all, end, sizeof end));
    CHECK_MEM(end, "end", 3);
    CHECK(host_output_commit(output));
    failing_calls.is_watching = false;
    CHECK(!diag_has_failed(&diag));
    /* Other calls open, sync, link and close the file. */
    CHECK(failed_calls()->calls < 20);
    CHECK(host_read_file(target, &data, &bytes, &diag));
    CHECK_EQ_U(bytes, sizeof all + 3);
    CHECK_MEM(data, all, sizeof all);
    free(data);
    diag_finish(&diag);
}

/* -- all steps -- */

struct tally {
    uint32_t steps;
    uint32_t was_old;
    uint32_t was_new;
    uint32_t left_over; /* runs that left a temporary file */
};

/* An unnamed temporary file has a name only if it replaces another file, from
 * its link to its rename. */
static bool may_leave_temporary(bool is_there, enum fault fault)
{
    if (failing_calls.system != ALL_THERE)
        return true;
    if (!is_there)
        return false;
    return fault == KILL_AFTER
               ? failed_calls()->call == LINKAT || failed_calls()->call == CLOSE
               : failed_calls()->call == RENAME ||
                     failed_calls()->call == CLOSE;
}

static void validate_code(enum fault fault, int code, bool is_new)
{
    switch (fault) {
    case NO_FAULT:
    case HALVE:
        CHECK_EQ(code, EXIT_DONE);
        CHECK(is_new);
        return;
    case KILL_BEFORE:
    case KILL_AFTER:
        CHECK_EQ(code, 128 + SIGKILL);
        return;
    case FAIL:
    case FAIL_ALL:
        CHECK(code == EXIT_DONE || code == EXIT_IO_FAILED);
        CHECK_EQ(is_new, code == EXIT_DONE);
        /* A failed write, sync or rename is reported. */
        if (failed_calls()->call == PWRITE || failed_calls()->call == FSYNC ||
            failed_calls()->call == RENAME)
            CHECK_EQ(code, EXIT_IO_FAILED);
        return;
    }
}

static struct tally fail_each_step(job *work, bool is_there, enum fault fault)
{
    struct tally tally = {0};
    struct content old;
    struct content new;
    bool is_done = false;

    set_target(is_there);
    old = read_target();
    CHECK_EQ(run_child(work, NO_FAULT, 0), EXIT_DONE);
    /* The file in place was synced before. */
    CHECK(!failed_calls()->has_outrun);
    new = read_target();
    CHECK(new.data != NULL);
    for (uint32_t at = 1; !is_done; at++) {
        struct content now;
        bool is_new;
        uint32_t rest;
        int code;

        set_target(is_there);
        code = run_child(work, fault, at);
        is_done = !failed_calls()->has_hit;
        test_context("%s %s, call %u, %s file", fault_name(fault),
                     is_done ? "nothing" : call_name(failed_calls()->call), at,
                     is_there ? "old" : "no");
        now = read_target();
        is_new = is_same(&now, &new);
        CHECK(is_new || is_same(&now, &old));
        free(now.data);
        validate_code(is_done ? NO_FAULT : fault, code, is_new);
        rest = others(false);
        if (is_done || code != 128 + SIGKILL ||
            !may_leave_temporary(is_there, fault))
            CHECK_EQ(rest, 0);
        CHECK(rest <= 1);
        /* A temporary file left by a run does not disturb the next run. */
        if (rest > 0) {
            CHECK_EQ(run_child(work, NO_FAULT, 0), EXIT_DONE);
            now = read_target();
            CHECK(is_same(&now, &new));
            free(now.data);
        }
        tally.left_over += rest > 0;
        tally.steps += !is_done;
        tally.was_old += !is_done && !is_new;
        tally.was_new += !is_done && is_new;
    }
    set_target(false);
    free(old.data);
    free(new.data);
    return tally;
}

static void expect_steps(job *work, enum system system)
{
    static const enum fault faults[] = {KILL_BEFORE, KILL_AFTER, FAIL, FAIL_ALL,
                                        HALVE};

    start(system);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        for (int is_there = 0; is_there < 2; is_there++) {
            struct tally tally = fail_each_step(work, is_there, faults[i]);

            test_context("%s", fault_name(faults[i]));
            CHECK(tally.steps >= 7);
            CHECK(faults[i] == HALVE || tally.was_old > 3);
            /* After a kill behind the last step, or a failure of only the
             * folder's sync, the new file is in place. */
            CHECK(tally.was_new > 0);
            if (faults[i] != KILL_BEFORE && faults[i] != KILL_AFTER)
                CHECK_EQ(tally.left_over, 0);
            else if (system == ALL_THERE)
                CHECK(tally.left_over <= (is_there ? 2u : 0u));
        }
}

static void every_step_leaves_old_or_new(void)
{
    if (!has_unnamed_files(test_temp()))
        test_skip("no files without a name here");
    expect_steps(write_output, ALL_THERE);
}

static void every_step_leaves_old_or_new_without_such_files(void)
{
    expect_steps(write_output, NO_UNNAMED);
}

static void every_step_leaves_old_or_new_without_links(void)
{
    if (!has_unnamed_files(test_temp()))
        test_skip("no files without a name here");
    expect_steps(write_output, NO_LINKS);
}

static void every_step_of_a_compile_leaves_old_or_new(void)
{
    if (!has_unnamed_files(test_temp()))
        test_skip("no files without a name here");
    expect_steps(compile, ALL_THERE);
}

static void every_step_of_a_compile_leaves_old_or_new_by_name(void)
{
    expect_steps(compile, NO_UNNAMED);
}

/* -- read-only folders -- */

/* Drop the privileges: root may write everywhere. */
static void write_as_nobody(struct diag *diag)
{
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
        diag->code = EXIT_INTERNAL;
        return;
    }
    write_output(diag);
}

static void a_read_only_folder_keeps_the_old_file(void)
{
    for (int is_there = 0; is_there < 2; is_there++) {
        struct content old;
        struct content now;

        start(ALL_THERE);
        /* The user nobody must be able to enter the folder. */
        CHECK_EQ(chmod(test_temp(), 0711), 0);
        set_target(is_there);
        old = read_target();
        CHECK_EQ(chmod(folder, 0555), 0);
        CHECK_EQ(run_child(write_as_nobody, NO_FAULT, 0), EXIT_IO_FAILED);
        CHECK_EQ(chmod(folder, 0777), 0);
        now = read_target();
        CHECK(is_same(&now, &old));
        CHECK_EQ(others(false), 0);
        /* With a writable folder the same call succeeds. */
        CHECK_EQ(run_child(write_as_nobody, NO_FAULT, 0), EXIT_DONE);
        free(old.data);
        free(now.data);
        unlink(target);
    }
}

TEST_MAIN(TEST(small_writes_are_collected),
          TEST(a_read_only_folder_keeps_the_old_file),
          TEST(every_step_leaves_old_or_new),
          TEST(every_step_leaves_old_or_new_without_such_files),
          TEST(every_step_leaves_old_or_new_without_links),
          TEST(every_step_of_a_compile_leaves_old_or_new),
          TEST(every_step_of_a_compile_leaves_old_or_new_by_name))
