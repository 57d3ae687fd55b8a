/* strace_reads.c - sorts the reads by their start and chains them by thread. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_reads.h"

#include <spindle/read.h>
#include <stdlib.h>
#include <string.h>

static int by_begin(const void *a, const void *b)
{
    const struct strace_read *x = a;
    const struct strace_read *y = b;

    if (x->begin_us != y->begin_us)
        return x->begin_us < y->begin_us ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Guess the kind of data from the name of the file. */
static spn_task task_of(const char *path)
{
    static const struct {
        const char *ends;
        spn_task task;
    } types[] = {
        {"png jpg jpeg dds ktx ktx2 tga bmp webp basis", SPN_TASK_TEXTURE},
        {"wav ogg oga opus flac mp3", SPN_TASK_SOUND},
        {"ogv mp4 webm mkv bik usm ivf", SPN_TASK_VIDEO},
        {"vert frag glsl hlsl comp spv cso", SPN_TASK_SHADER},
        {"spm b3d obj gltf glb fbx ply mesh", SPN_TASK_GEOMETRY},
        {"sgc", SPN_TASK_GEOM_CACHE},
    };
    const char *dot = strrchr(path, '.');
    size_t bytes = dot ? strlen(dot + 1) : 0;

    for (size_t i = 0; bytes > 0 && i < sizeof types / sizeof types[0]; i++)
        for (const char *word = types[i].ends; word; word = strchr(word, ' ')) {
            word += *word == ' ';
            if (strncmp(word, dot + 1, bytes) == 0 &&
                (word[bytes] == ' ' || word[bytes] == '\0'))
                return types[i].task;
        }
    return SPN_TASK_USER;
}

/* Chain a read to the one before it in its thread. `last`, per thread: 1 + the
 * index of that one; 0: none. */
static void chain(const struct strace_reads *reads, uint32_t index,
                  uint32_t *last, struct traced_read *read)
{
    const struct strace_read *found = &reads->reads[index];
    uint32_t after = last[found->thread];
    const struct strace_read *before;

    last[found->thread] = index + 1;
    read->after = READ_TRACE_NO_READ;
    if (after == 0)
        return;
    read->after = after - 1;
    before = &reads->reads[after - 1];
    /* The pauses between merged calls count as think time, too. */
    read->think_us = before->end_us - before->begin_us - before->within_us;
    if (found->begin_us > before->end_us)
        read->think_us += found->begin_us - before->end_us;
}

static void fill_reads(const struct strace_reads *reads,
                       const struct strace_options *options, uint32_t *last,
                       struct read_trace *trace, const char **paths,
                       const char **scenes)
{
    uint32_t scene = 0;

    for (uint32_t i = 0; i < reads->count; i++) {
        const struct strace_read *found = &reads->reads[i];
        struct traced_read *read = &trace->reads[i];

        read->at_us = found->begin_us - reads->reads[0].begin_us;
        read->offset = found->offset;
        read->bytes = found->bytes;
        read->thread = found->thread;
        read->task = (uint32_t)task_of(found->path);
        read->priority = SPN_PRIORITY_NORMAL;
        chain(reads, i, last, read);
        while (scene + 1 < options->scene_count &&
               options->scenes[scene + 1].at_us <= read->at_us)
            scene++;
        paths[i] = found->path;
        scenes[i] = options->scenes[scene].name;
    }
}

void strace_reads_trace(const struct strace_reads *reads,
                        const struct strace_options *options,
                        struct arena *arena, struct read_trace *out)
{
    uint32_t count = reads->count;
    struct arena passing;
    const char **paths;
    const char **scenes;

    arena_init(&passing);
    paths = ARENA_NEW(&passing, const char *, count);
    scenes = ARENA_NEW(&passing, const char *, count);
    *out = (struct read_trace){.reads =
                                   ARENA_NEW(arena, struct traced_read, count),
                               .read_count = count};
    if (count > 0)
        qsort(reads->reads, count, sizeof *reads->reads, by_begin);
    fill_reads(reads, options,
               ARENA_NEW(&passing, uint32_t, reads->thread_count), out, paths,
               scenes);
    read_trace_set_names(out, paths, scenes, arena);
    arena_free(&passing);
}
