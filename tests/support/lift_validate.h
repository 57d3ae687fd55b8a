/* lift_validate.h - check the rules of hierarchies and one-rings.
 *
 * The kernels of codec/lift index arrays by these numbers without checks.
 * Readers of files (codec/lift/lift_wire.h) produce only numbers that follow
 * the rules; tests verify this.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFT_VALIDATE_H
#define TESTS_SUPPORT_LIFT_VALIDATE_H

#include "codec/lift/lift_hierarchy.h"
#include "codec/lift/one_ring.h"

#include <spindle/status.h>

/* Check the rules in lift_hierarchy.h. Returns SPN_ERR_FORMAT, with the first
 * broken rule as fault. */
SPN_NODISCARD spn_status lift_validate(const struct lift_hierarchy *hierarchy,
                                       struct spn_fault *fault);

/* Check the rules in one_ring.h, except those of `vertex`. */
SPN_NODISCARD spn_status one_rings_validate(const struct one_rings *rings,
                                            struct spn_fault *fault);

#endif
