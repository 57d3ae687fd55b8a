/* script_ask.h - call every query function of the runtime. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_ASK_H
#define TESTS_FUZZ_SCRIPT_ASK_H

#include <spindle/spindle.h>

/* Handles may be stale or 0. `what` chooses the functions. The answers must
 * agree with each other. */
void script_ask_cache(const spn_runtime *rt, spn_cache cache, uint32_t what);
void script_ask_node(spn_runtime *rt, spn_node node, uint32_t node_count);
void script_ask_pak(const spn_runtime *rt, spn_pak pak, uint32_t what);
void script_ask_io(spn_runtime *rt, uint32_t what);

#endif
