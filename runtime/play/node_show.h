/* node_show.h - which frames a playback time needs, and which can be shown.
 *
 * The results are pictures (struct node_picture): two frames and the fraction
 * between them. Positions of frames and the held frame: see node.h. Caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_SHOW_H
#define SPN_PLAY_NODE_SHOW_H

#include "play/node.h"

#include <stdbool.h>
#include <stdint.h>

/* Set node.wanted: the frames around node.playback_us. */
void spn__node_find_wanted(struct node *n);
/* Set node.shown: the wanted frames if they are decoded, otherwise the decoded
 * frame nearest in time. False if no frame is decoded; the held frame stays
 * visible then. */
bool spn__node_find_shown(struct node *n);
/* The decoded frame at a position; NULL if it is not in memory.
 *
 * picture  the picture to which the frame belongs. If its is_held_frame is set,
 *          the result is the held frame */
struct frame_control *spn__node_frame(const struct node *n,
                                      const struct node_picture *picture,
                                      uint64_t frame);

#endif
