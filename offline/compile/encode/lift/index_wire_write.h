/* index_wire_write.h - writes a run of triangle indices as
 * codec/lift/index_wire.h reads it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_INDEX_WIRE_WRITE_H
#define OFFLINE_COMPILE_ENCODE_LIFT_INDEX_WIRE_WRITE_H

#include "codec/lift/index_wire.h"
#include "compile/encode/lift/lift_wire_write.h"

/* `indices`: `count` indices of `index_bytes` bytes each, little-endian; whole
 * triangles. Returns 0 bytes if this coding cannot represent them. */
struct wire_bytes index_wire_write(const uint8_t *indices, uint32_t index_bytes,
                                   uint32_t count, struct arena *arena);

#endif
