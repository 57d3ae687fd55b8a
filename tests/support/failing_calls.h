/* failing_calls.h - let the system calls that write files fail, for tests.
 *
 * The linker redirects the calls to this module: the test's program is linked
 * with --wrap for each of CALLS below (LDFLAGS_test_x in the Makefile). Calls
 * are counted. The Nth call ends the process, or fails.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FAILING_CALLS_H
#define TESTS_SUPPORT_FAILING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* openat64 (creating), pwrite64, fsync, close, linkat, renameat, fchmod */
enum call { OPEN, PWRITE, FSYNC, FSYNC_FOLDER, CLOSE, LINKAT, RENAME, FCHMOD };

enum fault {
    NO_FAULT,
    KILL_BEFORE, /* end the process before the call */
    KILL_AFTER,
    FAIL,     /* this call fails */
    FAIL_ALL, /* this call and all later writing calls fail: a full disc */
    HALVE     /* a write stores only a part of its bytes */
};

enum system {
    ALL_THERE,
    NO_UNNAMED, /* the file system has no unnamed files */
    NO_LINKS    /* unnamed files exist, but cannot be named */
};

struct failing_calls {
    bool is_watching;
    enum system system;
    enum fault fault;
    uint32_t at; /* number of the call, from 1 */
    bool is_dirty;
};
extern struct failing_calls failing_calls;

/* Shared with child processes; created by the first call. */
struct failed_calls {
    uint32_t calls;
    bool has_hit;
    enum call call;  /* the call that the fault hit */
    bool has_outrun; /* a file was named before its data was synced */
};
struct failed_calls *failed_calls(void);

const char *fault_name(enum fault fault);
const char *call_name(enum call call);

/* Whether the folder's file system has unnamed files. */
bool has_unnamed_files(const char *folder);

#endif
