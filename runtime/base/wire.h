/* wire.h - what the doors of all file formats share: how to refuse. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_WIRE_H
#define SPN_BASE_WIRE_H

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

/* Say what is wrong; `fault` may be NULL. */
static inline spn_status wire_refuse(struct spn_fault *fault, const char *what,
                                     uint64_t offset, uint64_t value)
{
    if (fault)
        *fault = (struct spn_fault){.what = what,
                                    .offset = offset,
                                    .value = value,
                                    .status = SPN_ERR_FORMAT};
    return SPN_ERR_FORMAT;
}

/* The same where one value alone is right. */
static inline spn_status wire_refuse_for(struct spn_fault *fault,
                                         spn_status status, const char *what,
                                         uint64_t offset, uint64_t value,
                                         uint64_t expected)
{
    if (fault)
        *fault = (struct spn_fault){.what = what,
                                    .offset = offset,
                                    .value = value,
                                    .expected = expected,
                                    .has_expected = 1,
                                    .status = status};
    return status;
}

static inline spn_status wire_refuse_unlike(struct spn_fault *fault,
                                            const char *what, uint64_t offset,
                                            uint64_t value, uint64_t expected)
{
    return wire_refuse_for(fault, SPN_ERR_FORMAT, what, offset, value,
                           expected);
}

#endif
