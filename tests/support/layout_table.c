/* layout_table.c - the formats of attributes. */
/* SPDX-License-Identifier: MIT */
#include "support/layout_table.h"

const uint8_t layout_bytes[LAYOUT_ATTRIBUTES][LAYOUT_FORMATS] = {
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 6},
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 6},
    {0, 0, 12, 0, 0, 0, 4, 8, 4, 0, 0, 0, 0},
    {0, 0, 12, 16, 0, 0, 4, 8, 4, 0, 0, 0, 0},
    {0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0, 0, 8},
    {0, 8, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 4},
    {0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 4, 4, 4},
    {0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0, 0, 6},
    {0, 8, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 4},
};

spn_attribute *layout_attribute(spn_vertex_layout *layout, uint32_t index)
{
    spn_attribute *attributes[LAYOUT_ATTRIBUTES] = {
        &layout->position, &layout->previous_position, &layout->normal,
        &layout->tangent,  &layout->qtangent,          &layout->uv,
        &layout->color,    &layout->velocity,          &layout->second_uv};

    return attributes[index];
}
