/* api_layout.c - spn_layout_check: which formats an attribute may have.
 *
 * A static table has the formats. spn__fill_run trusts a layout that passed.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/geom_layout.h>

#include "base/assert.h"

#include <spindle/features.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if SPN_WITH_GEOMETRY

/* The size of SPN_FORMAT_QUANTIZED depends on the attribute. */
static const uint8_t format_bytes[] = {
    [SPN_FORMAT_F32X2] = 8,         [SPN_FORMAT_F32X3] = 12,
    [SPN_FORMAT_F32X4] = 16,        [SPN_FORMAT_F16X2] = 4,
    [SPN_FORMAT_F16X4] = 8,         [SPN_FORMAT_SNORM8X4] = 4,
    [SPN_FORMAT_SNORM16X4] = 8,     [SPN_FORMAT_SNORM10X3_2] = 4,
    [SPN_FORMAT_UNORM16X2] = 4,     [SPN_FORMAT_UNORM8X4] = 4,
    [SPN_FORMAT_UNORM8X4_BGRA] = 4, [SPN_FORMAT_QUANTIZED] = 0,
};
SPN_STATIC_ASSERT(sizeof format_bytes == SPN_FORMAT_QUANTIZED + 1,
                  layout_format_bytes);

#define FORMAT_BIT(name) (1u << SPN_FORMAT_##name)

/* One attribute. */
struct rule {
    uint16_t attribute;       /* offset of its field in spn_vertex_layout */
    uint16_t formats;         /* mask of FORMAT_BIT of its permitted formats */
    uint16_t quantized_bytes; /* its size as SPN_FORMAT_QUANTIZED */
};
#define RULE(name) .attribute = offsetof(spn_vertex_layout, name)
#define POSITIONS                                                              \
    (FORMAT_BIT(F32X3) | FORMAT_BIT(F16X4) | FORMAT_BIT(QUANTIZED))
#define UVS                                                                    \
    (FORMAT_BIT(F32X2) | FORMAT_BIT(F16X2) | FORMAT_BIT(UNORM16X2) |           \
     FORMAT_BIT(QUANTIZED))
#define NORMALS                                                                \
    (FORMAT_BIT(F32X3) | FORMAT_BIT(SNORM8X4) | FORMAT_BIT(SNORM16X4) |        \
     FORMAT_BIT(SNORM10X3_2))
static const struct rule rules[] = {
    {RULE(position), POSITIONS, 6},
    {RULE(previous_position), POSITIONS, 6},
    {RULE(normal), NORMALS, 0},
    {RULE(tangent), NORMALS | FORMAT_BIT(F32X4), 0},
    {RULE(qtangent),
     FORMAT_BIT(F32X4) | FORMAT_BIT(SNORM16X4) | FORMAT_BIT(QUANTIZED), 8},
    {RULE(uv), UVS, 4},
    {RULE(second_uv), UVS, 4},
    {RULE(color),
     FORMAT_BIT(F32X4) | FORMAT_BIT(UNORM8X4) | FORMAT_BIT(UNORM8X4_BGRA) |
         FORMAT_BIT(QUANTIZED),
     4},
    {RULE(velocity), POSITIONS, 6},
};
#define ATTRIBUTES (sizeof rules / sizeof rules[0])
SPN_STATIC_ASSERT(FORMAT_BIT(QUANTIZED) <= UINT16_MAX, layout_format_bits);

/* The bytes of an attribute in the vertex. */
struct span {
    uint32_t offset;
    uint32_t bytes; /* 0: not written */
};

/* False if the format is not one of the rule's, or the attribute does not fit
 * the stride. */
static bool validate(const spn_vertex_layout *layout, const struct rule *rule,
                     struct span *out)
{
    const spn_attribute *attribute =
        (const void *)((const uint8_t *)layout + rule->attribute);
    const uint32_t format = (uint32_t)attribute->format;

    out->offset = 0;
    out->bytes = 0;
    if (format == SPN_FORMAT_NONE)
        return true;
    if (format > SPN_FORMAT_QUANTIZED || !(rule->formats >> format & 1u))
        return false;
    out->offset = attribute->offset;
    out->bytes = format == SPN_FORMAT_QUANTIZED ? rule->quantized_bytes
                                                : format_bytes[format];
    return out->bytes <= layout->stride &&
           out->offset <= layout->stride - out->bytes;
}

spn_status spn_layout_check(const spn_vertex_layout *layout)
{
    struct span spans[ATTRIBUTES];

    if (layout == NULL || layout->stride == 0 ||
        layout->stride > SPN_STRIDE_MAX)
        return SPN_ERR_ARG;
    for (uint32_t a = 0; a < ATTRIBUTES; a++) {
        if (!validate(layout, &rules[a], &spans[a]))
            return SPN_ERR_ARG;
        for (uint32_t b = 0; b < a; b++)
            /* They overlap unless one ends before the other begins. No sum
             * wraps, because both lie within the stride. */
            if (spans[a].bytes != 0 && spans[b].bytes != 0 &&
                spans[a].offset < spans[b].offset + spans[b].bytes &&
                spans[b].offset < spans[a].offset + spans[a].bytes)
                return SPN_ERR_ARG;
    }
    return SPN_OK;
}

#endif
