/* static_meshes.h - static data of a cache, joined to meshes.
 *
 * Blobs hold tiles and runs of indices. Here they become arrays for each mesh:
 * indices, reflections, channels that never change.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CACHEFILE_STATIC_MESHES_H
#define OFFLINE_CACHEFILE_STATIC_MESHES_H

#include "cachefile/cache_reader_state.h"

#include <stdbool.h>

/* Decode all blobs and fill the reader's static meshes. False after a refusal.
 */
bool static_meshes_load(struct cache_reader *reader);

#endif
