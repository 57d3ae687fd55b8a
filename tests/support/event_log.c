/* event_log.c - lines, and the grammar that they must obey. */
/* SPDX-License-Identifier: MIT */
#include "support/event_log.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static void note(void *user, const spn_event *event)
{
    struct event_log *log = user;
    uint32_t line = atomic_add_acq_rel(&log->count, 1);

    if (line >= EVENT_LOG_MAX)
        return;
    log->events[line] = *event;
    if (!event->path)
        return;
    /* The event's own is gone when this returns. */
    snprintf(log->paths[line], EVENT_LOG_PATH_BYTES, "%s", event->path);
    log->events[line].path = log->paths[line];
}

void event_log_init(struct event_log *log)
{
    memset(log, 0, sizeof *log);
    log->listener = (spn_listener){.user = log,
                                   .queued = note,
                                   .read_begin = note,
                                   .read_end = note,
                                   .preempted = note,
                                   .aborted = note,
                                   .decompress_begin = note,
                                   .decompress_end = note,
                                   .callback_begin = note,
                                   .callback_end = note,
                                   .completed = note,
                                   .invalid_wait = note,
                                   .medium = note};
}

static uint32_t line_count(const struct event_log *log)
{
    uint32_t count = atomic_load_acquire(&log->count);

    CHECK(count <= EVENT_LOG_MAX);
    return count;
}

uint32_t event_log_count(const struct event_log *log, spn_event_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < line_count(log); i++)
        count += log->events[i].kind == kind;
    return count;
}

const spn_event *event_log_at(const struct event_log *log, spn_event_kind kind,
                              uint32_t n)
{
    for (uint32_t i = 0; i < line_count(log); i++)
        if (log->events[i].kind == kind && n-- == 0)
            return &log->events[i];
    test_fail(__FILE__, __LINE__, "no such event of kind %d", (int)kind);
}

/* ---- one read --------------------------------------------------------------
 */

/* Where a read is, as far as it was told. */
struct life {
    spn_read read;
    bool is_queued;
    bool is_reading;
    bool is_aborted;
    int blocks; /* with workers */
    spn_callback inside;
    spn_callback last; /* the last callback that ended */
    bool is_completed;
    uint64_t now_us;
    uint64_t done_bytes;
};

static void tell_queued(struct life *l, const spn_event *e)
{
    CHECK(!l->is_reading && !l->is_aborted && !l->inside);
    CHECK(e->path != NULL);
    CHECK(e->medium < SPN_MEDIUM_COUNT);
    l->is_queued = true;
}

static void tell_read(struct life *l, const spn_event *e, bool is_end)
{
    CHECK(l->is_queued && !l->is_aborted);
    CHECK_EQ(l->is_reading, is_end);
    CHECK(l->last != SPN_CALLBACK_ASYNC && l->last != SPN_CALLBACK_DONE);
    CHECK(e->path != NULL);
    l->is_reading = !is_end;
    if (!is_end)
        CHECK(e->piece_bytes > 0);
    else if (e->status != SPN_OK)
        CHECK_EQ_U(e->piece_bytes, 0);
}

static void tell_callback(struct life *l, const spn_event *e, bool is_end)
{
    CHECK(!l->is_reading);
    CHECK(e->callback >= SPN_CALLBACK_STORAGE &&
          e->callback <= SPN_CALLBACK_DONE);
    if (is_end) {
        CHECK_EQ(l->inside, e->callback);
        l->inside = 0;
        l->last = e->callback;
        return;
    }
    CHECK_EQ(l->inside, 0);
    CHECK(l->last <= e->callback);
    if (l->last == e->callback)
        CHECK_EQ(e->callback, SPN_CALLBACK_STORAGE);
    if (e->callback == SPN_CALLBACK_STORAGE)
        CHECK(l->is_queued && !l->is_aborted);
    l->inside = e->callback;
}

static void tell_end(struct life *l, const spn_event *e)
{
    bool is_unwanted =
        e->status == SPN_ERR_ABORTED || e->status == SPN_ERR_SHUTDOWN;

    CHECK(!l->is_reading && !l->inside && l->blocks == 0);
    CHECK(e->ended_us <= e->now_us && e->start_us <= e->ended_us);
    CHECK(e->bytes == 0 || e->done_bytes <= e->bytes);
    if (e->status == SPN_OK)
        CHECK_EQ_U(e->done_bytes, e->bytes);
    if (e->kind == SPN_EVENT_ABORTED) {
        CHECK(is_unwanted && !l->is_aborted);
        l->is_aborted = true;
        return;
    }
    CHECK_EQ(l->is_aborted, is_unwanted);
    l->is_completed = true;
}

/* Blocks of a read may be with many workers. */
static void tell_decompress(struct life *l, const spn_event *e)
{
    bool is_end = e->kind == SPN_EVENT_DECOMPRESS_END;

    CHECK(l->is_queued && !l->is_completed && !l->inside);
    CHECK(l->last != SPN_CALLBACK_ASYNC && l->last != SPN_CALLBACK_DONE);
    CHECK(e->bytes > 0 && e->medium == SPN_MEDIUM_COUNT && !e->path);
    CHECK(!is_end || l->blocks > 0);
    l->blocks += is_end ? -1 : 1;
}

static void tell(struct life *l, const spn_event *e)
{
    CHECK(!l->is_completed);
    /* Workers have their own time. */
    if (e->kind != SPN_EVENT_DECOMPRESS_BEGIN &&
        e->kind != SPN_EVENT_DECOMPRESS_END) {
        CHECK(e->now_us >= l->now_us);
        l->now_us = e->now_us;
    }
    switch (e->kind) {
    case SPN_EVENT_QUEUED:
        tell_queued(l, e);
        break;
    case SPN_EVENT_READ_BEGIN:
    case SPN_EVENT_READ_END:
        tell_read(l, e, e->kind == SPN_EVENT_READ_END);
        break;
    case SPN_EVENT_PREEMPTED:
        CHECK(l->is_queued && !l->is_reading && e->by && e->by != e->read);
        break;
    case SPN_EVENT_CALLBACK_BEGIN:
    case SPN_EVENT_CALLBACK_END:
        tell_callback(l, e, e->kind == SPN_EVENT_CALLBACK_END);
        break;
    case SPN_EVENT_ABORTED:
    case SPN_EVENT_COMPLETED:
        tell_end(l, e);
        break;
    case SPN_EVENT_DECOMPRESS_BEGIN:
    case SPN_EVENT_DECOMPRESS_END:
        tell_decompress(l, e);
        break;
    case SPN_EVENT_INVALID_WAIT:
    case SPN_EVENT_MEDIUM:
        break;
    }
}

/* ---- all of them ----------------------------------------------------------
 */

/* A slot of the table of reads has the same low bits in all its handles. */
#define SLOTS 65536u

void event_log_judge(const struct event_log *log)
{
    static struct life lives[SLOTS];
    uint32_t at_device[SPN_MEDIUM_COUNT] = {0};

    memset(lives, 0, sizeof lives);
    for (uint32_t i = 0; i < line_count(log); i++) {
        const spn_event *e = &log->events[i];
        struct life *l = &lives[e->read & (SLOTS - 1)];

        test_context("event %u of kind %d, read %08x", i, (int)e->kind,
                     (unsigned)e->read);
        if (e->read == 0 || e->kind == SPN_EVENT_INVALID_WAIT)
            continue;
        if (l->read != e->read) {
            CHECK(l->read == 0 || l->is_completed);
            *l = (struct life){.read = e->read};
        }
        tell(l, e);
        if (e->kind == SPN_EVENT_READ_BEGIN) {
            CHECK(at_device[e->medium] < e->together);
            at_device[e->medium]++;
        } else if (e->kind == SPN_EVENT_READ_END) {
            CHECK(at_device[e->medium] > 0);
            at_device[e->medium]--;
        }
    }
    for (uint32_t i = 0; i < SLOTS; i++)
        if (lives[i].read != 0)
            CHECK(lives[i].is_completed);
}

static char letter_of(const spn_event *e)
{
    static const char letters[] = "?q[]px{}??.!m";
    static const char begins[] = "?sad";
    static const char ends[] = "?SAD";

    if (e->kind == SPN_EVENT_CALLBACK_BEGIN)
        return begins[e->callback];
    if (e->kind == SPN_EVENT_CALLBACK_END)
        return ends[e->callback];
    return letters[e->kind];
}

const char *event_log_letters(const struct event_log *log)
{
    static char text[256];
    uint32_t count = line_count(log);

    CHECK(count < sizeof text);
    for (uint32_t i = 0; i < count; i++)
        text[i] = letter_of(&log->events[i]);
    text[count] = '\0';
    return text;
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

uint64_t event_log_hash(const struct event_log *log)
{
    uint64_t hash = 1;

    for (uint32_t i = 0; i < line_count(log); i++) {
        const spn_event *e = &log->events[i];
        const uint64_t fields[] = {
            e->kind,     e->now_us,      e->read,        e->task,
            e->medium,   e->task_class,  e->priority,    e->offset,
            e->bytes,    e->start_us,    e->deadline_us, e->key,
            e->position, e->piece_bytes, e->seek_bytes,  e->by,
            e->callback, e->done_bytes,  e->ended_us,    (uint64_t)e->status,
            e->together, e->medium_state};

        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
            mix(&hash, fields[k]);
    }
    return hash;
}
