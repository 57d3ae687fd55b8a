/* fault_disc.h - small files for the loops of faults, and their true content.
 *
 *   "a"    a cache; "b" another with two meshes, compressed by zstd
 *   "l"    a cache of the lifting codec
 *   "m"    the same as "a", in memory
 *   "raw"  a loose file; "mem": another, in memory
 *   "p"    a pak with the entries "lz", "df", "zs", "st" and the cache "c"
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_FAULT_DISC_H
#define TESTS_SIM_FAULT_DISC_H

#include "support/slow_platform.h"
#include "support/tiny_cache.h"

#include <stdint.h>

#define FAULT_DISC_FRAME_US 50000
/* Size of each file and entry that is not a cache. */
#define FAULT_DISC_BYTES 64000u

void fault_disc_fill(struct slow_platform *disc);
/* The cache "a" and "m". */
struct tiny_cache *fault_disc_tiny(void);
/* Check the bytes of a loose file or an entry. Ends the claim when they
 * differ. */
void fault_disc_check(const char *path, uint64_t offset, uint64_t bytes,
                      const void *data);

#endif
