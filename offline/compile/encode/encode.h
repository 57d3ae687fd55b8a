/* encode.h - from a clip's frames to a cache.
 *
 * Frames are produced and streams encoded on several threads; every stream is
 * decoded again by the runtime's own functions and compared. The bytes do not
 * depend on the number of threads. Memory does not grow with the clip: the
 * values of two frames a thread, and of as many groups as keep all threads
 * busy (one thread: one group).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_H

#include "compile/clip/clip_source.h"
#include "compile/report/compile_report.h"
#include "compile/report/options.h"
#include "compile/write/writer.h"

struct encode_job {
    const struct clip_source *source;
    const struct compile_options *options;
    struct diag *diag;
    struct cache_sink sink;
    /* 0..1, rising, from one thread at a time; may be NULL */
    void (*progress)(void *user, double done);
    void *progress_user;
};

/* False after a refusal; what the sink holds is then not a cache. Fills the
 * counts and bytes of the report, not its seconds or input. */
bool encode_run(const struct encode_job *job, struct compile_report *report);

#endif
