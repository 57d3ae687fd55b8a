/* name_hash.h - the hash of the name of a scene node.
 *
 * See spn_name_hash (spindle/geom_scene.h). Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_NAME_HASH_H
#define SPN_CACHE_NAME_HASH_H

#include <stdint.h>

/* Bytes of a name that count. The names of a damaged file may overlap, so that
 * many of them are as long as all together. */
#define NAME_HASH_BYTES_MAX 4096u

uint64_t spn__name_hash(const char *name);

#endif
