/* packed_fixture.h - for tests of compressed reads: an engine on a slow disc
 * with a pak "p", and numbered reads of its entries, each with its own buffer.
 *
 * Entries "store", "lz4", "deflate" and "zstd" (3 copies) hold the same bytes,
 * each in its codec; in each block one half compresses. In "mixed", in LZ4,
 * every second block does not compress. "twice" has 9,000 bytes, 4 copies.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PACKED_FIXTURE_H
#define TESTS_SUPPORT_PACKED_FIXTURE_H

#include "support/io_rig.h"
#include "support/tiny_pak.h"

#define PACKED_BYTES 400000u /* 7 blocks */
#define PACKED_READS 24u

struct packed {
    struct rig rig;
    struct rig_read reads[PACKED_READS];
    uint8_t buffers[PACKED_READS][PACKED_BYTES + 64];
    struct tiny_pak tiny;
    spn_pak pak;
    bool is_deadline_order; /* order of the disc: deadlines or the sort key */
};

extern struct packed packed;

/* Start an engine; NULL means an empty config. Counts that are 0 become large
 * enough for all reads. */
void packed_open(const struct rig_config *config);
void packed_mount(void);
/* Check that all memory has been returned, and shut down. */
void packed_close(void);

/* Call a claim with the order of deadlines. */
void packed_by_deadline(void (*claim)(void));

/* Start read i of a range of an entry into buffer i. */
void packed_begin(uint32_t i, const char *name, uint64_t offset, uint64_t bytes,
                  spn_priority priority);
/* Check that read i delivered this range, and wrote no byte behind it. */
void packed_check(uint32_t i, const char *name, uint64_t offset,
                  uint64_t bytes);

/* The bytes of an entry other than "twice". */
const uint8_t *packed_bytes(const char *name);

/* The content of an entry in the index of the mounted pak. */
struct pak_content packed_content(const char *name);

#endif
