/* lift_wire_write.h - writes hierarchies and one-rings, as
 * codec/lift/lift_wire.h reads them.
 *
 * The functions keep no state, and may run on any thread. The bytes lie in the
 * arena of the caller.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WIRE_WRITE_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WIRE_WRITE_H

#include "codec/lift/lift_wire.h"
#include "common/arena.h"

struct wire_bytes {
    const uint8_t *bytes; /* in the arena of the function that returns them */
    size_t count;
};

/* Write a hierarchy. `members`: for each place of the hierarchy the member,
 * that is, the vertex's number from the part's first (lift_plan.h); rising
 * within each layer. */
struct wire_bytes lift_wire_write_hierarchy(
    const struct lift_hierarchy *hierarchy, const uint16_t *members,
    struct arena *arena);

/* Write the weights of `rings`. Their neighbours are not written: the decoder
 * finds them by the same walk around the triangles of `part`. */
struct wire_bytes lift_wire_write_one_rings(const struct one_rings *rings,
                                            const struct one_ring_part *part,
                                            struct arena *arena);

#endif
