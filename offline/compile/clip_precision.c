/* clip_precision.c - compares what quantization keeps with what is seen. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip_precision.h"

#include "compile/words.h"

#define TEXTURE_TEXELS 2048.0
#define TEXELS_MAX 0.5

void clip_warn_of_uvs(struct clip_private *private,
                      const struct clip_mesh *mesh, enum channel channel)
{
    char number[2][WORDS_NUMBER_BYTES];

    for (int i = 0; i < 2; i++) {
        float min = mesh->range[channel].min[i];
        float size = mesh->range[channel].size[i];
        double texels = TEXTURE_TEXELS *
                        quantize_error(min, size, mesh->range[channel].bits[i]);

        if (texels <= TEXELS_MAX)
            continue;
        warnings_add(&private->warnings, WARNING_PRECISION, mesh->path,
                     arena_format(&private->arena,
                                  "%c goes from %s to %s: off by %.3g texels "
                                  "of a texture of %g, not by %g",
                                  "uv"[i], words_number(min, number[0]),
                                  words_number((double)min + size, number[1]),
                                  texels, TEXTURE_TEXELS, TEXELS_MAX));
    }
}
