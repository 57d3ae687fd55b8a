/* lift_wire_write.h - shapes to the bytes of geom/lift_wire.h. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LIFT_WIRE_WRITE_H
#define OFFLINE_COMPILE_LIFT_WIRE_WRITE_H

#include "common/arena.h"
#include "geom/cache_file.h"
#include "geom/lift_wire.h"

struct ring_wire {
    const uint8_t *rings;
    size_t rings_bytes;
    const uint8_t *neighbours; /* runs of CACHE_RING_SLOTS_PER_BLOB slots */
    const uint8_t *weights;    /* the same */
    size_t slots_bytes;        /* of each of the two */
};

/* The bytes are in `arena`. */
void lift_wire_write_rings(const struct ring_shape *rings, struct arena *arena,
                           struct ring_wire *out);

/* Layers of at most 65535 vertices. The bytes are in `arena`. */
void lift_wire_write(const struct lift_shape *shape, struct arena *arena,
                     struct lift_wire *out);

#endif
