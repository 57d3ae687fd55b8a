/* play_paks.c - resolve operands that are entries of paks. */
/* SPDX-License-Identifier: MIT */
#include "player/play_paks.h"

#include "common/fault_text.h"
#include "host/host.h"
#include "pack/pak_reader.h"
#include "pak/pak_name.h"

#include <string.h>

#define SUFFIX ".spk:"
#define NO_PAK UINT32_MAX

/* -- operands -- */

static uint32_t add_pak(struct play_paks *paks, const char *path)
{
    for (uint32_t i = 0; i < paks->count; i++)
        if (strcmp(paks->paths[i], path) == 0)
            return i;
    paks->paths[paks->count] = path;
    return paks->count++;
}

static struct play_source take_apart(struct play_paks *paks, const char *text)
{
    const char *suffix = strstr(text, SUFFIX);
    struct play_source source = {.operand = text,
                                 .name = text,
                                 .kind = operand_kind(text),
                                 .pak = NO_PAK};
    const char *colon;

    if (suffix && suffix != text && suffix[sizeof SUFFIX - 1] != 0) {
        source.name = suffix + sizeof SUFFIX - 1;
        source.pak =
            add_pak(paks, arena_string(paks->arena, text,
                                       (size_t)(source.name - text) - 1));
    }
    colon = operand_clip(source.name);
    if (colon) {
        source.clip = colon + 1;
        source.name = arena_string(paks->arena, source.name,
                                   (size_t)(colon - source.name));
    }
    source.path = source.name;
    if (source.kind == OPERAND_CLIP && source.pak == NO_PAK &&
        !spn__pak_name_is_good(source.name, (uint32_t)strlen(source.name)))
        source.name = operand_pak_name(source.path, paks->arena);
    return source;
}

/* Give a source that has another name than its path one of its own. */
static void make_distinct(struct play_paks *paks, uint32_t index)
{
    struct play_source *source = &paks->sources[index];

    if (source->name == source->path)
        return;
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (i != index && strcmp(paks->sources[i].name, source->name) == 0 &&
            strcmp(paks->sources[i].path, source->path) != 0) {
            source->name =
                arena_format(paks->arena, "%u/%s", index, source->name);
            return;
        }
}

void play_paks_init(struct play_paks *paks, struct arena *arena,
                    const char *pak, const char *const *operands,
                    uint32_t count)
{
    *paks = (struct play_paks){
        .arena = arena,
        .paths = ARENA_NEW(arena, const char *, count + 1),
        .mounts = ARENA_NEW(arena, spn_pak, count + 1),
        .sources = ARENA_NEW(arena, struct play_source, count),
        .source_count = count,
    };
    if (pak)
        (void)add_pak(paks, pak);
    for (uint32_t i = 0; i < count; i++)
        paks->sources[i] = take_apart(paks, operands[i]);
    for (uint32_t i = 0; i < count; i++)
        make_distinct(paks, i);
}

/* -- headers -- */

/* What is read of a file. */
struct beginning {
    uint8_t *block;
    size_t capacity;
    uint64_t *file_bytes;
};

static bool read_file(const char *path, const struct beginning *out,
                      struct diag *diag)
{
    struct host_map map;
    size_t bytes;

    if (!host_map_open(&map, path, diag))
        return false;
    *out->file_bytes = map.bytes;
    bytes = map.bytes < out->capacity ? (size_t)map.bytes : out->capacity;
    if (bytes > 0)
        memcpy(out->block, map.data, bytes);
    host_map_close(&map);
    return true;
}

/* Sets *is_found if the pak has the entry; then the result is about it. */
static bool read_in_pak(const char *pak, const char *name,
                        const struct beginning *out, struct diag *diag,
                        bool *is_found)
{
    struct pak_reader reader;
    uint32_t entry;
    bool is_good = true;

    *is_found = false;
    if (!pak_reader_open(&reader, pak, diag))
        return false;
    entry = spn__pak_find(&reader.index, name, (uint32_t)strlen(name));
    if (entry != PAK_NONE) {
        *is_found = true;
        is_good = pak_reader_begin(&reader, entry, out->block, out->capacity,
                                   out->file_bytes, diag);
    }
    pak_reader_close(&reader);
    return is_good;
}

bool play_paks_begin(const struct play_paks *paks,
                     const struct play_source *source, uint8_t *block,
                     size_t capacity, uint64_t *file_bytes, struct diag *diag)
{
    const struct beginning out = {block, capacity, file_bytes};
    bool is_found = false;

    memset(block, 0, capacity);
    if (source->pak != NO_PAK) {
        const char *pak = paks->paths[source->pak];

        if (!read_in_pak(pak, source->name, &out, diag, &is_found))
            return false;
        return is_found || diag_refuse(diag, pak, DIAG_NO_OFFSET, NULL,
                                       "has no file \"%s\"", source->name);
    }
    /* The runtime searches the pak mounted last first. */
    for (uint32_t i = paks->count; i > 0 && !is_found; i--)
        if (!read_in_pak(paks->paths[i - 1], source->name, &out, diag,
                         &is_found))
            return false;
    return is_found || read_file(source->path, &out, diag);
}

bool play_paks_list(const struct play_paks *paks, uint32_t pak,
                    const char *folder,
                    bool (*found)(void *user, const char *name), void *user,
                    struct diag *diag)
{
    const size_t bytes = strlen(folder);
    struct pak_reader reader;
    bool goes_on = true;

    if (!pak_reader_open(&reader, paks->paths[pak], diag))
        return false;
    for (uint32_t i = 0; goes_on && i < reader.index.header.entry_count; i++) {
        const char *name = spn__pak_entry(&reader.index, i).name;

        if (strncmp(name, folder, bytes) == 0 && !strchr(name + bytes, '/'))
            goes_on = found(user, name + bytes);
    }
    pak_reader_close(&reader);
    return goes_on;
}

bool play_paks_header(const struct play_paks *paks, uint32_t index,
                      struct cache_header *header, struct diag *diag)
{
    uint8_t block[CACHE_HEADER_BYTES];
    spn_fault fault = {0};
    uint64_t file_bytes;

    if (!play_paks_begin(paks, &paks->sources[index], block, sizeof block,
                         &file_bytes, diag))
        return false;
    return spn__cache_header_read(block, file_bytes, header, &fault) ==
               SPN_OK ||
           fault_refuse(diag, paks->sources[index].operand, FAULT_NO_FRAME,
                        &fault);
}

bool play_paks_check(const struct play_paks *paks, spn_runtime *rt,
                     struct diag *diag)
{
    for (uint32_t i = 0; i < paks->source_count; i++) {
        const struct play_source *source = &paks->sources[i];
        spn_pak_entry entry;

        if (source->pak == NO_PAK ||
            spn_pak_find(rt, 0, source->name, &entry) != SPN_OK ||
            entry.pak == paks->mounts[source->pak])
            continue;
        return diag_refuse(diag, source->operand, DIAG_NO_OFFSET, NULL,
                           "another pak has a file of this name, which is "
                           "found first");
    }
    return true;
}
