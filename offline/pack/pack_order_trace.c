/* pack_order_trace.c - the order of a play-through, with copies.
 *
 * Traces become uses: content in scene, with its first read and how many there
 * were. A content's first use is its place; each other one is a wish for a
 * copy, granted by reads saved for a byte while the budget lasts. Ties fall to
 * the earlier scene, then to the earlier use, so the order is one.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_order.h"

#include "common/path_match.h"
#include "io/sweep.h"
#include "io/tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a scene wants at once is swept up in one go, and nothing else lies
 * between; what sounds is wanted soonest. */
enum part { PART_AT_ONCE, PART_LATER, PART_STREAMED };

/* A content in a scene. */
struct use {
    uint64_t bytes;
    uint64_t read_count;
    uint32_t scene;
    uint32_t first; /* counted over all traces */
    uint32_t content;
    enum part part;
    enum sweep_class class; /* of what is wanted at once */
    bool has_place;         /* in this scene */
};

struct ordering {
    const struct pack_files *files;
    const struct pack_contents *contents;
    struct arena arena;
    struct use *uses;
    uint32_t count;
    uint32_t *scenes; /* of each trace in a row: numbers over all of them */
    uint32_t scene_count;
    struct pack_layout *out;
    struct tasks tasks;
    struct path_match match; /* of the files' names */
    uint8_t *is_traced;      /* each file */
};

/* ---- from traces to uses --------------------------------------------------
 */

static void match_files(struct path_match *match, struct arena *arena,
                        const struct pack_files *files)
{
    const char **names = ARENA_NEW(arena, const char *, files->count);

    for (uint32_t i = 0; i < files->count; i++)
        names[i] = files->files[i].name;
    path_match_init(match, arena, names, files->count);
}

/* Two paths of a trace may end in one file's name: /a/x.wav and /b/x.wav. Their
 * reads count as those of one file, which may be a mistake. */
static bool warn_of_merged(struct ordering *o, const struct read_trace *trace,
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

/* The file of each path of a trace; PAK_NONE where there is none. */
static bool find_files(struct ordering *o, const struct read_trace *trace,
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

static enum part part_of(const struct traced_use *use)
{
    return use->is_streamed  ? PART_STREAMED
           : use->is_at_once ? PART_AT_ONCE
                             : PART_LATER;
}

static enum sweep_class class_of(const struct ordering *o,
                                 const struct traced_use *use)
{
    return sweep_class_of(spn__tasks_class(&o->tasks, use->task));
}

/* `first` and `scenes`: its first read's number, and its scenes'. */
static bool add_trace(struct ordering *o, const struct read_trace *trace,
                      const char *path, uint32_t first, const uint32_t *scenes)
{
    uint32_t *found = ARENA_NEW(&o->arena, uint32_t, trace->file_count);
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
            .first = first + uses[i].first_read,
            .content = file->content,
            .part = part_of(&uses[i]),
            .class = class_of(o, &uses[i]),
        };
    }
    return true;
}

static int compare_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_scene_and_content(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;

    if (x->scene != y->scene)
        return compare_u32(x->scene, y->scene);
    if (x->content != y->content)
        return compare_u32(x->content, y->content);
    return compare_u32(x->first, y->first);
}

/* Streamed by one trace is streamed; else at once by one is at once. */
static enum part merge_parts(enum part a, enum part b)
{
    if (a == PART_STREAMED || b == PART_STREAMED)
        return PART_STREAMED;
    return a < b ? a : b;
}

/* One use for each content of a scene, by whatever names and traces. */
static void merge_uses(struct ordering *o)
{
    uint32_t kept = 0;

    if (o->count > 0)
        qsort(o->uses, o->count, sizeof *o->uses, by_scene_and_content);
    for (uint32_t i = 0; i < o->count; i++) {
        struct use *last = kept > 0 ? &o->uses[kept - 1] : NULL;

        if (last && last->scene == o->uses[i].scene &&
            last->content == o->uses[i].content) {
            last->read_count += o->uses[i].read_count;
            last->part = merge_parts(last->part, o->uses[i].part);
        } else {
            o->uses[kept++] = o->uses[i];
        }
    }
    o->count = kept;
}

/* ---- places -------------------------------------------------------------- */

static int by_first(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;

    return compare_u32(x->first, y->first);
}

/* What uses a content first has its place; the others wish for a copy. The
 * wishes come to the front; returns how many there are. */
static uint32_t give_places(struct ordering *o, uint8_t *has_place)
{
    uint32_t wishes = 0;

    if (o->count > 0)
        qsort(o->uses, o->count, sizeof *o->uses, by_first);
    for (uint32_t i = 0; i < o->count; i++) {
        o->uses[i].has_place = !has_place[o->uses[i].content];
        has_place[o->uses[i].content] = 1;
    }
    for (uint32_t i = 0; i < o->count; i++) {
        struct use use = o->uses[i];

        if (use.has_place)
            continue;
        o->uses[i] = o->uses[wishes];
        o->uses[wishes++] = use;
    }
    return wishes;
}

/* Reads for 16 MiB: what a copy saves, as a number that has one order. */
static uint64_t gain_of(const struct use *use)
{
    return (use->read_count << 24) / use->bytes;
}

static int by_gain(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;
    uint64_t gain_x = gain_of(x);
    uint64_t gain_y = gain_of(y);

    if (gain_x != gain_y)
        return gain_x > gain_y ? -1 : 1;
    return compare_u32(x->first, y->first);
}

static void grant_copies(struct ordering *o, uint32_t wishes,
                         double budget_percent)
{
    uint64_t all_bytes = 0;
    uint64_t budget;

    for (uint32_t i = 0; i < o->contents->count; i++)
        all_bytes += o->files->files[o->contents->files[i]].bytes;
    budget = (uint64_t)((double)all_bytes * budget_percent / 100);
    if (wishes > 0)
        qsort(o->uses, wishes, sizeof *o->uses, by_gain);
    for (uint32_t i = 0; i < wishes; i++) {
        if (o->uses[i].bytes > budget - o->out->copy_bytes)
            continue;
        o->uses[i].has_place = true;
        o->out->copy_bytes += o->uses[i].bytes;
        o->out->copy_count++;
    }
}

static bool is_small(const struct use *use)
{
    return use->bytes < PACK_SMALL_BYTES;
}

static int by_place(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;

    if (x->scene != y->scene)
        return compare_u32(x->scene, y->scene);
    if (x->part != y->part)
        return compare_u32(x->part, y->part);
    if (x->part == PART_AT_ONCE && x->class != y->class)
        return compare_u32(x->class, y->class);
    if (x->part != PART_STREAMED && is_small(x) != is_small(y))
        return is_small(x) ? -1 : 1;
    return compare_u32(x->first, y->first);
}

static void put_places(struct ordering *o, const uint8_t *has_place)
{
    struct pack_layout *out = o->out;

    if (o->count > 0)
        qsort(o->uses, o->count, sizeof *o->uses, by_place);
    for (uint32_t i = 0; i < o->count; i++)
        if (o->uses[i].has_place)
            out->contents[out->count++] = o->uses[i].content;
    /* Contents are numbered by name. */
    for (uint32_t i = 0; i < o->contents->count; i++)
        if (!has_place[i] && o->files->files[o->contents->files[i]].bytes > 0)
            out->contents[out->count++] = i;
}

static uint32_t count_traced(const struct ordering *o)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < o->files->count; i++)
        count += o->is_traced[i];
    return count;
}

/* The same name is the same scene, over all traces. */
static void number_scenes(struct ordering *o, const struct read_trace *traces,
                          uint32_t trace_count)
{
    const char **names;
    uint32_t count = 0;

    for (uint32_t i = 0; i < trace_count; i++)
        count += traces[i].scene_count;
    names = ARENA_NEW(&o->arena, const char *, count);
    o->scenes = ARENA_NEW(&o->arena, uint32_t, count);
    count = 0;
    for (uint32_t i = 0; i < trace_count; i++)
        for (uint32_t k = 0; k < traces[i].scene_count; k++)
            names[count++] = traces[i].scenes[k];
    (void)read_trace_number(&o->arena, names, count, o->scenes,
                            &o->scene_count);
}

static bool add_traces(struct ordering *o, const struct read_trace *traces,
                       const char *const *paths, uint32_t trace_count)
{
    uint32_t reads = 0;
    uint32_t scenes = 0;

    for (uint32_t i = 0; i < trace_count; i++)
        reads += traces[i].read_count;
    o->uses = ARENA_NEW(&o->arena, struct use, reads);
    reads = 0;
    for (uint32_t i = 0; i < trace_count; i++) {
        if (!add_trace(o, &traces[i], paths[i], reads, o->scenes + scenes))
            return false;
        reads += traces[i].read_count;
        scenes += traces[i].scene_count;
    }
    return true;
}

bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct read_trace *traces,
                          const char *const *trace_paths, uint32_t trace_count,
                          double budget_percent, struct pack_layout *out)
{
    struct ordering o = {.files = files, .contents = contents, .out = out};
    uint8_t *has_place;
    bool is_good;

    *out = (struct pack_layout){0};
    arena_init(&o.arena);
    spn__tasks_init(&o.tasks);
    match_files(&o.match, &o.arena, files);
    o.is_traced = ARENA_NEW(&o.arena, uint8_t, files->count);
    number_scenes(&o, traces, trace_count);
    has_place = ARENA_NEW(&o.arena, uint8_t, contents->count);
    is_good = add_traces(&o, traces, trace_paths, trace_count);
    if (is_good) {
        merge_uses(&o);
        grant_copies(&o, give_places(&o, has_place), budget_percent);
        out->contents = ARENA_NEW(files->arena, uint32_t,
                                  (size_t)contents->count + out->copy_count);
        put_places(&o, has_place);
        out->scene_count = o.scene_count;
        out->traced_files = count_traced(&o);
    }
    arena_free(&o.arena);
    return is_good;
}

/* ---- only what is traced --------------------------------------------------
 */

static bool is_unmarked(void *user, uint32_t file)
{
    return !((const uint8_t *)user)[file];
}

/* What a path may mean stays. */
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
