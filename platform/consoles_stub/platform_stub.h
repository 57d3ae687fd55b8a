/* platform_stub.h - a platform table for a machine without threads, files and
 * clock.
 *
 * It is the template of a port, and the platform of repeatable tests. All work
 * is done inside spn_update, the caller sets the clock, and the disc is an
 * array of files in memory. Needs no C library.
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
    const char *path; /* compared exactly */
    const void *data; /* the bytes of the file */
    uint64_t bytes;
} spn_stub_file;

/* The machine. The caller sets it to zero, fills in the fields before
 * `private`, and calls spn_platform_stub_init. The files are adjacent on the
 * disc, in the order of `files`. */
typedef struct spn_platform_stub {
    spn_stub_file files[SPN_STUB_FILES_MAX]; /* the files of the disc */
    uint32_t file_count;
    uint32_t bytes_per_second; /* rate of the disc; 0: reads end at once */
    uint32_t seek_us;          /* added if a read does not begin at `head` */
    uint32_t align_bytes;      /* alignment that file_open reports; 0: 1 */
    uint64_t clock_us;         /* the clock; the caller advances it */
    /* private */
    spn_platform_completion completion;
    uint64_t due_us;
    uint64_t head; /* disc offset of the end of the last read */
    uint32_t is_reading;
} spn_platform_stub;

/* Fill the table. `stub` must stay valid while a runtime uses the table. */
void spn_platform_stub_init(spn_platform_stub *stub, spn_platform *out);

#ifdef __cplusplus
}
#endif
#endif
