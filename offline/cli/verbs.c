/* verbs.c - the list of all verbs. */
/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"

const struct verb *const verbs[] = {
    &verb_compile,  &verb_info,  &verb_verify, &verb_export, &verb_render,
    &verb_play,     &verb_view,  &verb_pack,   &verb_unpack, &verb_drives,
    &verb_simulate, &verb_trace, &verb_anim,   NULL,
};
