/* cmd_anim.h - the actions of the verb `anim`, each in a file of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_CMD_ANIM_H
#define OFFLINE_CLI_CMD_ANIM_H

#include "common/verb_options.h"

/* The values of all options; an action uses some of them. */
struct anim_values {
    double rate;
    double unit_metres;
    bool is_tree;
    bool is_json;
};

/* Run an action on the operands behind its name. Returns false after
 * options_refuse. */
bool anim_info(const struct verb_call *call);

#endif
