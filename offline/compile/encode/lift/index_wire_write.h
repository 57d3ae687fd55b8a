/* index_wire_write.h - indices to the bytes of codec/lift/index_wire.h. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_INDEX_WIRE_WRITE_H
#define OFFLINE_COMPILE_ENCODE_LIFT_INDEX_WIRE_WRITE_H

#include "codec/lift/index_wire.h"
#include "compile/encode/lift/lift_wire_write.h"

/* `indices`: little-endian, whole triangles, `count` in all. No
 * bytes where they cannot be told so. */
struct wire_bytes index_wire_write(const uint8_t *indices, uint32_t index_bytes,
                                   uint32_t count, struct arena *arena);

#endif
