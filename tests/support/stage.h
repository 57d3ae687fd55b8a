/* stage.h - a runtime on a slow disc with a virtual clock, for tests. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "support/slow_platform.h"
#include "support/tiny_cache.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define STAGE_TICK_US 16667u

struct group_read;

struct stage {
    struct slow_platform disc;
    spn_config config; /* set by the test before stage_open; zero fields: a heap
                        * of 8 MiB, cooperative */
    spn_runtime *rt;
    spn_job_gate gate; /* of config.job_submit, unless it has one */
    void *memory;
    struct tiny_cache *tiny;
    spn_cache cache;
};

/* Clear the stage and make an empty disc. `tiny` becomes its file "a"; NULL: no
 * file. */
void stage_init(struct stage *s, struct tiny_cache *tiny);
void stage_start(struct stage *s);
/* Start the runtime, open "a" and wait until it is ready. */
void stage_open(struct stage *s);
/* The same with jobs that wait for stage_run_jobs once the cache is ready.
 * config.job_submit, unless the test has set it, does nothing. */
void stage_open_late(struct stage *s);
void stage_run_jobs(struct stage *s);
/* Without updates, wait for a read that the test has started itself; checks
 * that it is done. */
void stage_finish_read(struct stage *s, const struct group_read *r);
/* Shut down and free all memory, also the tiny cache. */
void stage_close(struct stage *s);

/* One update, `us` later. Checks spn_check. */
void stage_tick(struct stage *s, uint32_t us);
/* Tick until the node shows the frame of its time; fails after a limit. */
void stage_until_ready(struct stage *s, spn_node node);
/* Tick until the heap contains only static data; fails after a limit. */
void stage_until_empty(struct stage *s);
bool stage_is_empty(const struct stage *s);

spn_node stage_node(struct stage *s, bool is_looping);
spn_node_state stage_state(const struct stage *s, spn_node node);
/* Check that the shown quantized values of a mesh are those of `frame`. */
void stage_check_frame(struct stage *s, spn_node node, uint32_t mesh,
                       uint32_t frame);

/* Start streaming of the node and wait until it shows the frame of its time. */
void stage_stream(struct stage *s, spn_node node, int64_t time_us);
/* Play from one time to the other in ticks. Each tick must show its frame of
 * the looping clip, with the values of mesh 0. */
void stage_play(struct stage *s, spn_node node, int64_t from_us, int64_t to_us);
/* Stop streaming; when all memory is released, close the stage. */
void stage_stop(struct stage *s, spn_node node);

#endif
