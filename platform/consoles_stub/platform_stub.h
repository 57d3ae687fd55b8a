/* platform_stub.h - a machine with nothing: no threads, no files, no clock.
 *
 * The template of a port, and the platform of repeatable tests: everything
 * runs inside spn_update, time is what the caller says it is, and the disc is
 * memory. Needs no C library.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_STUB_H
#define SPINDLE_PLATFORM_STUB_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPN_STUB_FILES_MAX 32u

typedef struct spn_stub_file {
    const char *path; /* exact match */
    const void *data;
    uint64_t bytes;
} spn_stub_file;

/* Plain memory; zero it, fill in the disc, then spn_platform_stub_init. The
 * files lie on the disc one behind the other, in the order of the directory. */
typedef struct spn_platform_stub {
    spn_stub_file files[SPN_STUB_FILES_MAX]; /* the RAM disc's directory */
    uint32_t file_count;
    uint32_t bytes_per_second; /* 0: reads end at once */
    uint32_t seek_us;          /* added when a read does not continue */
    uint32_t align_bytes;      /* what file_open reports; 0: 1 */
    uint64_t clock_us;         /* the virtual clock: the caller moves it */
    /* private */
    spn_platform_completion completion;
    uint64_t due_us;
    uint64_t head; /* disc offset behind the last read */
    uint32_t is_reading;
} spn_platform_stub;

void spn_platform_stub_init(spn_platform_stub *stub, spn_platform *out);

#ifdef __cplusplus
}
#endif
#endif
