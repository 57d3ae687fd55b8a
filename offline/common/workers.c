/* workers.c - threads that wait for a loop and take its tasks one by one.
 *
 * Threads take tasks under one lock. Tasks are long (a frame, a stream), so
 * threads seldom wait for the lock. The calling thread runs tasks too: a pool
 * of one thread is a plain loop.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/workers.h"

#include "common/arena.h"
#include "common/phases.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
    struct workers *workers;
    pthread_t thread;
    uint32_t number;
};

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t has_work; /* signalled for a new loop, and for is_over */
    pthread_cond_t is_idle;
    /* under the lock */
    void (*task)(void *user, uint32_t index, uint32_t worker);
    void *user;
    uint32_t next;    /* first task that no thread has taken */
    uint32_t count;   /* tasks of the loop */
    uint32_t running; /* tasks that were taken and have not returned */
    bool is_over;
    /* fixed after creation */
    uint32_t thread_count;
    struct phases *phases; /* of the thread that made the pool */
    struct worker threads[];
};

/* Take tasks until none is left. The caller must hold the lock; it is released
 * during a task. */
static void take_tasks(struct workers *w, uint32_t number)
{
    while (w->next < w->count) {
        uint32_t index = w->next++;

        w->running++;
        pthread_mutex_unlock(&w->lock);
        w->task(w->user, index, number);
        pthread_mutex_lock(&w->lock);
        w->running--;
    }
    if (w->running == 0)
        pthread_cond_signal(&w->is_idle);
}

static void *thread_main(void *user)
{
    struct worker *self = user;
    struct workers *w = self->workers;

    phases_bind(w->phases);
    pthread_mutex_lock(&w->lock);
    while (!w->is_over) {
        if (w->next < w->count)
            take_tasks(w, self->number);
        else
            pthread_cond_wait(&w->has_work, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    phases_bind(NULL);
    return NULL;
}

struct workers *workers_create(uint32_t jobs)
{
    uint32_t wanted = jobs > 1 ? jobs - 1 : 0;
    struct workers *w =
        arena_require(calloc(1, sizeof *w + wanted * sizeof w->threads[0]));

    w->phases = phases_bound();
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->has_work, NULL);
    pthread_cond_init(&w->is_idle, NULL);
    for (uint32_t i = 0; i < wanted; i++) {
        struct worker *worker = &w->threads[i];

        worker->workers = w;
        worker->number = i + 1;
        if (pthread_create(&worker->thread, NULL, thread_main, worker) != 0)
            break;
        w->thread_count++;
    }
    return w;
}

void workers_destroy(struct workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    pthread_cond_broadcast(&w->has_work);
    pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < w->thread_count; i++)
        pthread_join(w->threads[i].thread, NULL);
    pthread_cond_destroy(&w->is_idle);
    pthread_cond_destroy(&w->has_work);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

uint32_t workers_count(const struct workers *w)
{
    return w->thread_count + 1;
}

void workers_run(struct workers *w, uint32_t count,
                 void (*task)(void *user, uint32_t index, uint32_t worker),
                 void *user)
{
    pthread_mutex_lock(&w->lock);
    w->task = task;
    w->user = user;
    w->next = 0;
    w->count = count;
    pthread_cond_broadcast(&w->has_work);
    take_tasks(w, 0);
    while (w->running > 0)
        pthread_cond_wait(&w->is_idle, &w->lock);
    w->count = 0;
    w->next = 0;
    pthread_mutex_unlock(&w->lock);
}
