/* lift_wire_write.h - shapes to the bytes of geom/lift_wire.h. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LIFT_WIRE_WRITE_H
#define OFFLINE_COMPILE_LIFT_WIRE_WRITE_H

#include "common/arena.h"
#include "geom/lift_wire.h"

/* Layers of at most 65535 vertices. The bytes are in `arena`. */
void lift_wire_write(const struct lift_shape *shape, struct arena *arena,
                     struct lift_wire *out);

#endif
