/* index_info.c - print what a database or an image contains.
 *
 * Clips are printed in the order in which they lie: by file, then by offset;
 * those with files of their own come last, by name.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/index_info.h"

#include "anim/clip_index_wire.h"
#include "anim/tool/clip_flags.h"
#include "anim/tool/index_file.h"
#include "common/arena.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is summed up over the clips of a file, or of those without one. */
struct sum {
    uint32_t clip_count;
    uint64_t bytes; /* of clips; equal ranges count once */
};

struct listing {
    const struct index_file *file;
    bool is_image;
    struct clip_facts *clips; /* in the order of the list */
    struct sum *sums;         /* of each file, then of clips without one */
    uint32_t *kind_clips;     /* clips of each kind */
    struct sum all;
};

static int by_place(const void *a, const void *b)
{
    const struct clip_facts *x = a;
    const struct clip_facts *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void make(struct listing *l, struct arena *arena)
{
    const struct clip_index *index = &l->file->index;
    const struct clip_index_header *h = &index->header;

    l->clips = ARENA_NEW(arena, struct clip_facts, h->clip_count);
    l->sums = ARENA_NEW(arena, struct sum, (uint64_t)h->file_count + 1);
    l->kind_clips = ARENA_NEW(arena, uint32_t, h->kind_count);
    for (uint32_t i = 0; i < h->clip_count; i++) {
        l->clips[i] = spn__clip_index_clip(index, i);
        l->kind_clips[spn_load_u32le(clip_wire_clip_at(index, i)->kind)]++;
    }
    if (h->clip_count > 0)
        qsort(l->clips, h->clip_count, sizeof *l->clips, by_place);
    for (uint32_t i = 0; i < h->clip_count; i++) {
        const struct clip_facts *c = &l->clips[i];
        const struct clip_facts *before = i > 0 ? &l->clips[i - 1] : NULL;
        const bool has_file = c->file != CLIP_INDEX_NONE || !l->is_image;
        struct sum *sum =
            &l->sums[c->file == CLIP_INDEX_NONE ? h->file_count : c->file];

        sum->clip_count++;
        if (!has_file || !before || before->file != c->file ||
            before->offset != c->offset)
            sum->bytes += c->bytes;
    }
    for (uint32_t i = 0; i <= h->file_count; i++) {
        l->all.clip_count += l->sums[i].clip_count;
        l->all.bytes += l->sums[i].bytes;
    }
}

static double rate_of(const struct clip_facts *c)
{
    return (double)c->rate_numerator / c->rate_denominator;
}

static double seconds_of(const struct clip_facts *c)
{
    return (double)spn__clip_duration_us(c) / 1e6;
}

/* -- text -- */

static void print_clips(const struct listing *l)
{
    char name[256];

    puts("        offset      bytes  first part  frames      rate  seconds  "
         "clip");
    for (uint32_t i = 0; i < l->all.clip_count; i++) {
        const struct clip_facts *c = &l->clips[i];

        if (i == 0 ? c->file != CLIP_INDEX_NONE
                   : c->file != l->clips[i - 1].file)
            printf(
                "  %s\n",
                c->file == CLIP_INDEX_NONE
                    ? "files of their own"
                    : report_name(
                          spn__clip_index_file(&l->file->index, c->file).path,
                          name, sizeof name));
        printf("  %12" PRIu64 " %10u %11u %7u %9.6g %8.3f  %s", c->offset,
               c->bytes, c->first_bytes, c->frame_count, rate_of(c),
               seconds_of(c), report_name(c->name, name, sizeof name));
        clip_flags_print(c->flags);
        putchar('\n');
    }
}

static void print_sum(const struct sum *sum, uint64_t file_bytes,
                      const char *path)
{
    char name[256];

    printf("  %7u %12" PRIu64 " %12" PRIu64 "  %s\n", sum->clip_count,
           sum->bytes, file_bytes, report_name(path, name, sizeof name));
}

static void print_text(const struct listing *l, bool is_tree)
{
    const struct clip_index *index = &l->file->index;
    const struct clip_index_header *h = &index->header;

    printf("%s: %s; clips %u, kinds %u", l->file->path,
           l->is_image ? "image" : "database", h->clip_count, h->kind_count);
    if (l->is_image)
        printf(", databases %u", h->file_count);
    putchar('\n');
    printf("  bytes %" PRIu64 "; index %u, names %u, clips %" PRIu64 "\n",
           h->file_bytes, h->index_bytes, h->name_bytes, l->all.bytes);
    puts("  clips  joints      rate  skeleton          rest pose");
    for (uint32_t i = 0; i < h->kind_count; i++) {
        const struct clip_wire_kind *kind = clip_wire_kind_at(index, i);

        printf("  %5u %7u %9.6g  %016" PRIx64 "  %08" PRIx32 "\n",
               l->kind_clips[i], spn_load_u32le(kind->joint_count),
               (double)spn_load_u32le(kind->rate_numerator) /
                   spn_load_u32le(kind->rate_denominator),
               spn_load_u64le(kind->skeleton),
               spn_load_u32le(kind->rest_pose_hash));
    }
    if (l->is_image) {
        puts("    clips        bytes      of file  database");
        for (uint32_t i = 0; i < h->file_count; i++) {
            const struct clip_data_file file = spn__clip_index_file(index, i);

            print_sum(&l->sums[i], file.file_bytes, file.path);
        }
        if (l->sums[h->file_count].clip_count > 0)
            print_sum(&l->sums[h->file_count], l->sums[h->file_count].bytes,
                      "(files of their own)");
    }
    if (is_tree)
        print_clips(l);
}

/* -- JSON -- */

static void add_clip(const struct listing *l, const struct clip_facts *c,
                     cJSON *item)
{
    report_text(item, "name", c->name);
    if (l->is_image)
        report_text(item, "file",
                    c->file == CLIP_INDEX_NONE
                        ? c->name
                        : spn__clip_index_file(&l->file->index, c->file).path);
    report_number(item, "offset", (double)c->offset);
    report_number(item, "bytes", c->bytes);
    report_number(item, "first_bytes", c->first_bytes);
    report_number(item, "frames", c->frame_count);
    report_number(item, "rate", rate_of(c));
    report_number(item, "rate_numerator", c->rate_numerator);
    report_number(item, "rate_denominator", c->rate_denominator);
    report_number(item, "seconds", seconds_of(c));
    report_number(item, "joints", c->joint_count);
    report_hash(item, "skeleton", c->skeleton);
    report_hash_32(item, "rest_pose", c->rest_pose_hash);
    clip_flags_report(item, c->flags);
}

static void add_all(const struct listing *l, cJSON *json)
{
    const struct clip_index *index = &l->file->index;
    const struct clip_index_header *h = &index->header;
    cJSON *list;

    report_text(json, "kind", l->is_image ? "image" : "database");
    report_text(json, "file", l->file->path);
    report_number(json, "bytes", (double)h->file_bytes);
    report_number(json, "index_bytes", h->index_bytes);
    report_number(json, "name_bytes", h->name_bytes);
    report_number(json, "clip_bytes", (double)l->all.bytes);
    list = report_array(json, "kinds");
    for (uint32_t i = 0; i < h->kind_count; i++) {
        const struct clip_wire_kind *kind = clip_wire_kind_at(index, i);
        cJSON *item = report_item(list);

        report_number(item, "clips", l->kind_clips[i]);
        report_number(item, "joints", spn_load_u32le(kind->joint_count));
        report_number(item, "rate_numerator",
                      spn_load_u32le(kind->rate_numerator));
        report_number(item, "rate_denominator",
                      spn_load_u32le(kind->rate_denominator));
        report_hash(item, "skeleton", spn_load_u64le(kind->skeleton));
        report_hash_32(item, "rest_pose", spn_load_u32le(kind->rest_pose_hash));
    }
    list = l->is_image ? report_array(json, "databases") : NULL;
    for (uint32_t i = 0; i < h->file_count; i++) {
        const struct clip_data_file file = spn__clip_index_file(index, i);
        cJSON *item = report_item(list);

        report_text(item, "file", file.path);
        report_number(item, "bytes", (double)file.file_bytes);
        report_number(item, "clips", l->sums[i].clip_count);
        report_number(item, "clip_bytes", (double)l->sums[i].bytes);
    }
    list = report_array(json, "clips");
    for (uint32_t i = 0; i < l->all.clip_count; i++)
        add_clip(l, &l->clips[i], report_item(list));
}

bool index_info(const char *path, enum clip_index_type type, bool is_tree,
                cJSON *json, struct diag *diag)
{
    struct index_file file;
    struct listing listing = {.file = &file,
                              .is_image = type == CLIP_INDEX_IMAGE};
    struct arena arena;

    if (!index_file_open(&file, path, type, diag))
        return false;
    arena_init(&arena);
    make(&listing, &arena);
    if (json)
        add_all(&listing, json);
    else
        print_text(&listing, is_tree);
    arena_free(&arena);
    index_file_close(&file);
    return true;
}
