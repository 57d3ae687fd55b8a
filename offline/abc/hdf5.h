/* hdf5.h - shared by the modules of the HDF5 backend.
 *
 * libhdf5 is not safe with damaged files. It therefore runs in a child process
 * (hdf5_child.h, hdf5_wire.h). The modules here run in the tool's own process:
 *
 *   hdf5.c            opens and closes the archive, reads the root's attributes
 *   hdf5_query.c      sends a query to the child and receives the answer
 *   hdf5_samplings.c  reads time samplings
 *   hdf5_tree.c       reads objects and compounds
 *   hdf5_header.c     interprets headers of properties
 *   hdf5_sample.c     reads samples
 *   hdf5_scalars.c    caches the samples of scalars
 *
 * These run in the child: hdf5_serve.c, hdf5_list.c, hdf5_values.c,
 * hdf5_reply.c.
 *
 * Layout of the file: group /ABC is the top object. A group in an object's
 * group is a child object, or ".prop", the compound of its properties. A
 * compound's group has an attribute NAME.info for each property: its header.
 * Format: Alembic's own reader (lib/Alembic/AbcCoreHDF5).
 *
 * Functions that return bool return false after a refusal, unless they say
 * otherwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_H
#define OFFLINE_ABC_HDF5_H

#include "abc/backend.h"
#include "abc/hdf5_child.h"
#include "abc/hdf5_wire.h"

#include <pthread.h>

/* The state of the backend. Lives as long as the archive. Any thread may read
 * samples. */
struct hdf5 {
    pthread_mutex_t lock;
    struct hdf5_child child; /* under `lock` */
    uint64_t listed_bytes;   /* of all listings so far; thread of abc_open */
    pthread_mutex_t cache_lock;
    struct arena cache; /* under `cache_lock`: samples of scalars */
};

/* Where the samples of a property are. The field `backend` of a property that
 * is no compound points to it. */
struct hdf5_location {
    uint64_t group; /* address of the compound's group; constant */
    /* Under cache_lock: all stored samples of a scalar, one after the other,
     * and for each whether it has been read. NULL before the first is read, and
     * if the cache is full. */
    uint8_t *values;
    bool *is_present;
    bool is_damaged; /* under cache_lock: reading all samples at once failed */
};

/* A request to the child. */
struct hdf5_query {
    enum hdf5_verb verb;
    enum abc_pod pod;      /* of the values */
    uint64_t group;        /* address */
    const char *container; /* name of a group in it; "": the group itself */
    const char *name;      /* of an attribute or a data set */
    uint32_t first;        /* HDF5_SERIES: number of the first sample */
    uint32_t count;        /* HDF5_SERIES: number of samples */
};

/* The bytes after an answer, in an arena. HDF5_SPARE_BYTES zero bytes follow
 * them. */
struct hdf5_bytes {
    const uint8_t *data;
    size_t bytes;
};
#define HDF5_SPARE_BYTES 4u

/* Wait until the child has opened the file. Outcome and payload are as of
 * hdf5_query_run. */
enum hdf5_outcome hdf5_await_open(const struct abc_store *store,
                                  struct arena *arena,
                                  struct hdf5_bytes *payload);

/* Send a query and wait for the answer. Any thread. HDF5_REFUSED also if the
 * child has ended; *payload is then the reason, a text that ends with a zero
 * byte. */
enum hdf5_outcome hdf5_query_run(const struct abc_store *store,
                                 const struct hdf5_query *query,
                                 struct arena *arena,
                                 struct hdf5_bytes *payload);

/* The same for a query of values. *data has `values->bytes` bytes. */
enum hdf5_outcome hdf5_query_values(const struct abc_store *store,
                                    const struct hdf5_query *query,
                                    struct arena *arena,
                                    struct hdf5_values *values,
                                    const uint8_t **data);

/* Read an attribute of the root: *count values of the type `pod`. `place` is
 * for messages. *data is NULL and *count 0 if it does not exist. Returns false
 * after a refusal. */
bool hdf5_read_root(struct abc_store *store, const char *name, enum abc_pod pod,
                    const char *place, const uint8_t **data, uint64_t *count);

/* Read all time samplings from the root's attributes. */
bool hdf5_read_samplings(struct abc_store *store);

/* Read all objects and the headers of all properties. */
bool hdf5_read_tree(struct abc_store *store, struct abc_raw *top);

/* Validate the header in NAME.info and fill the property, whose name, metadata
 * and parent are set.
 *
 * offset  of the compound in the file, for messages
 * place   path of the object, for messages */
bool hdf5_read_header(struct abc_store *store, uint64_t offset,
                      const char *place, const struct hdf5_property *info,
                      struct abc_property *property);

/* The location of a property that is no compound. */
const struct hdf5_location *hdf5_location_of(
    const struct abc_property *property);

/* Find stored sample `entry` of a scalar of numbers in the cache. If it is not
 * there, try to read it and all later samples at once. *data lives as long as
 * the archive. Returns false, without a refusal, if the sample must be read by
 * itself. */
bool hdf5_cached_scalar(const struct abc_store *store,
                        const struct abc_property *property, uint32_t entry,
                        struct arena *arena, const uint8_t **data);

/* Add a sample that was read by itself to the cache, if there is room. */
void hdf5_cache_scalar(const struct abc_store *store,
                       const struct abc_property *property, uint32_t entry,
                       const uint8_t *data);

/* Read stored sample `entry`. */
bool hdf5_read_sample(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, struct abc_sample *sample);

#endif
