/* tiny_truth.c - every value of a tiny cache, and the groups of its frames. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_truth.h"

#include "base/endian.h"
#include "codec/channel.h"
#include "harness.h"

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t x = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du ^ d;

    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    return x;
}

static uint32_t value_of(const struct tiny_options *o, uint32_t frame,
                         uint32_t mesh, enum channel channel, uint32_t v,
                         uint32_t k)
{
    uint32_t noise = mix(v * 8 + k, frame, mesh * 8 + channel, o->seed);

    if (o->is_noisy && channel != CHANNEL_QTANGENT)
        return noise;
    switch (channel) {
    case CHANNEL_POSITION:
        return v * 13 + frame * (17 + k) + mesh * 999 + k * 5000 + (noise & 3);
    case CHANNEL_QTANGENT:
        return k == 3 ? 400 : (v + frame * 3 + k * 20) % 200 + (noise & 1);
    case CHANNEL_UV:
        return v * 7 + frame * 11 + k;
    case CHANNEL_SECOND_UV:
        return v * 5 + k * 9;
    case CHANNEL_VELOCITY:
        return 32768 + (v * 3 + frame * 17 + k * 1000) % 20000;
    default:
        return v + k * 50 + mesh;
    }
}

void tiny_values(const struct tiny_options *o, uint32_t frame, uint32_t mesh,
                 enum channel channel, uint32_t first, uint32_t count,
                 void *out)
{
    uint32_t components = channel_components(channel);
    uint16_t *out16 = out;
    uint8_t *out8 = out;

    if (mesh == o->mesh_count)
        frame = 0;
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = 0; k < components; k++) {
            uint32_t value = value_of(o, frame, mesh, channel, first + v, k);

            if (channel == CHANNEL_COLOR)
                *out8++ = (uint8_t)value;
            else
                *out16++ = (uint16_t)value;
        }
}

/* Group 0 is frame 0 alone. Every other group ends with its index frame. */
uint32_t tiny_group_of(const struct tiny_options *o, uint32_t frame)
{
    return frame == 0 ? 0 : (frame - 1) / o->distance + 1;
}

bool tiny_is_hidden(const struct tiny_options *o, uint32_t frame, uint32_t mesh)
{
    uint32_t group = tiny_group_of(o, frame);

    return mesh == 0 && group >= o->hidden_first && group < o->hidden_limit;
}

void tiny_translation(const struct tiny_options *o, uint32_t frame,
                      uint32_t mesh, float out[3])
{
    (void)o;
    out[0] = (float)frame * 0.25f;
    out[1] = (float)mesh;
    out[2] = 0;
}
