/* pack_order_trace.c - orders by traces, and the choice of the best one.
 *
 * A layout by traces is made by sorting the uses that have a copy. To choose,
 * each order is laid out, and the model reads the traces from it on each drive.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_order_trace.h"

#include "common/compare.h"
#include "disc/drive_disc.h"
#include "pack/order_time.h"
#include "pack/pack_order_uses.h"
#include "pak/pak_index.h"

#include <stdlib.h>
#include <string.h>

/* Orders whose times differ by less are about equal. */
#define ABOUT_EQUAL_PERMILLE 10u
/* Estimate of the index bytes of a file: an entry, a content, a copy, its
 * number in the offset order, and a name. */
#define INDEX_ENTRY_BYTES 128u

struct ordering {
    struct pack_uses uses;
    enum pack_order *order;         /* of each trace */
    uint32_t *first_copy;           /* of each content: index in the layout */
    struct order_time_read **reads; /* of each trace */
    uint64_t *copy_at; /* of each copy: its first byte on the disc */
};

/* -- copies -- */

/* A use, and the order of its trace. */
struct ordered_use {
    struct use *use;
    enum pack_order order;
};

static bool is_small(const struct use *use)
{
    return use->bytes < PACK_SMALL_BYTES;
}

static int by_scene(const struct use *x, const struct use *y)
{
    if (x->scene != y->scene)
        return compare_u64(x->scene, y->scene);
    if (x->time != y->time)
        return compare_u64(x->time, y->time);
    if (x->time == USED_AT_ONCE && x->class != y->class)
        return compare_u64(x->class, y->class);
    if (x->time != USED_STREAMED && is_small(x) != is_small(y))
        return is_small(x) ? -1 : 1;
    return compare_u64(x->first, y->first);
}

static int by_small_first(const struct use *x, const struct use *y)
{
    if (x->first / PACK_SMALL_FIRST_READS ==
            y->first / PACK_SMALL_FIRST_READS &&
        is_small(x) != is_small(y))
        return is_small(x) ? -1 : 1;
    return compare_u64(x->first, y->first);
}

static int by_layout(const void *a, const void *b)
{
    const struct ordered_use *x = a;
    const struct ordered_use *y = b;

    if (x->use->trace != y->use->trace)
        return compare_u64(x->use->trace, y->use->trace);
    if (x->order == PACK_BY_FIRST_USE)
        return compare_u64(x->use->first, y->use->first);
    if (x->order == PACK_BY_WINDOW)
        return by_small_first(x->use, y->use);
    return by_scene(x->use, y->use);
}

/* Lay out each trace in its order. `out` has room for all contents and copies.
 */
static void lay_out_uses(struct ordering *o, struct pack_layout *out)
{
    struct pack_uses *u = &o->uses;
    struct arena arena;
    struct ordered_use *ordered;
    uint32_t count = 0;

    arena_init(&arena);
    ordered = ARENA_NEW(&arena, struct ordered_use, u->count);
    for (uint32_t i = 0; i < u->count; i++)
        if (u->uses[i].has_copy)
            ordered[count++] =
                (struct ordered_use){&u->uses[i], o->order[u->uses[i].trace]};
    qsort(ordered, count, sizeof *ordered, by_layout);
    out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        ordered[i].use->copy = out->count;
        out->contents[out->count++] = ordered[i].use->content;
    }
    arena_free(&arena);
    /* Unused contents, in the order of their numbers: by name. */
    for (uint32_t i = 0; i < u->contents->count; i++)
        if (!u->is_used[i] && u->files->files[u->contents->files[i]].bytes > 0)
            out->contents[out->count++] = i;
}

/* -- time -- */

/* Set copy_at and first_copy. Returns the end of the last copy. */
static uint64_t find_copies(struct ordering *o,
                            const struct pack_layout *layout)
{
    const struct pack_uses *u = &o->uses;
    uint64_t at = (uint64_t)u->files->count * INDEX_ENTRY_BYTES;

    at = pak_sector_ceil(at);
    memset(o->first_copy, 0xff, u->contents->count * sizeof *o->first_copy);
    for (uint32_t i = 0; i < layout->count; i++) {
        uint32_t content = layout->contents[i];
        uint64_t bytes = u->files->files[u->contents->files[content]].bytes;

        o->copy_at[i] = at;
        if (o->first_copy[content] == UINT32_MAX)
            o->first_copy[content] = i;
        at += pak_sector_ceil(bytes);
    }
    return at;
}

/* Find the bytes of a read on the disc; `is_by_use`: in the copy of the scene
 * if it has one. */
static struct order_time_read find_read(const struct ordering *o,
                                        const struct traced_read *read,
                                        uint32_t file, uint32_t scene,
                                        bool is_by_use)
{
    struct order_time_read found = {.bytes = 0};
    const struct use *use;
    uint64_t file_bytes;
    uint32_t copy;

    if (file == PAK_NONE)
        return found;
    file_bytes = o->uses.files->files[file].bytes;
    if (read->offset >= file_bytes || read->bytes > file_bytes - read->offset)
        return found;
    copy = o->first_copy[o->uses.files->files[file].content];
    use = pack_uses_find(&o->uses, scene, o->uses.files->files[file].content);
    if (is_by_use && use && use->has_copy)
        copy = use->copy;
    found.offset = o->copy_at[copy] + read->offset;
    found.bytes = read->bytes ? read->bytes : file_bytes - read->offset;
    return found;
}

static void find_reads(struct ordering *o, bool is_by_use)
{
    const struct pack_traces *t = o->uses.traces;
    const uint32_t *scenes = o->uses.scenes;

    for (uint32_t i = 0; i < t->count; i++) {
        const struct read_trace *trace = &t->traces[i];

        for (uint32_t k = 0; k < trace->read_count; k++)
            o->reads[i][k] = find_read(
                o, &trace->reads[k], o->uses.found[i][trace->reads[k].file],
                scenes[trace->reads[k].scene], is_by_use);
        scenes += trace->scene_count;
    }
}

/* Estimate the time of all traces on each drive. 0: the disc of the drive is
 * too small. */
static void time_layout(struct ordering *o, const struct pack_layout *layout,
                        bool is_by_use, uint64_t estimate_us[PACK_DRIVES_MAX])
{
    const struct pack_traces *t = o->uses.traces;
    uint64_t end = find_copies(o, layout);

    find_reads(o, is_by_use);
    for (uint32_t d = 0; d < t->drive_count; d++) {
        estimate_us[d] = 0;
        if (end > spn__drive_disc_bytes(&t->drives[d]))
            continue;
        for (uint32_t i = 0; i < t->count; i++)
            estimate_us[d] +=
                order_time_us(&t->traces[i], o->reads[i], &t->drives[d]);
    }
}

/* -- the choice -- */

static void set_order(struct ordering *o, enum pack_order order)
{
    for (uint32_t i = 0; i < o->uses.traces->count; i++)
        o->order[i] = order;
}

/* By how much an order is worse than the best order of a drive, in permille:
 * the worst case of all drives. UINT64_MAX: it was not tried. */
static uint64_t worst_permille(const struct pack_choice *choice,
                               enum pack_order order)
{
    uint64_t worst = 0;

    for (uint32_t d = 0; d < choice->drive_count; d++) {
        uint64_t best = UINT64_MAX;
        uint64_t permille;

        for (uint32_t i = 0; i < PACK_ORDERS; i++)
            if (choice->estimate_us[i][d] > 0 &&
                choice->estimate_us[i][d] < best)
                best = choice->estimate_us[i][d];
        if (best == UINT64_MAX)
            continue;
        if (choice->estimate_us[order][d] == 0)
            return UINT64_MAX;
        permille = choice->estimate_us[order][d] * 1000 / best - 1000;
        worst = permille > worst ? permille : worst;
    }
    return worst;
}

static enum pack_order best_of(const struct pack_choice *choice)
{
    static const enum pack_order preference[] = {
        PACK_BY_SCENE, PACK_BY_FIRST_USE, PACK_BY_WINDOW, PACK_BY_TRIAL,
        PACK_BY_NAME,  PACK_BY_TYPE,      PACK_BY_SIZE};
    uint64_t best = UINT64_MAX;

    for (uint32_t i = 0; i < PACK_ORDERS; i++) {
        uint64_t worst = worst_permille(choice, (enum pack_order)i);

        best = worst < best ? worst : best;
    }
    for (uint32_t i = 0; i < PACK_ORDERS; i++) {
        uint64_t worst = worst_permille(choice, preference[i]);

        if (worst != UINT64_MAX && worst <= best + ABOUT_EQUAL_PERMILLE)
            return preference[i];
    }
    return PACK_BY_SCENE;
}

/* Choose an order for each trace, one after the other, such that the time of
 * all traces is best. */
static void mix_orders(struct ordering *o, struct pack_choice *choice,
                       struct pack_layout *out)
{
    struct pack_choice trial = {.drive_count = choice->drive_count};

    set_order(o, PACK_BY_SCENE);
    memcpy(trial.estimate_us[PACK_BY_SCENE], choice->estimate_us[PACK_BY_SCENE],
           sizeof trial.estimate_us[0]);
    for (uint32_t i = 0; i < o->uses.traces->count; i++) {
        for (uint32_t k = PACK_BY_FIRST_USE; k < PACK_BY_TRIAL; k++) {
            o->order[i] = (enum pack_order)k;
            lay_out_uses(o, out);
            time_layout(o, out, true, trial.estimate_us[k]);
        }
        o->order[i] = best_of(&trial);
        memmove(trial.estimate_us[PACK_BY_SCENE],
                trial.estimate_us[o->order[i]], sizeof trial.estimate_us[0]);
    }
    memcpy(choice->estimate_us[PACK_BY_TRIAL], trial.estimate_us[PACK_BY_SCENE],
           sizeof trial.estimate_us[0]);
}

/* Try the three orders that need no trace. */
static void try_plain(struct ordering *o, struct pack_choice *choice)
{
    for (uint32_t i = PACK_BY_NAME; i <= PACK_BY_SIZE; i++) {
        struct pack_layout plain;

        pack_order_by(o->uses.files, o->uses.contents, (enum pack_order)i,
                      &plain);
        time_layout(o, &plain, false, choice->estimate_us[i]);
    }
}

static void try_uses(struct ordering *o, enum pack_order order,
                     struct pack_choice *choice, struct pack_layout *out)
{
    set_order(o, order);
    lay_out_uses(o, out);
    time_layout(o, out, true, choice->estimate_us[order]);
}

static void choose(struct ordering *o, struct pack_layout *out)
{
    const struct pack_traces *t = o->uses.traces;
    struct pack_choice *choice = &out->choice;
    enum pack_order *mixed =
        ARENA_NEW(&o->uses.arena, enum pack_order, t->count);

    choice->drive_count = t->drive_count;
    try_uses(o, PACK_BY_SCENE, choice, out);
    try_uses(o, PACK_BY_FIRST_USE, choice, out);
    try_uses(o, PACK_BY_WINDOW, choice, out);
    if (t->count > 1) {
        mix_orders(o, choice, out);
        memcpy(mixed, o->order, t->count * sizeof *mixed);
    }
    if (out->extra_count == 0)
        try_plain(o, choice);
    choice->order = best_of(choice);
    set_order(o, choice->order);
    if (choice->order == PACK_BY_TRIAL)
        memcpy(o->order, mixed, t->count * sizeof *mixed);
}

/* -- layout -- */

static void allocate(struct ordering *o, const struct pack_layout *out)
{
    const struct pack_traces *t = o->uses.traces;
    size_t copies = (size_t)o->uses.contents->count + out->extra_count;
    struct arena *arena = &o->uses.arena;

    o->order = ARENA_NEW(arena, enum pack_order, t->count);
    o->first_copy = ARENA_NEW(arena, uint32_t, o->uses.contents->count);
    o->copy_at = ARENA_NEW(arena, uint64_t, copies);
    o->reads = ARENA_NEW(arena, struct order_time_read *, t->count);
    for (uint32_t i = 0; i < t->count; i++)
        o->reads[i] =
            ARENA_NEW(arena, struct order_time_read, t->traces[i].read_count);
}

static void lay_out(struct ordering *o, enum pack_order order,
                    struct pack_layout *out)
{
    const struct pack_files *files = o->uses.files;

    out->contents =
        ARENA_NEW(files->arena, uint32_t,
                  (size_t)o->uses.contents->count + out->extra_count);
    allocate(o, out);
    set_order(o, order);
    out->choice.order = order;
    if (order == PACK_BY_TRIAL)
        choose(o, out);
    if (out->choice.order > PACK_BY_SIZE) {
        lay_out_uses(o, out);
    } else {
        struct pack_layout plain;

        pack_order_by(files, o->uses.contents, out->choice.order, &plain);
        out->contents = plain.contents;
        out->count = plain.count;
    }
}

bool pack_order_by_traces(const struct pack_files *files,
                          const struct pack_contents *contents,
                          const struct pack_traces *traces,
                          enum pack_order order, struct pack_layout *out)
{
    struct ordering o = {.order = NULL};
    bool is_good;

    *out = (struct pack_layout){0};
    is_good = pack_uses_find_all(&o.uses, files, contents, traces, out);
    if (is_good)
        lay_out(&o, order, out);
    pack_uses_free(&o.uses);
    return is_good;
}
