/* frame_path.h - quantized frames straight to the graphics processor.
 *
 * Each file has a pool of vertex buffers. The runtime's workers write each
 * frame that will be shown, as it is stored, into a mapped buffer of the pool,
 * once for all nodes (spindle/geom_buffers.h). quantized.vert converts and
 * interpolates.
 *
 * One thread: the runtime calls `acquire` and `release` in its update, on the
 * thread of the context.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_FRAME_PATH_H
#define OFFLINE_VIEW_WINDOW_FRAME_PATH_H

#include "view/window/view_scene.h"

struct frame_pool;

struct frame_path {
    struct view_scene *scene;
    struct frame_pool *pools; /* one for each file; NULL: not started */
};

/* Stop all nodes, give each cache a pool, and let the nodes play on. Returns
 * false after a refusal. */
bool frame_path_start(struct frame_path *path, struct view_scene *scene);
/* Take the pools away from the caches. The nodes play on. */
bool frame_path_stop(struct frame_path *path);

/* Find the buffers of all nodes, after view_scene_update. Adds to
 * scene->gpu_bytes the bytes of frames that are shown for the first time. */
void frame_path_show(struct frame_path *path);

/* Free the buffers. The runtime has shut down. */
void frame_path_free(struct frame_path *path);

#endif
