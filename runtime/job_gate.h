/* job_gate.h - lets spn_job_step in only while the runtime lives.
 *
 * The job system of an engine may call spn_job_step after spn_shutdown, when
 * the memory of the runtime is gone. The gate belongs to the engine and
 * outlives the runtime, so a late call reads only the gate. One word holds an
 * open bit and the number of calls inside. A call that finds the bit cleared
 * does not enter, and spn_shutdown waits until no call is inside.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_JOB_GATE_H
#define SPN_JOB_GATE_H

#include <spindle/spindle.h>
#include <stdbool.h>

/* Open the gate for a runtime. False if another runtime uses it, or the engine
 * has not set it to zero. Caller's thread. */
bool spn__job_gate_open(spn_job_gate *gate, struct spn_runtime *rt);
/* Close the gate. Calls inside go on. Caller's thread. */
void spn__job_gate_close(spn_job_gate *gate);
bool spn__job_gate_is_open(const spn_job_gate *gate);
/* True if no call is inside. If the gate was closed before, everything that the
 * calls wrote is visible now, and the runtime may be freed. */
bool spn__job_gate_is_empty(const spn_job_gate *gate);

/* Enter. Returns the runtime; NULL: the gate is closed. Any thread. */
struct spn_runtime *spn__job_gate_enter(spn_job_gate *gate);
/* Leave. The calling thread may not use the runtime afterwards. Any thread. */
void spn__job_gate_leave(spn_job_gate *gate);

#endif
