/* sim_threads.h - threads that are steps, and who takes the next one.
 *
 * The runtime starts threads and waits for events as on a machine that has
 * them; here each is a step function that sleeps and wakes as its loop would
 * (threads.c), and the seed picks who steps. When the caller's thread waits for
 * an event the others go on inside of that call.
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
    void *argument; /* the runtime's struct of it */
    bool is_io;
    bool is_asleep;
    uint64_t due_us; /* on the clock: it wakes by itself */
};

struct sim_threads {
    bool is_set[SIM_EVENTS]; /* event n + 1 */
    uint32_t event_count;
    struct sim_thread threads[SIM_THREADS_MAX];
    uint32_t count;
    spn_job_gate gate;      /* of an engine's job system */
    uint32_t owed;          /* calls of it for jobs */
    uint64_t io_starved_us; /* until then, of the world */
    uint64_t workers_starved_us;
    bool is_io_felt; /* somebody would have had a turn */
    bool are_workers_felt;
};

/* Fills the platform table and the config. */
void sim_threads_init(struct sim *sim);
/* One step of somebody who can; false: all sleep. */
bool sim_threads_step(struct sim *sim);
/* When somebody wakes by himself; UINT64_MAX: nobody. Of the world. */
uint64_t sim_threads_due(const struct sim *sim);
/* Once a frame: faults. */
void sim_threads_frame(struct sim *sim);
void sim_threads_heal(struct sim *sim);
/* The runtime has ended: the calls still owed come now, and must do nothing. */
void sim_threads_end(struct sim *sim);
/* The device has something for the io thread. */
bool sim_threads_signal_io(struct sim *sim);

#endif
