/* play_paks.c - resolve operands that are entries of paks. */
/* SPDX-License-Identifier: MIT */
#include "player/play_paks.h"

#include "common/fault_text.h"
#include "host/host.h"
#include "pack/pak_reader.h"

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
    struct play_source source = {text, text, NO_PAK};

    if (!suffix || suffix == text || suffix[sizeof SUFFIX - 1] == 0)
        return source;
    source.name = suffix + sizeof SUFFIX - 1;
    source.pak = add_pak(paks, arena_string(paks->arena, text,
                                            (size_t)(source.name - text) - 1));
    return source;
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
}

/* -- headers -- */

static bool validate_header(const struct play_source *source,
                            const uint8_t *bytes, uint64_t file_bytes,
                            struct cache_header *header, struct diag *diag)
{
    spn_fault fault = {0};
    spn_status status =
        spn__cache_header_read(bytes, file_bytes, header, &fault);

    if (status == SPN_OK)
        return true;
    return fault_refuse(diag, source->operand, FAULT_NO_FRAME, &fault);
}

static bool header_of_entry(const struct pak_reader *reader, uint32_t entry,
                            const struct play_source *source,
                            struct cache_header *header, struct diag *diag)
{
    uint8_t block[PAK_BLOCK_BYTES] = {0};
    uint32_t number = spn__pak_entry(&reader->index, entry).content;
    struct pak_content content = spn__pak_content(&reader->index, number);
    size_t bytes =
        content.bytes < sizeof block ? (size_t)content.bytes : sizeof block;
    struct pak_decoder decoder = {.replaced_count = 0};
    bool is_good =
        pak_reader_read(reader, &decoder, number, 0, block, bytes, diag);

    pak_decoder_free(&decoder);
    return is_good &&
           validate_header(source, block, content.bytes, header, diag);
}

static bool header_of_file(const struct play_source *source,
                           struct cache_header *header, struct diag *diag)
{
    struct host_map map;
    bool is_good;

    if (!host_map_open(&map, source->operand, diag))
        return false;
    is_good = validate_header(source, map.data, map.bytes, header, diag);
    host_map_close(&map);
    return is_good;
}

/* Sets *is_found if the pak has the entry; then the result is about its header.
 */
static bool header_in_pak(const char *pak, const struct play_source *source,
                          struct cache_header *header, struct diag *diag,
                          bool *is_found)
{
    struct pak_reader reader;
    uint32_t entry;
    bool is_good = true;

    *is_found = false;
    if (!pak_reader_open(&reader, pak, diag))
        return false;
    entry = spn__pak_find(&reader.index, source->name,
                          (uint32_t)strlen(source->name));
    if (entry != PAK_NONE) {
        *is_found = true;
        is_good = header_of_entry(&reader, entry, source, header, diag);
    }
    pak_reader_close(&reader);
    return is_good;
}

bool play_paks_header(const struct play_paks *paks, uint32_t index,
                      struct cache_header *header, struct diag *diag)
{
    const struct play_source *source = &paks->sources[index];
    bool is_found = false;

    if (source->pak != NO_PAK) {
        const char *pak = paks->paths[source->pak];

        if (!header_in_pak(pak, source, header, diag, &is_found))
            return false;
        return is_found || diag_refuse(diag, pak, DIAG_NO_OFFSET, NULL,
                                       "has no file \"%s\"", source->name);
    }
    /* The runtime searches the pak mounted last first. */
    for (uint32_t i = paks->count; i > 0 && !is_found; i--)
        if (!header_in_pak(paks->paths[i - 1], source, header, diag, &is_found))
            return false;
    return is_found || header_of_file(source, header, diag);
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
