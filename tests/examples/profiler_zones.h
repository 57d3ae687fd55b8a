/* profiler_zones.h - write the runtime's events as zones of a profiler: JSON
 * for Perfetto and chrome://tracing, one begin or end on each line.
 *
 *   struct profiler_zones zones = {stderr, &platform};
 *   spn_listener listener = profiler_zones_listener(&zones);
 *   config.listener = &listener;
 *
 * For another profiler replace fprintf by its begin and end calls.
 */
/* SPDX-License-Identifier: MIT */
#ifndef PROFILER_ZONES_H
#define PROFILER_ZONES_H

#include <spindle/spindle.h>
#include <stdio.h>
#include <string.h>

struct profiler_zones {
    FILE *out;
    const spn_platform *platform; /* its thread_current must be set */
};

/* Called on the thread that does the work, so zones of a thread nest. */
static void profiler_write(void *user, const spn_event *e, const char *name,
                           char phase)
{
    const struct profiler_zones *z = (const struct profiler_zones *)user;

    /* One call for each line, so that lines of several threads do not mix. */
    fprintf(z->out,
            "{\"name\":\"%s\",\"ph\":\"%c\",\"ts\":%llu,\"pid\":1,\"tid\":%llu,"
            "\"args\":{\"cache\":%u,\"node\":%u,\"frame\":%u,\"part\":%u}},\n",
            name, phase, (unsigned long long)e->now_us,
            (unsigned long long)z->platform->thread_current(z->platform->user),
            e->cache, e->node, e->frame, e->part);
}

#define PROFILER_ZONE(name, phase)                                             \
    static void profiler_##name##_##phase(void *user, const spn_event *e)      \
    {                                                                          \
        profiler_write(user, e, #name, #phase[0] == 'b' ? 'B' : 'E');          \
    }
PROFILER_ZONE(update, begin)
PROFILER_ZONE(update, end)
PROFILER_ZONE(decompress, begin)
PROFILER_ZONE(decompress, end)
PROFILER_ZONE(decode, begin)
PROFILER_ZONE(decode, end)
PROFILER_ZONE(fill, begin)
PROFILER_ZONE(fill, end)

static inline spn_listener profiler_zones_listener(struct profiler_zones *zones)
{
    spn_listener l;

    memset(&l, 0, sizeof l); /* all NULL: no other events */
    l.user = zones;
    l.update_begin = profiler_update_begin;
    l.update_end = profiler_update_end;
    l.decompress_begin = profiler_decompress_begin;
    l.decompress_end = profiler_decompress_end;
    l.decode_begin = profiler_decode_begin;
    l.decode_end = profiler_decode_end;
    l.fill_begin = profiler_fill_begin;
    l.fill_end = profiler_fill_end;
    return l;
}

#endif
