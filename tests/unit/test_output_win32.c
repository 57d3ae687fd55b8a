/* test_output_win32.c
 *
 * Goal: a process that is killed while it writes, or cannot write, leaves the
 * complete old file or none, or the complete new file, and no other files. A
 * target that another process has open is refused and not changed.
 * Method: this program starts itself as a child. The linker redirects the
 * child's writing calls to this file (--wrap). The child writes an output, or
 * compiles. At its Nth call it is killed, or the call fails, or the disk is
 * full from then on, for N = 1, 2, ... until the child succeeds.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/compile.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* -- the calls of the child -- */

enum fault { NO_FAULT, KILL_BEFORE, KILL_AFTER, FAIL, FULL, FAULT_COUNT };
enum call { WRITE, FLUSH, MOVE };

/* The child's exit codes: that of diag, or one of these. */
#define KILLED_AT 40u      /* plus the call */
#define DONE_AFTER_HIT 50u /* a call failed without an error of the tool */
#define GOT_THROUGH 99u

static enum fault fault; /* NO_FAULT: no call fails */
static unsigned fault_at;
static unsigned calls;

/* Count a call; false: it must fail, with the error set. */
static bool enter(enum call call)
{
    calls += fault != NO_FAULT;
    if (fault == KILL_BEFORE && calls == fault_at)
        TerminateProcess(GetCurrentProcess(), KILLED_AT + (UINT)call);
    SetLastError(call == FLUSH ? ERROR_WRITE_FAULT : ERROR_DISK_FULL);
    return !(fault == FAIL && calls == fault_at) &&
           !(fault == FULL && calls >= fault_at && call != FLUSH);
}

static void leave(enum call call)
{
    if (fault == KILL_AFTER && calls == fault_at)
        TerminateProcess(GetCurrentProcess(), KILLED_AT + (UINT)call);
}

/* Windows' functions are called through pointers of these names. */
typedef BOOL WINAPI write_file(HANDLE, LPCVOID, DWORD, LPDWORD, LPOVERLAPPED);
typedef BOOL WINAPI flush_file(HANDLE);
typedef BOOL WINAPI move_file(LPCWSTR, LPCWSTR, DWORD);
extern write_file *__real___imp_WriteFile;
extern flush_file *__real___imp_FlushFileBuffers;
extern move_file *__real___imp_MoveFileExW;
extern write_file *__wrap___imp_WriteFile;
extern flush_file *__wrap___imp_FlushFileBuffers;
extern move_file *__wrap___imp_MoveFileExW;

static BOOL WINAPI watched_write(HANDLE file, LPCVOID data, DWORD bytes,
                                 LPDWORD done, LPOVERLAPPED place)
{
    BOOL is_good =
        enter(WRITE) && __real___imp_WriteFile(file, data, bytes, done, place);

    leave(WRITE);
    return is_good;
}

static BOOL WINAPI watched_flush(HANDLE file)
{
    BOOL is_good = enter(FLUSH) && __real___imp_FlushFileBuffers(file);

    leave(FLUSH);
    return is_good;
}

static BOOL WINAPI watched_move(LPCWSTR from, LPCWSTR to, DWORD flags)
{
    BOOL is_good = enter(MOVE) && __real___imp_MoveFileExW(from, to, flags);

    leave(MOVE);
    return is_good;
}

write_file *__wrap___imp_WriteFile = watched_write;
flush_file *__wrap___imp_FlushFileBuffers = watched_flush;
move_file *__wrap___imp_MoveFileExW = watched_move;

/* -- the child -- */

enum job { APPEND, COMPILE };

static void append(const char *target, struct diag *diag)
{
    struct host_output *output = host_output_open(target, diag);

    if (!output)
        return;
    if (host_output_append(output, "a new", 5) &&
        host_output_append(output, " file", 5))
        host_output_commit(output);
    else
        host_output_abandon(output);
}

static void compile(const char *target, struct diag *diag)
{
    struct compile_options wish;
    struct compile_report report;
    char input[2048];

    snprintf(input, sizeof input, "%s/fps-2997.abc", test_data());
    compile_options_default(&wish);
    wish.input = input;
    wish.output = target;
    wish.jobs = 1;
    compile_run(&wish, diag, NULL, NULL, &report);
}

static void __attribute__((constructor)) live_as_child(void)
{
    const char *target = getenv("TEST_TARGET");
    const char *wish = getenv("TEST_STEP");
    struct diag diag;
    unsigned job;
    unsigned kind;

    if (!target || !wish ||
        sscanf(wish, "%u %u %u", &job, &kind, &fault_at) != 3)
        return;
    diag_init(&diag);
    diag.is_silent = true;
    fault = (enum fault)kind;
    if (job == APPEND)
        append(target, &diag);
    else
        compile(target, &diag);
    if (diag.code != 0)
        exit((int)diag.code);
    exit(fault == NO_FAULT || calls < fault_at ? GOT_THROUGH : DONE_AFTER_HIT);
}

/* Run the child; returns its exit code. */
static DWORD run_child(const char *target, enum job job, enum fault kind,
                       unsigned at)
{
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    char program[MAX_PATH];
    char wish[32];
    DWORD code = 0;

    snprintf(wish, sizeof wish, "%u %u %u", (unsigned)job, (unsigned)kind, at);
    CHECK(GetModuleFileNameA(NULL, program, sizeof program) > 0);
    SetEnvironmentVariableA("TEST_TARGET", target);
    SetEnvironmentVariableA("TEST_STEP", wish);
    CHECK(CreateProcessA(program, NULL, NULL, NULL, FALSE, 0, NULL, NULL,
                         &start, &child));
    SetEnvironmentVariableA("TEST_TARGET", NULL);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    return code;
}

/* -- the folder -- */

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

/* Check that the folder contains only the target, with these bytes. */
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

/* -- claims -- */

/* The bytes of the target; NULL: there is none. The caller frees them. */
static char *read_target(size_t *bytes)
{
    struct diag diag;
    void *data = NULL;

    *bytes = 0;
    diag_init(&diag);
    if (GetFileAttributesA(target) != INVALID_FILE_ATTRIBUTES)
        CHECK(host_read_file(target, &data, bytes, &diag));
    diag_finish(&diag);
    return data;
}

static bool is_old(const char *data, size_t bytes, bool is_there)
{
    return is_there ? data && bytes == 12 && !memcmp(data, "the old file", 12)
                    : !data;
}

/* Check what a child that ended with `code` may leave; `whole` is the new
 * file. */
static void expect_all_or_nothing(DWORD code, enum fault kind, bool is_there,
                                  const char *whole, size_t whole_bytes)
{
    bool is_killed = kind == KILL_BEFORE || kind == KILL_AFTER;
    unsigned count = 0;
    struct diag diag;
    size_t bytes;
    char *data = read_target(&bytes);
    bool is_new = data && bytes == whole_bytes && !memcmp(data, whole, bytes);

    diag_init(&diag);
    CHECK(host_folder_walk(folder, count_one, &count, &diag));
    diag_finish(&diag);
    CHECK(code != DONE_AFTER_HIT);
    if (is_killed) {
        CHECK(code >= KILLED_AT && code <= KILLED_AT + MOVE);
        CHECK_EQ(is_new, kind == KILL_AFTER && code == KILLED_AT + MOVE);
    } else
        CHECK_EQ_U(code, EXIT_IO_FAILED);
    CHECK(is_new || is_old(data, bytes, is_there));
    /* A file that is about to be renamed is no longer deleted with its
     * handle. */
    if (is_killed && kind == KILL_BEFORE && code == KILLED_AT + MOVE)
        CHECK(count <= (data != NULL) + 1u);
    else
        CHECK_EQ_U(count, data != NULL);
    free(data);
}

/* Run for every N until the child succeeds. Returns the number of calls. */
static unsigned fail_everywhere(enum job job, enum fault kind, bool is_there)
{
    size_t whole_bytes;
    char *whole;
    unsigned at = 1;

    start(false);
    CHECK_EQ_U(run_child(target, job, NO_FAULT, 0), GOT_THROUGH);
    whole = read_target(&whole_bytes);
    CHECK(whole != NULL);
    for (;; at++) {
        DWORD code;

        test_context("job %d, fault %d at call %u, %s file", (int)job,
                     (int)kind, at, is_there ? "old" : "no");
        start(is_there);
        code = run_child(target, job, kind, at);
        if (code == GOT_THROUGH)
            break;
        expect_all_or_nothing(code, kind, is_there, whole, whole_bytes);
    }
    free(whole);
    return at - 1;
}

static void interrupted_write_leaves_a_complete_file_or_none(void)
{
    for (int is_there = 0; is_there < 2; is_there++)
        for (int kind = KILL_BEFORE; kind < FAULT_COUNT; kind++)
            CHECK(fail_everywhere(APPEND, (enum fault)kind, is_there) >= 3);
}

static void interrupted_compile_leaves_a_complete_file_or_none(void)
{
    for (int kind = KILL_BEFORE; kind < FAULT_COUNT; kind++)
        CHECK(fail_everywhere(COMPILE, (enum fault)kind, true) >= 3);
}

static void an_open_target_is_refused_and_kept(void)
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

TEST_MAIN(TEST(interrupted_write_leaves_a_complete_file_or_none),
          TEST(interrupted_compile_leaves_a_complete_file_or_none),
          TEST(a_read_only_target_is_replaced_and_stays_so),
          TEST(an_open_target_is_refused_and_kept))
