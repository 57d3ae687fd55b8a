/* play_worker.h - a virtual worker, which decodes a frame in a given time.
 *
 * The job system of a run on a virtual clock (spn_config.job_submit). It runs
 * one job after the other, in the order of submission. A job takes `frame_us`
 * of the clock for each frame that it decodes; for one of the frame's tiles it
 * takes that part. Other jobs take no time. So a shortage of processor time is
 * the same in every run.
 *
 * A listener of the runtime calls play_worker_charge at each decode_end. The
 * owner calls play_worker_run before and after each spn_update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_WORKER_H
#define OFFLINE_PLAYER_PLAY_WORKER_H

#include <spindle/listener.h>
#include <spindle/spindle.h>
#include <stdint.h>

struct play_worker {
    spn_runtime *rt; /* set by the owner after spn_init */
    spn_job_gate gate;
    uint64_t frame_us;      /* time that it takes to decode a frame */
    uint32_t waiting_count; /* jobs that were submitted and have not run */
    uint64_t free_us;       /* when the last job ends */
    uint64_t expected_us;   /* time that the next job will take: as the last */
};

/* Make `worker` the job system of a config. */
void play_worker_init(struct play_worker *worker, uint64_t frame_us,
                      spn_config *config);
/* A tile was decoded. */
void play_worker_charge(struct play_worker *worker, const spn_event *event);
/* Run the jobs that end until `now_us`. What a job takes is known only when it
 * has run; until then it is expected to take as long as the one before. */
void play_worker_run(struct play_worker *worker, uint64_t now_us);

#endif
