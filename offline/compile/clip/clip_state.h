/* clip_state.h - the import behind an open clip.
 *
 * clip_open fills it; afterwards the files of compile/clip read it to produce
 * frames. It does not change after clip_open, so any thread may read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_STATE_H
#define OFFLINE_COMPILE_CLIP_CLIP_STATE_H

#include "compile/clip/clip.h"
#include "compile/scene/scene_import.h"

struct clip_state {
    struct arena arena;          /* holds the clip, and everything below */
    struct abc_archive *archive; /* the caller's */
    struct compile_options options;
    struct scene_import import;
    struct timeline timeline;
    struct scene scene;         /* one scene_node for each clip_node */
    struct scene_source source; /* reads `import` */
    struct warnings warnings;   /* printed at the end of clip_open */
    double root[16];            /* rotates the scene for --up; the identity
                                 * without it */
};

#endif
