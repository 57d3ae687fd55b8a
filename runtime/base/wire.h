/* wire.h - what the doors of all file formats share: how to refuse. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_WIRE_H
#define SPN_BASE_WIRE_H

#include "base/compiler.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

#define WIRE_SEED 0u /* of every checksum of a file */

static inline bool wire_is_zero(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Say what is wrong; `fault` may be NULL. SPN_ERR_FORMAT. Most offsets and
 * values have 32 bits, which are cheaper to hand over; others are `wide`. */
SPN_NOINLINE spn_status spn__wire_refuse(spn_fault *fault, const char *what,
                                         uint32_t offset, uint32_t value);
SPN_NOINLINE spn_status spn__wire_refuse_wide(spn_fault *fault,
                                              const char *what, uint64_t offset,
                                              uint64_t value);
/* The same where one value alone is right. */
SPN_NOINLINE spn_status spn__wire_refuse_unlike(spn_fault *fault,
                                                const char *what,
                                                uint32_t offset, uint64_t value,
                                                uint64_t expected);
/* The same for another reason, `status`, which it returns. */
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

#define WIRE_SIGNATURE_BYTES 8u

/* The first bytes of a file are its signature; zeroes until it is whole. */
spn_status spn__wire_validate_signature(const uint8_t *file,
                                        const char *signature,
                                        spn_fault *fault);
/* The last word of a header of so many bytes is the checksum of those before
 * it. */
spn_status spn__wire_validate_checksum(const uint8_t *header, uint32_t bytes,
                                       spn_fault *fault);

#endif
