/* archive.c - opens archives, and implements archive.h over a backend.
 *
 * The container is recognized by its first bytes, not by its name.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/archive.h"

#include "abc/backend.h"
#include "abc/sampling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef abc_refuse_sample

static const struct abc_backend *const backends[] = {&abc_ogawa_backend,
                                                     &abc_hdf5_backend};

static const struct abc_backend *recognise(struct abc_store *store)
{
    const struct host_map *map = &store->map;

    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        const struct abc_backend *backend = backends[i];

        if (map->bytes >= backend->magic_bytes &&
            memcmp(map->data, backend->magic, backend->magic_bytes) == 0)
            return backend;
    }
    if (map->bytes == 0)
        ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, NULL, "the file is empty");
    else
        ABC_STORE_REFUSE(store, 0, NULL, "not an Alembic archive");
    return NULL;
}

bool abc_has_hdf5(void)
{
    return abc_hdf5_backend.read != NULL;
}

static struct abc_store *make_store(const char *name, struct diag *diag)
{
    struct abc_store *store = arena_require(calloc(1, sizeof *store));

    arena_init(&store->arena);
    arena_init(&store->scratch);
    store->pieces = ARENA_NEW(&store->arena, struct abc_pieces, 1);
    for (uint32_t i = 0; i < ABC_PIECE_PLACES; i++)
        atomic_init(&store->pieces->seen[i], 0);
    atomic_init(&store->pieces->count, 0);
    store->archive.diag = diag;
    store->archive.file_name = arena_string(&store->arena, name, strlen(name));
    store->archive.metadata = "";
    return store;
}

/* The caller's memory is not released. */
static void forget(const struct abc_store *store, uint64_t offset,
                   uint64_t bytes)
{
    if (!store->is_callers_memory)
        host_map_forget(&store->map, offset, bytes);
}

/* Read the structure of the mapped file. */
static bool read_structure(struct abc_store *store)
{
    struct abc_raw *top;

    store->calls = recognise(store);
    if (!store->calls)
        return false;
    store->archive.container = store->calls->container;
    top = ARENA_NEW(&store->scratch, struct abc_raw, 1);
    if (!abc_raw_init(store, top, NULL, "", 0, "") ||
        !store->calls->open(store, top) || !abc_tree_build(store, top))
        return false;
    arena_free(&store->scratch);
    forget(store, 0, store->map.bytes);
    return true;
}

/* Returns NULL, with the store closed, after a refusal. */
static struct abc_archive *open_store(struct abc_store *store, bool has_map)
{
    if (has_map && read_structure(store))
        return &store->archive;
    abc_close(&store->archive);
    return NULL;
}

struct abc_archive *abc_open(const char *path, struct diag *diag)
{
    struct abc_store *store = make_store(path, diag);

    return open_store(store, host_map_open(&store->map, path, diag));
}

struct abc_archive *abc_open_memory(const char *name, const void *data,
                                    size_t bytes, struct diag *diag)
{
    struct abc_store *store = make_store(name, diag);

    store->is_callers_memory = true;
    store->map.data = data;
    store->map.bytes = bytes;
    return open_store(store, true);
}

void abc_close(struct abc_archive *archive)
{
    struct abc_store *store = (struct abc_store *)archive;

    if (!store)
        return;
    if (store->calls && store->calls->close)
        store->calls->close(store);
    if (!store->is_callers_memory)
        host_map_close(&store->map);
    arena_free(&store->scratch);
    arena_free(&store->arena);
    free(store);
}

/* Find the offset of a sample in the map. Returns false for an empty sample,
 * and for one in an arena. */
static bool find_in_map(const struct abc_store *store,
                        const struct abc_sample *sample, uint64_t *offset)
{
    *offset = (uintptr_t)sample->data - (uintptr_t)store->map.data;
    return sample->bytes > 0 && *offset < store->map.bytes;
}

/* Threads may count a piece twice, or release pages that another one reads:
 * that only costs time. */
static void count_pieces(const struct abc_store *store,
                         const struct abc_sample *sample)
{
    struct abc_pieces *pieces = store->pieces;
    atomic_uint_fast64_t *seen;
    uint64_t offset;
    uint64_t mark;

    if (!find_in_map(store, sample, &offset))
        return;
    mark = offset / HOST_MAP_PIECE_BYTES + 1;
    seen = &pieces->seen[mark % ABC_PIECE_PLACES];
    if (atomic_load_explicit(seen, memory_order_relaxed) == mark)
        return;
    atomic_store_explicit(seen, mark, memory_order_relaxed);
    if (atomic_fetch_add(&pieces->count, 1) + 1 < ABC_PIECES_KEPT)
        return;
    for (uint32_t i = 0; i < ABC_PIECE_PLACES; i++)
        atomic_store_explicit(&pieces->seen[i], 0, memory_order_relaxed);
    atomic_store(&pieces->count, 0);
    forget(store, 0, store->map.bytes);
}

void abc_release(const struct abc_archive *archive,
                 const struct abc_sample *sample)
{
    const struct abc_store *store = (const struct abc_store *)archive;
    uint64_t offset;

    if (sample->bytes >= ABC_RELEASE_BYTES_MIN &&
        find_in_map(store, sample, &offset))
        forget(store, offset, sample->bytes);
}

bool abc_read(const struct abc_archive *archive,
              const struct abc_property *property, uint32_t index,
              struct arena *arena, struct abc_sample *sample)
{
    const struct abc_store *store = (const struct abc_store *)archive;

    if (property->kind == ABC_COMPOUND || property->sample_count == 0)
        return diag_refuse(archive->diag, archive->file_name, property->offset,
                           abc_property_path(property, arena),
                           "has no samples");
    if (!store->calls->read(store, property, abc_stored_entry(property, index),
                            arena, sample))
        return false;
    count_pieces(store, sample);
    return true;
}

uint32_t abc_stored_entry(const struct abc_property *property, uint32_t index)
{
    if (property->first_changed == 0 || index < property->first_changed)
        return 0;
    if (index > property->last_changed)
        index = property->last_changed;
    return index - property->first_changed + 1;
}

uint32_t abc_stored_count(const struct abc_property *property)
{
    if (property->kind == ABC_COMPOUND || property->sample_count == 0)
        return 0;
    return abc_stored_entry(property, UINT32_MAX) + 1;
}

uint32_t abc_stored_index(const struct abc_property *property, uint32_t entry)
{
    return entry == 0 ? 0 : property->first_changed + entry - 1;
}

uint32_t abc_next_change(const struct abc_property *property, uint32_t index)
{
    if (abc_stored_count(property) <= 1)
        return UINT32_MAX;
    if (index < property->first_changed)
        return property->first_changed;
    return index < property->last_changed ? index + 1 : UINT32_MAX;
}

const struct abc_property *abc_find_any(const struct abc_property *compound,
                                        const char *name)
{
    for (uint32_t i = 0; i < compound->child_count; i++)
        if (strcmp(compound->children[i].name, name) == 0)
            return &compound->children[i];
    return NULL;
}

const struct abc_property *abc_find(const struct abc_property *compound,
                                    const char *name,
                                    enum abc_property_kind kind)
{
    const struct abc_property *found = abc_find_any(compound, name);

    return found && found->kind == kind ? found : NULL;
}

/* Find the value of `key`, which does not end with a zero byte. NULL: missing.
 */
static const char *metadata_find(const char *metadata, const char *key,
                                 size_t *bytes)
{
    size_t key_bytes = strlen(key);

    while (*metadata) {
        size_t pair_bytes = strcspn(metadata, ";");

        if (pair_bytes > key_bytes && metadata[key_bytes] == '=' &&
            memcmp(metadata, key, key_bytes) == 0) {
            *bytes = pair_bytes - key_bytes - 1;
            return metadata + key_bytes + 1;
        }
        metadata += pair_bytes;
        if (*metadata)
            metadata++;
    }
    return NULL;
}

bool abc_metadata_get(const char *metadata, const char *key, char *value,
                      size_t capacity)
{
    size_t bytes;
    const char *found = metadata_find(metadata, key, &bytes);

    if (!found || bytes >= capacity)
        return false;
    memcpy(value, found, bytes);
    value[bytes] = 0;
    return true;
}

bool abc_metadata_is(const char *metadata, const char *key, const char *value)
{
    size_t bytes;
    const char *found = metadata_find(metadata, key, &bytes);

    return found && bytes == strlen(value) && memcmp(found, value, bytes) == 0;
}

bool abc_metadata_has(const char *metadata, const char *key)
{
    size_t bytes;

    return metadata_find(metadata, key, &bytes) != NULL;
}

bool abc_is_by_maya(const struct abc_archive *archive)
{
    static const char name[] = "Maya ";
    size_t bytes;
    const char *found =
        metadata_find(archive->metadata, "_ai_Application", &bytes);

    return found && bytes >= sizeof name - 1 &&
           memcmp(found, name, sizeof name - 1) == 0;
}

const char *abc_property_path(const struct abc_property *property,
                              struct arena *arena)
{
    const struct abc_property *chain[ABC_DEPTH_MAX + 2];
    size_t bytes = 1;
    size_t count = 0;
    char *path;
    char *end;

    for (; property && count < ABC_DEPTH_MAX + 2; property = property->parent) {
        chain[count++] = property;
        /* cppcheck-suppress nullPointer ; the loop's condition says so */
        bytes += strlen(property->name) + 1;
    }
    path = end = arena_alloc(arena, bytes, 1);
    for (size_t i = count; i-- > 0;) {
        /* cppcheck-suppress uninitvar ; i is below count */
        size_t length = strlen(chain[i]->name);

        if (i + 2 < count)
            *end++ = '/';
        else if (i + 2 == count && chain[i]->name[0] != '.')
            *end++ = '.';
        memcpy(end, chain[i]->name, length);
        end += length;
    }
    return path;
}

bool abc_refuse_sample(const struct abc_archive *archive,
                       const struct abc_property *property, uint32_t index,
                       uint64_t offset, struct arena *arena, const char *format,
                       ...)
{
    uint32_t stored =
        abc_stored_index(property, abc_stored_entry(property, index));
    char sample[ABC_SAMPLE_TEXT_BYTES];
    char what[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return diag_refuse(archive->diag, archive->file_name, offset,
                       abc_property_path(property, arena), "%s: %s",
                       abc_sample_text(archive, property, stored, sample),
                       what);
}

static const struct {
    uint32_t bytes;
    const char *name;
} pods[ABC_POD_COUNT] = {
    [ABC_BOOL] = {1, "bool_t"},   [ABC_U8] = {1, "uint8_t"},
    [ABC_I8] = {1, "int8_t"},     [ABC_U16] = {2, "uint16_t"},
    [ABC_I16] = {2, "int16_t"},   [ABC_U32] = {4, "uint32_t"},
    [ABC_I32] = {4, "int32_t"},   [ABC_U64] = {8, "uint64_t"},
    [ABC_I64] = {8, "int64_t"},   [ABC_F16] = {2, "float16_t"},
    [ABC_F32] = {4, "float32_t"}, [ABC_F64] = {8, "float64_t"},
    [ABC_STRING] = {0, "string"}, [ABC_WSTRING] = {0, "wstring"},
};

uint32_t abc_pod_bytes(enum abc_pod pod)
{
    return (unsigned)pod < ABC_POD_COUNT ? pods[pod].bytes : 0;
}

const char *abc_pod_name(enum abc_pod pod)
{
    return (unsigned)pod < ABC_POD_COUNT ? pods[pod].name : "unknown";
}
