/* channel.h - the vertex channels of a cache, as they are quantized. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_CHANNEL_H
#define SPN_GEOM_CHANNEL_H

#include <stdint.h>

enum channel {
    CHANNEL_POSITION, /* u16 x 3: min + q / (2^bits - 1) * size, per axis */
    CHANNEL_QTANGENT, /* i16 x 4: x y z w of a unit quaternion, times 511 */
    CHANNEL_UV,       /* u16 x 2: min + q / 65535 * size, per axis */
    CHANNEL_COLOR,    /* u8 x 4: r g b a, q / 255 */
    CHANNEL_COUNT
};

#define CHANNEL_BIT(channel) (1u << (channel))
#define QTANGENT_ONE 511

/* Components, bytes of a component, bytes of a vertex. */
static inline uint32_t channel_components(enum channel channel)
{
    static const uint8_t count[CHANNEL_COUNT] = {3, 4, 2, 4};
    return count[channel];
}

static inline uint32_t channel_vertex_bytes(enum channel channel)
{
    static const uint8_t bytes[CHANNEL_COUNT] = {6, 8, 4, 4};
    return bytes[channel];
}

#endif
