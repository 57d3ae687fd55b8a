/* hdf5.h - what the modules of the HDF5 backend share.
 *
 *   hdf5.c            open, close, the root's attributes
 *   hdf5_ask.c        one question to the child and its answer
 *   hdf5_samplings.c  time samplings
 *   hdf5_tree.c       objects and compounds
 *   hdf5_header.c     headers of properties
 *   hdf5_sample.c     samples
 *   hdf5_scalars.c    scalars, which are kept once they are read
 *
 * In the child process (hdf5_child.h): hdf5_serve.c, hdf5_list.c,
 * hdf5_values.c, hdf5_reply.c. Layout: group /ABC is the top object, a group in
 * an object is a child or .prop, its properties; a property is announced by the
 * attribute NAME.info of its compound's group.
 * Format: Alembic's own reader (lib/Alembic/AbcCoreHDF5).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_H
#define OFFLINE_ABC_HDF5_H

#include "abc/backend.h"
#include "abc/hdf5_child.h"
#include "abc/hdf5_wire.h"

#include <pthread.h>

/* Lives as long as the archive. Any thread may read samples. */
struct hdf5 {
    pthread_mutex_t lock;    /* of the child */
    struct hdf5_child child; /* whoever holds the lock */
    uint64_t listed_bytes;   /* abc_open: of all listings */
    /* Whoever holds kept_lock: scalars that were read. */
    pthread_mutex_t kept_lock;
    struct arena kept;
};

/* Where the samples of a property are: what its field `backend` points to,
 * unless it is a compound. */
struct hdf5_place {
    uint64_t group; /* address; constant */
    /* kept_lock: all stored samples of a scalar, and which of them are there;
     * NULL before the first is read, or where there is no room for them. */
    uint8_t *values;
    bool *is_there;
    bool is_damaged; /* a series of it could not be read */
};

/* What is asked for. `container` "" is the group itself. */
struct hdf5_question {
    enum hdf5_verb verb;
    enum abc_pod pod;
    uint64_t group;
    const char *container;
    const char *name;
    uint32_t first; /* of a series */
    uint32_t count;
};

/* What followed the answer, in the arena, with spare zero bytes behind it. */
struct hdf5_bytes {
    const uint8_t *data;
    size_t bytes;
};
#define HDF5_SPARE_BYTES 4u

/* Take the child's word that the file is open. */
enum hdf5_outcome hdf5_greet(const struct abc_store *store, struct arena *arena,
                             struct hdf5_bytes *payload);
/* Ask and wait. HDF5_REFUSED also when the child is gone: the payload is the
 * reason in words, terminated. */
enum hdf5_outcome hdf5_ask(const struct abc_store *store,
                           const struct hdf5_question *question,
                           struct arena *arena, struct hdf5_bytes *payload);

/* The same for values; `*data` are `values->bytes` of them. */
enum hdf5_outcome hdf5_ask_values(const struct abc_store *store,
                                  const struct hdf5_question *question,
                                  struct arena *arena,
                                  struct hdf5_values *values,
                                  const uint8_t **data);

/* All samplings, from the root's attributes. */
bool hdf5_read_samplings(struct abc_store *store);

/* All objects and property headers. */
bool hdf5_read_tree(struct abc_store *store, struct abc_raw *top);

/* Judge what NAME.info says and fill the header; name, metadata and parent are
 * set. `place` is the object's path, `offset` the compound's. */
bool hdf5_read_header(struct abc_store *store, uint64_t offset,
                      const char *place, const struct hdf5_property *info,
                      struct abc_property *property);

const struct hdf5_place *hdf5_place_of(const struct abc_property *property);

/* A stored sample of a scalar of numbers, if it is there or can be had with
 * those behind it: `data` lives as long as the archive. False, and nothing
 * said, where it has to be read alone. */
bool hdf5_kept_scalar(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, const uint8_t **data);
/* Keep what was read alone. */
void hdf5_keep_scalar(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      const uint8_t *data);

bool hdf5_read_sample(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, struct abc_sample *sample);

#endif
