/* failing_calls.h - the system's calls that write files, under a test's hand.
 *
 * The linker leads them here: the test's program is linked with --wrap for
 * each of CALLS below (LDFLAGS_test_x in the Makefile). Calls are counted, and
 * the Nth one is the last of the process, or fails.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FAILING_CALLS_H
#define TESTS_SUPPORT_FAILING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* openat64 (of new files), pwrite64, fsync, close, linkat, renameat, fchmod */
enum call { OPEN, PWRITE, FSYNC, FSYNC_FOLDER, CLOSE, LINKAT, RENAME, FCHMOD };

enum fault {
    NO_FAULT,
    KILL_BEFORE, /* the call */
    KILL_AFTER,
    FAIL,     /* this call */
    FAIL_ALL, /* this call and all that write, from then on: a full disc */
    HALVE     /* a write does only a part of what it should */
};

enum system {
    ALL_THERE,
    NO_UNNAMED, /* no files without a name */
    NO_LINKS    /* files without a name, and no way to give them one */
};

struct failing_calls {
    bool is_watching;
    enum system system;
    enum fault fault;
    uint32_t at; /* from 1 */
    bool is_dirty;
};
extern struct failing_calls failing_calls;

/* Seen by the children of a process, too; made by the first call. */
struct failed_calls {
    uint32_t calls;
    bool has_hit;
    enum call call;  /* that the fault hit */
    bool has_outrun; /* put in place what was not synced */
};
struct failed_calls *failed_calls(void);

const char *fault_name(enum fault fault);
const char *call_name(enum call call);

/* Does the folder's file system have files without a name? */
bool has_unnamed_files(const char *folder);

#endif
