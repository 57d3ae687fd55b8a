/* node.h - one playing instance of a cache: what it wants, what it shows.
 *
 * A node turns a time into the two frames around it, and shows those frames
 * when they are decoded, else the nearest one that is. It tells its stream
 * what playback needs. Owner of everything here: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_H
#define SPN_PLAY_NODE_H

#include "play/manager.h"
#include "play/stream.h"

#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

/* Two frames and what lies between. */
struct node_picture {
    bool is_valid;
    bool is_exact; /* the wanted frames, not others in their place */
    bool is_held;  /* the stream's held frame, from before a seek */
    uint64_t floor;
    uint64_t ceil;
    float alpha; /* 0: floor alone */
};

struct node {
    struct manager *manager; /* fixed after init */
    spn_node handle;         /* 0: the slot is free */
    spn_node_desc desc;
    struct cache *cache;
    uint64_t latest; /* frame at which the stream may begin: all behind it to
                        the clip's end was bad */
    bool is_dying;   /* destroyed by the user, not yet empty */
    bool wants_streaming;
    bool is_ordered;     /* has a place in the manager's order */
    bool has_wanted;     /* a playback time was set since the start */
    bool is_unjudged;    /* the wanted frame changed: on time or late? */
    int64_t time_us;     /* as the user set it, clamped */
    int64_t playback_us; /* the same on the stream's scale: never negative */
    struct node_picture wanted;
    struct node_picture shown;
    struct node_picture previous; /* shown before the last change of time */
    uint32_t frames_shown;
    uint32_t frames_late;
    uint32_t seeks;
    struct stream stream;
#if SPN_WITH_FRAME_BUFFERS
    struct stream_buffers buffers; /* while stream.buffers points to them */
#endif
};

/* -- node.c -- */

void spn__node_init(struct node *n, struct manager *m, struct carve *carve,
                    uint32_t stream_frame_count);
void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc);
void spn__node_destroy(struct node *n);
void spn__node_start(struct node *n, int64_t time_us);
void spn__node_stop(struct node *n);
void spn__node_set_time(struct node *n, int64_t time_us);
/* First half of an update: what ended, what is shown, what goes. */
void spn__node_update(struct node *n);
void spn__node_get_state(const struct node *n, spn_node_state *out);
/* Why the node can never play (SPN_ERR_MEMORY, SPN_ERR_TABLE_FULL), or
 * SPN_OK. */
spn_status spn__node_refusal(const struct node *n);
bool spn__node_check(const struct node *n);

/* -- node_show.c -- */

/* The frames around the playback time. */
void spn__node_find_wanted(struct node *n);
/* Choose what to show among what is decoded; false when nothing is. */
bool spn__node_find_shown(struct node *n);
/* Decoded frame of a picture, or NULL when it is gone. */
struct frame_control *spn__node_frame(const struct node *n,
                                      const struct node_picture *picture,
                                      uint64_t frame);

/* -- node_buffers.c -- */

/* NULL: none. SPN_ERR_STATE while the stream is active. */
spn_status spn__node_set_buffers(struct node *n,
                                 const spn_frame_buffers *buffers);
spn_status spn__node_get_frames(const struct node *n, uint32_t mesh,
                                spn_frame_pair *out);

/* -- node_fill.c, node_pose.c -- */

spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out);
/* The vertices of a part in one frame, which has its tile. Any thread. */
void spn__node_fill_part(const struct cache *c,
                         const struct frame_control *frame,
                         const struct cache_part *part,
                         const spn_vertex_layout *layout, void *vertices);
spn_status spn__node_pose(const struct node *n, float *matrices,
                          uint8_t *visible);
spn_status spn__node_box(const struct node *n, float box_min[3],
                         float box_max[3]);
/* Does any scene node show the mesh in this frame? */
bool spn__node_shows_mesh(const struct cache *c,
                          const struct frame_control *frame, uint32_t mesh);

#endif
