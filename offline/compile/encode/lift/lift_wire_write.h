/* lift_wire_write.h - shapes and rings to the bytes of codec/lift/lift_wire.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WIRE_WRITE_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WIRE_WRITE_H

#include "codec/lift/lift_wire.h"
#include "common/arena.h"

struct wire_bytes {
    const uint8_t *bytes; /* in the arena */
    size_t count;
};

/* `members`: the vertex at each place; within a layer they rise. */
struct wire_bytes lift_wire_write(const struct lift_hierarchy *shape,
                                  const uint16_t *members, struct arena *arena);

/* The rings must be those of the walk around `part`. */
struct wire_bytes lift_wire_write_rings(const struct one_rings *rings,
                                        const struct one_ring_part *part,
                                        struct arena *arena);

#endif
