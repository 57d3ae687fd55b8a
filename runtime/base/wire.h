/* wire.h - refusal of invalid bytes, and checks that all file formats share. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_WIRE_H
#define SPN_BASE_WIRE_H

#include "base/compiler.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define WIRE_SEED 0u /* of all checksums in files */

static inline bool wire_is_zero(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Fill in `fault` (NULL: not wanted), and return SPN_ERR_FORMAT.
 *
 * what    static string, see spn_fault
 * offset  bytes from the start of the file
 * value   the value found there
 *
 * The first function takes 32-bit numbers, which need less code at the many
 * places that call it; the second one 64-bit numbers. */
SPN_NOINLINE spn_status spn__wire_refuse(spn_fault *fault, const char *what,
                                         uint32_t offset, uint32_t value);
SPN_NOINLINE spn_status spn__wire_refuse_wide(spn_fault *fault,
                                              const char *what, uint64_t offset,
                                              uint64_t value);
/* The same with the only correct value. */
SPN_NOINLINE spn_status spn__wire_refuse_unlike(spn_fault *fault,
                                                const char *what,
                                                uint32_t offset, uint64_t value,
                                                uint64_t expected);
/* The same with another status, which is returned. */
SPN_NOINLINE spn_status spn__wire_refuse_for(spn_fault *fault,
                                             spn_status status,
                                             const char *what, uint64_t offset,
                                             uint64_t value, uint64_t expected);

static inline spn_status wire_refuse(spn_fault *fault, const char *what,
                                     uint32_t offset, uint32_t value)
{
    return spn__wire_refuse(fault, what, offset, value);
}

static inline spn_status wire_refuse_wide(spn_fault *fault, const char *what,
                                          uint64_t offset, uint64_t value)
{
    return spn__wire_refuse_wide(fault, what, offset, value);
}

static inline spn_status wire_refuse_for(spn_fault *fault, spn_status status,
                                         const char *what, uint64_t offset,
                                         uint64_t value, uint64_t expected)
{
    return spn__wire_refuse_for(fault, status, what, offset, value, expected);
}

static inline spn_status wire_refuse_unlike(spn_fault *fault, const char *what,
                                            uint32_t offset, uint64_t value,
                                            uint64_t expected)
{
    return spn__wire_refuse_unlike(fault, what, offset, value, expected);
}

/* A region of a file that is validated in memory. */
struct wire_region {
    const uint8_t *bytes;
    uint32_t offset; /* of these bytes in the file */
    spn_fault *fault;
};

/* Refuse a field of a region. */
spn_status spn__wire_region_refuse(const struct wire_region *region,
                                   const char *what, const void *field,
                                   uint64_t value);
/* The same with the only correct value. */
spn_status spn__wire_region_refuse_unlike(const struct wire_region *region,
                                          const char *what, const void *field,
                                          uint64_t value, uint64_t expected);

#define WIRE_SIGNATURE_BYTES 8u

/* Check the signature at the start of a file. It is all zero while the file is
 * being written. Returns SPN_OK or SPN_ERR_FORMAT. */
spn_status spn__wire_validate_signature(const uint8_t *file,
                                        const char *signature,
                                        spn_fault *fault);
/* Check that the last word of a header of `bytes` bytes is the checksum of the
 * bytes before it. */
spn_status spn__wire_validate_checksum(const uint8_t *header, uint32_t bytes,
                                       spn_fault *fault);

#endif
