/* posix_reader.c - a thread that reads from a slow drive, so that the io thread
 * need not.
 *
 * The io thread asks, one read at a time, and looks (read_poll) whether it has
 * ended. Where it goes to sleep meanwhile it says on which event, and the
 * reader signals that: so read_poll never has to name a time.
 */
/* SPDX-License-Identifier: MIT */
#include "posix_state.h"

#include <string.h>

#define READER_STACK_BYTES 65536u

static void reader_main(void *argument)
{
    struct spn_platform_posix *posix = argument;
    struct posix_reader *reader = &posix->reader;

    for (;;) {
        spn_platform_completion completion;
        bool is_asked;

        posix->event_wait(posix, reader->asked, UINT64_MAX);
        pthread_mutex_lock(&reader->mutex);
        is_asked = reader->state == POSIX_READER_ASKED;
        if (reader->is_ending) {
            pthread_mutex_unlock(&reader->mutex);
            return;
        }
        pthread_mutex_unlock(&reader->mutex);
        if (!is_asked)
            continue;
        spn__posix_read(&reader->read, &completion);
        pthread_mutex_lock(&reader->mutex);
        reader->completion = completion;
        reader->state = POSIX_READER_DONE;
        /* Under the mutex: whoever has polled may destroy the event. */
        if (reader->sleeper)
            posix->event_signal(posix, reader->sleeper);
        reader->sleeper = 0;
        pthread_mutex_unlock(&reader->mutex);
    }
}

spn_status spn__posix_reader_start(struct spn_platform_posix *posix,
                                   const spn_platform *table)
{
    struct posix_reader *reader = &posix->reader;
    const spn_thread_desc desc = {.name = "spn-disc",
                                  .run = reader_main,
                                  .argument = posix,
                                  .stack_bytes = READER_STACK_BYTES,
                                  .role = SPN_THREAD_IO,
                                  .priority = SPN_THREAD_HIGH};

    posix->event_wait = table->event_wait;
    posix->event_signal = table->event_signal;
    if (pthread_mutex_init(&reader->mutex, NULL) != 0)
        return SPN_ERR_PLATFORM;
    if (table->event_create(posix, SPN_EVENT_FOR_IO, &reader->asked) ==
        SPN_OK) {
        reader->is_there = true;
        if (table->thread_start(posix, &desc, &reader->thread) == SPN_OK)
            return SPN_OK;
        reader->is_there = false;
        table->event_destroy(posix, reader->asked);
    }
    pthread_mutex_destroy(&reader->mutex);
    return SPN_ERR_PLATFORM;
}

void spn__posix_reader_end(struct spn_platform_posix *posix,
                           const spn_platform *table)
{
    struct posix_reader *reader = &posix->reader;

    pthread_mutex_lock(&reader->mutex);
    reader->is_ending = true;
    pthread_mutex_unlock(&reader->mutex);
    table->event_signal(posix, reader->asked);
    table->thread_join(posix, reader->thread);
    table->event_destroy(posix, reader->asked);
    pthread_mutex_destroy(&reader->mutex);
    memset(reader, 0, sizeof *reader);
}

spn_status spn__posix_reader_ask(struct spn_platform_posix *posix,
                                 const struct posix_read *read)
{
    struct posix_reader *reader = &posix->reader;
    bool is_free;

    pthread_mutex_lock(&reader->mutex);
    is_free = reader->state == POSIX_READER_FREE;
    if (is_free) {
        reader->read = *read;
        reader->asker = pthread_self();
        reader->state = POSIX_READER_ASKED;
    }
    pthread_mutex_unlock(&reader->mutex);
    if (!is_free)
        return SPN_ERR_ARG;
    posix->event_signal(posix, reader->asked);
    return SPN_OK;
}

bool spn__posix_reader_poll(struct spn_platform_posix *posix,
                            spn_platform_completion *out)
{
    struct posix_reader *reader = &posix->reader;
    bool is_done;

    pthread_mutex_lock(&reader->mutex);
    is_done = reader->state == POSIX_READER_DONE;
    if (is_done) {
        *out = reader->completion;
        reader->state = POSIX_READER_FREE;
    }
    pthread_mutex_unlock(&reader->mutex);
    return is_done;
}

bool spn__posix_reader_may_sleep(struct spn_platform_posix *posix,
                                 uint64_t event)
{
    struct posix_reader *reader = &posix->reader;
    bool may_sleep = true;

    if (!reader->is_there)
        return true;
    pthread_mutex_lock(&reader->mutex);
    if (reader->state != POSIX_READER_FREE &&
        pthread_equal(reader->asker, pthread_self())) {
        may_sleep = reader->state == POSIX_READER_ASKED;
        if (may_sleep)
            reader->sleeper = event;
    }
    pthread_mutex_unlock(&reader->mutex);
    return may_sleep;
}
