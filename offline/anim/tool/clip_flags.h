/* clip_flags.h - what the author says of a clip: that it loops, closes, is
 * additive, or has root motion.
 *
 * Options of the command line say it with patterns of clip names, in which *
 * stands for any bytes and ? for one. Otherwise the extras of a glTF animation
 * count: loop, closes, additive, root_motion. If neither says whether a clip
 * closes, the sampled frames decide (sample_loop_closes); if neither says
 * whether it loops, it does if it closes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_FLAGS_H
#define OFFLINE_ANIM_TOOL_CLIP_FLAGS_H

#include "anim/dense_clip.h"
#include "anim/source/motion.h"
#include "common/arena.h"
#include "common/report.h"

#include <stdbool.h>
#include <stdint.h>

enum clip_flag_option {
    CLIP_OPTION_LOOP,
    CLIP_OPTION_ONCE, /* does not loop; counts more than CLIP_OPTION_LOOP */
    CLIP_OPTION_CLOSES,
    CLIP_OPTION_OPEN, /* does not close; counts more than CLIP_OPTION_CLOSES */
    CLIP_OPTION_ADDITIVE,
    CLIP_OPTION_ROOT_MOTION,
    CLIP_OPTIONS
};

struct clip_patterns {
    const char *const *items;
    uint32_t count;
};

/* Set the flags of a sampled clip with this name. Its loop_closes says what the
 * frames are. */
void clip_flags_set(const struct motion_clip *clip, const char *name,
                    const struct clip_patterns patterns[CLIP_OPTIONS],
                    struct dense_clip *dense);

/* Refuse a pattern that matches none of the names of clips; `file` is for the
 * message. */
bool clip_flags_check(const struct clip_patterns patterns[CLIP_OPTIONS],
                      const char *const *names, uint32_t count,
                      const char *file, struct diag *diag);

/* Add an array "flags" with words of CLIP_... of clip_index.h: loops, additive,
 * closes, scale, root-motion. */
void clip_flags_report(cJSON *object, uint32_t flags);
/* The words, each after a space; " none" without flags. Of the arena. */
const char *clip_flags_text(uint32_t flags, struct arena *arena);
/* Print the words on stdout, each after a space. */
void clip_flags_print(uint32_t flags);

#endif
