/* job_gate.h - lets the steps of an engine's job system in while a runtime
 * lives, and keeps them out afterwards.
 *
 * The gate is the engine's and outlives the runtime: a step that comes late
 * reads the gate alone. One word counts the steps inside and says whether the
 * gate is open, so no step enters once it was closed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_JOB_GATE_H
#define SPN_JOB_GATE_H

#include <spindle/spindle.h>
#include <stdbool.h>

/* False: another runtime has it, or it was never zeroed. Caller's thread. */
bool spn__job_gate_open(spn_job_gate *gate, struct spn_runtime *rt);
/* No step enters any more; those inside go on. Caller's thread. */
void spn__job_gate_close(spn_job_gate *gate);
bool spn__job_gate_is_open(const spn_job_gate *gate);
/* No step is inside. Whoever sees true after it was closed sees all that the
 * steps wrote, and may free the runtime. */
bool spn__job_gate_is_empty(const spn_job_gate *gate);

/* The runtime, or NULL: the gate is closed. Any thread. */
struct spn_runtime *spn__job_gate_enter(spn_job_gate *gate);
/* Nothing of the runtime may be touched after it. Any thread. */
void spn__job_gate_leave(spn_job_gate *gate);

#endif
