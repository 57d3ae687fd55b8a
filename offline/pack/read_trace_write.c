/* read_trace_write.c - writes traces, line by line, so that no tree is needed.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/read_trace.h"

#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path or a name, every byte of it escaped, and all the numbers. */
#define LINE_BYTES (SPN_PATH_BYTES_MAX * 6 + 512)

struct writing {
    struct host_output *output;
    char line[LINE_BYTES];
    size_t used;
    bool is_good;
};

static bool put_line(struct writing *w)
{
    w->is_good = w->is_good && host_output_append(w->output, w->line, w->used);
    w->used = 0;
    return w->is_good;
}

__attribute__((format(printf, 2, 3))) static void put(struct writing *w,
                                                      const char *format, ...)
{
    va_list arguments;
    int count;

    va_start(arguments, format);
    count = vsnprintf(w->line + w->used, sizeof w->line - w->used, format,
                      arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count >= sizeof w->line - w->used)
        w->is_good = false;
    else
        w->used += (size_t)count;
}

/* A JSON text, with its quotes. */
static void put_text(struct writing *w, const char *text)
{
    char *quoted = report_quoted(text);

    put(w, "%s", quoted);
    free(quoted);
}

static void put_number(struct writing *w, const char *field, uint64_t value)
{
    if (value != 0)
        put(w, ", \"%s\": %" PRIu64, field, value);
}

static void put_read(struct writing *w, const struct read_trace *trace,
                     const struct traced_read *read)
{
    const char *task = read_trace_task_name(read->task);
    const char *priority = read_trace_priority_name(read->priority);

    put(w, "    {\"at_us\": %" PRIu64 ", \"path\": ", read->at_us);
    put_text(w, trace->paths[read->file]);
    put_number(w, "offset", read->offset);
    put_number(w, "bytes", read->bytes);
    if (!task)
        put(w, ", \"task\": %" PRIu32, read->task);
    else if (read->task != SPN_TASK_USER)
        put(w, ", \"task\": \"%s\"", task);
    if (priority && read->priority != SPN_PRIORITY_NORMAL)
        put(w, ", \"priority\": \"%s\"", priority);
    put_number(w, "deadline_us", read->deadline_us);
    put(w, "}");
}

/* A scene ends where the next read is another's. */
static bool put_scene(struct writing *w, const struct read_trace *trace,
                      uint32_t *at)
{
    uint32_t scene = trace->reads[*at].scene;

    put(w, "%s\n  {\"name\": ", *at > 0 ? "," : "");
    put_text(w, trace->scenes[scene]);
    put(w, ", \"reads\": [\n");
    for (bool is_first = true;
         *at < trace->read_count && trace->reads[*at].scene == scene; (*at)++) {
        if (!is_first)
            put(w, ",\n");
        is_first = false;
        put_read(w, trace, &trace->reads[*at]);
        if (!put_line(w))
            return false;
    }
    put(w, "]}");
    return put_line(w);
}

bool read_trace_write(const struct read_trace *trace,
                      struct host_output *output)
{
    struct writing w = {.output = output, .is_good = true};
    uint32_t at = 0;

    put(&w, "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [");
    while (at < trace->read_count && put_scene(&w, trace, &at))
        ;
    put(&w, "]}\n");
    return put_line(&w);
}
