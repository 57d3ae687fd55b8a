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

struct stage {
    struct slow_platform disc;
    spn_config config; /* the test's, before stage_open; zero: defaults of the
                        * stage: a heap of 8 MiB, cooperative */
    spn_runtime *rt;
    spn_job_gate gate; /* of config.job_submit */
    void *memory;
    struct tiny_cache *tiny;
    spn_cache cache;
};

/* Zeroed, with an empty disc. The disc holds `tiny` as "a" (NULL: none). */
void stage_init(struct stage *s, struct tiny_cache *tiny);
void stage_start(struct stage *s);
/* Start, open "a" and wait until it is ready. */
void stage_open(struct stage *s);
/* Shut down and free; also the tiny cache. */
void stage_close(struct stage *s);

/* One update, `us` later; spn_check must hold. */
void stage_tick(struct stage *s, uint32_t us);
/* Ticks until the node shows what it wants, or fails. */
void stage_until_ready(struct stage *s, spn_node node);
/* Ticks until the heap holds nothing but static data, or fails. */
void stage_until_empty(struct stage *s);
bool stage_is_empty(const struct stage *s);

spn_node stage_node(struct stage *s, bool is_looping);
spn_node_state stage_state(const struct stage *s, spn_node node);
/* The shown frame's quantized values of a mesh are those of `frame`. */
void stage_check_frame(struct stage *s, spn_node node, uint32_t mesh,
                       uint32_t frame);

/* Start the node's streaming and wait until it shows what it wants. */
void stage_stream(struct stage *s, spn_node node, int64_t time_us);
/* From one time until the other, in ticks: each shows its frame of a clip that
 * begins again at its end, with the values of mesh 0. */
void stage_play(struct stage *s, spn_node node, int64_t from_us, int64_t to_us);
/* Stop it; when all is given back, close the stage. */
void stage_stop(struct stage *s, spn_node node);

#endif
