/* content_hashes.h - the content hashes of the static meshes of a cache
 * (cache/mesh_hash.h).
 *
 * The hash is that of the decoded content, so the blobs are decoded again, by
 * the runtime's own code. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_WRITE_CONTENT_HASHES_H
#define OFFLINE_COMPILE_WRITE_CONTENT_HASHES_H

#include "cache/cache_tables.h"

#include <stdbool.h>

/* Store the hashes in the tables at `bytes`, from which `tables` were read.
 * `blobs` are the stored bytes of all blobs. False if one cannot be decoded;
 * `fault` says why. */
bool content_hashes_store(const struct cache_header *header,
                          const struct cache_tables *tables,
                          const uint8_t *blobs, uint8_t *bytes,
                          struct spn_fault *fault);

#endif
