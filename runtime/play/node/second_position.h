/* second_position.h - a second place from which a node streams.
 *
 * It is a node of its own that shows nothing: it plays the same range of the
 * same cache, and what it reads and decodes is shared like that of any other
 * node of the cache. It takes no share of a drive, so that it never makes
 * another stream late, and ends when playback gets there. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_SECOND_POSITION_H
#define SPN_PLAY_SECOND_POSITION_H

#include "play/node/node.h"

#include <stdint.h>

/* The implementation of spn_node_set_streaming_time. */
spn_status spn__second_set(struct node *n, int64_t time_us);
/* No effect if there is none. */
void spn__second_end(struct node *n);
/* The range, the rate or the mask of the node has changed. */
void spn__second_copy(const struct node *n);
/* The playback time was set: take its direction, and end if playback is there.
 */
void spn__second_follow(struct node *n);
/* Fill in its part of the node's state. */
void spn__second_report(const struct node *n, spn_node_state *state);

#endif
