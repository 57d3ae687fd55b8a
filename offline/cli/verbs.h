/* verbs.h - the verbs of the tool, each defined in a file cmd_NAME.c. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_VERBS_H
#define OFFLINE_CLI_VERBS_H

#include "common/verb_options.h"

extern const struct verb verb_compile;
extern const struct verb verb_info;
extern const struct verb verb_verify;
extern const struct verb verb_export;
extern const struct verb verb_render;
extern const struct verb verb_play;
extern const struct verb verb_view;
extern const struct verb verb_pack;
extern const struct verb verb_unpack;
extern const struct verb verb_drives;
extern const struct verb verb_simulate;
extern const struct verb verb_trace;
extern const struct verb verb_anim;

/* All of them, in the order of the tool's help. The last one is NULL. */
extern const struct verb *const verbs[];

#endif
