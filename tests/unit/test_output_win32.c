/* test_output_win32.c
 *
 * Goal: a process that is killed while it writes leaves the old file or none,
 *   and nothing else; a target that somebody has open is refused, and stays.
 * Method: this program starts itself; the child writes an output up to a given
 *   step and is ended there, as the system ends a process.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* ---- the child ----------------------------------------------------------- */

enum step { OPENED, WRITTEN, COMMITTED, STEP_COUNT };

static void die_at(enum step at, enum step now)
{
    if (at == now)
        TerminateProcess(GetCurrentProcess(), 40 + (UINT)now);
}

static void __attribute__((constructor)) live_as_child(void)
{
    const char *target = getenv("TEST_TARGET");
    const char *step = getenv("TEST_STEP");
    struct host_output *output;
    struct diag diag;
    enum step at;

    if (!target || !step)
        return;
    at = (enum step)atoi(step);
    diag_init(&diag);
    output = host_output_open(target, &diag);
    if (!output)
        exit((int)diag.code);
    die_at(at, OPENED);
    if (!host_output_append(output, "a new file", 10))
        exit((int)diag.code);
    die_at(at, WRITTEN);
    if (!host_output_commit(output))
        exit((int)diag.code);
    die_at(at, COMMITTED);
    exit(99);
}

/* Its exit code. */
static DWORD run_child(const char *target, enum step step)
{
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    char program[MAX_PATH];
    char number[8];
    DWORD code = 0;

    snprintf(number, sizeof number, "%d", (int)step);
    CHECK(GetModuleFileNameA(NULL, program, sizeof program) > 0);
    SetEnvironmentVariableA("TEST_TARGET", target);
    SetEnvironmentVariableA("TEST_STEP", number);
    CHECK(CreateProcessA(program, NULL, NULL, NULL, FALSE, 0, NULL, NULL,
                         &start, &child));
    SetEnvironmentVariableA("TEST_TARGET", NULL);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    return code;
}

/* ---- the folder ---------------------------------------------------------- */

static char folder[512];
static char target[600];

static void start(bool is_there)
{
    static unsigned number;
    HANDLE file;
    DWORD done;

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    snprintf(target, sizeof target, "%s/target", folder);
    CHECK(CreateDirectoryA(folder, NULL));
    if (!is_there)
        return;
    file = CreateFileA(target, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
    CHECK(file != INVALID_HANDLE_VALUE);
    CHECK(WriteFile(file, "the old file", 12, &done, NULL));
    CloseHandle(file);
}

static bool count_one(void *user, const struct host_found *found)
{
    (void)found;
    ++*(unsigned *)user;
    return true;
}

/* What is there: the bytes of the target, and nothing beside it. */
static void expect(const char *text)
{
    struct diag diag;
    unsigned count = 0;
    size_t bytes;
    void *data;

    diag_init(&diag);
    CHECK(host_folder_walk(folder, count_one, &count, &diag));
    CHECK_EQ_U(count, text ? 1 : 0);
    if (text) {
        CHECK(host_read_file(target, &data, &bytes, &diag));
        CHECK_STR(data, text);
        free(data);
    }
    diag_finish(&diag);
}

/* ---- claims -------------------------------------------------------------- */

static void a_killed_process_leaves_the_old_file_or_none(void)
{
    for (int is_there = 0; is_there < 2; is_there++)
        for (enum step step = OPENED; step < STEP_COUNT; step++) {
            start(is_there);
            test_context("step %d, %s file", (int)step,
                         is_there ? "old" : "no");
            CHECK_EQ_U(run_child(target, step), 40 + (unsigned)step);
            expect(step == COMMITTED ? "a new file"
                   : is_there        ? "the old file"
                                     : NULL);
        }
}

static void a_target_that_is_held_is_refused_and_stays(void)
{
    struct host_output *output;
    struct diag diag;
    HANDLE held;

    start(true);
    held = CreateFileA(target, GENERIC_READ, FILE_SHARE_READ, NULL,
                       OPEN_EXISTING, 0, NULL);
    CHECK(held != INVALID_HANDLE_VALUE);
    diag_init(&diag);
    diag.is_silent = true;
    output = host_output_open(target, &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "a new file", 10));
    CHECK(!host_output_commit(output));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CloseHandle(held);
    diag_finish(&diag);
    expect("the old file");
}

static void a_read_only_target_is_replaced_and_stays_so(void)
{
    struct host_output *output;
    struct diag diag;

    start(true);
    CHECK(SetFileAttributesA(target, FILE_ATTRIBUTE_READONLY));
    diag_init(&diag);
    output = host_output_open(target, &diag);
    CHECK(output != NULL);
    CHECK(host_output_append(output, "a new file", 10));
    CHECK(host_output_commit(output));
    diag_finish(&diag);
    expect("a new file");
    CHECK(GetFileAttributesA(target) & FILE_ATTRIBUTE_READONLY);
    CHECK(SetFileAttributesA(target, FILE_ATTRIBUTE_NORMAL));
}

TEST_MAIN(TEST(a_killed_process_leaves_the_old_file_or_none),
          TEST(a_read_only_target_is_replaced_and_stays_so),
          TEST(a_target_that_is_held_is_refused_and_stays))
