/* game_streams.h - caches that a script (clip_script.h) plays in a simulated
 * game: the runtime reads and decodes them in the heap of the clips.
 *
 * Each action `stream` is a node, from its time to its end. game_clips.h calls
 * all functions; the order of calls is described there. Times are microseconds
 * since the game's beginning. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_STREAMS_H
#define OFFLINE_SIMULATE_GAME_STREAMS_H

#include "simulate/clip_script.h"
#include "simulate/sim_record.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct game_streams;
/* A node that plays. */
struct game_stream;

/* All pointers must outlive the result, which is of the arena of the record. */
struct game_streams *game_streams_create(const struct clip_script *script,
                                         struct sim_record *out,
                                         struct diag *diag);
/* Begin to open all caches. Returns false after a refusal. */
bool game_streams_open(struct game_streams *streams, spn_runtime *rt);
/* SPN_PENDING until all are open; an error after a refusal. */
spn_status game_streams_opened(struct game_streams *streams);
/* The time of one pass of the cache at the rate of the action. */
uint64_t game_streams_pass_us(const struct game_streams *streams,
                              const struct clip_action *action);

/* Create a node, and play it from its first frame on, or from its end
 * backwards. Returns NULL after a refusal. `overload`: of the node. */
struct game_stream *game_stream_begin(struct game_streams *streams,
                                      const struct clip_action *action,
                                      spn_overload overload);
void game_stream_set_time(const struct game_stream *stream, uint64_t now_us);
/* Count a picture, after the update. */
void game_stream_show(struct game_stream *stream, uint64_t now_us);
/* Add its counts to those of its cache, and destroy it. */
void game_stream_end(struct game_stream *stream);

/* Refuse a cache with damaged frames, unless something was refused before. */
void game_streams_finish(const struct game_streams *streams);

#endif
