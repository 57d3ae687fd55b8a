/* node_show.h - which frames a playback time needs, and which can be shown.
 *
 * The results are pictures (struct node_picture): two frames and the fraction
 * between them. Positions of frames and the held frame: see node.h. Caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_SHOW_H
#define SPN_PLAY_NODE_SHOW_H

#include "play/mesh_source.h"
#include "play/node/node.h"

#include <stdbool.h>
#include <stdint.h>

/* The tuning variable `interpolate`. */
bool spn__node_interpolates(const struct node *n);
/* Set node.wanted: the frames around node.playback_us. */
void spn__node_find_wanted(struct node *n);
/* Set node.shown: the wanted frames if they are decoded, otherwise the decoded
 * frame nearest in time, otherwise what was shown before. False if nothing near
 * the time is decoded. */
bool spn__node_find_shown(struct node *n);
/* True if the wanted frames are shown. Frames beyond promises may have been
 * freed since node.shown was set. */
bool spn__node_shows_wanted(const struct node *n);
/* True if the wanted frames would be shown: they are decoded now, and with
 * buffers of the engine, those are written. */
bool spn__node_can_show_wanted(const struct node *n);
/* The decoded frame at a position of a picture. NULL if it is not in memory. */
struct decoded_frame *spn__node_frame(const struct node *n,
                                      const struct node_picture *picture,
                                      uint64_t frame);
/* The decoded frames of a picture. If only the earlier one is in memory, both
 * are that one. False, and `out` is not valid, if it is not. */
bool spn__node_picture_frames(const struct node *n,
                              const struct node_picture *picture,
                              struct fill_frames *out);

#endif
