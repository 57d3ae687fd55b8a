/* wire.c - refusal of invalid bytes.
 *
 * Not inline: hundreds of places call it, and none of them is critical for
 * speed.
 */
/* SPDX-License-Identifier: MIT */
#include "base/wire.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"

spn_status spn__wire_refuse_wide(spn_fault *fault, const char *what,
                                 uint64_t offset, uint64_t value)
{
    if (fault)
        *fault = (struct spn_fault){.what = what,
                                    .offset = offset,
                                    .value = value,
                                    .status = SPN_ERR_FORMAT};
    return SPN_ERR_FORMAT;
}

spn_status spn__wire_refuse(spn_fault *fault, const char *what, uint32_t offset,
                            uint32_t value)
{
    return spn__wire_refuse_wide(fault, what, offset, value);
}

spn_status spn__wire_refuse_for(spn_fault *fault, spn_status status,
                                const char *what, uint64_t offset,
                                uint64_t value, uint64_t expected)
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

spn_status spn__wire_refuse_unlike(spn_fault *fault, const char *what,
                                   uint32_t offset, uint64_t value,
                                   uint64_t expected)
{
    return spn__wire_refuse_for(fault, SPN_ERR_FORMAT, what, offset, value,
                                expected);
}

spn_status spn__wire_validate_signature(const uint8_t *file,
                                        const char *signature, spn_fault *fault)
{
    if (wire_is_zero(file, WIRE_SIGNATURE_BYTES))
        return wire_refuse(fault, "signature of an unfinished file", 0, 0);
    if (memcmp(file, signature, WIRE_SIGNATURE_BYTES) != 0)
        return wire_refuse_wide(fault, "signature", 0, spn_load_u64le(file));
    return SPN_OK;
}

spn_status spn__wire_validate_checksum(const uint8_t *header, uint32_t bytes,
                                       spn_fault *fault)
{
    uint32_t before = bytes - (uint32_t)sizeof(uint32_t);
    uint32_t checksum = spn_load_u32le(header + before);
    uint32_t found = spn__checksum(header, before, WIRE_SEED);

    return found == checksum
               ? SPN_OK
               : wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                                 "checksum of the header", 0, found, checksum);
}

static uint32_t offset_of(const struct wire_region *region, const void *field)
{
    return region->offset + (uint32_t)((const uint8_t *)field - region->bytes);
}

spn_status spn__wire_region_refuse(const struct wire_region *region,
                                   const char *what, const void *field,
                                   uint64_t value)
{
    return wire_refuse_wide(region->fault, what, offset_of(region, field),
                            value);
}

spn_status spn__wire_region_refuse_unlike(const struct wire_region *region,
                                          const char *what, const void *field,
                                          uint64_t value, uint64_t expected)
{
    return wire_refuse_unlike(region->fault, what, offset_of(region, field),
                              value, expected);
}
