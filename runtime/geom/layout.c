/* layout.c - judge the caller's vertex layout.
 *
 * A static table says which format suits which attribute; behind this, filling
 * trusts the layout.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/geom.h>

#include <stddef.h>

enum { ATTRIBUTE_COUNT = 8 };

static uint32_t format_bytes(spn_format format)
{
    switch (format) {
    case SPN_FORMAT_NONE:
    case SPN_FORMAT_QUANTIZED: /* the attribute's own */
        return 0;
    case SPN_FORMAT_F32X2:
    case SPN_FORMAT_F16X4:
    case SPN_FORMAT_SNORM16X4:
        return 8;
    case SPN_FORMAT_F32X3:
        return 12;
    case SPN_FORMAT_F32X4:
        return 16;
    case SPN_FORMAT_F16X2:
    case SPN_FORMAT_SNORM8X4:
    case SPN_FORMAT_SNORM10X3_2:
    case SPN_FORMAT_UNORM16X2:
    case SPN_FORMAT_UNORM8X4:
    case SPN_FORMAT_UNORM8X4_BGRA:
        return 4;
    }
    return 0;
}

#define FORMAT_BIT(name) (1u << SPN_FORMAT_##name)

static const uint32_t position_formats =
    FORMAT_BIT(F32X3) | FORMAT_BIT(F16X4) | FORMAT_BIT(QUANTIZED);
static const uint32_t velocity_formats = FORMAT_BIT(F32X3) | FORMAT_BIT(F16X4);
static const uint32_t normal_formats =
    FORMAT_BIT(F32X3) | FORMAT_BIT(SNORM8X4) | FORMAT_BIT(SNORM16X4) |
    FORMAT_BIT(SNORM10X3_2);
static const uint32_t tangent_formats =
    FORMAT_BIT(F32X3) | FORMAT_BIT(F32X4) | FORMAT_BIT(SNORM8X4) |
    FORMAT_BIT(SNORM16X4) | FORMAT_BIT(SNORM10X3_2);
static const uint32_t qtangent_formats =
    FORMAT_BIT(F32X4) | FORMAT_BIT(SNORM16X4) | FORMAT_BIT(QUANTIZED);
static const uint32_t uv_formats = FORMAT_BIT(F32X2) | FORMAT_BIT(F16X2) |
                                   FORMAT_BIT(UNORM16X2) |
                                   FORMAT_BIT(QUANTIZED);
static const uint32_t color_formats = FORMAT_BIT(F32X4) | FORMAT_BIT(UNORM8X4) |
                                      FORMAT_BIT(UNORM8X4_BGRA) |
                                      FORMAT_BIT(QUANTIZED);

struct span {
    uint32_t offset;
    uint32_t bytes; /* 0: not written */
};

/* False when the format does not suit or the attribute leaves the stride. */
static int judge(const spn_attribute *attribute, uint32_t formats,
                 uint32_t quantized_bytes, uint32_t stride, struct span *out)
{
    uint32_t format = (uint32_t)attribute->format;

    out->offset = 0;
    out->bytes = 0;
    if (format == SPN_FORMAT_NONE)
        return 1;
    if (format > SPN_FORMAT_QUANTIZED || !(formats >> format & 1u))
        return 0;
    out->offset = attribute->offset;
    out->bytes = format == SPN_FORMAT_QUANTIZED
                     ? quantized_bytes
                     : format_bytes(attribute->format);
    return out->bytes <= stride && out->offset <= stride - out->bytes;
}

spn_status spn_layout_check(const spn_vertex_layout *layout)
{
    struct span spans[ATTRIBUTE_COUNT];
    uint32_t stride;

    if (layout == NULL || layout->stride == 0)
        return SPN_ERR_ARG;
    stride = layout->stride;
    if (!judge(&layout->position, position_formats, 6, stride, &spans[0]) ||
        !judge(&layout->previous_position, position_formats, 6, stride,
               &spans[1]) ||
        !judge(&layout->normal, normal_formats, 0, stride, &spans[2]) ||
        !judge(&layout->tangent, tangent_formats, 0, stride, &spans[3]) ||
        !judge(&layout->qtangent, qtangent_formats, 8, stride, &spans[4]) ||
        !judge(&layout->uv, uv_formats, 4, stride, &spans[5]) ||
        !judge(&layout->color, color_formats, 4, stride, &spans[6]) ||
        !judge(&layout->velocity, velocity_formats, 0, stride, &spans[7]))
        return SPN_ERR_ARG;

    for (int a = 0; a < ATTRIBUTE_COUNT; a++)
        for (int b = 0; b < a; b++) {
            /* Apart: one ends before the other begins. Nothing can wrap:
             * both lie within the stride. */
            if (spans[a].bytes != 0 && spans[b].bytes != 0 &&
                spans[a].offset < spans[b].offset + spans[b].bytes &&
                spans[b].offset < spans[a].offset + spans[a].bytes)
                return SPN_ERR_ARG;
        }
    return SPN_OK;
}
