/* anim_compile.h - compile source files of animation to clips and skeletons.
 *
 * Each clip of each input becomes a file NAME.sac in the output's folder. Of
 * names that differ in the case of letters only, all but the first are changed,
 * so that the files are the same on every system.
 * Inputs whose joints have the same names and parents share the skeleton of the
 * first of them, with its rest pose: INPUT.sas. Nothing is written unless
 * everything can be compiled.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_ANIM_COMPILE_H
#define OFFLINE_ANIM_TOOL_ANIM_COMPILE_H

#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_error.h"
#include "anim/source/sample.h"
#include "anim/tool/clip_flags.h"
#include "anim/tool/source_poses.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

#define CLIP_FILE_END ".sac"
#define SKELETON_FILE_END ".sas"

struct anim_compile_options {
    const char *const *inputs;
    uint32_t input_count;
    const char *folder;
    const char *const *clips; /* names of the clips to compile */
    uint32_t clip_count;      /* 0: all clips */
    struct sample_options sample;
    /* With sample.rate 0, the rate of a clip with cubic curves is raised until
     * its frames follow them within the precision (source_follow_rate). True:
     * such a clip keeps the rate of its keys, too. */
    bool keeps_rate;
    struct anim_encode_options encode;
    /* Names of clips that loop ... (clip_flags.h) */
    struct clip_patterns patterns[CLIP_OPTIONS];
    /* A joint that travels in loops (sample_loop_closes), of at least one of
     * the inputs; NULL: none. */
    const char *root_joint;
    uint32_t jobs;
};

struct anim_compiled_skeleton {
    const char *file; /* in the folder */
    const char *input;
    uint32_t joint_count;
    uint64_t hash;
    struct anim_file bytes;
};

struct anim_compiled_clip {
    const char *name; /* in the source */
    const char *file; /* in the folder */
    const char *input;
    uint32_t skeleton; /* index */
    uint32_t frame_count;
    uint32_t rate_numerator;
    uint32_t rate_denominator;
    uint32_t float_track_count;
    bool loop_closes;
    bool has_cuts;
    bool loops;
    bool is_additive;
    bool has_root_motion;
    struct anim_file bytes;
    struct clip_error error;        /* against the sampled source */
    struct source_loss curves_lost; /* between the frames of the sampled source
                                     * and its cubic curves; 0 without curves */
};

struct anim_compile_report {
    struct arena arena; /* owns everything below */
    uint32_t skeleton_count;
    struct anim_compiled_skeleton *skeletons;
    uint32_t clip_count;
    struct anim_compiled_clip *clips;
    uint64_t bytes; /* of all files */
};

/* Compile and write the files. The report is filled in any case; release its
 * arena. Returns false after a refusal. */
bool anim_compile(const struct anim_compile_options *options, struct diag *diag,
                  struct anim_compile_report *report);

#endif
