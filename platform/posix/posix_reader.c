/* posix_reader.c - a thread that reads one medium, so that the io thread does
 * not block.
 *
 * The io thread submits one read at a time and polls its completion. The reader
 * signals the io event at the end of a read, so read_poll need not state a time
 * of the next poll. A preadv cannot be cancelled. Therefore a read is done by
 * many short ones, and a cancelled read ends before the next one.
 */
/* SPDX-License-Identifier: MIT */
#include "posix_state.h"

#include <string.h>

#define READER_STACK_BYTES 65536u

/* Bytes of one preadv: what a slow drive reads in about 50 ms, and a multiple
 * of every alignment of unbuffered reads. */
#define CHUNK_BYTES (256u * 1024u)

/* Make a read of at most CHUNK_BYTES from byte `skip` on. Returns its bytes. */
static uint64_t plan_chunk(const struct posix_read *read, uint64_t skip,
                           struct posix_read *chunk)
{
    uint64_t bytes = 0;

    chunk->descriptor = read->descriptor;
    chunk->offset = read->offset + skip;
    chunk->tag = read->tag;
    chunk->extent_count = 0;
    for (uint32_t i = 0; i < read->extent_count && bytes < CHUNK_BYTES; i++) {
        spn_extent extent = read->extents[i];

        if (skip >= extent.bytes) {
            skip -= extent.bytes;
            continue;
        }
        extent.data = (uint8_t *)extent.data + skip;
        extent.bytes -= (uint32_t)skip;
        skip = 0;
        if (extent.bytes > CHUNK_BYTES - bytes)
            extent.bytes = (uint32_t)(CHUNK_BYTES - bytes);
        chunk->extents[chunk->extent_count++] = extent;
        bytes += extent.bytes;
    }
    return bytes;
}

static bool is_cancelled(struct posix_reader *reader)
{
    bool is_it;

    pthread_mutex_lock(&reader->mutex);
    is_it = reader->is_cancelled;
    pthread_mutex_unlock(&reader->mutex);
    return is_it;
}

static void read_in_chunks(struct posix_reader *reader,
                           spn_platform_completion *out)
{
    struct posix_read chunk;
    uint64_t done = 0;
    uint64_t wanted;

    *out = (spn_platform_completion){.tag = reader->read.tag};
    while (!is_cancelled(reader) &&
           (wanted = plan_chunk(&reader->read, done, &chunk)) > 0) {
        spn__posix_read(&chunk, out);
        if (out->status != SPN_OK)
            return;
        done += out->bytes;
        if (out->bytes < wanted)
            break;
    }
    out->bytes = done;
}

static void reader_main(void *argument)
{
    struct posix_reader *reader = argument;
    struct spn_platform_posix *posix = reader->posix;

    for (;;) {
        spn_platform_completion completion;
        bool is_busy;

        posix->event_wait(posix, reader->submit_event, UINT64_MAX);
        pthread_mutex_lock(&reader->mutex);
        is_busy = reader->state == POSIX_READER_BUSY;
        if (reader->is_ending) {
            pthread_mutex_unlock(&reader->mutex);
            return;
        }
        pthread_mutex_unlock(&reader->mutex);
        if (!is_busy)
            continue;
        read_in_chunks(reader, &completion);
        pthread_mutex_lock(&reader->mutex);
        reader->completion = completion;
        reader->state = POSIX_READER_DONE;
        /* Signal under the mutex, because the event may be destroyed when the
         * completion was polled. */
        if (posix->io_event)
            posix->event_signal(posix, posix->io_event);
        pthread_mutex_unlock(&reader->mutex);
    }
}

spn_status spn__posix_reader_start(struct spn_platform_posix *posix,
                                   struct posix_reader *reader,
                                   const spn_platform *table)
{
    const spn_thread_desc desc = {.name = "spn-disc",
                                  .run = reader_main,
                                  .argument = reader,
                                  .stack_bytes = READER_STACK_BYTES,
                                  .role = SPN_THREAD_IO,
                                  .priority = SPN_THREAD_HIGH};

    posix->event_wait = table->event_wait;
    posix->event_signal = table->event_signal;
    reader->posix = posix;
    if (pthread_mutex_init(&reader->mutex, NULL) != 0)
        return SPN_ERR_PLATFORM;
    if (table->event_create(posix, SPN_EVENT_FOR_WORKER,
                            &reader->submit_event) == SPN_OK) {
        if (table->thread_start(posix, &desc, &reader->thread) == SPN_OK) {
            reader->is_started = true;
            return SPN_OK;
        }
        table->event_destroy(posix, reader->submit_event);
    }
    pthread_mutex_destroy(&reader->mutex);
    return SPN_ERR_PLATFORM;
}

void spn__posix_reader_end(struct spn_platform_posix *posix,
                           struct posix_reader *reader,
                           const spn_platform *table)
{
    pthread_mutex_lock(&reader->mutex);
    reader->is_ending = true;
    pthread_mutex_unlock(&reader->mutex);
    table->event_signal(posix, reader->submit_event);
    table->thread_join(posix, reader->thread);
    table->event_destroy(posix, reader->submit_event);
    pthread_mutex_destroy(&reader->mutex);
    memset(reader, 0, sizeof *reader);
}

spn_status spn__posix_reader_submit(struct spn_platform_posix *posix,
                                    struct posix_reader *reader,
                                    const struct posix_read *read)
{
    bool is_free;

    pthread_mutex_lock(&reader->mutex);
    is_free = reader->state == POSIX_READER_FREE;
    if (is_free) {
        reader->read = *read;
        reader->is_cancelled = false;
        reader->state = POSIX_READER_BUSY;
    }
    pthread_mutex_unlock(&reader->mutex);
    if (!is_free)
        return SPN_ERR_ARG;
    posix->event_signal(posix, reader->submit_event);
    return SPN_OK;
}

bool spn__posix_reader_poll(struct posix_reader *reader,
                            spn_platform_completion *out)
{
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

void spn__posix_reader_cancel(struct posix_reader *reader, uint32_t tag)
{
    pthread_mutex_lock(&reader->mutex);
    if (reader->state == POSIX_READER_BUSY && reader->read.tag == tag)
        reader->is_cancelled = true;
    pthread_mutex_unlock(&reader->mutex);
}
