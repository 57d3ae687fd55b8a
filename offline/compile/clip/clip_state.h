/* clip_state.h - the state of an open clip (clip.h), for the modules of this
 * folder and for tests.
 *
 * It keeps the results of an import from which frames are produced: the objects
 * of the archive that are kept, the frame times, and the tree of nodes.
 * clip_open fills it; it does not change afterwards, so any thread may read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_STATE_H
#define OFFLINE_COMPILE_CLIP_CLIP_STATE_H

#include "compile/clip/clip.h"
#include "compile/scene/scene_import.h"

struct clip_state {
    struct arena arena;             /* owns the clip and all its arrays */
    struct abc_archive *archive;    /* the caller's; outlives the clip */
    struct compile_options options; /* as given to clip_open */
    struct scene_import import;     /* transforms and meshes as the archive has
                                 * them */
    struct timeline timeline;       /* the times of all frames */
    struct scene scene;             /* the tree of nodes made from `import`; one
                                 * scene_node for each clip_node */
    struct scene_source source; /* callbacks with which `scene` reads matrices
                                 * and visibility from `import` at a time */
    struct warnings warnings;   /* printed at the end of clip_open */
    double root[16];            /* applied to all root nodes: the rotation of
                                 * --up, else the identity. A matrix as in
                                 * compile/math/tns.h: row vectors */
};

#endif
