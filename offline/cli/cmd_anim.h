/* cmd_anim.h - the actions of the verb `anim`, each in a file of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_CMD_ANIM_H
#define OFFLINE_CLI_CMD_ANIM_H

#include "anim/tool/clip_flags.h"
#include "common/verb_options.h"

/* The values of all options; an action uses some of them. `jobs` and
 * `precision_mm` have their defaults if they are not given. */
struct anim_values {
    const char *output;
    const char *against;
    const char *skeleton;
    const char *prefix;
    const char *image;
    const char *by;
    const char *root;
    const char *root_joint;
    struct option_texts lists;
    struct option_texts orders;
    struct option_texts recorded;
    struct option_texts clips;
    struct option_texts loop; /* these six: patterns of clip names */
    struct option_texts once;
    struct option_texts closes;
    struct option_texts open;
    struct option_texts additive;
    struct option_texts root_motion;
    double rate;
    double unit_metres;
    double precision_mm;
    uint32_t jobs;
    bool keeps_rate;
    bool is_tree;
    bool is_quiet;
    bool is_json;
};

/* The patterns of clip names, by clip_flag_option: CLIP_OPTIONS elements. */
void anim_patterns(const struct anim_values *values, struct clip_patterns *out);

/* Run an action on the operands behind its name. Returns false after
 * options_refuse. */
bool anim_action_info(const struct verb_call *call);
bool anim_action_compile(const struct verb_call *call);
bool anim_action_pack(const struct verb_call *call);
bool anim_action_verify(const struct verb_call *call);
bool anim_action_export(const struct verb_call *call);

#endif
