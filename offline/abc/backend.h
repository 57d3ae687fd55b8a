/* backend.h - the interface between archive.c and a container format (Ogawa,
 * HDF5).
 *
 * A backend parses the file into raw objects: the tree as stored, with names,
 * paths, metadata and properties. tree.c then follows instances and makes the
 * tree of archive.h. Only archive.c, tree.c and the backends include this.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_BACKEND_H
#define OFFLINE_ABC_BACKEND_H

#include "abc/archive.h"
#include "host/host.h"

#include <stdatomic.h>

/* Limits of an archive. Together they keep the memory for a hostile file well
 * below one GiB (test_abc_limits measures it). ABC_DEPTH_MAX counts nested
 * groups; real scenes have fewer than 100. ABC_TIMES_MAX counts the times of
 * all samplings together. */
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
    bool is_on_path;         /* tree.c: the walk is inside this object */
    uint64_t offset;         /* in the file, for messages */
    const char *source_path; /* tree.c: of an instance; or NULL */
    struct abc_raw *source;  /* tree.c: of an instance; or NULL */
};

/* Pages of the mapped file that were read count as memory of the process until
 * they are released. A sample of at least ABC_RELEASE_BYTES_MIN is released by
 * abc_release. For smaller ones the map is divided into pieces of
 * HOST_MAP_PIECE_BYTES; after reads from ABC_PIECES_KEPT pieces the whole map
 * is released. */
#define ABC_RELEASE_BYTES_MIN ((size_t)32 << 10)
#define ABC_PIECES_KEPT 32u
#define ABC_PIECE_PLACES 64u

/* Which pieces were read since the last release: a small hash table. Atomic;
 * two threads may overwrite each other's entry, which only costs time. */
struct abc_pieces {
    /* Entry (p + 1) % ABC_PIECE_PLACES is p + 1 if piece p was read. */
    atomic_uint_fast64_t seen[ABC_PIECE_PLACES];
    atomic_uint count; /* of pieces */
};

struct abc_store;

/* A container format. */
struct abc_backend {
    const char *container; /* its name, for messages */
    uint8_t magic[8];      /* the first bytes of a file */
    uint32_t magic_bytes;
    /* Fill the archive's metadata, version and samplings, and the raw tree
     * below `top`, which is initialized. Returns false after a refusal. */
    bool (*open)(struct abc_store *store, struct abc_raw *top);
    /* Read stored sample `entry`, which exists. Returns false after a refusal.
     */
    bool (*read)(const struct abc_store *store,
                 const struct abc_property *property, uint32_t entry,
                 struct arena *arena, struct abc_sample *sample);
    /* Release what open() acquired; also after open() failed. May be NULL. */
    void (*close)(struct abc_store *store);
};

extern const struct abc_backend abc_ogawa_backend;
extern const struct abc_backend abc_hdf5_backend; /* refuses all files if the
                                                   * tool has no libhdf5 */

/* An open archive with its private data. */
struct abc_store {
    struct abc_archive archive; /* first member: pointers to both are equal */
    const struct abc_backend *calls;
    struct host_map map;
    bool is_callers_memory; /* `map` is the memory of abc_open_memory */
    struct abc_pieces *pieces;
    struct arena arena;   /* lives until abc_close */
    struct arena scratch; /* lives until abc_open returns */
    /* Used up of the limits above. */
    uint32_t property_count;
    uint64_t text_bytes;
};

/* Refuse the file while it is opened. Always false. */
#define ABC_STORE_REFUSE(store, offset, place, ...)                            \
    diag_refuse((store)->archive.diag, (store)->archive.file_name, (offset),   \
                (place), __VA_ARGS__)

/* Make the object of a raw child: check the name, build the path, count it
 * against the limits. raw->offset is set before. Returns false after a refusal.
 */
bool abc_raw_init(struct abc_store *store, struct abc_raw *raw,
                  const struct abc_object *parent, const char *name,
                  size_t name_bytes, const char *metadata);

/* Count text or properties against the limits. `place`: an object path, for
 * messages. Returns false after a refusal. */
bool abc_charge_text(struct abc_store *store, uint64_t offset,
                     const char *place, uint64_t bytes);
bool abc_charge_properties(struct abc_store *store, uint64_t offset,
                           const char *place, uint64_t count);

/* Follow instances and set store->archive.top. Returns false after a refusal.
 */
bool abc_tree_build(struct abc_store *store, struct abc_raw *top);

#endif
