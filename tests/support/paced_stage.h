/* paced_stage.h - a stage (stage.h) with a virtual worker that takes a given
 * time for each frame, for tests of what nodes leave out. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PACED_STAGE_H
#define TESTS_PACED_STAGE_H

#include "player/play_worker.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

#define PACED_FRAMES 300u
#define PACED_SECOND_US 1000000

struct cache;
struct cursor;

struct paced_stage {
    struct stage stage;
    struct play_worker worker;
    struct memory_sink memory; /* the file of paced_open_pyramid */
    spn_listener listener;
    int64_t frame_us; /* of the clip */
};

/* Start the runtime of a stage that the test has initialized, and open "a". The
 * worker takes no time until paced_set_capacity. */
void paced_open(struct paced_stage *p);
/* Initialize the stage with a file, and open it: one of `o`; one of the classic
 * codec with PACED_FRAMES frames; one of lifted meshes in groups of 8
 * frames. */
void paced_open_tiny(struct paced_stage *p, const struct tiny_options *o);
void paced_open_classic(struct paced_stage *p);
void paced_open_pyramid(struct paced_stage *p, uint32_t frame_count);
/* Shut down and free all memory. */
void paced_close(struct paced_stage *p);

/* The worker decodes `percent` of the frames of one node. */
void paced_set_capacity(struct paced_stage *p, uint32_t percent);
/* One update, STAGE_TICK_US later. */
void paced_tick(struct paced_stage *p);
void paced_set_time(struct paced_stage *p, spn_node node, int64_t time_us);
/* Play for some seconds, from the second `from` on. */
void paced_play(struct paced_stage *p, spn_node node, int from, int seconds);

const struct cursor *paced_cursor(struct paced_stage *p, spn_node node);
const struct cache *paced_cache(struct paced_stage *p);

#endif
