/* script_query.h - call every query function of the runtime. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_QUERY_H
#define TESTS_FUZZ_SCRIPT_QUERY_H

#include <spindle/spindle.h>

/* Handles may be stale or 0. `what` chooses the functions. The answers must
 * agree with each other. */
void script_query_cache(const spn_runtime *rt, spn_cache cache, uint32_t what);
void script_query_node(spn_runtime *rt, spn_node node, uint32_t node_count);
void script_query_pak(const spn_runtime *rt, spn_pak pak, uint32_t what);
void script_query_io(spn_runtime *rt, uint32_t what);

#endif
