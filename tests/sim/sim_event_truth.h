/* sim_event_truth.h - which events must come, and which may.
 *
 * What is polled after each update is compared with what was polled after the
 * one before. Events of caches follow from that exactly. Those of nodes do
 * where what the caller has set decides; the others are possible in certain
 * states only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_EVENT_TRUTH_H
#define TESTS_SIM_SIM_EVENT_TRUTH_H

#include <spindle/spindle.h>
#include <stdint.h>

struct sim;

/* Begin to listen to a cache or node: take it as it is. */
void sim_event_take_cache(struct sim *sim, uint32_t number);
void sim_event_take_node(struct sim *sim, uint32_t slot);
/* In the call: an event of a node may come now. */
void sim_event_check_node(struct sim *sim, uint32_t slot,
                          const spn_geom_event *event);
/* After the update: the events of a cache or node are those that must come. */
void sim_event_end_cache(struct sim *sim, uint32_t number);
void sim_event_end_node(struct sim *sim, uint32_t slot);

#endif
