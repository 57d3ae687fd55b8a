/* pak_validate.h - accepts or refuses the header and the index of a pak file.
 *
 * All bytes of a pak pass through here before they are used, in the runtime
 * (read/pak_mount.h) and in the tool. After it, code trusts the index: every
 * count, range and cross-reference was checked. The stored blocks are not read
 * here; each has a checksum of its own.
 *
 * A refusal fills `fault`, which can be NULL, with the field, its offset in the
 * file and its value. No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_VALIDATE_H
#define SPN_PAK_PAK_VALIDATE_H

#include "pak/pak_index.h"

#include <spindle/status.h>
#include <stdint.h>

/* Read the header of a file of `file_bytes` bytes. `bytes` are its first
 * PAK_HEADER_BYTES, fewer only if the file is shorter. SPN_ERR_FORMAT,
 * SPN_ERR_VERSION, SPN_ERR_CHECKSUM; `header` is written on SPN_OK only. */
SPN_NODISCARD spn_status spn__pak_validate_header(const uint8_t *bytes,
                                                  uint64_t file_bytes,
                                                  struct pak_header *header,
                                                  struct spn_fault *fault);

/* Check the index and make a view of it. `bytes` are the index_bytes behind the
 * header in the file; they must outlive `index`. Time grows linearly with the
 * index, times the logarithm of the number of entries for each folder of a
 * name. SPN_ERR_FORMAT, SPN_ERR_CHECKSUM. */
SPN_NODISCARD spn_status
spn__pak_validate_index(const struct pak_header *header, const uint8_t *bytes,
                        struct pak_index *index, struct spn_fault *fault);

/* The size of the index that a header with these counts has; 0: more than
 * PAK_INDEX_BYTES_MAX. For writers of paks. */
uint32_t spn__pak_index_bytes(const struct pak_header *header);

#endif
