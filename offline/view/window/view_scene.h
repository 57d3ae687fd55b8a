/* view_scene.h - what the viewer draws: the files of a player as models with
 * buffers of OpenGL, and a place for each stream and each character.
 *
 * A fill path (fill_path.h, frame_path.h) writes the vertices of a picture and
 * says in shown_mesh where they are; scene_draw.h draws them. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_VIEW_SCENE_H
#define OFFLINE_VIEW_WINDOW_VIEW_SCENE_H

#include "player/player.h"
#include "view/view_controls.h"
#include "view/view_skeletons.h"
#include "view/window/bones_draw.h"
#include "view/window/gl_library.h"

/* A mesh of a file. */
struct view_mesh {
    spn_mesh_info info;
    uint64_t first_index;       /* in the model's indices */
    bool is_filled[VIEW_PATHS]; /* it never changes, and was filled */
};

/* A file. */
struct view_model {
    const struct playing_file *file;
    struct view_mesh *meshes;      /* info.mesh_count */
    GLuint indices;                /* uint32_t, of all meshes */
    GLuint unchanging[VIEW_PATHS]; /* vertices of meshes that never change, at
                                    * the places of all meshes; 0: none yet */
    bool is_animated;              /* some mesh changes */
};

/* Where the vertices of a mesh of a node are in this picture. */
struct shown_mesh {
    bool is_visible; /* draw it */
    GLuint floor;    /* buffer with all meshes of the model */
    GLuint ceil;     /* the same but on the path of frames */
    float alpha;
};

/* A stream. */
struct view_node {
    const struct playing_stream *stream;
    struct view_model *model;
    float offset[3]; /* in world space: copies of a file stand side by side */
    GLuint vertices; /* that the CPU fills; 0: not used yet */
    struct shown_mesh *shown; /* for each mesh of the model */
    spn_draw_item *items;     /* the draw list, room for each scene node */
    uint32_t item_count;
    spn_node_state state; /* after the update of this picture */
    bool is_late; /* some mesh shows another frame than wanted, or is missing */
};

struct view_scene {
    struct player *player;
    const struct gl_library *gl;
    struct view_model *models; /* options->file_count */
    struct view_node *nodes;   /* stream_count */
    GLuint arrays[VIEW_PATHS]; /* vertex arrays, one for each path */
    struct view_skeletons skeletons;
    struct bones_draw bones; /* of this picture */
    float box_min[3];        /* of all frames of all nodes */
    float box_max[3];
    uint64_t gpu_bytes; /* written to buffers so far, without unchanging ones */
};

/* Make the models and nodes of a player that has started. Returns false after a
 * refusal. */
bool view_scene_open(struct view_scene *scene, struct player *player,
                     const struct gl_library *gl, char up_axis);
/* Free the buffers. */
void view_scene_close(struct view_scene *scene);

/* Get the states and the draw lists of all nodes after an update, and mark all
 * meshes as not visible. */
void view_scene_update(struct view_scene *scene);

/* Make the bones of the poses of now. `arena` has them meanwhile. */
void view_scene_make_bones(struct view_scene *scene,
                           const struct view_controls *controls,
                           struct arena *arena);

/* The box of all frames of all nodes, and of the poses of now. */
void view_scene_get_box(const struct view_scene *scene, float box_min[3],
                        float box_max[3]);

/* Does a node or a character not show what it should? */
bool view_scene_is_late(const struct view_scene *scene);

/* The layout of a path. */
const spn_vertex_layout *view_layout(enum view_path path);

/* Show the meshes of a node that never change. Those that were not filled
 * before on this path are filled now. */
void view_scene_show_unchanging(struct view_scene *scene,
                                struct view_node *node, enum view_path path);

#endif
