/* blob_decoder.h - the static data of a cache: from stored bytes to arrays.
 *
 * A blob is one piece of static data: a channel that never changes, indices, or
 * what the prediction of a tile needs. A tile is predicted in one of two ways.
 * A classic tile (codec/classic/predict.h) has a predictor: for each vertex,
 * the earlier vertices that predict it. A lifted tile (codec/lift/lift.h) has a
 * hierarchy, and may have one-rings; all lifted tiles share Huffman tables
 * (codec/lift/residual_tables.h).
 *
 * Some blobs need others to be decoded first, so a cache decodes its blobs in
 * three passes. Within a pass blobs are independent: any number of threads may
 * decode one each. In the runtime this happens when a cache is opened.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_BLOB_DECODER_H
#define SPN_CACHE_BLOB_DECODER_H

#include "base/range_coder.h"
#include "cache/decoder.h"

#include <spindle/status.h>
#include <stdint.h>

enum blob_pass {
    BLOB_PASS_PLAIN,     /* blobs that need no other blob */
    BLOB_PASS_ONE_RINGS, /* need the hierarchy of their tile, and indices */
    BLOB_PASS_PREDICTED, /* predicted channels: need the predictor of their
                          * tile, or its hierarchy and the tables */
    BLOB_PASS_COUNT
};

/* The pass in which a blob is decoded. */
enum blob_pass spn__blob_pass(const struct cache_blob *blob);

/* Stored bytes that lie in several pieces of memory. */
struct blob_pieces {
    struct range_source source; /* gives the next piece */
    /* Start again with the first piece; `user` is source.user. */
    void (*rewind)(void *user);
};

struct blob_job {
    const struct cache_decoder *cache; /* blobs of earlier passes are
                                        * decoded */
    uint32_t blob;                     /* number of the blob */
    /* The stored bytes of the blob. They may lie at the address
     * decode_scratch_stored() within the scratch memory of the call. NULL:
     * `pieces` has them. Only one-rings can be decoded from pieces: other blobs
     * are small enough for the scratch memory. */
    const void *stored;
    const struct blob_pieces *pieces;
};

/* Check, decompress, decode and validate one blob. The result goes to
 * cache->blob_data[blob], which the caller has allocated. The offset of a fault
 * is that of the blob, from the start of the file. */
SPN_NODISCARD spn_status spn__blob_decode(const struct blob_job *job,
                                          const struct decode_scratch *scratch,
                                          struct spn_fault *fault);

/* The number of the first blob with indices of `index_bytes` (2 or 4): all
 * blobs of one width follow each other. */
uint32_t spn__blob_first_index(const struct cache_header *header,
                               uint32_t index_bytes);

#endif
