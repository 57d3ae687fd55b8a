/* pak_list.c - list the entries of a pak in the order of its copies. */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_list.h"

#include "common/arena.h"
#include "pack/pak_reader.h"
#include "pak/pak_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries, grouped by content, each group sorted by name. */
struct names {
    struct arena arena;
    uint32_t *first; /* first entry of each content; content_count + 1 numbers
                      */
    const char **entries;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_names(const struct pak_index *index, struct names *names)
{
    const struct pak_header *h = &index->header;
    uint32_t *used;

    arena_init(&names->arena);
    names->first =
        ARENA_NEW(&names->arena, uint32_t, (size_t)h->content_count + 1);
    names->entries = ARENA_NEW(&names->arena, const char *, h->entry_count);
    used = ARENA_NEW(&names->arena, uint32_t, h->content_count);
    for (uint32_t i = 0; i < h->entry_count; i++)
        names->first[spn__pak_entry(index, i).content + 1]++;
    for (uint32_t i = 0; i < h->content_count; i++)
        names->first[i + 1] += names->first[i];
    for (uint32_t i = 0; i < h->entry_count; i++) {
        struct pak_entry e = spn__pak_entry(index, i);

        names->entries[names->first[e.content] + used[e.content]++] = e.name;
    }
    for (uint32_t i = 0; i < h->content_count; i++)
        qsort(names->entries + names->first[i],
              names->first[i + 1] - names->first[i], sizeof *names->entries,
              by_name);
}

/* Call `visit` for each name of each copy. */
static void visit_all(const struct pak_index *index,
                      void (*visit)(void *user, const char *name,
                                    const struct pak_content *content,
                                    uint64_t offset),
                      void *user)
{
    struct names names;

    find_names(index, &names);
    for (uint32_t i = 0; i < index->header.copy_count; i++) {
        uint32_t number;
        uint64_t offset = spn__pak_copy_offset(
            index, spn__pak_copy_by_offset(index, i), &number);
        struct pak_content content = spn__pak_content(index, number);

        for (uint32_t k = names.first[number]; k < names.first[number + 1]; k++)
            visit(user, names.entries[k], &content, offset);
    }
    for (uint32_t i = 0; i < index->header.content_count; i++) {
        struct pak_content content = spn__pak_content(index, i);

        for (uint32_t k = names.first[i];
             content.bytes == 0 && k < names.first[i + 1]; k++)
            visit(user, names.entries[k], &content, 0);
    }
    arena_free(&names.arena);
}

static void print_line(void *user, const char *name,
                       const struct pak_content *content, uint64_t offset)
{
    char text[4 * PAK_NAME_BYTES_MAX + 1]; /* if every byte is escaped */

    diag_name(name, text, sizeof text);
    fprintf(user, "%14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %-7s %s\n", offset,
            content->bytes, content->stored_bytes,
            pak_codec_name(content->codec), text);
}

void pak_list_print(const struct pak_index *index, FILE *file)
{
    fprintf(file, "%14s %14s %14s %-7s %s\n", "offset", "bytes", "stored",
            "codec", "name");
    visit_all(index, print_line, file);
}

static void add_item(void *user, const char *name,
                     const struct pak_content *content, uint64_t offset)
{
    cJSON *item = report_item(user);

    report_text(item, "name", name);
    report_number(item, "offset", (double)offset);
    report_number(item, "bytes", (double)content->bytes);
    report_number(item, "stored_bytes", (double)content->stored_bytes);
    report_text(item, "codec", pak_codec_name(content->codec));
}

void pak_list_json(const struct pak_index *index, cJSON *json)
{
    visit_all(index, add_item, report_array(json, "list"));
}
