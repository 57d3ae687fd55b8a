/* pack_order_uses.c - match paths with files, merge uses, assign copies.
 *
 * If two uses have equal gain, the earlier one gets a copy first, so the result
 * does not depend on the sort.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_order_uses.h"

#include "common/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- from traces to uses -- */

static void match_files(struct path_match *match, struct arena *arena,
                        const struct pack_files *files)
{
    const char **names = ARENA_NEW(arena, const char *, files->count);

    for (uint32_t i = 0; i < files->count; i++)
        names[i] = files->files[i].name;
    path_match_init(match, arena, names, files->count);
}

/* Warn of two paths of a trace that match one file, for example /a/x.wav and
 * /b/x.wav. This may be a mistake: their reads count as reads of that file. */
static bool warn_of_merged(struct pack_uses *o, const struct read_trace *trace,
                           const char *path, const uint32_t *found)
{
    const char **first = ARENA_NEW(&o->arena, const char *, o->files->count);
    const char *example = NULL;
    const char *name = NULL;
    uint32_t merged = 0;

    memset(first, 0, o->files->count * sizeof *first);
    for (uint32_t i = 0; i < trace->file_count; i++) {
        if (found[i] == PAK_NONE)
            continue;
        if (!first[found[i]]) {
            first[found[i]] = trace->paths[i];
        } else if (merged++ == 0) {
            example = trace->paths[i];
            name = first[found[i]];
        }
    }
    return merged == 0 || pack_files_warn(o->files, path, example,
                                          "means the same input as %s (%" PRIu32
                                          " such paths in the trace)",
                                          name, merged);
}

/* Find the file of each path of a trace; PAK_NONE: no file matches. */
static bool find_files(struct pack_uses *o, const struct read_trace *trace,
                       const char *path, uint32_t *found)
{
    const char *either[2];
    const char *example = NULL;
    uint32_t missing = 0;

    for (uint32_t i = 0; i < trace->file_count; i++) {
        if (!path_match_find(&o->match, trace->paths[i], &found[i], either))
            return path_match_refuse(o->files->diag, path, trace->paths[i],
                                     either);
        if (found[i] != PAK_NONE) {
            o->is_traced[found[i]] = 1;
            continue;
        }
        if (missing++ == 0)
            example = trace->paths[i];
    }
    o->out->missing_files += missing;
    if (missing == 0)
        return true;
    return pack_files_warn(o->files, path, example,
                           "is not among the inputs (%" PRIu32 " of %" PRIu32
                           " files of the trace)",
                           missing, trace->file_count);
}

static enum use_time time_of(const struct traced_use *use)
{
    return use->is_streamed  ? USED_STREAMED
           : use->is_at_once ? USED_AT_ONCE
                             : USED_LATER;
}

static enum deadline_class class_of(const struct pack_uses *o,
                                    const struct traced_use *use)
{
    return deadline_class_of(spn__tasks_class(&o->tasks, use->task));
}

/* Add the uses of a trace. `first` is the number of its first read, `scenes`
 * the numbers of its scenes. */
static bool add_trace(struct pack_uses *o, const struct read_trace *trace,
                      const char *path, uint32_t *found, uint32_t first,
                      const uint32_t *scenes)
{
    struct traced_use *uses;
    uint32_t count;

    if (!find_files(o, trace, path, found) ||
        !warn_of_merged(o, trace, path, found))
        return false;
    uses = read_trace_uses(trace, &o->arena, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct pack_file *file;

        if (found[uses[i].file] == PAK_NONE)
            continue;
        file = &o->files->files[found[uses[i].file]];
        if (file->bytes == 0)
            continue;
        o->uses[o->count++] = (struct use){
            .bytes = file->bytes,
            .read_count = uses[i].read_count,
            .scene = scenes[uses[i].scene],
            .trace = o->trace_of[scenes[uses[i].scene]],
            .first = first + uses[i].first_read,
            .content = file->content,
            .time = time_of(&uses[i]),
            .class = class_of(o, &uses[i]),
        };
    }
    return true;
}

static int by_scene_and_content(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;

    if (x->scene != y->scene)
        return compare_u64(x->scene, y->scene);
    if (x->content != y->content)
        return compare_u64(x->content, y->content);
    return compare_u64(x->first, y->first);
}

/* Combine the times of two traces: streamed in one of them, else at once in one
 * of them. */
static enum use_time merge_times(enum use_time a, enum use_time b)
{
    if (a == USED_STREAMED || b == USED_STREAMED)
        return USED_STREAMED;
    return a < b ? a : b;
}

/* Merge the uses of a content in a scene, under all names and in all traces. */
static void merge_uses(struct pack_uses *o)
{
    uint32_t kept = 0;

    qsort(o->uses, o->count, sizeof *o->uses, by_scene_and_content);
    for (uint32_t i = 0; i < o->count; i++) {
        struct use *last = kept > 0 ? &o->uses[kept - 1] : NULL;

        if (last && last->scene == o->uses[i].scene &&
            last->content == o->uses[i].content) {
            last->read_count += o->uses[i].read_count;
            last->time = merge_times(last->time, o->uses[i].time);
        } else {
            o->uses[kept++] = o->uses[i];
        }
    }
    o->count = kept;
}

/* -- copies -- */

static int by_first(const void *a, const void *b)
{
    const struct use *x = *(struct use *const *)a;
    const struct use *y = *(struct use *const *)b;

    return compare_u64(x->first, y->first);
}

/* Give the first use of each content its first copy. Move the other uses,
 * candidates for an extra copy, to the front of `order`; return their
 * number. */
static uint32_t assign_first_copies(struct pack_uses *o)
{
    uint32_t candidates = 0;

    for (uint32_t i = 0; i < o->count; i++)
        o->order[i] = &o->uses[i];
    qsort(o->order, o->count, sizeof(struct use *), by_first);
    for (uint32_t i = 0; i < o->count; i++) {
        struct use *use = o->order[i];

        use->has_copy = !o->is_used[use->content];
        o->is_used[use->content] = 1;
        if (use->has_copy)
            continue;
        o->order[i] = o->order[candidates];
        o->order[candidates++] = use;
    }
    return candidates;
}

/* Reads that an extra copy saves, per 16 MiB of its bytes. */
static uint64_t gain_of(const struct use *use)
{
    return (use->read_count << 24) / use->bytes;
}

static int by_gain(const void *a, const void *b)
{
    const struct use *x = *(struct use *const *)a;
    const struct use *y = *(struct use *const *)b;
    uint64_t gain_x = gain_of(x);
    uint64_t gain_y = gain_of(y);

    if (gain_x != gain_y)
        return compare_u64(gain_y, gain_x);
    return compare_u64(x->first, y->first);
}

static void assign_extra_copies(struct pack_uses *o, uint32_t candidates)
{
    uint64_t all_bytes = 0;
    uint64_t budget;

    for (uint32_t i = 0; i < o->contents->count; i++)
        all_bytes += o->files->files[o->contents->files[i]].bytes;
    budget = (uint64_t)((double)all_bytes * o->traces->budget_percent / 100);
    qsort(o->order, candidates, sizeof(struct use *), by_gain);
    for (uint32_t i = 0; i < candidates; i++) {
        struct use *use = o->order[i];

        if (use->bytes > budget - o->out->extra_bytes)
            continue;
        use->has_copy = true;
        o->out->extra_bytes += use->bytes;
        o->out->extra_count++;
    }
}

static uint32_t count_traced(const struct pack_uses *o)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < o->files->count; i++)
        count += o->is_traced[i];
    return count;
}

/* Number the scenes by name: a scene of that name in another trace is the same
 * scene. */
static void number_scenes(struct pack_uses *o)
{
    const struct pack_traces *t = o->traces;
    const char **names;
    uint32_t count = 0;

    for (uint32_t i = 0; i < t->count; i++)
        count += t->traces[i].scene_count;
    names = ARENA_NEW(&o->arena, const char *, count);
    o->scenes = ARENA_NEW(&o->arena, uint32_t, count);
    o->trace_of = ARENA_NEW(&o->arena, uint32_t, count);
    count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t k = 0; k < t->traces[i].scene_count; k++)
            names[count++] = t->traces[i].scenes[k];
    (void)read_trace_number(&o->arena, names, count, o->scenes,
                            &o->scene_count);
    for (uint32_t i = t->count; i > 0; i--) {
        count -= t->traces[i - 1].scene_count;
        for (uint32_t k = 0; k < t->traces[i - 1].scene_count; k++)
            o->trace_of[o->scenes[count + k]] = i - 1;
    }
}

static bool add_traces(struct pack_uses *o)
{
    const struct pack_traces *t = o->traces;
    uint32_t reads = 0;
    uint32_t scenes = 0;

    for (uint32_t i = 0; i < t->count; i++)
        reads += t->traces[i].read_count;
    o->uses = ARENA_NEW(&o->arena, struct use, reads);
    o->found = ARENA_NEW(&o->arena, uint32_t *, t->count);
    reads = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const struct read_trace *trace = &t->traces[i];

        o->found[i] = ARENA_NEW(&o->arena, uint32_t, trace->file_count);
        if (!add_trace(o, trace, t->paths[i], o->found[i], reads,
                       o->scenes + scenes))
            return false;
        reads += trace->read_count;
        scenes += trace->scene_count;
    }
    return true;
}

bool pack_uses_find_all(struct pack_uses *o, const struct pack_files *files,
                        const struct pack_contents *contents,
                        const struct pack_traces *traces,
                        struct pack_layout *out)
{
    *o = (struct pack_uses){
        .files = files, .contents = contents, .traces = traces, .out = out};
    arena_init(&o->arena);
    spn__tasks_init(&o->tasks);
    match_files(&o->match, &o->arena, files);
    o->is_traced = ARENA_NEW(&o->arena, uint8_t, files->count);
    o->is_used = ARENA_NEW(&o->arena, uint8_t, contents->count);
    number_scenes(o);
    if (!add_traces(o))
        return false;
    merge_uses(o);
    o->order = ARENA_NEW(&o->arena, struct use *, o->count);
    assign_extra_copies(o, assign_first_copies(o));
    out->scene_count = o->scene_count;
    out->traced_files = count_traced(o);
    return true;
}

void pack_uses_free(struct pack_uses *o)
{
    arena_free(&o->arena);
}

const struct use *pack_uses_find(const struct pack_uses *o, uint32_t scene,
                                 uint32_t content)
{
    uint32_t low = 0;
    uint32_t high = o->count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        const struct use *use = &o->uses[mid];

        if (use->scene == scene && use->content == content)
            return use;
        if (use->scene < scene ||
            (use->scene == scene && use->content < content))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* -- traced files only -- */

static bool is_unmarked(void *user, uint32_t file)
{
    return !((const uint8_t *)user)[file];
}

/* Mark the file that a path matches; of an ambiguous path all files. */
static void mark(const struct path_match *match, const char *path,
                 uint8_t *is_traced)
{
    const char *either[2];
    uint32_t file;
    bool is_one = path_match_find(match, path, &file, either);

    if (is_one && file != PATH_MATCH_NONE)
        is_traced[file] = 1;
    for (uint32_t i = 0; !is_one && i < 2; i++)
        mark(match, either[i], is_traced);
}

uint32_t pack_order_keep_traced(struct pack_files *files,
                                const struct read_trace *traces,
                                uint32_t trace_count)
{
    uint8_t *is_traced = ARENA_NEW(files->arena, uint8_t, files->count);
    uint32_t before = files->count;
    struct path_match match;

    match_files(&match, files->arena, files);
    for (uint32_t i = 0; i < trace_count; i++)
        for (uint32_t k = 0; k < traces[i].file_count; k++)
            mark(&match, traces[i].paths[k], is_traced);
    pack_files_leave_out(files, is_unmarked, is_traced);
    return before - files->count;
}
