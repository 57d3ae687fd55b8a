/* encode.h - encodes the frames of a clip to a cache.
 *
 * encode_run pulls frames from a clip_source and writes a cache to a sink.
 * It first decides everything that holds for the whole cache (which meshes are
 * lifted, predictors, tables), writes the static data, and then encodes the
 * frames in a pipeline (encode_group.c). Several threads produce frames and
 * encode blocks. Each block is decoded again by the runtime's own functions and
 * compared. The bytes do not depend on the number of threads. Memory does not
 * grow with the length of the clip: frames in flight are limited.
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
    /* Called with the part that is done, 0..1, rising, by one thread at a time;
     * NULL: not wanted */
    void (*progress)(void *user, double done);
    void *progress_user;
};

/* Returns false after a refusal, which `diag` has reported; the sink then holds
 * no complete cache. Fills the counts and bytes of the report, but not its
 * seconds and input. */
bool encode_run(const struct encode_job *job, struct compile_report *report);

#endif
