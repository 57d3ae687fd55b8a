/* wire.c - how the doors of all file formats refuse.
 *
 * Out of line: it is called from hundreds of places, and by none in a hurry.
 */
/* SPDX-License-Identifier: MIT */
#include "base/wire.h"

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
