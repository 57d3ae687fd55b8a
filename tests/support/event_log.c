/* event_log.c - record events, and check them against the rules of
 * listener.h. */
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
    /* The event's path is valid during the call only. */
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

/* -- one read -- */

/* State of a read according to its events. */
struct life {
    spn_read read;
    bool is_queued;
    bool is_reading;
    bool is_aborted;
    int blocks; /* blocks being decompressed by workers */
    spn_callback inside;
    spn_callback last; /* the last callback that ended */
    bool is_completed;
    uint64_t now_us;
    uint64_t done_bytes;
};

/* The condition must hold; otherwise return its text. Rules return NULL when it
 * holds. */
#define REQUIRE(x)                                                             \
    do {                                                                       \
        if (!(x))                                                              \
            return #x;                                                         \
    } while (0)

static const char *check_queued(struct life *l, const spn_event *e)
{
    REQUIRE(!l->is_reading && !l->is_aborted && !l->inside);
    REQUIRE(e->path != NULL);
    REQUIRE(e->medium < SPN_MEDIUM_COUNT);
    l->is_queued = true;
    return NULL;
}

static const char *check_read_event(struct life *l, const spn_event *e,
                                    bool is_end)
{
    REQUIRE(l->is_queued && !l->is_aborted);
    REQUIRE(l->is_reading == is_end);
    REQUIRE(l->last != SPN_CALLBACK_ASYNC && l->last != SPN_CALLBACK_DONE);
    REQUIRE(e->path != NULL);
    l->is_reading = !is_end;
    REQUIRE(is_end || e->piece_bytes > 0);
    REQUIRE(!is_end || e->status == SPN_OK || e->piece_bytes == 0);
    return NULL;
}

static const char *check_callback(struct life *l, const spn_event *e,
                                  bool is_end)
{
    REQUIRE(!l->is_reading);
    REQUIRE(e->callback >= SPN_CALLBACK_STORAGE &&
            e->callback <= SPN_CALLBACK_DONE);
    if (is_end) {
        REQUIRE(l->inside == e->callback);
        l->inside = 0;
        l->last = e->callback;
        return NULL;
    }
    REQUIRE(l->inside == 0);
    REQUIRE(l->last <= e->callback);
    REQUIRE(l->last != e->callback || e->callback == SPN_CALLBACK_STORAGE);
    REQUIRE(e->callback != SPN_CALLBACK_STORAGE ||
            (l->is_queued && !l->is_aborted));
    l->inside = e->callback;
    return NULL;
}

static const char *check_end(struct life *l, const spn_event *e)
{
    bool is_unwanted =
        e->status == SPN_ERR_ABORTED || e->status == SPN_ERR_SHUTDOWN;

    REQUIRE(!l->is_reading && !l->inside && l->blocks == 0);
    REQUIRE(e->ended_us <= e->now_us && e->start_us <= e->ended_us);
    REQUIRE(e->bytes == 0 || e->done_bytes <= e->bytes);
    REQUIRE(e->status != SPN_OK || e->done_bytes == e->bytes);
    if (e->kind == SPN_EVENT_ABORTED) {
        REQUIRE(is_unwanted && !l->is_aborted);
        l->is_aborted = true;
        return NULL;
    }
    REQUIRE(l->is_aborted == is_unwanted);
    l->is_completed = true;
    return NULL;
}

/* Several workers may decompress blocks of one read. */
static const char *check_decompress(struct life *l, const spn_event *e)
{
    bool is_end = e->kind == SPN_EVENT_DECOMPRESS_END;

    REQUIRE(l->is_queued && !l->is_completed && !l->inside);
    REQUIRE(l->last != SPN_CALLBACK_ASYNC && l->last != SPN_CALLBACK_DONE);
    REQUIRE(e->bytes > 0 && e->medium == SPN_MEDIUM_COUNT && !e->path);
    REQUIRE(!is_end || l->blocks > 0);
    l->blocks += is_end ? -1 : 1;
    return NULL;
}

static const char *check_event(struct life *l, const spn_event *e)
{
    REQUIRE(!l->is_completed);
    /* Workers read the clock by themselves, so their times may run back. */
    if (e->kind != SPN_EVENT_DECOMPRESS_BEGIN &&
        e->kind != SPN_EVENT_DECOMPRESS_END) {
        REQUIRE(e->now_us >= l->now_us);
        l->now_us = e->now_us;
    }
    switch (e->kind) {
    case SPN_EVENT_QUEUED:
        return check_queued(l, e);
    case SPN_EVENT_READ_BEGIN:
    case SPN_EVENT_READ_END:
        return check_read_event(l, e, e->kind == SPN_EVENT_READ_END);
    case SPN_EVENT_PREEMPTED:
        REQUIRE(l->is_queued && !l->is_reading && e->by && e->by != e->read);
        return NULL;
    case SPN_EVENT_CALLBACK_BEGIN:
    case SPN_EVENT_CALLBACK_END:
        return check_callback(l, e, e->kind == SPN_EVENT_CALLBACK_END);
    case SPN_EVENT_ABORTED:
    case SPN_EVENT_COMPLETED:
        return check_end(l, e);
    case SPN_EVENT_DECOMPRESS_BEGIN:
    case SPN_EVENT_DECOMPRESS_END:
        return check_decompress(l, e);
    case SPN_EVENT_INVALID_WAIT:
    case SPN_EVENT_MEDIUM:
    case SPN_EVENT_DECODE_BEGIN:
    case SPN_EVENT_DECODE_END:
    case SPN_EVENT_FILL_BEGIN:
    case SPN_EVENT_FILL_END:
    case SPN_EVENT_UPDATE_BEGIN:
    case SPN_EVENT_UPDATE_END:
        break; /* belongs to no read */
    }
    return NULL;
}

/* -- all events -- */

/* Handles of one slot of the table of reads have the same low bits. */
#define SLOTS 65536u

/* At most as many reads are at a medium as its driver accepts. */
static const char *check_device(uint32_t at_device[SPN_MEDIUM_COUNT],
                                const spn_event *e)
{
    if (e->kind == SPN_EVENT_READ_BEGIN) {
        REQUIRE(at_device[e->medium] < e->together);
        at_device[e->medium]++;
    } else if (e->kind == SPN_EVENT_READ_END) {
        REQUIRE(at_device[e->medium] > 0);
        at_device[e->medium]--;
    }
    return NULL;
}

static const char *check_event_line(struct life *l, const spn_event *e)
{
    if (l->read != e->read) {
        REQUIRE(l->read == 0 || l->is_completed);
        *l = (struct life){.read = e->read};
    }
    return check_event(l, e);
}

const char *event_log_fault(const struct event_log *log, uint32_t *line)
{
    static struct life lives[SLOTS];
    uint32_t at_device[SPN_MEDIUM_COUNT] = {0};
    uint32_t count = atomic_load_acquire(&log->count);

    *line = count;
    REQUIRE(count <= EVENT_LOG_MAX);
    memset(lives, 0, sizeof lives);
    for (uint32_t i = 0; i < count; i++) {
        const spn_event *e = &log->events[i];
        const char *fault;

        *line = i;
        if (e->read == 0 || e->kind == SPN_EVENT_INVALID_WAIT)
            continue;
        fault = check_event_line(&lives[e->read & (SLOTS - 1)], e);
        if (!fault)
            fault = check_device(at_device, e);
        if (fault)
            return fault;
    }
    *line = count;
    for (uint32_t i = 0; i < SLOTS; i++)
        REQUIRE(lives[i].read == 0 || lives[i].is_completed);
    return NULL;
}

void event_log_check(const struct event_log *log)
{
    uint32_t line;
    const char *fault = event_log_fault(log, &line);

    if (!fault)
        return;
    if (line < line_count(log))
        test_context("event %u of kind %d, read %08x", line,
                     (int)log->events[line].kind,
                     (unsigned)log->events[line].read);
    test_fail(__FILE__, __LINE__, "not true: %s", fault);
}

static char letter_of(const spn_event *e)
{
    static const char letters[] = "?q[]px{}??.!m<>()uU";
    static const char begins[] = "?sad";
    static const char ends[] = "?SAD";

    if (e->kind == SPN_EVENT_CALLBACK_BEGIN)
        return begins[e->callback];
    if (e->kind == SPN_EVENT_CALLBACK_END)
        return ends[e->callback];
    CHECK((size_t)e->kind < sizeof letters - 1);
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
