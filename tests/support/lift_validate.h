/* lift_validate.h - the rules of hierarchies and one-rings, checked.
 *
 * The kernels of codec/lift index arrays by these numbers without looking. The
 * readers of files (codec/lift/lift_wire.h) cannot produce numbers that break a
 * rule; tests check that they did not.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFT_VALIDATE_H
#define TESTS_SUPPORT_LIFT_VALIDATE_H

#include "codec/lift/lift_hierarchy.h"
#include "codec/lift/one_ring.h"

#include <spindle/status.h>

/* Check the rules in lift_hierarchy.h. SPN_ERR_FORMAT with the fault of the
 * first one that is broken. */
SPN_NODISCARD spn_status lift_validate(const struct lift_hierarchy *hierarchy,
                                       struct spn_fault *fault);

/* The same for the rules in one_ring.h, but for those of `vertex`. */
SPN_NODISCARD spn_status one_rings_validate(const struct one_rings *rings,
                                            struct spn_fault *fault);

#endif
