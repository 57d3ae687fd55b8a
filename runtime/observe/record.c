/* record.c - writes a record as JSON, through a small buffer.
 *
 * It needs no runtime, and no module of the runtime calls it. A game that does
 * not write traces does not link it.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/record.h>

#include "base/minmax.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define PIECE_BYTES 256u

struct writing {
    spn_record_sink sink;
    void *user;
    spn_status status; /* the first that is not SPN_OK, from the sink */
    uint32_t used;
    char piece[PIECE_BYTES];
};

/* -- words -- */

static const char *const task_names[SPN_TASK_COUNT] = {
    [SPN_TASK_TEXTURE] = "texture",
    [SPN_TASK_GEOMETRY] = "geometry",
    [SPN_TASK_TERRAIN] = "terrain",
    [SPN_TASK_ANIMATION] = "animation",
    [SPN_TASK_SOUND_BANK] = "sound_bank",
    [SPN_TASK_MUSIC] = "music",
    [SPN_TASK_SOUND] = "sound",
    [SPN_TASK_SHADER] = "shader",
    [SPN_TASK_READ_AHEAD] = "read_ahead",
    [SPN_TASK_VIDEO] = "video",
    [SPN_TASK_FLASH] = "flash",
    [SPN_TASK_PAK] = "pak",
    [SPN_TASK_GEOM_CACHE] = "geom_cache",
    [SPN_TASK_MERGED_MESH] = "merged_mesh",
    [SPN_TASK_USER] = "user",
};

static const char *const priority_names[SPN_PRIORITY_IDLE + 1] = {
    [SPN_PRIORITY_URGENT] = "urgent",
    [SPN_PRIORITY_ABOVE_NORMAL] = "above_normal",
    [SPN_PRIORITY_NORMAL] = "normal",
    [SPN_PRIORITY_BELOW_NORMAL] = "below_normal",
    [SPN_PRIORITY_IDLE] = "idle",
};

const char *spn_record_task_name(uint32_t task)
{
    return task < SPN_TASK_COUNT ? task_names[task] : NULL;
}

const char *spn_record_priority_name(uint32_t priority)
{
    return priority <= SPN_PRIORITY_IDLE ? priority_names[priority] : NULL;
}

/* -- pieces -- */

static void flush(struct writing *w)
{
    if (w->status == SPN_OK && w->used > 0)
        w->status = w->sink(w->user, w->piece, w->used);
    w->used = 0;
}

static void put_byte(struct writing *w, char byte)
{
    if (w->used == PIECE_BYTES)
        flush(w);
    w->piece[w->used++] = byte;
}

static void put(struct writing *w, const char *text)
{
    for (; *text; text++)
        put_byte(w, *text);
}

static void put_whole(struct writing *w, uint64_t value)
{
    char digits[20];
    uint32_t count = 0;

    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0)
        put_byte(w, digits[--count]);
}

static void put_escape(struct writing *w, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef";

    put(w, "\\u00");
    put_byte(w, hex[byte >> 4]);
    put_byte(w, hex[byte & 15]);
}

/* A JSON string with its quotes. */
static void put_text(struct writing *w, const char *text)
{
    put_byte(w, '"');
    while (*text) {
        uint32_t bytes = spn__text_sequence(text, UINT64_MAX);
        uint8_t byte = (uint8_t)*text;

        if (bytes == 0) {
            put(w, "\\ufffd");
            bytes = 1;
        } else if (byte < 0x20) {
            put_escape(w, byte);
        } else {
            if (byte == '"' || byte == '\\')
                put_byte(w, '\\');
            for (uint32_t i = 0; i < bytes; i++)
                put_byte(w, text[i]);
        }
        text += bytes;
    }
    put_byte(w, '"');
}

/* -- the trace -- */

/* A field that is left out means 0. */
static void put_field(struct writing *w, const char *before, uint64_t value)
{
    if (value == 0)
        return;
    put(w, before);
    put_whole(w, value);
}

static void put_words(struct writing *w, const spn_record_event *event)
{
    const char *task = spn_record_task_name((uint32_t)event->task);
    const char *priority = spn_record_priority_name((uint32_t)event->priority);

    if (!task)
        put_field(w, ", \"task\": ", (uint32_t)event->task);
    else if (event->task != SPN_TASK_USER) {
        put(w, ", \"task\": ");
        put_text(w, task);
    }
    if (priority && event->priority != SPN_PRIORITY_NORMAL) {
        put(w, ", \"priority\": ");
        put_text(w, priority);
    }
}

/* The event for which event `i` waited, as an index from the first event of the
 * first scene. False: it waited for none that is written. */
static bool find_waited_for(const spn_record_list *list, uint32_t i,
                            uint32_t *waited_for)
{
    uint32_t first = list->scenes[0].first;
    uint32_t after = list->events[i].after;

    if (after == 0 || after - 1 < first || after - 1 >= i)
        return false;
    *waited_for = after - 1 - first;
    return true;
}

/* "after" is left out if it is the previous read of the thread. */
static void put_wait(struct writing *w, const spn_record_list *list, uint32_t i)
{
    const spn_record_event *event = &list->events[i];
    uint32_t after;

    put_field(w, ", \"thread\": ", event->thread);
    if (!find_waited_for(list, i, &after))
        return;
    if (event->after != i || list->events[i - 1].thread != event->thread) {
        put(w, ", \"after\": ");
        put_whole(w, after);
    }
    put(w, ", \"think_us\": ");
    put_whole(w, event->think_us);
}

/* `at_us` and `due_us` are the start and the deadline on the clock of the
 * trace. */
static void put_read(struct writing *w, const spn_record_list *list, uint32_t i,
                     uint64_t at_us, uint64_t due_us)
{
    const spn_record_event *event = &list->events[i];

    put(w, "    {\"at_us\": ");
    put_whole(w, at_us);
    put(w, ", \"path\": ");
    put_text(w, list->text + event->path);
    put_field(w, ", \"offset\": ", event->offset);
    put_field(w, ", \"bytes\": ", event->bytes);
    put_words(w, event);
    /* A deadline that has passed is written as 1, because 0 means none. */
    if (event->deadline_us > 0)
        put_field(w,
                  ", \"deadline_us\": ", due_us > at_us ? due_us - at_us : 1);
    put_wait(w, list, i);
    put(w, "}");
}

/* The index behind the last event of scene `i`. */
static uint32_t limit_of(const spn_record_list *list, uint32_t i)
{
    return i + 1 < list->scene_count ? list->scenes[i + 1].first
                                     : list->event_count;
}

/* A time on the clock of the trace, which begins at 0. */
static uint64_t since(const spn_record_list *list, uint64_t time_us)
{
    return time_us > list->origin_us ? time_us - list->origin_us : 0;
}

/* *at_us is the time of the read before, then that of the last one. Times do
 * not run back in a trace. */
static void put_scene(struct writing *w, const spn_record_list *list,
                      uint32_t scene, uint64_t *at_us)
{
    uint32_t first = list->scenes[scene].first;

    put(w, "\n  {\"name\": ");
    put_text(w, list->scenes[scene].name);
    put(w, ", \"reads\": [");
    for (uint32_t i = first; i < limit_of(list, scene); i++) {
        const spn_record_event *event = &list->events[i];

        *at_us = max_u64(*at_us, since(list, event->at_us));
        put(w, i > first ? ",\n" : "\n");
        put_read(w, list, i, *at_us, since(list, event->deadline_us));
    }
    put(w, "]}");
}

static bool is_name_good(const char *name)
{
    for (uint32_t i = 0; name && i < SPN_PATH_BYTES_MAX; i++)
        if (name[i] == '\0')
            return i > 0;
    return false;
}

static bool is_good(const spn_record_list *list)
{
    if ((list->event_count > 0 && (!list->events || !list->text)) ||
        (list->scene_count > 0 && !list->scenes))
        return false;
    for (uint32_t i = 0; i < list->scene_count; i++)
        if (!is_name_good(list->scenes[i].name) ||
            list->scenes[i].first > limit_of(list, i))
            return false;
    return true;
}

spn_status spn_record_write(const spn_record_list *list, spn_record_sink sink,
                            void *user)
{
    struct writing w;
    uint64_t at_us = 0;

    if (!list || !sink || !is_good(list))
        return SPN_ERR_ARG;
    w.sink = sink;
    w.user = user;
    w.status = SPN_OK;
    w.used = 0;
    put(&w, "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [");
    for (uint32_t i = 0; i < list->scene_count && w.status == SPN_OK; i++) {
        if (i > 0)
            put(&w, ",");
        put_scene(&w, list, i, &at_us);
    }
    put(&w, "]}\n");
    flush(&w);
    return w.status;
}
