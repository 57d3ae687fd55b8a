/* job_gate.h - admits calls of spn_job_step only while the runtime exists.
 *
 * The job system of an engine may call spn_job_step after spn_shutdown, when
 * the memory of the runtime is freed. The gate belongs to the engine and
 * outlives the runtime, so a late call accesses only the gate. One word has an
 * open bit and the number of calls inside. A call that finds the bit cleared
 * returns at once, and spn_shutdown waits until no call is inside.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_JOB_GATE_H
#define SPN_JOB_GATE_H

#include <spindle/spindle.h>
#include <stdbool.h>

/* Open the gate for a runtime. Returns false if another runtime uses the gate,
 * or if the engine has not set it to zero before its first use. Caller's
 * thread. */
bool spn__job_gate_open(spn_job_gate *gate, struct spn_runtime *rt);
/* Close the gate. Calls inside continue. Caller's thread. */
void spn__job_gate_close(spn_job_gate *gate);
/* Whether the gate is open. Any thread. */
bool spn__job_gate_is_open(const spn_job_gate *gate);
/* Whether no call is inside. If it returns true after the gate was closed, all
 * writes of the calls are visible, and the runtime may be freed. */
bool spn__job_gate_is_empty(const spn_job_gate *gate);

/* Enter the gate. Returns the runtime; NULL: the gate is closed. Any thread. */
struct spn_runtime *spn__job_gate_enter(spn_job_gate *gate);
/* Leave the gate. The calling thread must not use the runtime afterwards. Any
 * thread. */
void spn__job_gate_leave(spn_job_gate *gate);

#endif
