/* channel.h - the vertex channels of a cache and their quantized values.
 *
 * A channel is one attribute of vertices. Files, codecs and fills all use these
 * numbers and layouts. q is the quantized value; min, size and bits are the
 * channel's range in the mesh (struct channel_range).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CHANNEL_H
#define SPN_CODEC_CHANNEL_H

#include <stdint.h>

enum channel {
    CHANNEL_POSITION,  /* u16 x 3: min + q / (2^bits - 1) * size, per axis */
    CHANNEL_QTANGENT,  /* i16 x 4: x y z w of a unit quaternion, times 511 */
    CHANNEL_UV,        /* u16 x 2: min + q / 65535 * size, per axis */
    CHANNEL_COLOR,     /* u8 x 4: r g b a, q / 255 */
    CHANNEL_SECOND_UV, /* as UV */
    CHANNEL_VELOCITY,  /* as positions; units per second, mesh space */
    CHANNEL_COUNT
};
/* Channels from this one on are *attributes*, with a range and a name of their
 * own in the file. */
#define CHANNEL_COUNT_BASIC CHANNEL_SECOND_UV

#define CHANNEL_BIT(channel) (1u << (channel))
#define QTANGENT_ONE 511

/* The layout of a channel's values in memory. Codecs and fills have one kernel
 * for each form, not for each channel. */
enum channel_form {
    FORM_U16X3,
    FORM_I16X4,
    FORM_U16X2,
    FORM_U8X4,
};

static inline enum channel_form channel_form(enum channel channel)
{
    static const uint8_t form[CHANNEL_COUNT] = {
        [CHANNEL_POSITION] = FORM_U16X3,  [CHANNEL_QTANGENT] = FORM_I16X4,
        [CHANNEL_UV] = FORM_U16X2,        [CHANNEL_COLOR] = FORM_U8X4,
        [CHANNEL_SECOND_UV] = FORM_U16X2, [CHANNEL_VELOCITY] = FORM_U16X3,
    };
    return (enum channel_form)form[channel];
}

/* Numbers of a vertex: 2, 3 or 4. */
static inline uint32_t channel_components(enum channel channel)
{
    static const uint8_t count[] = {3, 4, 2, 4};
    return count[channel_form(channel)];
}

static inline uint32_t channel_vertex_bytes(enum channel channel)
{
    static const uint8_t bytes[] = {6, 8, 4, 4};
    return bytes[channel_form(channel)];
}

/* The range of a channel with unsigned 16-bit numbers. For each component, a
 * value is min + q * (size / (2^bits - 1)). */
struct channel_range {
    float min[3];
    float size[3];
    uint8_t bits[3]; /* 1..16; 0: the mesh has no such channel */
};

#endif
