/* weight_meshes.h - meshes with morph targets, which channels of weights need
 * in glTF.
 *
 * A float track of a clip is exported as the weight of a morph target. glTF
 * allows a channel of weights only for a node that has a mesh with as many
 * targets. Such a mesh is one point, which no target moves. It is put on nodes
 * that exist, since a further node would be a further joint. Its
 * extras.targetNames are the names of the tracks.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_WEIGHT_MESHES_H
#define OFFLINE_ANIM_TOOL_WEIGHT_MESHES_H

#include "anim/tool/glb_writer.h"

#define WEIGHT_NODE_NONE UINT32_MAX

struct weight_meshes {
    struct glb_writer *writer;
    cJSON **nodes; /* of the document */
    uint32_t node_count;
    /* Of each node: the targets of its mesh; 0: it has none. */
    uint32_t *widths;
    const char ***names; /* of each node: those of its targets */
    cJSON *meshes;       /* NULL: there are none yet */
    uint32_t mesh_count;
    uint32_t point; /* accessor */
};

/* `nodes` must outlive the meshes. */
void weight_meshes_init(struct weight_meshes *meshes, struct glb_writer *writer,
                        cJSON **nodes, uint32_t node_count);

/* Find a node with a mesh of `width` targets with these names, or give one such
 * a mesh. is_used[node] is set; nodes for which it was set before are not
 * taken. WEIGHT_NODE_NONE: there is no node left. */
uint32_t weight_meshes_node(struct weight_meshes *meshes,
                            const char *const *names, uint32_t width,
                            bool *is_used);

#endif
