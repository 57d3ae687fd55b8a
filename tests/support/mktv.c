/* mktv.c - read the reference tangents of the assets. */
/* SPDX-License-Identifier: MIT */
#include "support/mktv.h"

#include "harness.h"

#include "base/endian.h"
#include "support/abc_files.h"

#include <stdlib.h>

const char *const mktv_names[MKTV_COUNT] = {
    "grid",       "uv-sphere",         "mirrored", "flag-frame60",
    "quads-hard", "character-lo-part", "fan-tiny", "degenerate"};

static const uint8_t *take(struct arena *arena, const uint8_t *at, size_t count,
                           float **out)
{
    *out = ARENA_NEW(arena, float, count);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = spn_load_f32le(at + 4 * i);
    return at + 4 * count;
}

void mktv_read(const char *name, struct arena *arena, struct mktv *out)
{
    const char *assets = test_assets();
    const uint8_t *at;
    size_t bytes;
    char *text;

    if (!assets)
        test_skip("no assets");
    text = file_text(arena_format(arena, "%s/mikktspace/%s.mktv", assets, name),
                     &bytes);
    CHECK(text != NULL);
    at = (const uint8_t *)text;
    CHECK_EQ_U(spn_load_u32le(at), 0x56544B4D);
    out->corners = 3 * spn_load_u32le(at + 8);
    CHECK_EQ_U(bytes, 16 + 48 * (size_t)out->corners);
    at = take(arena, at + 16, 3 * (size_t)out->corners, &out->positions);
    at = take(arena, at, 3 * (size_t)out->corners, &out->normals);
    at = take(arena, at, 2 * (size_t)out->corners, &out->uvs);
    at = take(arena, at, 3 * (size_t)out->corners, &out->tangents);
    take(arena, at, out->corners, &out->signs);
    free(text);
}
