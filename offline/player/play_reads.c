/* play_reads.c - the listener that counts completed reads. */
/* SPDX-License-Identifier: MIT */
#include "player/play_reads.h"

/* A read that completes after the end of playback still waited at the end. */
static void on_completed(void *user, const spn_event *event)
{
    struct play_reads *reads = user;
    enum deadline_class class = deadline_class_of(event->task_class);
    uint64_t deadline_us =
        event->deadline_us > 0 ? event->deadline_us : UINT64_MAX;

    if (!reads->is_on || event->medium != SPN_MEDIUM_OPTICAL)
        return;
    if (reads->end_us > 0) {
        tally_waits(&reads->tally, class, event->start_us, deadline_us,
                    reads->end_us);
    } else if (event->status == SPN_OK) {
        reads->done++;
        reads->bytes += event->done_bytes;
        tally_end(&reads->tally, class, event->done_bytes, event->start_us,
                  deadline_us, event->ended_us);
    } else if (event->status != SPN_ERR_ABORTED) {
        reads->failed++;
        tally_miss(&reads->tally, class, event->start_us, deadline_us,
                   event->ended_us);
    }
}

spn_listener play_reads_listener(struct play_reads *reads)
{
    return (spn_listener){.user = reads, .completed = on_completed};
}

static void on_decoded(void *user, const spn_event *event)
{
    struct play_reads *reads = user;

    play_worker_charge(reads->worker, event);
}

void play_reads_charge(spn_listener *listener, struct play_worker *worker)
{
    struct play_reads *reads = listener->user;

    reads->worker = worker;
    listener->decode_end = on_decoded;
}

void play_reads_begin(struct play_reads *reads, uint64_t now_us)
{
    tally_init(&reads->tally);
    reads->begin_us = now_us;
    reads->is_on = true;
}

void play_reads_end(struct play_reads *reads, uint64_t now_us)
{
    reads->end_us = now_us;
}
