/* hdf5.c - the HDF5 backend: starts the child, reads the root's attributes. */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include "base/endian.h"

/* Other versions exist in archives of 2010 betas only. */
#define ALEMBIC_FORMAT (-8)
#define VERSION_NOT_RECORDED 9999

bool hdf5_read_root(struct abc_store *store, const char *name, enum abc_pod pod,
                    const char *place, const uint8_t **data, uint64_t *count)
{
    struct hdf5_query query = {.verb = HDF5_ATTRIBUTE,
                               .pod = pod,
                               .group = HDF5_ROOT,
                               .container = "",
                               .name = name};
    struct hdf5_values values;

    *count = 0;
    switch (hdf5_query_values(store, &query, &store->scratch, &values, data)) {
    case HDF5_DONE:
        *count = values.bytes / abc_pod_bytes(pod);
        return true;
    case HDF5_ABSENT:
        *data = NULL;
        return true;
    case HDF5_REFUSED:
        break;
    }
    return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, place, "%s",
                            (const char *)*data);
}

/* Read a number from the root's attributes. Without it, *value is unchanged. */
static bool read_number(struct abc_store *store, const char *name,
                        int32_t *value, bool *is_present)
{
    const uint8_t *data;
    uint64_t count;

    if (!hdf5_read_root(store, name, ABC_I32, name, &data, &count))
        return false;
    *is_present = data != NULL;
    if (*is_present && count != 1)
        return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, name,
                                "is not one number");
    if (*is_present)
        *value = (int32_t)spn_load_u32le(data);
    return true;
}

static bool read_versions(struct abc_store *store)
{
    int32_t release = VERSION_NOT_RECORDED;
    int32_t format = 0;
    bool is_present;

    if (!read_number(store, "abc_version", &format, &is_present))
        return false;
    if (!is_present)
        return ABC_STORE_REFUSE(store, 0, NULL,
                                "HDF5 without abc_version: not an Alembic "
                                "archive, or one that a beta of 2010 wrote");
    if (format != ALEMBIC_FORMAT)
        return ABC_STORE_REFUSE(
            store, DIAG_NO_OFFSET, "abc_version",
            "%d: a beta of Alembic wrote this archive, only those with %d are "
            "read",
            format, ALEMBIC_FORMAT);
    if (!read_number(store, "abc_release_version", &release, &is_present))
        return false;
    if (release < VERSION_NOT_RECORDED)
        return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, "abc_release_version",
                                "library version %d is not known", release);
    store->archive.library_version = release;
    return true;
}

static bool start_child(struct abc_store *store, struct hdf5 *hdf5)
{
    struct hdf5_source source = {.bytes = store->map.bytes,
                                 .limits = HDF5_LIMITS};
    struct hdf5_bytes payload;
    int error;

    if (store->is_callers_memory)
        source.data = store->map.data;
    else
        source.path = store->archive.file_name;
    if (!hdf5_child_start(&hdf5->child, &source, &error))
        return diag_io(store->archive.diag, store->archive.file_name, error,
                       "no process for the HDF5 library");
    if (hdf5_await_open(store, &store->scratch, &payload) == HDF5_DONE)
        return true;
    return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, NULL, "%s",
                            (const char *)payload.data);
}

static bool hdf5_open(struct abc_store *store, struct abc_raw *top)
{
    struct hdf5 *hdf5 = ARENA_NEW(&store->arena, struct hdf5, 1);

    pthread_mutex_init(&hdf5->lock, NULL);
    pthread_mutex_init(&hdf5->cache_lock, NULL);
    arena_init(&hdf5->cache);
    store->archive.backend = hdf5;
    return start_child(store, hdf5) && read_versions(store) &&
           hdf5_read_samplings(store) && hdf5_read_tree(store, top);
}

static void hdf5_close(struct abc_store *store)
{
    struct hdf5 *hdf5 = store->archive.backend;

    if (!hdf5)
        return;
    hdf5_child_stop(&hdf5->child);
    arena_free(&hdf5->cache);
    pthread_mutex_destroy(&hdf5->cache_lock);
    pthread_mutex_destroy(&hdf5->lock);
}

const struct abc_backend abc_hdf5_backend = {
    .container = "HDF5",
    .magic = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'},
    .magic_bytes = 8,
    .open = hdf5_open,
    .read = hdf5_read_sample,
    .close = hdf5_close,
};
