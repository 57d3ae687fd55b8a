/* layout_table.h - the formats that each attribute of a layout may have,
 * written from the public header by hand.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LAYOUT_TABLE_H
#define TESTS_SUPPORT_LAYOUT_TABLE_H

#include <spindle/geom_layout.h>
#include <stdint.h>

/* Position, previous, normal, tangent, QTangent, UV, colour, velocity, second
 * UV. */
#define LAYOUT_ATTRIBUTES 9
#define LAYOUT_FORMATS (SPN_FORMAT_QUANTIZED + 1)

/* Bytes of each attribute in each format; 0: not allowed. */
extern const uint8_t layout_bytes[LAYOUT_ATTRIBUTES][LAYOUT_FORMATS];

spn_attribute *layout_attribute(spn_vertex_layout *layout, uint32_t index);

#endif
