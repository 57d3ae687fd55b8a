/* threads.h - the threads that a runtime starts, and the events they wait on.
 *
 * With thread functions in the platform table, a runtime has one io thread, and
 * worker threads unless the engine runs the jobs. Without threads, spn_update
 * does their work. Caller's thread, except where noted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_THREADS_H
#define SPN_THREADS_H

#include "runtime.h"

#include <spindle/status.h>
#include <stdbool.h>

/* Create the events of the threads and of spn_read_wait. The latter are created
 * even if the runtime has no threads. */
spn_status spn__threads_create_events(struct spn_runtime *rt);
/* Destroy the events that were created. */
void spn__threads_destroy_events(struct spn_runtime *rt);
/* Start the threads of the config. The events must exist. If a thread cannot be
 * started, the running ones are stopped, and SPN_ERR_PLATFORM is returned. */
spn_status spn__threads_start(struct spn_runtime *rt);
/* End and join all threads. */
void spn__threads_stop(struct spn_runtime *rt);
/* Whether the calling thread is one of the runtime's. Always false on a
 * platform without thread_current. Any thread. */
bool spn__threads_is_own(const struct spn_runtime *rt);

#endif
