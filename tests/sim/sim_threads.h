/* sim_threads.h - threads as step functions, and the choice of the next step.
 *
 * The runtime starts threads and waits for events as on a real machine. Here
 * each thread is a step function that sleeps and wakes as its loop in threads.c
 * does, and the seed chooses the thread of each step. While the caller's thread
 * waits for an event, the other threads step inside of that call.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_THREADS_H
#define TESTS_SIM_SIM_THREADS_H

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_EVENTS 32u
#define SIM_THREADS_MAX 8u

struct sim;

struct sim_thread {
    void *argument; /* the runtime's argument of the thread */
    bool is_io;
    bool is_asleep;
    uint64_t due_us; /* time at which it wakes by itself */
};

struct sim_threads {
    bool is_set[SIM_EVENTS]; /* state of event n + 1 */
    uint32_t event_count;
    struct sim_thread threads[SIM_THREADS_MAX];
    uint32_t count;
    spn_job_gate gate;      /* of an engine's job system */
    uint32_t owed;          /* announced jobs that were not called yet */
    uint64_t io_stalled_us; /* simulated time */
    uint64_t workers_stalled_us;
    uint64_t workers_busy_us; /* a job that a worker has run takes until then */
    uint32_t job_us;          /* time that a job takes */
    bool is_io_felt;          /* a stalled thread could have stepped */
    bool are_workers_felt;
};

/* Fill the platform table and the config. */
void sim_threads_init(struct sim *sim);
/* One step of a thread that can step; false: all sleep. */
bool sim_threads_step(struct sim *sim);
/* Simulated time at which the next thread wakes by itself; UINT64_MAX: none. */
uint64_t sim_threads_due(const struct sim *sim);
/* Once each frame: draw faults. */
void sim_threads_frame(struct sim *sim);
void sim_threads_end_faults(struct sim *sim);
/* The runtime has ended. Make the announced calls now; they must have no
 * effect. */
void sim_threads_end(struct sim *sim);
/* The device signals the io thread. */
bool sim_threads_signal_io(struct sim *sim);

#endif
