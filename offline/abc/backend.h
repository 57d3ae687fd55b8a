/* backend.h - what a container format (Ogawa, HDF5) gives to archive.c.
 *
 * A backend parses the file into raw objects: the tree as it is stored, with
 * names, paths, metadata and properties, instances not yet followed. tree.c
 * turns that into the tree that everybody sees. Only archive.c, tree.c and
 * the backends include this.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_BACKEND_H
#define OFFLINE_ABC_BACKEND_H

#include "abc/archive.h"
#include "host/host.h"

#include <stdatomic.h>

/* Bounds of any archive: together they keep a hostile file's tree, with what
 * of the file is looked at, well below one GiB (test_abc_limits measures).
 * Groups in groups: real scenes stay below 100. Times: of all samplings. */
#define ABC_DEPTH_MAX 256u
#define ABC_OBJECTS_MAX (1u << 19)
#define ABC_PROPERTIES_MAX (1u << 21)
#define ABC_TEXT_BYTES_MAX ((uint64_t)128 << 20)
#define ABC_SAMPLINGS_MAX (1u << 16)
#define ABC_TIMES_MAX (1u << 22)

/* One object as it is stored. */
struct abc_raw {
    struct abc_object *object; /* name, path, metadata, parent, properties */
    struct abc_raw *children;
    uint32_t child_count;
    bool is_active;          /* tree.c: on the way from the top to here */
    uint64_t offset;         /* in the file, for messages */
    const char *source_path; /* tree.c: NULL unless an instance */
    struct abc_raw *source;  /* tree.c: what it shows */
};

/* Pages of the file that were looked at count as memory of the process, as long
 * as it is mapped. Large samples are let go one by one (abc_release); all of
 * the map is when reads came from so many different pieces of it. */
#define ABC_RELEASE_BYTES_MIN ((size_t)32 << 10)
#define ABC_PIECES_KEPT 32u
#define ABC_PIECE_PLACES 64u

struct abc_pieces {
    /* piece p, plus one, stands at p % ABC_PIECE_PLACES */
    atomic_uint_fast64_t seen[ABC_PIECE_PLACES];
    atomic_uint count; /* since the map was let go */
};

struct abc_store;

struct abc_backend {
    const char *container;
    uint8_t magic[8];
    uint32_t magic_bytes;
    /* Fill the archive's metadata, version and samplings, and the raw tree
     * under `top`, whose object exists already. False after a refusal. */
    bool (*open)(struct abc_store *store, struct abc_raw *top);
    /* Read stored sample `entry`; it exists. */
    bool (*read)(const struct abc_store *store,
                 const struct abc_property *property, uint32_t entry,
                 struct arena *arena, struct abc_sample *sample);
    void (*close)(struct abc_store *store); /* may be NULL */
};

extern const struct abc_backend abc_ogawa_backend;
extern const struct abc_backend abc_hdf5_backend; /* or one that says why not */

/* An open archive with what is behind it. */
struct abc_store {
    struct abc_archive archive; /* first: a pointer to one is both */
    const struct abc_backend *calls;
    struct host_map map;
    bool is_lent; /* the map is of the caller's memory */
    struct abc_pieces *pieces;
    struct arena arena;   /* lives until abc_close */
    struct arena scratch; /* lives until abc_open returns */
    /* Spent of the bounds above. */
    uint32_t property_count;
    uint64_t text_bytes;
};

/* Refuse the file that is being opened. Always false. */
#define ABC_STORE_REFUSE(store, offset, place, ...)                            \
    diag_refuse((store)->archive.diag, (store)->archive.file_name, (offset),   \
                (place), __VA_ARGS__)

/* Make the object of a raw child: checks the name, builds the path, charges
 * the bounds. `raw->offset` is set before. */
bool abc_raw_init(struct abc_store *store, struct abc_raw *raw,
                  const struct abc_object *parent, const char *name,
                  size_t name_bytes, const char *metadata);

/* Charge the bounds. `place` is an object path. */
bool abc_charge_text(struct abc_store *store, uint64_t offset,
                     const char *place, uint64_t bytes);
bool abc_charge_properties(struct abc_store *store, uint64_t offset,
                           const char *place, uint64_t count);

/* Follow instances and publish the tree as store->archive.top. */
bool abc_tree_build(struct abc_store *store, struct abc_raw *top);

#endif
