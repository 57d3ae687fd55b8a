/* fill_path.h - the CPU fills vertex buffers, for each picture.
 *
 * The buffer of each node is mapped, and the workers write the vertices of all
 * its meshes straight into it (spn_fill_start). One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_FILL_PATH_H
#define OFFLINE_VIEW_WINDOW_FILL_PATH_H

#include "view/window/view_scene.h"

/* Fill all nodes, after view_scene_update. Adds to scene->gpu_bytes. */
void fill_path_show(struct view_scene *scene);

#endif
