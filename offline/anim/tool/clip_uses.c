/* clip_uses.c - see clip_uses.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_uses.h"

#include "anim/tool/clip_groups.h"
#include "anim/tool/file_names.h"
#include "anim/tool/index_file.h"
#include "common/path_match.h"
#include "pack/read_trace.h"

#include <stdlib.h>
#include <string.h>

/* A clip of a recorded database: its bytes there, and its number among the
 * clips that are packed. */
struct range {
    uint64_t first;
    uint64_t limit;
    uint32_t clip;
};

struct database {
    struct range *ranges; /* by `first` */
    uint32_t count;
};

struct use {
    uint32_t scene;
    uint32_t read;
    uint32_t clip;
};

struct search {
    const struct clip_uses_options *options;
    struct arena *arena; /* of the search */
    struct diag *diag;
    struct path_match names;
    struct path_match recorded; /* paths of databases */
    struct database *databases;
    struct use *uses; /* of one trace */
    uint32_t use_count;
    uint64_t use_capacity;
    uint32_t unknown_count; /* reads of databases that are not known */
    const char *unknown;    /* one of these */
    uint32_t *use;
    uint32_t used_count;
};

/* -- recorded databases -- */

static int by_first(const void *a, const void *b)
{
    const struct range *x = a;
    const struct range *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->clip > y->clip) - (x->clip < y->clip);
}

/* Clips that are not packed any more are ignored. */
static bool list_ranges(struct search *s, const struct index_file *file,
                        struct database *database)
{
    const uint32_t count = file->index.header.clip_count;

    database->ranges = ARENA_NEW(s->arena, struct range, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct clip_facts facts = spn__clip_index_clip(&file->index, i);
        const char *either[2];
        uint32_t clip;

        if (!path_match_find(&s->names, facts.name, &clip, either))
            return path_match_refuse(s->diag, file->path, facts.name, either);
        if (clip != PATH_MATCH_NONE)
            database->ranges[database->count++] =
                (struct range){facts.offset, facts.offset + facts.bytes, clip};
    }
    if (database->count > 0)
        qsort(database->ranges, database->count, sizeof *database->ranges,
              by_first);
    return true;
}

static bool open_recorded(struct search *s)
{
    const uint32_t count = s->options->recorded_count;
    bool is_good = true;

    s->databases = ARENA_NEW(s->arena, struct database, count);
    for (uint32_t i = 0; is_good && i < count; i++) {
        struct index_file file;

        is_good = index_file_open(&file, s->options->recorded[i],
                                  CLIP_INDEX_DATABASE, s->diag);
        if (is_good) {
            is_good = list_ranges(s, &file, &s->databases[i]);
            index_file_close(&file);
        }
    }
    path_match_init(&s->recorded, s->arena, s->options->recorded, count);
    return is_good;
}

/* -- traces -- */

static void add(struct search *s, uint32_t scene, uint32_t read, uint32_t clip)
{
    s->uses = arena_grow(s->arena, s->uses, s->use_count, &s->use_capacity,
                         sizeof *s->uses);
    s->uses[s->use_count++] = (struct use){scene, read, clip};
}

/* The first range that does not end before the read. Ranges are equal or apart.
 */
static uint32_t first_range(const struct database *database, uint64_t offset)
{
    uint32_t low = 0;
    uint32_t high = database->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (database->ranges[middle].limit <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_ranges(struct search *s, const struct traced_read *read,
                       uint32_t index, const struct database *database)
{
    const uint64_t limit =
        read->bytes > 0 ? read->offset + read->bytes : UINT64_MAX;

    for (uint32_t i = first_range(database, read->offset);
         i < database->count && database->ranges[i].first < limit; i++)
        add(s, read->scene, index, database->ranges[i].clip);
}

static bool take_read(struct search *s, const char *file,
                      const struct read_trace *trace, uint32_t index)
{
    const struct traced_read *read = &trace->reads[index];
    const char *path = trace->paths[read->file];
    const bool is_in_database = file_name_has_end(path, DATABASE_FILE_END);
    const struct path_match *match = is_in_database ? &s->recorded : &s->names;
    const char *either[2];
    uint32_t found;

    if (!path_match_find(match, path, &found, either))
        return path_match_refuse(s->diag, file, path, either);
    if (found == PATH_MATCH_NONE) {
        s->unknown_count += is_in_database;
        s->unknown = is_in_database ? path : s->unknown;
    } else if (is_in_database) {
        add_ranges(s, read, index, &s->databases[found]);
    } else {
        add(s, read->scene, index, found);
    }
    return true;
}

static int by_scene(const void *a, const void *b)
{
    const struct use *x = a;
    const struct use *y = b;

    if (x->scene != y->scene)
        return x->scene < y->scene ? -1 : 1;
    if (x->read != y->read)
        return x->read < y->read ? -1 : 1;
    return (x->clip > y->clip) - (x->clip < y->clip);
}

static bool take_trace(struct search *s, const char *path)
{
    struct read_trace trace;

    if (!read_trace_load(path, s->arena, &trace, s->diag))
        return false;
    s->use_count = 0;
    for (uint32_t i = 0; i < trace.read_count; i++)
        if (!take_read(s, path, &trace, i))
            return false;
    if (s->use_count > 0)
        qsort(s->uses, s->use_count, sizeof *s->uses, by_scene);
    for (uint32_t i = 0; i < s->use_count; i++)
        if (s->use[s->uses[i].clip] == CLIP_UNUSED)
            s->use[s->uses[i].clip] = s->used_count++;
    return true;
}

static void warn(const struct search *s)
{
    if (s->unknown_count > 0)
        diag_warn(
            s->diag, s->options->traces[0], s->unknown,
            "reads of databases that are not known are ignored (%u); name "
            "the databases of the recorded game with --recorded",
            s->unknown_count);
    else if (s->used_count == 0)
        diag_warn(s->diag, s->options->traces[0], NULL,
                  "it reads none of the clips, the first of which is \"%s\"",
                  s->options->names[0]);
}

bool clip_uses_find(const struct clip_uses_options *options, struct diag *diag,
                    uint32_t *use, uint32_t *used_count)
{
    struct arena scratch;
    struct search s = {
        .options = options, .arena = &scratch, .diag = diag, .use = use};
    bool is_good;

    arena_init(&scratch);
    for (uint32_t i = 0; i < options->clip_count; i++)
        use[i] = CLIP_UNUSED;
    path_match_init(&s.names, &scratch, options->names, options->clip_count);
    is_good = open_recorded(&s);
    for (uint32_t i = 0; is_good && i < options->trace_count; i++)
        is_good = take_trace(&s, options->traces[i]);
    if (is_good)
        warn(&s);
    *used_count = s.used_count;
    arena_free(&scratch);
    return is_good;
}
